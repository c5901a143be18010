// Drives the scripts of the pages in Chromium, over the sample pages and the
// published vectors:
//
//   PAGES_DIR=/tmp/pages go test ./templates -run TestWriteSamples
//   PAGES_DIR=/tmp/pages node --test tools/pages/scripts.test.mjs
import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { clipboard, context, launch } from "./browser.mjs";
import { serve } from "./server.mjs";
import * as verify from "../../site/assets/verify.js";

const root = process.env.PAGES_DIR ?? (() => { throw new Error("PAGES_DIR is not set"); })();
const vectors = JSON.parse(readFileSync(new URL("../../internal/record/testdata/provenance.json", import.meta.url)));
const [first] = vectors.records;
// entries is the bundle of leaves, each preceded by its length.
const leaves = vectors.records.map((r) => Buffer.from(r.leaf_jcs));
const entries = Buffer.concat(leaves.flatMap((l) => [Buffer.from([l.length >> 8, l.length & 255]), l]));
const files = {
	"/v1/public/contentdna-provenance/ent_0001": first.record_jcs,
	"/v1/public/citations/ent_0001.json": JSON.stringify({ provenance: { ledger_index: 0 } }),
	"/.well-known/service-provenance-keys.json": JSON.stringify({ keys: vectors.keys.map((k) => k.jwk).filter(Boolean) }),
	"/.well-known/service-provenance-ledger.json": JSON.stringify({ vkey: vectors.log.vkey }),
	"/ledger/checkpoint": vectors.log.checkpoint_5,
	"/ledger/tile/entries/000.p/5": entries,
	"/ledger/tile/0/000.p/5": Buffer.concat(vectors.records.map((r) => Buffer.from(r.leaf_hash, "hex"))),
};
const seen = [];

// converse answers as the service does, for one token: with a page that refuses
// a message ending in "!".
const posted = [];
async function converse(req, res) {
	let body = "";
	for await (const chunk of req) body += chunk;
	const sent = Object.fromEntries(new URLSearchParams(body));
	posted.push(sent);
	const status = sent.token !== "cvt_good" ? 404 : sent.body?.endsWith("!") ? 422 : 200;
	const form = (kind, more) => `<form action="/conversation/"><input type="hidden" name="thread_id" value="thr_1"><input type="hidden" name="token" value="cvt_good"><input type="hidden" name="kind" value="${kind}">${more}</form>`;
	res.writeHead(status, { "content-type": "text/html" });
	res.end(`<main id="main" tabindex="-1"><h1>Answer ${posted.length}</h1>${status === 404 ? "" : form("", "<button>Check</button>") + form("answer", '<textarea id="body" name="body"></textarea><button>Send</button>')}</main>`);
}

let server, browser, base, page;
before(async () => {
	server = await serve(root, async (req, res, path) => {
		seen.push({ method: req.method, url: req.url });
		if (req.method === "POST" && path === "/conversation/") await converse(req, res);
		else if (files[path]) res.writeHead(200).end(files[path]);
		else return false;
		return true;
	});
	({ base } = server);
	browser = await launch();
	const window = await context(browser);
	await window.grantPermissions(["clipboard-read", "clipboard-write"], { origin: base });
	page = await window.newPage();
});
after(async () => {
	await browser?.close();
	server?.close();
});

// words returns the verdict and steps of the current check. A check hides the
// verdict before it does anything, and shows it when it is complete.
const words = async () => {
	await page.locator("#verdict:not([hidden])").waitFor();
	return { verdict: await page.locator("#verdict").textContent(), steps: await page.locator("#steps b").allTextContents(), all: await page.locator("#steps").textContent() };
};

test("a published record is verified from its address", async () => {
	await page.goto(`${base}/verify/?entry=ent_0001`);
	const got = await words();
	// The vectors' first key was revoked after the first leaves.
	assert.deepEqual(got.steps, ["Form: passed", "Canonical bytes: passed", "Signature: passed", "Key: passed", "Ledger: passed", "Text: not checked", "Current: passed"]);
	assert.match(got.verdict, /^Valid: the record is intact. That says nothing about permission/);
});

