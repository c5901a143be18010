// Tests the MCP endpoints of a server with the official suite and clients.
//
// usage: node check.mjs [BASE]
//
// Without BASE, it starts the worker natively on a fixture catalog. With BASE,
// any catalog will do: publisher and category are taken from its lists. A
// buyer's credential in MCP_TOKEN opens the gateway's tools; MCP_DENIED is the
// address of a resource that this buyer may not read. DEMO, a demo.json, gives
// both. With MCP_FRONT=1, a proxy in front gives each request its own client
// address.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import Ajv from 'ajv';
import formats from 'ajv-formats';

import { clients } from './clients.mjs';
import { conformance } from './conformance.mjs';
import { behindFront } from './front.mjs';
import { native } from './native.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));

// sample finds a publisher, a category and a word that the calls can ask for.
async function sample(base, credentials) {
  const first = async (path) => {
    const response = await fetch(base + path);
    if (!response.ok) throw new Error(`${path} answered ${response.status}`);
    return (await response.json()).data[0];
  };
  const site = (await first('/v1/licensing-marketplace/publishers')).site_id;
  const category = (await first('/v1/public/content-catalog/categories')).slug;
  const q = (await first(`/v1/licensing-marketplace/publishers/${site}/content-inventory`)).terms[0];
  return { base, site, category, q, ...credentials, ...(credentials.fixture ? {} : await licensed(base, credentials.token)) };
}

// licensed finds an item that the buyer may read, through the REST delivery,
// which the fixture gateway does not have.
async function licensed(base, token) {
  if (!token) return {};
  const response = await fetch(`${base}/v1/rag-delivery/items?fields=meta&limit=50`, { headers: { Authorization: `Bearer ${token}` } });
  if (!response.ok) throw new Error(`the delivery answered ${response.status}`);
  const { data } = await response.json();
  const item = data.find((i) => i.metadata.tags.length > 0);
  if (!item) throw new Error('the buyer has no item to look for');
  return { item, topic: item.metadata.tags[0] };
}

// ofDemo takes from a demo a buyer with grants, and a page that none of them
// covers.
async function ofDemo(base, file) {
  const demo = JSON.parse(readFileSync(file, 'utf8'));
  const token = demo.buyer_credentials.granted;
  const sources = await (await fetch(`${base}/mcp/gateway`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'rights_overview', arguments: {} } }),
  })).json();
  const covered = sources.result.structuredContent.participating_publishers;
  const { data } = await (await fetch(`${base}/v1/licensing-marketplace/publishers`)).json();
  const stranger = data.find((p) => !covered.includes(p.site_id)).site_id;
  const page = (await (await fetch(`${base}/v1/licensing-marketplace/publishers/${stranger}/content-inventory`)).json()).data[0];
  return { token, denied: `licensed://${stranger}/${page.entry_id}` };
}

async function goClient(s) {
  const args = ['run', '.', '-site', s.site, '-category', s.category, '-q', s.q, '-topic', s.topic ?? s.q, '-token', s.token ?? '', '-denied', s.denied ?? '', s.base];
  try {
    const { stdout } = await promisify(execFile)('go', args, { cwd: join(here, 'goclient'), timeout: 240_000 });
    process.stdout.write(stdout);
    return [];
  } catch (e) {
    return [`Go client: ${e.stderr || e.message}`];
  }
}

// The MCP registry of which serverFile takes the schema of server.json.
const registryModule = 'github.com/modelcontextprotocol/registry@v1.8.9';
const serverSchema = '2025-12-11';

// serverFile makes server.json from the published server card, as the guide
// does, and validates it against the MCP registry's schema.
async function serverFile(base) {
  const response = await fetch(`${base}/.well-known/ai-catalog.json`);
  if (!response.ok) return [`server.json: the AI Catalog answered ${response.status}`];
  const { stdout } = await promisify(execFile)('go', ['mod', 'download', '-json', registryModule], { cwd: tmpdir(), timeout: 240_000 });
  const schema = JSON.parse(readFileSync(join(JSON.parse(stdout).Dir, 'internal/validators/schemas', `${serverSchema}.json`), 'utf8'));
  const card = (await response.json()).entries[0].data;
  const ajv = new Ajv({ strict: false, allErrors: true });
  formats(ajv);
  if (ajv.validate(schema, { ...card, $schema: schema.$id })) return [];
  return ajv.errors.map((e) => `server.json: ${e.instancePath} ${e.message}`);
}

async function check(base, credentials) {
  const s = await sample(base, credentials);
  if (!s.token) console.log('no credential in MCP_TOKEN: the tools of the gateway are not called');
  const file = credentials.fixture ? [] : await serverFile(base); // the fixture publishes no files
  return [...file, ...(await clients(s)), ...(await goClient(s)), ...(await conformance(s))];
}

const given = (url, credentials) => process.env.MCP_FRONT ? behindFront(url, (front) => check(front, credentials)) : check(url, credentials);

const base = process.argv[2];
const credentials = base && process.env.DEMO ? await ofDemo(base, process.env.DEMO) : { token: process.env.MCP_TOKEN, denied: process.env.MCP_DENIED };
const failures = base
  ? await given(base, credentials)
  : await native((url) => check(url, { fixture: true, token: 'byr_test_valid', denied: 'licensed://harbor-ledger/ent_harbor-ledger-2' }));
for (const f of failures) console.error(`FAIL ${f}`);
process.exit(failures.length > 0 ? 1 : 0);
