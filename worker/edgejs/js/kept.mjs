// What Go keeps for all instances of the isolate, up to a bound: bytes by name, of
// each name those of one version. The name that was not used for longest goes
// first.
import { settings } from "./settings.mjs";

const kept = new Map(); // name to { version, bytes }
let total = 0;

export function recall(name, version) {
  const known = kept.get(name);
  if (known === undefined || known.version !== version) return null;
  kept.delete(name);
  kept.set(name, known);
  return known.bytes;
}

export function keep(name, version, bytes) {
  forget(name);
  kept.set(name, { version, bytes });
  total += bytes.length;
  for (const oldest of kept.keys()) {
    if (total <= settings.keptMemory) return;
    forget(oldest);
  }
}

function forget(name) {
  const known = kept.get(name);
  if (known === undefined) return;
  kept.delete(name);
  total -= known.bytes.length;
}
