// What is kept for all instances of the isolate, up to a bound of bytes.
import { settings } from "./settings.mjs";

// Kept has entries with bytes by name. When they exceed the setting that bounds
// them, the one that was put or used longest ago goes first.
export class Kept {
  #entries = new Map();
  #bound;
  #total = 0;

  constructor(bound) {
    this.#bound = bound;
  }

  get(name) {
    return this.#entries.get(name);
  }

  // use moves an entry behind the others.
  use(name) {
    const known = this.#entries.get(name);
    this.#entries.delete(name);
    this.#entries.set(name, known);
  }

  put(name, entry) {
    this.forget(name);
    this.#entries.set(name, entry);
    this.#total += entry.bytes.length;
    for (const oldest of this.#entries.keys()) {
      if (this.#total <= settings[this.#bound]) return;
      this.forget(oldest);
    }
  }

  forget(name) {
    const known = this.#entries.get(name);
    if (known === undefined) return;
    this.#entries.delete(name);
    this.#total -= known.bytes.length;
  }
}

// What Go keeps: of each name the bytes of one version.
const versions = new Kept("keptMemory");

export function recall(name, version) {
  const known = versions.get(name);
  if (known === undefined || known.version !== version) return null;
  versions.use(name);
  return known.bytes;
}

export const keep = (name, version, bytes) => versions.put(name, { version, bytes });
