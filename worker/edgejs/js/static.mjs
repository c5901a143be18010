// Parameterless GETs that are plain files, answered without waking Wasm.
import { headersOf } from "./policy.mjs";

// Headers by file, kept because building them costs more than the answer.
const prepared = new Map();

function headersFor(file) {
  let h = prepared.get(file);
  if (h === undefined) {
    if (prepared.size >= 1024) prepared.clear();
    prepared.set(file, h = new Headers(headersOf(file)));
  }
  return h;
}

// fromAssets answers with the file at that path, or gives null where it is
// missing. The asset server understands If-None-Match with one tag; lists are
// compared here.
export async function fromAssets(request, env, file, id) {
  const r = await lookUp(request, env, file);
  if (r === null) return null;
  const headers = new Headers(headersFor(file));
  headers.set("request-id", id);
  const etag = r.headers.get("etag");
  if (etag) headers.set("etag", etag);
  if (r.status === 304 || matches(request.headers.get("if-none-match"), etag)) {
    headers.delete("content-type");
    await r.body?.cancel();
    return new Response(null, { status: 304, headers });
  }
  return new Response(request.method === "HEAD" ? null : r.body, { status: 200, headers });
}

const bare = (tag) => tag.trim().replace(/^W\//, "");

function matches(list, etag) {
  if (!list || !etag) return false;
  return list.trim() === "*" || list.split(",").some((tag) => bare(tag) === bare(etag));
}

async function lookUp(request, env, file) {
  const known = request.headers.get("if-none-match");
  const init = known ? { headers: { "if-none-match": known } } : undefined;
  let r;
  try {
    r = await env.ASSETS.fetch("https://assets.local" + file, init);
  } catch (e) {
    console.error("assets:", String(e));
    return null;
  }
  if (r.status === 200 || r.status === 304) return r;
  await r.body?.cancel();
  return null;
}
