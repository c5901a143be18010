// GETs without parameters that are plain files, answered without starting Wasm.
import { headersOf, isEndpoint, isDated, isList, nextOf } from "./policy.mjs";
import { lastModified, longestKey, mayBeWithdrawn } from "./published.mjs";
import { tagFor } from "./header.mjs";

// Headers by path, cached because building them costs more than the answer.
const prepared = new Map();

function headersFor(path, file) {
  let h = prepared.get(path);
  if (h === undefined) {
    if (prepared.size >= 1024) prepared.clear();
    prepared.set(path, h = new Headers(headersOf(path, file)));
  }
  return h;
}

// Headers that a 304 must not have, since a cache would put them on the answer
// it keeps.
const ofTheBody = ["content-type", "content-disposition", "content-security-policy"];

// answerFile answers with the file at that path, or returns null if it is
// missing or may be withdrawn, or if Go must evaluate Accept or Range. The
// asset server understands If-None-Match with one tag; lists are compared here.
export async function answerFile(asked, path, file) {
  const { request } = asked, kept = headersFor(path, file);
  if (kept.has("accept-ranges") && request.headers.has("range")) return null;
  if (isEndpoint(path) && !takes(request.headers.get("accept"), kept.get("content-type"))) return null;
  const dated = isDated(file.slice(1));
  if (dated && await mayBeWithdrawn(asked.env, path, asked)) return null;
  const r = await lookUp(asked, file);
  if (r === null) return null;
  const headers = new Headers(kept);
  headers.set("request-id", asked.id);
  const changed = dated && await lastModified(asked.env, asked);
  if (changed) headers.set("last-modified", changed);
  const etag = r.headers.get("etag");
  if (etag) headers.set("etag", tagFor(request, etag));
  if (r.status === 304 || matches(request.headers.get("if-none-match"), etag)) {
    for (const name of ofTheBody) headers.delete(name);
    await r.body?.cancel();
    return new Response(null, { status: 304, headers });
  }
  if (isList(path)) return answerList(request, r, headers);
  if (request.method === "GET") return new Response(r.body, { status: 200, headers });
  const length = r.headers.get("content-length");
  if (length !== null) headers.set("content-length", length);
  await r.body?.cancel();
  return new Response(null, { status: 200, headers });
}

// answerList answers with the first page of a list, and links to the next.
async function answerList(request, r, headers) {
  const bytes = await r.arrayBuffer(), next = nextOf(new TextDecoder().decode(bytes));
  if (next) headers.set("link", `<${next}>; rel="next"`);
  if (request.method === "GET") return new Response(bytes, { status: 200, headers });
  headers.set("content-length", bytes.byteLength);
  return new Response(null, { status: 200, headers });
}

// takes recognises the usual ways to accept a media type; it returns false for
// others, which Go weighs.
function takes(accept, contentType) {
  if (!accept || accept === "*/*") return true;
  const end = contentType.indexOf(";"), media = end < 0 ? contentType : contentType.slice(0, end);
  return accept === media || accept.startsWith(media + ",");
}

const bare = (tag) => tag.trim().replace(/^W\//, "");

function matches(list, etag) {
  if (!list || !etag) return false;
  return list.split(",").map(bare).some((tag) => tag === "*" || tag === bare(etag));
}

// lookUp returns the file, null if there is none. It records what is missing,
// so that Go does not look again.
async function lookUp(asked, file) {
  let r;
  try {
    r = asked.env.PUBLISHED ? await fromBucket(asked, file) : await fromAssets(asked, file);
  } catch (e) {
    console.error("published files:", String(e));
    return null;
  }
  if (r.status === 200 || r.status === 304) return r;
  if (r.status === 404) asked.missing = file.slice(1);
  await r.body?.cancel();
  return null;
}

function fromAssets({ request, env }, file) {
  const known = request.headers.get("if-none-match");
  return env.ASSETS.fetch("https://assets.local" + file, known ? { headers: { "if-none-match": known } } : undefined);
}

async function fromBucket({ request, env }, file) {
  const key = file.slice(1), isHead = request.method === "HEAD" && !isList(file.replace(/\.json$/, ""));
  if (key.length > longestKey) return new Response(null, { status: 404 });
  const o = isHead ? await env.PUBLISHED.head(key) : await env.PUBLISHED.get(key);
  if (o === null) return new Response(null, { status: 404 });
  return new Response(o.body, { headers: { etag: o.httpEtag, "content-length": o.size } });
}
