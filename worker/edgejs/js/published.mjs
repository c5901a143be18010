// Published files, as the script and Go read them: all from the R2 bucket
// PUBLISHED where that is bound, else all from the asset server. So no answer
// is put together from two releases.
import { whole } from "./ops.mjs";
import { isImmutable } from "./policy.mjs";
import { settings } from "./settings.mjs";

const decoder = new TextDecoder();
const rootKey = "v1/_segments.json"; // internal/segment
const generation = /^_ix\/[^/]+\//; // whose objects have a root of their own, internal/segment/document
export const longestKey = 1024; // bytes of a key in R2, which refuses longer ones

// Files that were just read are kept for a moment: most answers read the same
// few, and asking for one costs more than the answer. Objects of segments never
// change under their name, by which they were verified, so they are kept as long
// as there is room; the least recently used goes first.
const kept = new Map(); // key -> { bytes, until }
let keptBytes = 0;

function recall(key) {
  const known = kept.get(key);
  if (known === undefined || Date.now() >= known.until) return undefined;
  if (known.until === Infinity) {
    kept.delete(key);
    kept.set(key, known);
  }
  return known.bytes;
}

function keep(key, bytes, time) {
  forget(key);
  if (bytes.length > settings.assetMemory / 2) return;
  kept.set(key, { bytes, until: Date.now() + time });
  keptBytes += bytes.length;
  for (const oldest of kept.keys()) {
    if (keptBytes <= settings.assetMemory) return;
    forget(oldest);
  }
}

function forget(key) {
  const known = kept.get(key);
  if (known === undefined) return;
  kept.delete(key);
  keptBytes -= known.bytes.length;
}

// asset reads a published file, null where it is missing. Compressed siblings
// are for hosts that do not compress by themselves.
export async function asset(env, argument, asked) {
  const key = decoder.decode(argument), known = recall(key);
  if (known) return known;
  if (key.endsWith(".gz") || key === asked.missing) return null;
  const bytes = env.PUBLISHED ? await fromBucket(env, key) : await fromAssets(env, key);
  if (bytes) keep(key, bytes, env.PUBLISHED && isImmutable(key) ? settings.objectTime : settings.assetTime);
  return bytes;
}

const withdrawn = new TextEncoder().encode("v1/_withdrawn.json");

// mayBeWithdrawn tells whether the list of what was withdrawn since the release
// names a part of a path: then Go decides (package withdrawn). So it does where the
// list cannot be read.
export async function mayBeWithdrawn(env, path, asked) {
  let list;
  try {
    list = await asset(env, withdrawn, asked);
  } catch (e) {
    return true;
  }
  if (list === null) return false;
  const text = decoder.decode(list);
  return path.split(/[\/.]|sitemap-[a-z]+-/).some((word) => word !== "" && text.includes(`"${word}"`));
}

const stats = new TextEncoder().encode("v1/public/network-stats.json");
let release = { text: "", date: "" };

// lastModified gives the time of the last change of what the registry holds, as
// HTTP writes it, or "" where that is not known.
export async function lastModified(env, asked) {
  const bytes = await asset(env, stats, asked).catch(() => null);
  const text = bytes ? /"generated_at":"([^"]+)"/.exec(decoder.decode(bytes))?.[1] ?? "" : "";
  if (text !== release.text) release = { text, date: Date.parse(text) > 0 ? new Date(text).toUTCString() : "" };
  return release.date;
}

async function fromAssets(env, key, most = Infinity) {
  const r = await env.ASSETS.fetch("https://assets.local/" + key);
  if (r.status === 200 && !(Number(r.headers.get("content-length")) > most)) return whole(r);
  await r.body?.cancel();
  if (r.status === 404) return null;
  throw new Error(r.status === 200 ? "too large without a bucket: " + key : "asset server answered " + r.status);
}

