// What Go may ask for outside. An op returns bytes, or null for "no": missing,
// refused, false. The kinds are those of worker/edgejs/op.go.
import { allow } from "./limit.mjs";
import { document } from "./document.mjs";

const decoder = new TextDecoder();
const nothing = new Uint8Array(0);

// whole reads all of an answer, and fails if less arrived than was announced.
export async function whole(r) {
  const b = new Uint8Array(await r.arrayBuffer());
  const announced = r.headers.get("content-length");
  if (announced !== null && !r.headers.has("content-encoding") && Number(announced) !== b.length) throw new Error("file cut short");
  return b;
}

// body reads a private body from R2 or, if the worker runs without it, from a
// service that serves files.
async function body(env, argument) {
  const key = decoder.decode(argument);
  if (env.BODIES) {
    const o = await env.BODIES.get(key);
    return o && new Uint8Array(await o.arrayBuffer());
  }
  const r = await env.BODY_FILES.fetch("http://bodies.local/" + key);
  if (r.status === 200) return whole(r);
  if (r.status === 404) return null;
  throw new Error("body store answered " + r.status);
}

async function limit(env, argument) {
  const [policy, calls, seconds, ...key] = decoder.decode(argument).split("\n");
  return (await allow(env, policy, Number(calls), Number(seconds), key.join("\n"))) ? nothing : null;
}

// Imported keys are cached: a CryptoKey is not tied to the request that made
// it.
const keys = new Map();

async function verify(_env, argument) {
  const raw = argument.subarray(0, 32), id = String.fromCharCode(...raw);
  let key = keys.get(id);
  if (key === undefined) {
    key = await crypto.subtle.importKey("raw", raw, "Ed25519", false, ["verify"]);
    if (keys.size >= 64) keys.clear();
    keys.set(id, key);
  }
  return (await crypto.subtle.verify("Ed25519", key, argument.subarray(32, 96), argument.subarray(96))) ? nothing : null;
}

// The key of the secret SIGNING_KEY never enters Wasm: for an empty message Go
// gets its public half, otherwise a signature.
let signing;

const PKCS8 = [0x30, 0x2e, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70, 4, 0x22, 4, 0x20]; // what precedes an Ed25519 seed

const unpack = (text) => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (c) => c.charCodeAt(0));

async function sign(env, argument) {
  if (signing === undefined) {
    const pair = new Uint8Array([...PKCS8, ...unpack(env.SIGNING_KEY)]);
    const open = await crypto.subtle.importKey("pkcs8", pair, "Ed25519", true, ["sign"]);
    const { x } = await crypto.subtle.exportKey("jwk", open);
    signing = { public: unpack(x), key: await crypto.subtle.importKey("pkcs8", pair, "Ed25519", false, ["sign"]) };
  }
  return argument.length === 0 ? signing.public : new Uint8Array(await crypto.subtle.sign("Ed25519", signing.key, argument));
}

const FETCH_LIMIT = (64 << 10) + 1, FETCH_TIME = 5000; // bytes of an answer; milliseconds

// reach sends a request to a server outside: "length of head\nmethod\nurl\nheader
// block" and the body. It returns "status seconds\n" and the bytes; seconds is how
// long Retry-After asks to wait.
async function reach(_env, argument) {
  const mark = argument.indexOf(10), head = mark + 1 + Number(decoder.decode(argument.subarray(0, mark)));
  const [method, url, ...lines] = decoder.decode(argument.subarray(mark + 1, head)).split("\n");
  const headers = new Headers();
  for (let i = 0; i + 1 < lines.length; i += 2) headers.append(lines[i], lines[i + 1]);
  const r = await fetch(url, { method, headers, body: method === "GET" ? undefined : argument.subarray(head), redirect: "manual", signal: AbortSignal.timeout(FETCH_TIME) });
  const start = new TextEncoder().encode(r.status + " " + retryAfter(r.headers.get("retry-after")) + "\n");
  const out = new Uint8Array(start.length + FETCH_LIMIT);
  out.set(start);
  let n = start.length;
  for await (const chunk of r.body || []) {
    const piece = chunk.subarray(0, out.length - n);
    out.set(piece, n);
    n += piece.length;
    if (n === out.length) break;
  }
  return out.subarray(0, n);
}

// retryAfter returns the whole seconds that a Retry-After header asks for, as a
// number or as a date: 0 if there is none, and at most a day.
function retryAfter(text) {
  const seconds = /^\d+$/.test(text || "") ? Number(text) : Math.ceil((Date.parse(text) - Date.now()) / 1000);
  return Math.max(0, Math.min(seconds || 0, 86400));
}

// published.mjs reads published files, which a guard does not need.
export const ops = { 2: body, 3: limit, 4: verify, 5: reach, 6: document, 7: sign };
