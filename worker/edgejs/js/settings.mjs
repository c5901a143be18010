// What the pool may use. The variables named below change it.
export const settings = {
  mode: "lazy",             // "lazy": back to the boot image when used up; "reset": after every request; for measurements a new instance each, "fork" of the image or "fresh" from nothing
  bodyLimit: 512 << 10,     // bytes of a request body, edgehttp.DefaultBodyLimit
  deadline: 15_000,         // ms until a request is given up
  streamLife: 300_000,      // most ms of a stream, edgehttp.DefaultStreamLife
  maxLive: 48,              // most instances at work: about 1 MB each of the isolate's 128 MB
  maxIdle: 32,              // most instances kept ready
  maxMemory: 2 << 20,       // bytes: a larger instance is not reused, since its memory never shrinks
  allMemory: 80 << 20,      // bytes that working instances may have together before another is made
  heapSlack: 256 << 10,     // lazy: bytes of heap used before the image is restored, low enough that two rights checks do not double the memory
  referenceSlack: 4000,     // lazy: the same for JavaScript references
  queue: 256,               // requests that may wait for an instance
  queueTime: 2000,          // most ms that they wait
  assetTime: 1000,          // ms that a published file is cached, 0: not at all
  assetMemory: 8 << 20,     // most bytes of cached files, including packs and their blobs, which never change
  keptMemory: 8 << 20,      // most bytes that Go keeps in the isolate, see kept.mjs
  objectTime: 60_000,       // ms that immutable but unverified objects are cached
  fileLimit: 17 << 20,      // most bytes of a file, blob or small pack that is read for Go
  cacheCalls: 8,            // most calls of the Cache API for one answer
  remoteHeader: "cf-connecting-ip",
};

const variables = {
  EDGE_MODE: ["mode", String],
  EDGE_BODY_LIMIT: ["bodyLimit", Number],
  EDGE_DEADLINE_MS: ["deadline", Number],
  EDGE_STREAM_MS: ["streamLife", (ms) => Math.min(Number(ms), settings.streamLife)], // never longer
  EDGE_ASSET_MS: ["assetTime", Number],
  EDGE_ASSET_BYTES: ["assetMemory", Number],
  EDGE_MAX_LIVE: ["maxLive", Number],
  EDGE_REMOTE_HEADER: ["remoteHeader", String],
};

let read = false;

export function readSettings(env) {
  if (read) return;
  read = true;
  for (const [name, [key, convert]] of Object.entries(variables)) {
    if (env[name]) settings[key] = convert(env[name]);
  }
}