async function fromBucket(env, key, range) {
  if (key.length > longestKey) return null;
  const o = await env.PUBLISHED.get(key, range && { range });
  if (o === null) return null;
  if (!range && o.size > settings.fileLimit) {
    await o.body.cancel();
    throw new Error("too large for an instance: " + key);
  }
  const bytes = new Uint8Array(await o.arrayBuffer());
  if (bytes.length !== (range ? range.length : o.size)) throw new Error("object cut short");
  return bytes;
}

// part reads of an object of segments, for it is large and an instance small:
// "key\\npart\\nat\\nlength", or "key\\nbucket\\nat" for what lies between the two
// offsets that stand at that place. "key\\npack\\nat" does that by two ranges,
// without reading the whole object and so without verifying it.
export async function part(env, argument, asked) {
  const [key, how, from, length] = decoder.decode(argument).split("\n"), at = Number(from);
  if (how === "pack" && env.PUBLISHED) return bucketByRange(env, key, at);
  const o = await object(env, key, asked);
  if (o === null) return null;
  return how === "part" ? slice(o, at, at + Number(length)) : slice(o, ...offsets(slice(o, at, at + 8)));
}

function slice(bytes, from, to) {
  if (from > to || to > bytes.length) throw new Error("damaged object");
  return bytes.subarray(from, to);
}

function offsets(pair) {
  const view = new DataView(pair.buffer, pair.byteOffset, 8);
  return [view.getUint32(0, true), view.getUint32(4, true)];
}

// object reads a whole object of segments and verifies it by its name.
async function object(env, key, asked) {
  const known = recall(key) || await fromCache(env, key, asked);
  if (known) return known;
  const bytes = env.PUBLISHED ? await fromBucket(env, key) : await fromAssets(env, key, settings.objectLimit);
  if (bytes === null) {
    forget(rootOf(key)); // which named it: the next look reads the root again
    return null;
  }
  if (!(await isWhole(key, bytes))) throw new Error("damaged object " + key);
  keep(key, bytes, Infinity);
  toCache(env, key, bytes, asked);
  return bytes;
}

const rootOf = (key) => generation.test(key) ? generation.exec(key)[0] + "root.json" : rootKey;

// isWhole tells whether the bytes are those that the name says.
async function isWhole(key, bytes) {
  let name = "";
  for (const byte of new Uint8Array(await crypto.subtle.digest("SHA-256", bytes))) name += byte.toString(16).padStart(2, "0");
  return key.endsWith("/" + name.slice(0, 2) + "/" + name.slice(2) + ".idx");
}

// What was read from the bucket is also put into the Cache API, which answers
// faster. It is called a few times for an answer only: each call is one of the
// subrequests that an answer may make.
const cacheAddress = (key) => "https://published.local/" + key;

async function fromCache(env, key, asked) {
  if (!env.PUBLISHED || !(asked.cacheCalls > 0)) return null;
  asked.cacheCalls--;
  const r = await caches.default.match(cacheAddress(key));
  if (r === undefined) return null;
  const bytes = await whole(r);
  if (!(await isWhole(key, bytes))) return null;
  keep(key, bytes, Infinity);
  return bytes;
}

function toCache(env, key, bytes, asked) {
  if (!env.PUBLISHED || !(asked.cacheCalls > 0)) return;
  asked.cacheCalls--;
  const answer = new Response(bytes, { headers: { "cache-control": "public, max-age=31536000, immutable" } });
  asked.ctx.waitUntil(caches.default.put(cacheAddress(key), answer).catch(() => {}));
}

// bucketByRange keeps what it read for a while only, since it is not verified.
async function bucketByRange(env, key, at) {
  const id = key + "\n" + at, known = recall(id);
  if (known) return known;
  const pair = await fromBucket(env, key, { offset: at, length: 8 });
  if (pair === null) return null;
  const [from, to] = offsets(pair);
  if (from > to || to - from > settings.bucketLimit) throw new Error("damaged object " + key);
  const bytes = from === to ? new Uint8Array(0) : await fromBucket(env, key, { offset: from, length: to - from });
  if (bytes) keep(id, bytes, settings.objectTime);
  return bytes;
}
