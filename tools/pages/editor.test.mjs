// Tests the page /editor/ in Chromium: a file made in the form becomes every
// channel and is read back from paste and upload, and pasted documents are
// checked. Nothing is sent: after the page has loaded it makes no request.
import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { context, launch, until } from "./browser.mjs";
import { start } from "./demo.mjs";

const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

let service, browser, page, errors, requests;
before(async () => {
	service = await start();
	browser = await launch();
	page = await (await context(browser)).newPage();
	errors = [];
	page.on("pageerror", (e) => errors.push(e.message));
	page.on("console", (m) => { if (m.type() === "error") errors.push(m.text()); });
	await page.goto(service.base + "/editor/");
	await until(() => page.textContent("#status"), (s) => s !== "");
	requests = [];
	page.on("request", (r) => { if (!r.url().startsWith("blob:")) requests.push(r.url()); });
});
after(async () => {
	await browser?.close();
	await service?.stop();
});

const file = async () => JSON.parse(await page.inputValue("#file"));
const channel = (path) => page.locator(`#channels details[data-path="${path}"] code`).textContent();

test("a file is made in the form and becomes every channel", async () => {
	await page.fill("#home", "https://site.example/");
	await page.fill("#f-name", "Site of Example");
	await page.fill("#f-languages", "en, nl");
	await page.selectOption("[data-preference=training] [data-part=declared]", "disallow");
	await page.selectOption("[data-preference=training] [data-part=inquiry]", "welcome");
	await page.selectOption("[data-preference=search_indexing] [data-part=declared]", "allow");
	await page.click("#add-offer");
	await page.fill("[data-offer=title]", "Answers 2026");
	await page.check(".offer-form [data-use=rag]");
	await page.fill("[data-offer=price]", "1,200.50 eur");
	await page.fill("[data-offer=unit]", "year");
	await until(async () => (await file()).offers?.[0]?.payment?.currency, (c) => c === "EUR");
	const made = await file();
	assert.equal(made.name, "Site of Example");
	assert.deepEqual(made.languages, ["en", "nl"]);
	assert.deepEqual(made.preferences, [{ use: "training", declared: "disallow", inquiry: "welcome" }, { use: "search_indexing", declared: "allow" }]);
	assert.deepEqual(made.offers[0].payment, { model: "subscription", unit: "year", amount: "1200.50", currency: "EUR" });
	assert.equal(made.offers[0].slug, "answers-2026");

	await until(() => page.locator("#channels details").count(), (n) => n >= 10);
	assert.match(await channel("license.xml"), /<amount currency="EUR">1200\.50<\/amount>/);
	assert.match(await channel("robots-fragment.txt"), /Content-Usage: \/ train-ai=n, ai-use=n, search=y/);
	assert.match(await channel(".well-known/tdmrep.json"), /"tdm-reservation":1/);
	assert.match(await channel("nginx.conf"), /add_header Content-Usage/);
	assert.match(await channel("_headers"), /tdm-reservation: 1/);
	assert.match(await channel("llms-fragment.txt"), /- training: reserved, ask first/);
	assert.match(await channel("head-fragment.html"), /schema\.org/);
	assert.match(await page.textContent("#loss-words"), /None says more/);
});

test("a price is read as people write it, and an ambiguous one is asked for again", async () => {
	const amount = async () => (await file()).offers[0].payment.amount;
	for (const [written, want] of [["12.50 EUR", "12.50"], ["12,50 EUR", "12.50"], ["1.234,50 EUR", "1234.50"], ["1,234.50 EUR", "1234.50"], ["1 234,50 EUR", "1234.50"], ["1'234.50 EUR", "1234.50"],
		["€ 1.234.567", "1234567"], ["0,015 EUR", "0.015"], ["EUR 1200", "1200"], ["1.2340 EUR", "1.2340"]]) {
		await page.fill("[data-offer=price]", written);
		await until(amount, (got) => got === want);
		assert.equal(await page.getAttribute("[data-offer=price]", "aria-invalid"), "false", written);
	}
	for (const [written, why] of [["1.234 EUR", "two ways. Write 1234 or 1.2340."], ["1,234 EUR", "two ways. Write 1234 or 1.2340."], ["12.50", "a currency code"], ["12,50,00 EUR", "an amount"], ["-5 EUR", "an amount"], ["1.23.4,5 EUR", "an amount"], ["$12", "a currency code"]]) {
		await page.fill("[data-offer=price]", written);
		await until(() => page.locator(".offer-form .wrong").textContent(), (said) => said.includes(why));
		assert.equal(await page.getAttribute("[data-offer=price]", "aria-invalid"), "true", written);
		assert.equal(await amount(), undefined, written);
	}
	await page.fill("[data-offer=price]", "1,200.50 eur");
});