test("a text is compared without leaving the page", async () => {
	await page.goto(`${base}/verify/`);
	await page.fill("#entry", "ent_0001");
	await page.fill("#text", first.source_text);
	const before = seen.length;
	await page.click("button[type=submit]");
	assert.ok((await words()).steps.includes("Text: passed"));
	assert.ok(!seen.slice(before).some((r) => r.method !== "GET" || decodeURIComponent(r.url).includes("fox")), "the text was sent");
	await page.fill("#text", first.source_text + " and more");
	await page.click("button[type=submit]");
	const got = await words();
	assert.ok(got.steps.includes("Text: failed"), got.all);
	assert.match(got.verdict, /^Not valid/);
});

test("a tampered record is refused", async () => {
	await page.goto(`${base}/verify/`);
	await page.fill("#record", first.record_jcs.replace('"title":"Fox"', '"title":"Box"'));
	await page.click("button[type=submit]");
	const got = await words();
	assert.ok(got.steps.includes("Signature: failed"), got.all);
	assert.match(got.verdict, /^Not valid/);
});

test("a record that is no JSON, or names a member twice, is refused", async () => {
	for (const text of ["<html>", first.record_jcs.replace("{", '{"entry_id":"ent_0002",')]) {
		await page.goto(`${base}/verify/`);
		await page.fill("#record", text);
		await page.click("button[type=submit]");
		assert.deepEqual((await words()).steps, ["Form: failed"]);
	}
});

test("a log whose tiles do not lead to the root is refused", async () => {
	const path = "/ledger/tile/0/000.p/5", good = files[path];
	files[path] = Buffer.from(good);
	files[path][40] ^= 1;
	await page.goto(`${base}/verify/?entry=ent_0001`);
	const got = await words();
	files[path] = good;
	assert.ok(got.steps.includes("Ledger: failed"), got.all);
});

test("a citation is copied", async () => {
	await page.goto(`${base}/citations/harbor-ledger/`);
	await page.locator("details:has(#bibtex) summary").click();
	await page.click('button[data-copy="bibtex"]');
	const text = await page.locator("#bibtex").textContent();
	assert.match(text, /^@misc\{/);
	await clipboard(page, text);
});

test("a conversation opens from its fragment, and keeps what was typed until it is sent", async () => {
	const heading = (n) => page.getByRole("heading", { name: `Answer ${n}`, exact: true }).waitFor();
	posted.length = 0;
	await page.goto(`${base}/conversation/#thread=thr_1&token=cvt_good`);
	await heading(1);
	await page.fill("#body", "About 500!");
	await page.getByRole("button", { name: "Check" }).click();
	await heading(2);
	assert.equal(await page.inputValue("#body"), "About 500!", "after a look for messages");
	await page.getByRole("button", { name: "Send" }).click();
	await heading(3);
	assert.equal(await page.inputValue("#body"), "About 500!", "after a refusal");
	await page.fill("#body", "About 500.");
	await page.getByRole("button", { name: "Send" }).click();
	await heading(4);
	assert.equal(await page.inputValue("#body"), "");
	await page.fill("#body", "A month.");
	await page.getByRole("button", { name: "Send" }).click();
	await heading(5);
	const [opened, , refused, sent, next] = posted;
	assert.deepEqual([opened.thread_id, opened.token, sent.kind, sent.body], ["thr_1", "cvt_good", "answer", "About 500."]);
	assert.ok(sent.client_message_id && refused.client_message_id === sent.client_message_id && next.client_message_id !== sent.client_message_id);
	assert.ok(page.url().endsWith("#thread=thr_1&token=cvt_good") && !seen.some((r) => r.url.includes("cvt_")), "the token was in an address");
});

test("a wrong token is answered by the service", async () => {
	await page.goto("about:blank");
	await page.goto(`${base}/conversation/`);
	await page.fill("#thread_id", "thr_1");
	await page.fill("#token", "cvt_bad");
	posted.length = 0;
	await page.click("#open button");
	await page.getByRole("heading", { name: "Answer 1" }).waitFor();
	assert.equal(posted[0].token, "cvt_bad");
});

test("the pieces agree with the vectors", () => assert.equal(verify.canonical(verify.parse(first.record_jcs)), first.record_jcs));
