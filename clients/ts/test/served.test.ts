// Tests the client against the registry that COLOPHON_BASE and COLOPHON_DEMO
// name; "make test-clients" starts both hosts.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test, type TestContext } from "node:test";
import { Client, newIdempotencyKey, NotVerified, Problem, verifyReceipt, verifyRecord, type Fault, type Records } from "../src/index.ts";
import { startCutter } from "./cutter.ts";

const base = process.env.COLOPHON_BASE ?? "";
const file = process.env.COLOPHON_DEMO ?? "";
if (!base || !file) throw new Error('COLOPHON_BASE and COLOPHON_DEMO name no demo: run "make test-clients"');
const demo = JSON.parse(readFileSync(file, "utf8"));

const newClient = (at: string): Client =>
  new Client(at, { partnerKey: demo.partner_keys.full, buyerCredential: demo.buyer_credentials.granted, attempts: 6, pause: 10 });
const direct = newClient(base);

async function cutting(t: TestContext, ...budgets: number[]) {
  const cutter = await startCutter(base, ...budgets);
  t.after(cutter.close);
  return { client: newClient(cutter.base), cuts: cutter.cuts };
}

async function collect<T>(walk: AsyncIterable<T>): Promise<T[]> {
  const out: T[] = [];
  for await (const one of walk) out.push(one);
  return out;
}

const throwsFault = (promise: Promise<unknown>, fault: Fault) => assert.rejects(promise, (error) => error instanceof NotVerified && error.fault === fault);

const inquiry = (mark: string): Records["partner_request"] => ({
  site_id: demo.site_id,
  buyer_name: "R. Example",
  buyer_email: "r@example.org",
  intended_use: `Grounding of answers ${mark}`,
  requested_scope: "/shipping/*",
  message: "We would like to ground answers on your tide tables.",
});

test("paging and lines go through more than 10,000 records, each once", async () => {
  const total = (await direct.get("/v1/public/network-stats")).registered_pages;
  assert.ok(total >= 10_000, `the registry has ${total} pages only`);
  const paged: string[] = [];
  for await (const record of direct.walk("/v1/public/licensing-feed", { query: { limit: 100 } })) paged.push(record.entry_id);
  assert.equal(paged.length, total);
  assert.equal(new Set(paged).size, total);
  const lines: string[] = [];
  for await (const record of direct.feedLines()) lines.push(record.entry_id);
  assert.deepEqual(lines, paged);
});

test("the records of a publisher are walked to the end, and lists of one page too", async () => {
  const publishers = await collect(direct.walk("/v1/licensing-marketplace/publishers"));
  const largest = publishers.reduce((a, b) => (b.registered_pages > a.registered_pages ? b : a));
  const path = "/v1/public/sites/{site_id}/contentdna-provenance";
  const ask = { path: { site_id: largest.site_id } };
  const { total } = (await direct.get(path, ask)).page;
  assert.ok(total > 200, `${largest.site_id} has ${total} records only`);
  const pages = new Map((await collect(direct.walk("/v1/licensing-marketplace/publishers/{site_id}/content-inventory", { ...ask, query: { limit: 100 } }))).map((p) => [p.entry_id, p]));
  for (const query of [{}, { limit: 100 }]) {
    const records = await collect(direct.walk(path, { ...ask, query }));
    assert.equal(new Set(records.map((r) => r.entry_id)).size, total);
    assert.equal(records.length, total);
    for (const r of records) assert.equal(r.fingerprints.portable.digest, pages.get(r.entry_id)?.fingerprint?.digest);
  }
});

test("a walk that is broken off asks for nothing more", async () => {
  let asked = 0;
  const counting = new Client(base, { fetch: (...args) => (asked++, fetch(...args)) });
  let got = 0;
  for await (const _ of counting.walk("/v1/public/licensing-feed", { query: { limit: 2 } })) if (++got === 3) break;
  for await (const _ of counting.feedLines({ limit: 2 })) if (++got === 6) break;
  assert.deepEqual([got, asked], [6, 4]);
});

test("a retry after a dropped connection creates one request", async (t) => {
  let before = (await collect(direct.walk("/v1/partner/licensing/requests"))).length;
  for (const budget of [0, 300]) {
    const { client, cuts } = await cutting(t, budget, budget);
    const key = newIdempotencyKey();
    const created = await client.createPartnerRequest(inquiry(key), key);
    assert.equal(cuts(), 2);
    const after = (await collect(direct.walk("/v1/partner/licensing/requests"))).length;
    assert.equal(after, before + 1);
    before = after;
    assert.equal((await direct.createPartnerRequest(inquiry(key), key)).request_id, created.request_id);
    await assert.rejects(direct.createPartnerRequest(inquiry("other"), key), (e) => e instanceof Problem && e.status === 409 && e.code === "idempotency_conflict");
  }
});

