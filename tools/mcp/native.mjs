// Starts the worker natively on the fixture catalog.
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

// started resolves with the first line that a child prints, which is its
// address.
export async function started(child) {
  const lines = createInterface({ input: child.stdout });
  for await (const line of lines) return line;
  throw new Error('the server ended before it printed its address');
}

export async function native(visit) {
  const dir = mkdtempSync(join(tmpdir(), 'colophon-mcp-'));
  const program = join(dir, 'server');
  execFileSync('go', ['build', '-o', program, './tools/mcp/server'], { cwd: root, stdio: 'inherit' });
  const child = spawn(program, { stdio: ['pipe', 'pipe', 'inherit'] });
  try {
    return await visit(await started(child), child.pid);
  } finally {
    child.stdin.end();
    rmSync(dir, { recursive: true, force: true });
  }
}
