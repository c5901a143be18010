// What needs no registry: retries, credentials and the JSON that is signed.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { canonical, Client, parseStrict, Problem, type Records } from "../src/index.ts";
import { sha256Word } from "../src/proof.ts";

/** A service that gives these answers one after the other; null is a connection that is closed. */
function inTurn(...answers: ([number, string] | null)[]): { client: Client; asked: Request[] } {
  const asked: Request[] = [];
  const answer = async (input: string | URL | Request, init?: RequestInit) => {
    asked.push(new Request(input as string, init));
    const next = answers[asked.length - 1];
    if (!next) throw new TypeError("fetch failed");
    return new Response(next[1], { status: next[0] });
  };
  return { client: new Client("https://registry.example/", { attempts: 3, pause: 1, partnerKey: "partner", buyerCredential: "buyer", fetch: answer }), asked };
}

const problem = (code: string, retryable: boolean, after_seconds: number | null = null): string =>
  JSON.stringify({ code, title: "t", request_id: "rid_1", retry: { retryable, after_seconds } });

const site = { path: { site_id: "x" } };
const read = (c: Client) => c.get("/v1/licensing-marketplace/publishers/{site_id}", site);
const send = (c: Client) => c.createPartnerRequest({} as Records["partner_request"]);
const unkeyed = (c: Client) => c.post("/v1/public/licensing-request", { body: {} as Records["public_request"] });
const passing = problem("overloaded", true);

const cases: [string, (c: Client) => Promise<unknown>, ([number, string] | null)[], number, string | null][] = [
  ["closed connections", read, [null, null, [200, "{}"]], 3, null],
  ["a problem that passes", read, [[503, passing], [200, "{}"]], 2, null],
  ["a gateway without words", read, [[502, "<html>"], [200, "{}"]], 2, null],
  ["a problem that stays", read, [[404, problem("not_found", false)]], 1, "not_found"],
  ["a wait that is too long", read, [[429, problem("rate_limited", true, 3600)]], 1, "rate_limited"],
  ["too many failures", read, [[503, passing], [503, passing], [503, passing]], 3, "overloaded"],
  ["a request with a key", send, [null, [409, problem("idempotency_in_progress", true)], [201, "{}"]], 3, null],
  ["a request without a key", unkeyed, [null, [201, "{}"]], 1, "?"],
  ["words that are no JSON", read, [[200, "<html>"]], 1, "?"],
];

for (const [what, call, answers, times, code] of cases) {
  test(`retries: ${what}`, async () => {
    const { client, asked } = inTurn(...answers);
    if (code === null) await call(client);
    else await assert.rejects(call(client), (e) => code === "?" || (e instanceof Problem && e.code === code));
    assert.equal(asked.length, times);
    assert.equal(new Set(asked.map((r) => r.headers.get("Idempotency-Key"))).size, 1, "the keys differ");
  });
}

test("the digest of a proof is SHA-256", () => {
  assert.equal(sha256Word("abc") >>> 0, 0xba7816bf); // FIPS 180-4
  for (let n = 0; n < 200; n++) {
    const text = "a".repeat(n);
    assert.equal(sha256Word(text) >>> 0, createHash("sha256").update(text).digest().readUInt32BE(), `${n} letters`);
  }
});

const challenge = (nonce: string, difficulty: number, algorithm = "sha-256-leading-zero-bits"): string =>
  JSON.stringify({ code: "anti_spam_challenge", title: "t", request_id: "rid_1", retry: { retryable: false }, challenge: { algorithm, difficulty, nonce, expires_at: "2026-11-20T09:00:00Z", signature: "s" } });

const challenged: [string, ([number, string] | null)[], number, string | null][] = [
  ["a challenge that is answered", [[403, challenge("n1", 12)], [201, "{}"]], 2, null],
  ["an answer that came too late", [[403, challenge("n1", 8)], [403, challenge("n2", 8)], [201, "{}"]], 3, null],
  ["a cut after the answer", [[403, challenge("n1", 8)], null, [201, "{}"]], 3, null],
  ["challenges without an end", new Array(9).fill([403, challenge("n1", 1)]), 4, "anti_spam_challenge"],
  ["a challenge that asks for too much", [[403, challenge("n1", 27)]], 1, "anti_spam_challenge"],
  ["a challenge of another kind", [[403, challenge("n1", 1, "scrypt")]], 1, "anti_spam_challenge"],
  ["a refusal without a challenge", [[403, problem("scope_missing", false)]], 1, "scope_missing"],
];

