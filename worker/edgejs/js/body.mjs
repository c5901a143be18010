import { settings } from "./settings.mjs";

// readBody returns the bytes of a request's body, or null if they exceed the
// limit. It reads a body somewhat over the limit to its end, so that the client
// sees the 413, but not a far larger one.
export async function readBody(request) {
  const limit = settings.bodyLimit, hopeless = limit * 16;
  const announced = Number(request.headers.get("content-length") || 0);
  if (announced > hopeless) return null;
  if (announced > 0 && announced <= limit) return new Uint8Array(await request.arrayBuffer());
  const chunks = [];
  let total = 0;
  for await (const chunk of request.body) {
    total += chunk.length;
    if (total <= limit) chunks.push(chunk);
    else if (total > hopeless) break;
    else chunks.length = 0;
  }
  return total > limit ? null : join(chunks, total);
}

function join(chunks, total) {
  if (chunks.length === 1) return chunks[0];
  const out = new Uint8Array(total);
  let at = 0;
  for (const c of chunks) {
    out.set(c, at);
    at += c.length;
  }
  return out;
}
