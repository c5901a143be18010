// Remembers the nonces of signatures until the signatures expire, so that each
// counts once. One Durable Object for each signer (the binding NONCES)
// remembers for all isolates; without the binding each isolate remembers what
// it has seen itself.
import { DurableObject } from "cloudflare:workers";

const most = 65_536;         // unexpired nonces of one signer; further ones prove nothing
const mostHere = 65_536;     // of all signers, in an isolate
const sweepEvery = 600_000;  // ms

const decoder = new TextDecoder();
const nothing = new Uint8Array(0);

// spendNonce is an op: for "host\nend in unix seconds\ndigest" it returns bytes if
// the nonce is new, otherwise null.
export async function spendNonce(env, argument) {
  const [host, until, digest] = decoder.decode(argument).split("\n");
  const fresh = env.NONCES ? await env.NONCES.get(env.NONCES.idFromName(host)).spend(digest, Number(until)) : spendHere(host + "\n" + digest, Number(until));
  return fresh ? nothing : null;
}

const seen = new Map(); // host and digest to end

function spendHere(name, until) {
  if (seen.has(name)) return false;
  if (seen.size >= mostHere) forgetEnded(now());
  if (seen.size >= mostHere) return false;
  seen.set(name, until);
  return true;
}

function forgetEnded(at) {
  for (const [name, until] of seen) if (until < at) seen.delete(name);
}

const now = () => Math.floor(Date.now() / 1000);

// SpentNonces holds the nonces of one signer.
export class SpentNonces extends DurableObject {
  count = -1; // -1: not read yet

  // spend reports whether a nonce is new, and remembers it. Nothing else runs
  // in the object between reading and writing.
  async spend(digest, until) {
    const { storage } = this.ctx;
    if (this.count < 0) this.open();
    if (this.count >= most) return false;
    const row = storage.sql.exec("INSERT INTO spent (digest, until) VALUES (?, ?) ON CONFLICT DO NOTHING RETURNING digest", digest, until).toArray();
    if (row.length === 0) return false;
    this.count++;
    if (await storage.getAlarm() === null) await storage.setAlarm(Date.now() + sweepEvery);
    return true;
  }

  open() {
    const { sql } = this.ctx.storage;
    sql.exec("CREATE TABLE IF NOT EXISTS spent (digest TEXT PRIMARY KEY, until INTEGER NOT NULL) WITHOUT ROWID");
    this.count = sql.exec("SELECT count(*) AS n FROM spent").one().n;
  }

  // alarm deletes expired nonces, and with the last nonce the object itself.
  async alarm() {
    const { storage } = this.ctx;
    this.open();
    storage.sql.exec("DELETE FROM spent WHERE until < ?", now());
    this.open();
    if (this.count > 0) return storage.setAlarm(Date.now() + sweepEvery);
    this.count = -1;
    await storage.deleteAll();
  }
}
