// Starts the worker under plain workerd over the published files of a demo, as
// worker/edgelab does. Run it after "make edge build", through
// tools/edge/with-tools.sh, which names workerd.
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

async function freePort() {
  const s = createServer();
  await new Promise((resolve) => s.listen(0, '127.0.0.1', resolve));
  const { port } = s.address();
  await new Promise((resolve) => s.close(resolve));
  return port;
}

export async function workerd(visit) {
  const dir = mkdtempSync(join(tmpdir(), 'colophon-mcp-'));
  const address = `127.0.0.1:${await freePort()}`;
  const base = `http://${address}`;
  try {
    execFileSync(join(root, 'bin/colophon'), ['demo', '--no-serve', '--quiet', '--addr', address, '--dir', dir], { stdio: ['ignore', 'ignore', 'inherit'] });
    mkdirSync(join(dir, 'bodies'), { recursive: true });
    const child = spawn(process.env.WORKERD, [
      'serve', join(root, 'worker/edgelab/product.capnp'), `--socket-addr=http=${address}`,
      `--directory-path=dist=${join(dir, 'dist')}`, `--directory-path=bodies=${join(dir, 'bodies')}`,
    ], { stdio: ['ignore', 'inherit', 'inherit'], env: { ...process.env, BASE_URL: base, SERVICE_SECRET: readFileSync(join(dir, 'secret'), 'utf8').trim(), RATE_LIMITS: '', PROOF_BITS: '' } });
    const ended = new Promise((resolve) => child.on('exit', resolve));
    try {
      for (;;) {
        if (child.exitCode !== null) throw new Error('workerd has ended');
        if (await fetch(`${base}/v1/public/network-stats`).then((r) => r.ok, () => false)) break;
        await new Promise((wake) => setTimeout(wake, 50));
      }
      return await visit(base, child.pid);
    } finally {
      child.kill();
      await ended;
    }
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
