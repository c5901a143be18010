// Which files the script may answer with, and with which headers. tables.mjs
// has what follows from exports. Go does everything else.

import { computed, editorPolicy, endpoints, forms, immutable, lists, originPages, pagePolicy, rules, security, shared, types, undated, unshared } from "./tables.mjs";

const matcher = (patterns) => {
  const list = patterns.map((pattern) => new RegExp(pattern));
  return (path) => list.some((pattern) => pattern.test(path));
};

export const isList = matcher(lists);

const isOriginPage = matcher(originPages), isForm = matcher(forms);

// isImmutable reports whether a file never changes under its key, and isDated
// whether its answers have a Last-Modified.
export const isImmutable = matcher([immutable]);

const isUndated = matcher([undated]);

export const isDated = (key) => !isUndated(key);

// nextOf returns the address of the page after a published one, or undefined.
// No text of a record can imitate the member, since quotes are escaped in
// texts.
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
  if (isOriginPage(path)) return null;
  if (document && (query || startsWith(path, computed)) || query && isForm(path)) return null;
  if (!/^\/[A-Za-z0-9._~@+:=,\/-]*$/.test(path) || /\/\/|^\/_(?!ix\/|packs\/)|\/\.(?!well-known\/)/.test(path)) return null;
  if (path.endsWith("/")) return path + "index.html";
  if (extensionOf(path) || path.startsWith("/ledger/")) return path;
  return document ? path + ".json" : null;
}

// share adds to an answer what scripts of other origins need to read it, if
// they may.
export function share(answer, path) {
  if (!startsWith(path, unshared)) for (const name in shared) answer.headers.set(name, shared[name]);
  return answer;
}

const fileRules = rules.map(([pattern, headers]) => [new RegExp(pattern), headers]);

// headersOf returns the headers of the file that answers a path, as in
// exports.PolicyOf.
export function headersOf(path, file) {
  const h = {
    ...(startsWith(path, unshared) ? {} : shared),
    ...security,
    "content-type": types[extensionOf(file)] || "application/octet-stream",
  };
  const key = file.slice(1);
  for (const [pattern, more] of fileRules) if (pattern.test(key)) Object.assign(h, more);
  for (const name in h) if (h[name] === null) delete h[name];
  if (h["content-type"].startsWith("text/html")) h["content-security-policy"] = path === "/editor/" ? editorPolicy : pagePolicy;
  return h;
}
