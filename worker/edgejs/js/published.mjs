// Published files, for the script and for Go: all are read from the R2 bucket
// PUBLISHED if that is bound, otherwise all from the asset server. So no answer
// is assembled from two releases.
import { Kept } from "./kept.mjs";
import { whole } from "./ops.mjs";
import { isImmutable } from "./policy.mjs";
import { settings } from "./settings.mjs";

const decoder = new TextDecoder();
const rootKey = "v1/_packs.json"; // internal/blob
export const longestKey = 1024; // the longest key in R2, in bytes

// Files that were just read are cached for a moment: most answers read the same
// few, and requesting one costs more than the answer. Packs and what is in them
// never change under their names, so they are cached as long as there is room;
// the least recently used goes first.
const kept = new Kept("assetMemory"); // key to { bytes, until }

function recall(key) {
  const known = kept.get(key);
  if (known === undefined || Date.now() >= known.until) return undefined;
  if (known.until === Infinity) kept.use(key);
  return known.bytes;
}

function keep(key, bytes, time) {
  kept.forget(key);
  if (bytes.length <= settings.assetMemory / 2) kept.put(key, { bytes, until: Date.now() + time });
}

// asset reads a published file; it returns null if it is missing. Compressed
// siblings are for hosts that do not compress by themselves.
export async function asset(env, argument, asked) {
  const key = decoder.decode(argument), known = recall(key);
  if (known) return known;
  if (key.endsWith(".gz") || key === asked.missing) return null;
  const bytes = env.PUBLISHED ? await fromBucket(env, key) : await fromAssets(env, key);
  if (bytes) keep(key, bytes, env.PUBLISHED && isImmutable(key) ? settings.objectTime : settings.assetTime);
  return bytes;
}

const withdrawn = new TextEncoder().encode("v1/_withdrawn.json");

// mayBeWithdrawn reports whether the list of what was withdrawn since the
// release names a part of a path, or cannot be read: then Go decides (package
// withdrawn).
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

// lastModified returns the time of the registry's last change in the form of an
// HTTP date, or "" if it is unknown.
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

// part reads a blob or page of a pack: "key\noffset\nlength\ndigest". A bucket sends
// a range of the pack, an asset server the whole pack, which is small there. The
// digest is the first 16 bytes of the SHA-256.
export async function part(env, argument, asked) {
  const [key, offset, length, digest] = decoder.decode(argument).split("\n");
  const known = recall(digest) || await fromCache(env, digest, asked);
  if (known) return known;
  const bytes = env.PUBLISHED ? await rangeOf(env, key, Number(offset), Number(length)) : await sliceOf(env, key, Number(offset), Number(length));
  if (bytes === null) {
    kept.forget(rootKey); // it named the pack: the next request reads the root again
    return null;
  }
  if (!(await hasDigest(bytes, digest))) {
    kept.forget(key); // in case the whole pack is cached
    throw new Error("damaged pack " + key);
  }
  keep(digest, bytes, Infinity);
  toCache(env, digest, bytes, asked);
  return bytes;
}

async function rangeOf(env, key, offset, length) {
  if (length > settings.fileLimit) throw new Error("too large for an instance: " + key);
  return fromBucket(env, key, { offset, length });
}

async function sliceOf(env, key, offset, length) {
  const pack = recall(key) || await fromAssets(env, key, settings.fileLimit);
  if (pack === null) return null;
  keep(key, pack, Infinity);
  if (offset + length > pack.length) {
    kept.forget(key);
    throw new Error("damaged pack " + key);
  }
  return pack.slice(offset, offset + length);
}

async function hasDigest(bytes, digest) {
  const sum = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes), 0, 16);
  return Array.from(sum, (byte) => byte.toString(16).padStart(2, "0")).join("") === digest;
}

// What was read from the bucket is also put into the Cache API, which answers
// faster. It is called only a few times for each answer, because each call is
// one of the subrequests that an answer may make.
const cacheAddress = (digest) => "https://published.local/" + digest;

async function fromCache(env, digest, asked) {
  if (!env.PUBLISHED || !(asked.cacheCalls > 0)) return null;
  asked.cacheCalls--;
  const r = await caches.default.match(cacheAddress(digest)).catch(() => undefined);
  if (r === undefined) return null;
  const bytes = await whole(r);
  if (!(await hasDigest(bytes, digest))) return null;
  keep(digest, bytes, Infinity);
  return bytes;
}

function toCache(env, digest, bytes, asked) {
  if (!env.PUBLISHED || !(asked.cacheCalls > 0)) return;
  asked.cacheCalls--;
  const answer = new Response(bytes, { headers: { "cache-control": "public, max-age=31536000, immutable" } });
  asked.ctx.waitUntil(caches.default.put(cacheAddress(digest), answer).catch(() => {}));
}