test("a pasted file fills the form, and members that the form does not show are kept", async () => {
	const own = { colophon_publisher: "1", name: "Other", note_of_mine: 1, preferences: [{ use: "rag", declared: "disallow", paths: ["/drafts/*"] }, { use: "rag", declared: "allow" }] };
	await page.fill("#file", JSON.stringify(own));
	await until(() => page.inputValue("#f-name"), (v) => v === "Other");
	assert.equal(await page.inputValue("[data-preference=rag] [data-part=declared]"), "allow");
	await until(() => page.locator("#errors li").count(), (n) => n === 1);
	assert.match(await page.textContent("#errors"), /note_of_mine unknown member/);
	await page.fill("#f-summary", "Reports.");
	await until(async () => (await file()).summary, (s) => s === "Reports.");
	const kept = await file();
	assert.equal(kept.note_of_mine, 1);
	assert.deepEqual(kept.preferences.find((p) => p.paths), { use: "rag", declared: "disallow", paths: ["/drafts/*"] });
	assert.match(await channel("llms-fragment.txt"), /Pages below \/drafts\/[\s\S]*- rag: reserved/);
});

test("how long a copy may be kept is read, changed and kept", async () => {
	await page.fill("#file", JSON.stringify({
		colophon_publisher: "1", name: "Keeping", preferences: [{ use: "research", retention: "P30D" }],
		offers: [{ slug: "a", title: "A", uses: ["rag"], payment: { model: "free" }, obligations: { attribution: "link", retention: "none" } }],
	}));
	await until(() => page.inputValue("[data-preference=research] [data-part=retention]"), (v) => v === "P30D");
	assert.equal(await page.inputValue("[data-offer=retention]"), "none");
	await page.fill("[data-preference=rag] [data-part=retention]", " while_licensed ");
	await page.fill("[data-offer=retention]", "");
	await until(async () => (await file()).preferences.length, (n) => n === 2);
	const made = await file();
	assert.deepEqual(made.preferences, [{ use: "rag", retention: "while_licensed" }, { use: "research", retention: "P30D" }]);
	assert.deepEqual(made.offers[0].obligations, { attribution: "link" });
	await page.fill("[data-preference=rag] [data-part=retention]", "a while");
	await until(() => page.textContent("#errors"), (said) => said.includes("/preferences/0/retention") && said.includes("P1D to P3650D"));
	await page.fill("[data-preference=rag] [data-part=retention]", "");
	await until(async () => (await file()).preferences.length, (n) => n === 1);
});

test("a file is opened by upload, and an error is shown with its place", async () => {
	await page.setInputFiles("#open", { name: "colophon-publisher.json", mimeType: "application/json", buffer: Buffer.from('{\n  "colophon_publisher": "1",\n  "name": "X",\n  "preferences": [{"use": "mining"}]\n}') });
	await until(() => page.textContent("#errors"), (s) => /Line 4, column \d+: \/preferences\/0\/use/.test(s));
	assert.match(await page.textContent("#status"), /would be ignored/);
});

test("pasted documents are checked", async () => {
	await page.fill("#pasted", "User-agent: *\nContent-Usage: train-ai=n\nContent-Signal: search=yes, ai-train=no\n");
	await page.click("#lint button");
	await until(() => page.textContent("#findings"), (s) => /training: disallow/.test(s));
	await page.fill("#pasted", '[{"location": "/", "tdm-reservation": 7}]');
	await page.click("#lint button");
	await until(() => page.textContent("#findings"), (s) => /Read as tdmrep/.test(s) && /To mend/.test(s));
	await page.fill("#pasted", "tdm-reservation: 1\nContent-Usage: train-ai=n\n");
	await page.click("#lint button");
	await until(() => page.textContent("#findings"), (s) => /Read as aipref header/.test(s));
	await page.fill("#pasted", "Dear reader");
	await page.click("#lint button");
	await until(() => page.textContent("#findings"), (s) => /none of the documents/.test(s));
});

test("nothing was sent, nothing failed, and the page is accessible when filled in", async () => {
	await page.fill("#file", '{"colophon_publisher": "1", "name": "X", "offers": [{"slug": "a", "title": "A", "uses": ["rag"], "payment": {"model": "free"}}]}');
	await until(() => page.locator(".offer-form").count(), (n) => n === 1);
	assert.deepEqual(requests, []);
	assert.deepEqual(errors, []);
	await page.evaluate(axe);
	const found = await page.evaluate(() => globalThis.axe.run({ runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] }));
	assert.deepEqual(found.violations.map((v) => `${v.id}: ${v.nodes.map((n) => n.html.slice(0, 120)).join(" | ")}`), []);
});
