// The lab's handlers by hand in plain JavaScript: what the bridge is measured
// against.
const json = { "content-type": "application/json" };
const problem = (status, code) => new Response(JSON.stringify({ code, grants_rights: false, status }),
  { status, headers: { "content-type": "application/problem+json", "cache-control": "private, no-store" } });
const answer = (v) => new Response(JSON.stringify(v), { headers: json });
const bytes = (s) => Uint8Array.from(atob(s.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));

const signature = bytes("YpHWV97sJAJIJ-acOr4BowzlSKKEdDpEXjaA19taw6wY_5tTjRbykK5n92CYTcZZSnwV6XFu0o3AJ77O6h7ECg");
const message = new Uint8Array([0xaf, 0x82]);
let key;

async function verify() {
  key ??= await crypto.subtle.importKey("raw", bytes("_FHNjmIYoaONpH7QAjDwWAgW7RO6MwOsXeuRFUiQgCU"), "Ed25519", false, ["verify"]);
  return answer({ valid: await crypto.subtle.verify("Ed25519", key, signature, message) });
}

function records() {
  const data = [];
  for (let n = 0; n < 50; n++) data.push({ n, terms: ["rag", "training"], title: "A page about things", url: "https://example.com/page/one/two" });
  return answer({ data, grants_rights: false, total: 50 });
}

async function read(env, key) {
  const row = await env.ORIGIN.prepare("SELECT state FROM lab WHERE key = ?1").bind(key).first();
  return row ? answer({ state: row.state }) : problem(404, "no_match");
}

async function write(env, key) {
  const row = await env.ORIGIN.prepare("UPDATE lab SET count = count + 1 WHERE key = ?1 AND state = 'open' RETURNING count").bind(key).first();
  return row ? answer({ count: row.count }) : problem(409, "state_conflict");
}

export default {
  async fetch(request, env) {
    const url = new URL(request.url);
    switch (url.pathname) {
      case "/hello": return answer({ ok: true });
      case "/json": return records();
      case "/verify": return verify();
      case "/read": return read(env, url.searchParams.get("key"));
      case "/write": return write(env, url.searchParams.get("key"));
    }
    return problem(404, "not_found");
  },
};
