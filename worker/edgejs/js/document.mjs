// Documents from elsewhere, cached in memory: policies, and signers' keys.

const decoder = new TextDecoder();
const kept = new Map(); // address to { body, until }
const most = 256, retry = 30_000, missing = 300_000, patience = 5000;

// document returns the bytes of a document, or null if it does not exist. Its
// argument has, a line each, the binding to use (or nothing), how many seconds
// the document counts as fresh, the most bytes that it may have, and its
// address.
export async function document(env, argument) {
  const [via, fresh, limit, url] = decoder.decode(argument).split("\n");
  const known = kept.get(url);
  if (known && Date.now() < known.until) return known.body;
  let body, lasts = fresh * 1000;
  try {
    body = await get(env[via] || globalThis, url, Number(limit));
    if (body === null) lasts = Math.min(lasts, missing);
  } catch (e) {
    if (known === undefined) throw e;
    body = known.body;
    lasts = retry;
  }
  if (kept.size >= most) kept.clear(); // better to forget than to grow
  kept.set(url, { body, until: Date.now() + lasts });
  return body;
}

async function get(from, url, limit) {
  const r = await from.fetch(url, { redirect: "manual", signal: AbortSignal.timeout(patience) });
  if (r.status === 404 || r.status === 410) {
    await r.body?.cancel();
    return null;
  }
  if (r.status !== 200) {
    await r.body?.cancel();
    throw new Error("answered " + r.status);
  }
  const chunks = [];
  let total = 0;
  for await (const chunk of r.body) {
    chunks.push(chunk);
    if ((total += chunk.length) > limit) throw new Error("longer than " + limit + " bytes");
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}
