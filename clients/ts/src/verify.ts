import type { Records } from "./types.ts";

/** The public keys of a registry. */
export type Keys = Records["public_key"][];

export type Fault = "malformed" | "unknown_key" | "key_period" | "key_revoked" | "signature" | "other_answer" | "no_receipt";

/** The error of a verification that failed. Neither a failure nor a success says that anything is permitted. */
export class NotVerified extends Error {
  readonly fault: Fault;
  constructor(fault: Fault, detail = "") {
    super(detail ? `${fault}: ${detail}` : fault);
    this.name = "NotVerified";
    this.fault = fault;
  }
}

const recordSchema = "service.contentdna-provenance.v1";
const recordSuite = "eddsa-ed25519-service-2026";
const receiptContext = "service.rights-answer.v2";

/**
 * Verifies a provenance record as it was published and returns it. A record that verifies is intact and was attested
 * by the key; that does not prove ownership and grants nothing. A record of a revoked key is refused, even if it was
 * logged before the revocation: ask the verify endpoint about such records.
 */
export async function verifyRecord(text: string, keys: Keys): Promise<Records["record"]> {
  const record = parseStrict(text);
  const proof = objectOf(record.proof);
  if (record.schema_version !== recordSchema || proof.cryptosuite !== recordSuite) throw new NotVerified("malformed");
  const { signature_b64u: signature, ...rest } = proof;
  const signed = `${recordSuite}\n${recordSchema}\n${canonical({ ...record, proof: rest })}`;
  await check(keys, proof.key_id, proof.created, signed, signature);
  return JSON.parse(text) as Records["record"];
}

/**
 * Verifies the receipt in a rights answer as it was served, and returns the answer. A receipt that verifies proves
 * that the registry signed this answer to this question, and nothing else.
 */
export async function verifyReceipt(text: string, keys: Keys): Promise<Records["rights_answer"]> {
  const answer = parseStrict(text);
  if (answer.receipt === null) throw new NotVerified("no_receipt");
  const receipt = objectOf(answer.receipt);
  const payload = objectOf(receipt.payload);
  await check(keys, receipt.kid, payload.evaluated_at, `${receiptContext}\n${canonical(payload)}`, receipt.signature_b64u);
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(canonical({ ...answer, receipt: null })));
  const hex = [...new Uint8Array(digest)].map((b) => b.toString(16).padStart(2, "0")).join("");
  if (payload.answer_sha256 !== hex) throw new NotVerified("other_answer");
  return JSON.parse(text) as Records["rights_answer"];
}

async function check(keys: Keys, id: unknown, instant: unknown, signed: string, signature: unknown): Promise<void> {
  const key = keys.find((k) => k.kid === id);
  const at = typeof instant === "string" ? Date.parse(instant) / 1000 : NaN;
  if (Number.isNaN(at) || typeof signature !== "string") throw new NotVerified("malformed");
  if (!key || (await thumbprint(key.x)) !== key.kid) throw new NotVerified("unknown_key", String(id));
  const raw = unBase64(signature, 64);
  const x = unBase64(key.x, 32);
  const verified = raw && x && (await verifyEd25519(x, raw, new TextEncoder().encode(signed)));
  if (!verified) throw new NotVerified("signature");
  if (at < key.nbf || at >= key.exp) throw new NotVerified("key_period");
  if (key.revoked) throw new NotVerified("key_revoked");
}

async function verifyEd25519(x: Uint8Array<ArrayBuffer>, signature: Uint8Array<ArrayBuffer>, signed: Uint8Array<ArrayBuffer>): Promise<boolean> {
  const key = await crypto.subtle.importKey("raw", x, "Ed25519", false, ["verify"]);
  return crypto.subtle.verify("Ed25519", key, signature, signed);
}

/** Returns the id of an Ed25519 key (RFC 7638 and 8037). */
async function thumbprint(x: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(`{"crv":"Ed25519","kty":"OKP","x":"${x}"}`));
  return toBase64(new Uint8Array(digest));
}

const toBase64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");

/** Decodes canonical base64url without padding. Returns null for other text, or for another length in bytes. */
function unBase64(text: string, length: number): Uint8Array<ArrayBuffer> | null {
  if (!/^[A-Za-z0-9_-]*$/.test(text) || text.length !== Math.ceil((length * 4) / 3)) return null;
  const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
  return toBase64(bytes) === text ? bytes : null;
}

type Json = null | boolean | number | string | Json[] | JsonObject;
type JsonObject = { [name: string]: Json };

function objectOf(value: Json | undefined): JsonObject {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new NotVerified("malformed");
  return value;
}

/** Returns the canonical form of a value (RFC 8785). */
export function canonical(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const names = Object.keys(value).sort(); // by UTF-16 code units, as the RFC requires
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(value[name] as Json)}`).join(",")}}`;
}

const deepest = 64;

/**
 * Parses an object that may be signed (RFC 7493 and 8785). It throws NotVerified for duplicate members, numbers other
 * than safe integers, lone surrogates, deep nesting, and text after the object.
 */
export function parseStrict(text: string): JsonObject {
  let at = 0;
  const bad = (): never => {
    throw new NotVerified("malformed", `at ${at}`);
  };
  const take = (pattern: RegExp): string | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0] ?? null;
    if (found !== null) at += found.length;
    return found;
  };
  const space = () => take(/[ \t\n\r]*/y);
  const string = (): string => {
    const token = take(/"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y) ?? bad();
    const value = JSON.parse(token) as string;
    return value.isWellFormed() ? value : bad();
  };
  const integer = (): number => {
    const value = Number(take(/(?:0|-?[1-9][0-9]*)(?![.eE0-9])/y) ?? bad());
    return Number.isSafeInteger(value) ? value : bad();
  };
  const items = (close: string, one: () => void): void => {
    at++;
    space();
    if (text[at] === close) return void at++;
    for (;;) {
      one();
      space();
      const mark = text[at++];
      if (mark === close) return;
      if (mark !== ",") bad();
      space();
    }
  };
  const value = (depth: number): Json => {
    if (depth > deepest) bad();
    switch (text[at]) {
      case "{": {
        const out: JsonObject = Object.create(null);
        items("}", () => {
          const name = string();
          if (name in out) bad();
          space();
          if (text[at++] !== ":") bad();
          space();
          out[name] = value(depth + 1);
        });
        return out;
      }
      case "[": {
        const out: Json[] = [];
        items("]", () => out.push(value(depth + 1)));
        return out;
      }
      case '"':
        return string();
    }
    const word = take(/(?:true|false|null)/y);
    return word === null ? integer() : (JSON.parse(word) as Json);
  };
  space();
  const out = value(0);
  space();
  if (at !== text.length) bad();
  return objectOf(out);
}