for (const [what, answers, times, code] of challenged) {
  test(`proof of work: ${what}`, async () => {
    const { client, asked } = inTurn(...answers);
    const call = client.createRequest({} as Records["public_request"]);
    if (code === null) await call;
    else await assert.rejects(call, (e) => e instanceof Problem && e.code === code);
    assert.equal(asked.length, times);
    assert.equal(new Set(asked.map((r) => r.headers.get("Idempotency-Key"))).size, 1, "the keys differ");
    for (const [i, r] of asked.entries()) {
      const [, nonce = "", answer = ""] = /^nonce=(.+);answer=(.+)$/.exec(r.headers.get("Service-Proof") ?? "") ?? [];
      if (i === 0) assert.equal(r.headers.get("Service-Proof"), null);
      else {
        const asks = answers.slice(0, i).findLast((a) => a?.[0] === 403)?.[1] ?? "";
        const { difficulty, nonce: want } = JSON.parse(asks).challenge;
        assert.equal(nonce, want);
        assert.ok(Math.clz32(createHash("sha256").update(`${nonce}:${answer}`).digest().readUInt32BE()) >= difficulty);
      }
    }
  });
}

test("an answer is given up when the caller is", async () => {
  const { client } = inTurn([403, challenge("n1", 26)]);
  await assert.rejects(client.createRequest({} as Records["public_request"], "k", AbortSignal.timeout(50)), (e) => e instanceof Error && /Timeout|Abort/.test(e.name));
});

test("credentials go where they are asked for, and nowhere else", async () => {
  const { client, asked } = inTurn(...new Array(4).fill([200, '{"data":[],"page":{"next_cursor":null}}']));
  await client.get("/v1/public/licensing-feed");
  await client.get("/v1/partner/catalog/search");
  await client.get("/v1/public/rights/check");
  await client.get("/v1/rag-delivery/items");
  assert.deepEqual(asked.map((r) => r.headers.get("Authorization")), [null, "Bearer partner", "Bearer buyer", "Bearer buyer"]);
});

test("an address that is none is refused", () => {
  for (const base of ["", "registry.example", "ftp://registry.example"]) assert.throws(() => new Client(base), TypeError);
});

// The texts are those of RFC 8785 where it has them; null means refused.
const canonicalCases: [string, string | null][] = [
  ['{"b":1,"a":[true,null,""]}', '{"a":[true,null,""],"b":1}'],
  ['{"\\u20ac":1,"\\r":2,"\\ufb33":3,"1":4,"\\ud83d\\ude00":5,"\\u0080":6,"\\u00f6":7}', '{"\\r":2,"1":4,"\u0080":6,"ö":7,"€":1,"😀":5,"\ufb33":3}'],
  ['{"s":"\\u20ac$\\u000F\\u000aA\'\\u0042\\u0022\\u005c\\\\\\"\\/"}', '{"s":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}'],
  [' { "n" : 1 , "m" : [ ] } ', '{"m":[],"n":1}'],
  ['{"n":9007199254740991}', '{"n":9007199254740991}'],
  ['{"__proto__":{"a":1}}', '{"__proto__":{"a":1}}'],
  ...['{"n":9007199254740992}', '{"n":1.0}', '{"n":1e2}', '{"n":-0}', '{"n":01}', '{"a":1,"a":1}', '{"o":{"a":1,"\\u0061":2}}', '{"a":"\\ud800"}', '{"a":"\\udc00"}'].map((t): [string, null] => [t, null]),
  ...['{"a":1}{}', '{"a":1} x', "[]", "1", "", "{", '{"a":}', '{"a":1,}', '{"a":"\n"}', `{"a":${"[".repeat(5000)}`].map((t): [string, null] => [t, null]),
];

for (const [given, want] of canonicalCases) {
  test(`canonical: ${given.slice(0, 40)}`, () => {
    if (want === null) assert.throws(() => parseStrict(given), /malformed/);
    else assert.equal(canonical(parseStrict(given)), want);
  });
}
