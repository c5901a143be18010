// Which files the script may answer with, and under which headers. tables.mjs has
// what follows from exports. Everything else is in Go.

import { computed, editorPolicy, forms, lists, live, pagePolicy, security, shared, types, unshared } from "./tables.mjs";

// Where the endpoints are: their files may have ".json" added to the name, and
// Accept and parameters are Go's to judge.
const endpoints = ["/v1/", "/mcp", "/.well-known/", "/ai-rights-map-sitemap.xml"];

// The request form of a publisher, which Go fills in as it does forms.
const requestForm = /^\/publishers\/[a-z0-9-]+\/request\/$/;

// Answers with a Last-Modified: worker.hasLastModified.
export const isDated = (path) => !/^\/(ledger|assets|_ix|_seg)\//.test(path);

const listPatterns = lists.map((pattern) => new RegExp(pattern));

export const isList = (path) => listPatterns.some((pattern) => pattern.test(path));

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
  [/^\/v1\/_withdrawn(\.json)?$/, { "cache-control": cached.head }],
  [/^\/(ledger\/tile|assets|_ix|_seg)\//, { "cache-control": cached.forever }],
  [/\.(ndjson|csv|parquet)$/, { "accept-ranges": "bytes" }],
  [/^\/v1\/public\/release\/croissant(\.json)?$/, { "content-type": types.jsonld }],
  [/ai-rights-map\.csv$/, { "content-disposition": 'attachment; filename="ai-rights-map.csv"' }],
  [/^\/v1\/public\/license-catalog\/.*\.rsl\.xml$/, { "content-type": "application/rsl+xml; charset=utf-8" }],
  [/^\/v1\/public\/citations\/[^\/]*\.json$/, { vary: "accept, accept-encoding" }],
  [/^\/ledger\/tile\/|\.(png|ico|idx|parquet)$/, { vary: null }],
];

// headersOf gives the headers of the file that answers a path.
export function headersOf(path, file) {
  const h = {
    ...(startsWith(path, unshared) ? {} : shared),
    ...security,
    "cache-control": cached.file,
    "content-type": types[extensionOf(file)] || "application/octet-stream",
    vary: "accept-encoding",
  };
  for (const [pattern, more] of rules) if (pattern.test(path)) Object.assign(h, more);
  for (const name in h) if (h[name] === null) delete h[name];
  if (h["content-type"].startsWith("text/html")) h["content-security-policy"] = path === "/editor/" ? editorPolicy : pagePolicy;
  return h;
}
