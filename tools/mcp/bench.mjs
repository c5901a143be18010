// Measures tools/call per second beside the official TypeScript server.
//
// usage: node bench.mjs edge | native | BASE [PID]
//
// "edge" starts the worker under workerd over the demo's files, "native" starts
// it natively on a fixture catalog. With BASE, that server is measured, and PID
// is the process whose CPU time counts; it must take the client's address from
// X-Real-IP, or its rate limits answer.
import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { native, started } from './native.mjs';
import { workerd } from './workerd.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));

async function measure(base, pid, name) {
  const list = await (await fetch(`${base}/v1/licensing-marketplace/publishers`)).json();
  const site = list.data[0].site_id;
  const reference = spawn(process.execPath, [join(here, 'reference.mjs'), base, site], { stdio: ['pipe', 'pipe', 'inherit'] });
  try {
    const other = await started(reference);
    const args = ['-C', 'bench', 'run', './cmd/mcpbench', '-front', '-site', site, `${name}=${base}/mcp${pid ? `,${pid}` : ''}`, `official server, Node ${process.versions.node}=${other}/mcp,${reference.pid}`];
    return spawnSync('go', args, { cwd: join(here, '../..'), stdio: 'inherit' }).status;
  } finally {
    reference.stdin.end();
  }
}

const [where, pid] = process.argv.slice(2);
switch (where) {
  case 'edge':
    process.exitCode = await workerd((base, id) => measure(base, id, 'worker, workerd'));
    break;
  case 'native':
    process.exitCode = await native((base, id) => measure(base, id, 'worker, native'));
    break;
  default:
    process.exitCode = await measure(where, pid, 'worker');
}
