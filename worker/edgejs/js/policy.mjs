// What the script itself knows of the product: which files it may answer with,
// and under which headers. Everything else is in Go.

// Paths without a file behind them, spared the look.
const computed = [
  "/v1/partner/",
  "/v1/rag-delivery/",
  "/v1/public/content-catalog/search",
  "/v1/public/rights/",
  "/v1/public/provenance-ledger/search",
  "/v1/public/citations/resolve",
  "/v1/public/citations/similar",
  "/v1/public/agent-procurement/",
  "/v1/public/licensing-conversations/",
  "/mcp/publisher/",
];

// Where the endpoints are: their files may have ".json" added to the name, and
// Accept and parameters are Go's to judge.
const endpoints = ["/v1/", "/mcp", "/.well-known/", "/ai-rights-map-sitemap.xml"];

// Pages that Go fills in when they are asked a question: those of
// exports.QuestionPages, and the request form of a publisher.
const forms = ["/catalog/", "/check/", "/demand/", "/ledger/", "/offers/", "/publishers/", "/rights-map/", "/shortlist/"];
// Pages that Go fills in whenever they are asked for: exports.LivePages.
const live = ["/status/"];
const requestForm = /^\/publishers\/[a-z0-9-]+\/request\/$/;

const types = {
  bib: "text/plain; charset=utf-8",
  css: "text/css; charset=utf-8",
  csv: "text/csv; charset=utf-8; header=present",
  html: "text/html; charset=utf-8",
  ico: "image/x-icon",
  idx: "application/octet-stream",
  js: "text/javascript; charset=utf-8",
  json: "application/json; charset=utf-8",
  jsonld: "application/ld+json",
  mjs: "text/javascript; charset=utf-8",
  nd: "application/octet-stream",
  ndjson: "application/x-ndjson; charset=utf-8",
  png: "image/png",
  rss: "application/rss+xml; charset=utf-8",
  svg: "image/svg+xml",
  txt: "text/plain; charset=utf-8",
  vkey: "text/plain; charset=utf-8",
  xml: "application/xml; charset=utf-8",
  xsl: "application/xml; charset=utf-8",
  wasm: "application/wasm",
};

// First pages of lists, of which Link names the next: the endpoints that are
// exports.Listed.
const lists = /^\/v1\/(public\/(licensing-feed|buyer-demand|license-catalog|ai-rights-map|sites\/[a-z0-9-]+\/contentdna-provenance)|licensing-marketplace\/publishers\/[a-z0-9-]+\/content-inventory)$/;

// Answers with a Last-Modified: worker.hasLastModified.
export const isDated = (path) => !/^\/(ledger|assets|_ix|_seg)\//.test(path);

export const isList = (path) => lists.test(path);

// nextOf gives the address of the page after a published one, or undefined. No
// text of a record can imitate the member, for there quotes are escaped.
export const nextOf = (list) => [...list.matchAll(/"links":{"next":"([^"]*)"/g)].at(-1)?.[1];

const startsWith = (path, list) => list.some((p) => path.startsWith(p));

export const isEndpoint = (path) => startsWith(path, endpoints);

function extensionOf(path) {
  const dot = path.lastIndexOf(".");
  if (dot <= path.lastIndexOf("/")) return "";
  const extension = path.slice(dot + 1);
  return Object.hasOwn(types, extension) ? extension : "";
}

// fileOf maps the path of a GET to the file that answers it, with a slash in
// front, or to null. It agrees with exports.KeyOf: a path that ends in a slash
// is the index.html below it, one with an extension is itself, and P.json
// answers any other document P. Only plain paths have files: no escapes, no
// empty or dotted segments; and a name with _ in front is for the worker alone,
// but for what programs read, which may be too large for Go.
export function fileOf(path, query) {
  const document = isEndpoint(path);
  if (live.includes(path)) return null;
  if (document && (query || startsWith(path, computed)) || query && (forms.includes(path) || requestForm.test(path))) return null;
  if (!/^\/[A-Za-z0-9._~@+:=,\/-]*$/.test(path) || /\/\/|^\/_(?!ix\/|seg\/)|\/\.(?!well-known\/)/.test(path)) return null;
  if (path.endsWith("/")) return path + "index.html";
  if (extensionOf(path) || path.startsWith("/ledger/")) return path;
  return document ? path + ".json" : null;
}

// Headers of every answer that scripts of other origins may read, as
// exports.PublicHeaders, and the paths whose answers they may not, as
// exports.IsShared.
const shared = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": "ETag, Idempotency-Replayed, Link, Location, RateLimit, RateLimit-Policy, Request-Id, Retry-After",
  "cross-origin-resource-policy": "cross-origin",
};
const unshared = [
  "/v1/partner/",
  "/v1/rag-delivery/",
  "/mcp",
  "/inbox/",
  "/letters/",
  "/shortlist/",
  "/conversation/",
  "/v1/public/licensing-conversations/",
  "/v1/public/agent-procurement/",
];

// share adds to an answer what scripts of other origins need to read it, where
// they may.
export function share(answer, path) {
  if (!startsWith(path, unshared)) for (const name in shared) answer.headers.set(name, shared[name]);
  return answer;
}

const cached = {
  file: "public, max-age=300, stale-while-revalidate=86400",
  forever: "public, max-age=31536000, immutable",
  head: "public, max-age=5",
};

// The rules of exports.PolicyOf, later ones over earlier ones.
const rules = [
  [/^\/ledger\/policy$/, { "content-type": types.txt }],
  [/^\/ledger\/checkpoint$/, { "content-type": types.txt, "cache-control": cached.head }],
  [/^\/(ledger\/tile|assets|_ix|_seg)\//, { "cache-control": cached.forever }],
  [/\.(ndjson|csv)$/, { "accept-ranges": "bytes" }],
  [/^\/v1\/public\/release\/croissant(\.json)?$/, { "content-type": types.jsonld }],
  [/ai-rights-map\.csv$/, { "content-disposition": 'attachment; filename="ai-rights-map.csv"' }],
  [/^\/v1\/public\/license-catalog\/.*\.rsl\.xml$/, { "content-type": "application/rsl+xml; charset=utf-8" }],
  [/^\/v1\/public\/citations\/[^\/]*\.json$/, { vary: "accept, accept-encoding" }],
  [/^\/ledger\/tile\/|\.(png|ico|idx)$/, { vary: null }],
  [/^\/(conversation|join|shortlist|demand\/new)\//, { "access-control-allow-origin": null, "access-control-expose-headers": null, "cross-origin-resource-policy": null }],
];

const none = "default-src 'none'; frame-ancestors 'none'";
const page = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

// headersOf gives the headers of the file that answers a path.
export function headersOf(path, file) {
  const h = {
    ...shared,
    "cache-control": cached.file,
    "content-type": types[extensionOf(file)] || "application/octet-stream",
    "referrer-policy": "no-referrer",
    "service-version": "18.10.1",
    "strict-transport-security": "max-age=31536000; includeSubDomains",
    vary: "accept-encoding",
    "x-content-type-options": "nosniff",
  };
  for (const [pattern, more] of rules) if (pattern.test(path)) Object.assign(h, more);
  for (const name in h) if (h[name] === null) delete h[name];
  h["content-security-policy"] = h["content-type"].startsWith("text/html") ? page : none;
  if (path === "/editor/") h["content-security-policy"] = page.replace("script-src 'self'", "script-src 'self' 'wasm-unsafe-eval'");
  return h;
}
