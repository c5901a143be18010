// Runs the official conformance suite against the three endpoints of a server.
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const here = fileURLToPath(new URL('.', import.meta.url));
const suite = join(here, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
const run = promisify(execFile);
const table = JSON.parse(await readFile(join(here, 'scenarios.json'), 'utf8'));

export const endpoints = (site) => ({ public: '/mcp', publisher: `/mcp/publisher/${site}`, gateway: '/mcp/gateway' });

// scenario runs one scenario. The suite exits with 1 when a check fails;
// checks.json says which.
async function scenario(url, name, version) {
  const dir = await mkdtemp(join(tmpdir(), 'conformance-'));
  try {
    const args = [suite, 'server', '--url', url, '--scenario', name, '--spec-version', version, '-o', dir];
    const output = await run(process.execPath, args, { timeout: 60_000 }).catch((e) => e);
    const [results] = await readdir(dir);
    if (!results) throw new Error(`no result: ${output.stderr || output.message}`);
    return JSON.parse(await readFile(join(dir, results, 'checks.json'), 'utf8'));
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

// complete checks that the table names every scenario: the frozen set may grow
// with a new version of the suite.
async function complete() {
  const { stdout } = await run(process.execPath, [suite, 'server', '--url', 'http://127.0.0.1:9/mcp', '--requirements', '2026-07-28', '--timeout', '1000'], { timeout: 120_000 }).catch((e) => e);
  const named = new Set([...table.applicable.map((a) => a.scenario), ...Object.keys(table.not_applicable)]);
  const asked = [...stdout.matchAll(/^[✓✗] ([a-z0-9/-]+):/gmu)].map((m) => m[1]);
  const unknown = asked.filter((s) => !named.has(s));
  if (asked.length === 0) throw new Error(`the suite lists no scenarios: ${stdout}`);
  if (unknown.length > 0) throw new Error(`scenarios that scenarios.json does not name: ${unknown.join(', ')}`);
  return asked.length;
}

// resources reports whether the gateway declares resources; a server without
// licensed content does not.
async function resources(base) {
  const response = await fetch(`${base}/mcp/gateway`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'check', version: '1' } } }),
  });
  return 'resources' in (await response.json()).result.capabilities;
}

export async function conformance({ base, site }) {
  const paths = endpoints(site);
  const declared = await resources(base);
  const failures = [];
  let passed = 0;
  let runs = 0;
  const jobs = table.applicable.filter((a) => a.resources === undefined || a.resources === declared).flatMap((a) => a.on.map((on) => ({ ...a, on })));
  const worker = async () => {
    for (let job = jobs.shift(); job; job = jobs.shift()) {
      const excused = { ...job.except, ...(job.on === 'gateway' ? job.except_on_gateway : {}) };
      const label = `${job.scenario} ${job.version} on ${paths[job.on]}`;
      const used = new Set();
      runs++;
      for (const check of await scenario(base + paths[job.on], job.scenario, job.version)) {
        if (check.status === 'SUCCESS') passed++;
        if (check.status !== 'FAILURE' && check.status !== 'WARNING') continue;
        if (excused[check.id]) used.add(check.id);
        else failures.push(`${label}: ${check.id}: ${check.errorMessage ?? check.description}`);
      }
      for (const id of Object.keys(excused)) if (!used.has(id)) failures.push(`${label}: ${id} is excused but did not fail`);
    }
  };
  const all = await complete();
  await Promise.all([worker(), worker()]);
  console.log(`conformance ${table.suite}: ${runs} scenario runs, ${passed} checks passed, ${failures.length} failed (frozen set of ${all} scenarios)`);
  return failures;
}
