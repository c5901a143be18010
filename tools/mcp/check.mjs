// Holds the MCP endpoints of a server against the official suite and clients.
//
// usage: node check.mjs [BASE]
//
// Without BASE, the worker is started natively on a fixture catalog. With it,
// any catalog will do: publisher and category are taken from its lists. A
// buyer credential in MCP_TOKEN opens the gateway's tools; MCP_DENIED is the
// address of a resource that the buyer may not read. With MCP_FRONT=1, a proxy
// in front gives each request a client address of its own.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { clients } from './clients.mjs';
import { conformance } from './conformance.mjs';
import { behindFront } from './front.mjs';
import { native } from './native.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));

// sample finds out what there is to ask for.
async function sample(base, credentials) {
  const first = async (path) => {
    const response = await fetch(base + path);
    if (!response.ok) throw new Error(`${path} answered ${response.status}`);
    return (await response.json()).data[0];
  };
  const site = (await first('/v1/licensing-marketplace/publishers')).site_id;
  const category = (await first('/v1/public/content-catalog/categories')).slug;
  const q = (await first(`/v1/licensing-marketplace/publishers/${site}/content-inventory`)).terms[0];
  return { base, site, category, q, ...credentials };
}

async function goClient(s) {
  const args = ['run', '.', '-site', s.site, '-category', s.category, '-q', s.q, '-token', s.token ?? '', '-denied', s.denied ?? '', s.base];
  try {
    const { stdout } = await promisify(execFile)('go', args, { cwd: join(here, 'goclient'), timeout: 180_000 });
    process.stdout.write(stdout);
    return [];
  } catch (e) {
    return [`Go client: ${e.stderr || e.message}`];
  }
}

async function check(base, credentials) {
  const s = await sample(base, credentials);
  if (!s.token) console.log('no credential in MCP_TOKEN: the tools of the gateway are not called');
  return [...(await clients(s)), ...(await goClient(s)), ...(await conformance(s))];
}

const given = (url, credentials) => process.env.MCP_FRONT ? behindFront(url, (front) => check(front, credentials)) : check(url, credentials);

const base = process.argv[2];
const failures = base
  ? await given(base, { token: process.env.MCP_TOKEN, denied: process.env.MCP_DENIED })
  : await native((url) => check(url, { token: 'byr_test_valid', denied: 'licensed://harbor-ledger/ent_harbor-ledger-2' }));
for (const f of failures) console.error(`FAIL ${f}`);
process.exit(failures.length > 0 ? 1 : 0);