test("so it is with public inquiries, messages and snapshots", async (t) => {
  const first = await cutting(t, 0);
  const { buyer_name: requester_name, buyer_email: requester_email, ...rest } = inquiry(newIdempotencyKey());
  const receipt = await first.client.createRequest({ ...rest, requester_name, requester_email });
  const { thread_id: thread, token } = receipt.conversation;
  const second = await cutting(t, 0);
  await second.client.postMessage(thread, token, { body: "May the answers show the tables?" });
  assert.equal((await direct.conversation(thread, token)).messages.length, 2);
  const third = await cutting(t, 0);
  assert.ok((await third.client.createSnapshot({ label: "weekly" })).snapshot_id);
  assert.deepEqual([first.cuts(), second.cuts(), third.cuts()], [1, 1, 1]);
});

const streams: Record<string, (c: Client) => Promise<string[]>> = {
  feed: async (c) => (await collect(c.feedLines())).map((r) => JSON.stringify({ ...r, cursor: "" })),
  delivery: async (c) => (await collect(c.deliver())).map((line) => ("content" in line ? `${line.item_id} ${line.content.text}` : assert.fail())),
  delta: async (c) => (await collect(c.changes())).flatMap((line) => (line.type === "upsert" ? [`${line.cursor} ${line.item.item_id}`] : [])),
};

for (const [name, read] of Object.entries(streams)) {
  test(`the stream ${name} goes on where it was cut`, async (t) => {
    const want = await read(direct);
    assert.ok(want.length > 20);
    const { client, cuts } = await cutting(t, 4_000, 700, 9_000, 20_000);
    assert.deepEqual(await read(client), want);
    assert.equal(cuts(), 4);
  });
}

test("a stream that is cut again and again is given up", async (t) => {
  const { client, cuts } = await cutting(t, ...new Array(50).fill(1_100));
  await assert.rejects(collect(client.deliver()));
  assert.ok(cuts() <= 40);
});

test("a record verifies, a tampered one does not", async () => {
  const keys = await direct.keys();
  const text = await direct.text("/v1/public/contentdna-provenance/{entry_id}", { path: { entry_id: demo.entry_id } });
  const record = await verifyRecord(text, keys);
  assert.deepEqual([record.entry_id, record.canonical_url], [demo.entry_id, demo.url]);
  const tampered = [
    text.replace(JSON.stringify(record.source.title), '"Another title"'),
    text.replaceAll(demo.site_id, "somebody-else"),
    text.replace("{", '{"allowed":true,'),
    text.replace('"signature_b64u":"', '"signature_b64u":"AAAA'),
  ];
  for (const other of tampered) await throwsFault(verifyRecord(other, keys), "signature");
  await throwsFault(verifyRecord(text.replace("{", '{"site_id":"somebody-else",'), keys), "malformed");
  await throwsFault(verifyRecord(text, []), "unknown_key");
  await throwsFault(verifyRecord(text, keys.map((k) => ({ ...k, x: "A".repeat(43) }))), "unknown_key");
  await throwsFault(verifyRecord(text, keys.map((k) => ({ ...k, exp: Date.parse(record.proof.created) / 1000 }))), "key_period");
});

test("a receipt verifies, a tampered one does not", async () => {
  const keys = await direct.keys();
  const ask = (use: "rag" | "training") => direct.text("/v1/public/rights/check", { query: { entry_id: demo.entry_id, use: [use] } });
  const text = await ask("rag");
  const answer = await verifyReceipt(text, keys);
  assert.equal(answer.candidates.length, 1);
  const verdict = JSON.stringify(answer.candidates[0]?.uses?.[0]?.verdict);
  assert.notEqual(verdict, '"signal_allow"');
  await throwsFault(verifyReceipt(text.replace(verdict, '"signal_allow"'), keys), "other_answer");
  await throwsFault(verifyReceipt(text.replaceAll(verdict, '"signal_allow"'), keys), "signature");
  const swapped = { ...JSON.parse(text), receipt: JSON.parse(await ask("training")).receipt };
  await throwsFault(verifyReceipt(JSON.stringify(swapped), keys), "other_answer");
});

test("a refusal is a problem with its code", async () => {
  await assert.rejects(direct.get("/v1/licensing-marketplace/publishers/{site_id}", { path: { site_id: "nobody" } }), (e) => e instanceof Problem && e.status === 404 && e.body.request_id !== "");
  const stranger = new Client(base, { partnerKey: "nobody" });
  await assert.rejects(stranger.createPartnerRequest(inquiry("x")), (e) => e instanceof Problem && e.code === "credential_invalid");
});
