// What people come to do, in Chromium over a running service, with scripts
// and without: find a publisher and send an inquiry, answer it from the
// inbox, search the catalog, copy a citation, verify a record.
import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import * as playwright from "playwright-core";
import { chromium, start } from "./demo.mjs";

let service, browser;
before(async () => {
	service = await start();
	browser = await playwright.chromium.launch({ executablePath: chromium, args: ["--no-sandbox"] });
});
after(async () => {
	await browser?.close();
	await service?.stop();
});

// open gives a page that fails the test on a script error, a refused
// resource, or a request to anywhere else.
async function open(scripts, more = {}) {
	const context = await browser.newContext({ javaScriptEnabled: scripts, baseURL: service.base, ...more });
	await context.grantPermissions(["clipboard-read", "clipboard-write"]);
	const page = await context.newPage();
	const faults = [], sent = [];
	page.on("pageerror", (e) => faults.push(e.message));
	page.on("console", (m) => /Content Security Policy|is not defined/.test(m.text()) && faults.push(m.text()));
	page.on("request", (r) => {
		sent.push(r);
		if (!r.url().startsWith(service.base + "/")) faults.push("request to " + r.url());
	});
	return { page, sent, faults, close: async () => {
		await context.close();
		assert.deepEqual(faults, []);
	} };
}

for (const scripts of [true, false]) {
	const how = scripts ? "with scripts" : "without scripts";

	test(`find a publisher, ask, and be answered, ${how}`, async (t) => {
		const { page, sent, close } = await open(scripts);
		await page.goto("/");
		await page.getByRole("navigation", { name: "Site" }).getByRole("link", { name: "Publishers" }).click();
		await page.getByRole("link", { name: "Harbor Ledger" }).first().click();
		await page.locator('a[href$="/request/"]').first().click();
		await page.fill("#requester_name", "R. <b>Example</b>");
		await page.fill("#requester_email", `${how.replace(" ", "-")}@example.com`);
		await page.selectOption("#requested_use", "rag");
		await page.fill("#intended_use", `Grounding for an assistant, ${how}`);
		await page.fill("#requested_scope", "/shipping/*");
		await page.fill("#message", "We would like to ground answers on your “tide” tables. & <script>alert(1)</script>");
		await page.getByRole("button", { name: "Send the inquiry" }).click();
		await page.getByRole("heading", { name: "The inquiry is sent" }).waitFor();
		const token = await page.locator("dd code", { hasText: "cvt_" }).textContent();
		await page.getByRole("button", { name: "Open the conversation" }).click();
		await page.getByRole("heading", { name: "Private conversation" }).waitFor();
		assert.match(await page.locator("main").innerText(), /tide/);
		assert.equal(await page.locator("main script:not([type])").count(), 0);
		if (service.dir) await answer(scripts, how, page);
		else t.diagnostic("the inbox is left out: the origin is not here");
		assert.ok(!sent.some((r) => r.url().includes(token)), "the token was in an address");
		await close();
	});

	test(`search the catalog, ${how}`, async () => {
		const { page, sent, close } = await open(scripts);
		await page.goto("/catalog/");
		await page.waitForLoadState("networkidle");
		const first = await page.locator("#results h2").textContent();
		assert.match(first, /^Newest of/);
		sent.length = 0; // the icon is asked for by the page, whenever the browser likes
		await page.locator("#q").focus();
		await page.locator("#q").pressSequentially("shipping");
		if (scripts) {
			await page.waitForFunction(() => /pages? match/.test(document.querySelector("#results h2").textContent));
			await page.waitForLoadState("networkidle");
			sent.splice(0, sent.length, ...sent.filter((r) => !r.url().endsWith("/favicon.svg")));
			assert.ok(sent.length <= 8, `${sent.length} requests: ${sent.map((r) => r.url())}`);
			const sizes = await Promise.all(sent.map(async (r) => (await r.sizes()).responseBodySize));
			const bytes = sizes.reduce((a, b) => a + b, 0);
			assert.ok(bytes > 1000 && bytes <= 60 << 10, `${bytes} bytes`);
			console.log(`first search as you type: ${sent.length} requests, ${bytes} bytes`);
			assert.match(page.url(), /\?q=shipping$/);
			await page.keyboard.press("ArrowDown");
			assert.equal(await page.evaluate(() => document.activeElement.closest("h3") !== null), true);
			await page.keyboard.press("ArrowUp");
			assert.equal(await page.evaluate(() => document.activeElement.id), "q");
			while (await page.getByRole("button", { name: "Show more" }).isVisible()) {
				const n = await page.locator("#results li").count();
				await page.getByRole("button", { name: "Show more" }).click();
				await page.waitForFunction((n) => document.querySelectorAll("#results li").length > n, n);
			}
		} else {
			await page.keyboard.press("Enter");
		}
		const total = Number((await page.locator("#results h2").textContent()).match(/\d+/)[0]);
		assert.ok(total > 5, `${total} hits`);
		assert.equal(await page.locator("#results li h3 a").count(), Math.min(total, scripts ? total : 20));
		await page.selectOption("#category", { index: 1 });
		await page.locator("#q").fill("");
		await page.getByRole("button", { name: "Search" }).click();
		await page.waitForFunction(() => /pages? match/.test(document.querySelector("#results h2").textContent) && new URLSearchParams(location.search).get("category"));
		assert.notEqual(await page.locator("#category").inputValue(), "");
		await page.fill("#q", "zzzzqqqq");
		await page.getByRole("button", { name: "Search" }).click();
		await page.getByRole("heading", { name: "No registered page matches" }).waitFor();
		await page.selectOption("#category", "");
		await page.fill("#q", "shipping");
		await page.getByRole("button", { name: "Search" }).click();
		await page.waitForFunction(() => /pages match/.test(document.querySelector("#results h2").textContent));
		await page.locator("#results h3 a").first().click();
		await page.getByRole("heading", { name: "Cite this page" }).waitFor();
		await close();
	});
}

// answer is the publisher's side, then the requester's again.
async function answer(scripts, how, asking) {
	const link = (await service.command("publisher", "inbox-link", "harbor-ledger")).trim();
	const { page, close } = await open(scripts);
	await page.goto(new URL(link).pathname);
	await page.getByRole("heading", { name: "Inbox" }).waitFor();
	await page.getByRole("link", { name: /R\. <b>Example/ }).first().click();
	assert.match(await page.locator("main").innerText(), new RegExp(`Grounding for an assistant, ${how}`));
	await page.locator("#question-body").count() || await page.getByRole("button", { name: "Start the review" }).click();
	await page.fill("#question-body", "How many answers a month?\n<img src=x onerror=alert(1)>");
	await page.getByRole("button", { name: "Ask", exact: true }).click();
	await page.getByText("How many answers a month?").waitFor();
	await close();
	await asking.getByRole("button", { name: "Look for news" }).click();
	await asking.getByText("How many answers a month?").waitFor();
	await asking.fill("#body", "About five hundred.");
	await asking.getByRole("button", { name: "Send" }).click();
	await asking.getByText("About five hundred.").waitFor();
	assert.equal(await asking.locator("main img").count(), 0);
}

test("a form that is not right comes back with what was typed", async () => {
	const { page, close } = await open(false);
	await page.goto("/publishers/harbor-ledger/request/");
	await page.evaluate(() => 0).catch(() => {});
	const answer = await page.request.post("/v1/public/licensing-request", {
		headers: { accept: "text/html", origin: "null" },
		form: { site_id: "harbor-ledger", requester_name: "A", requester_email: "nobody", intended_use: "short", requested_scope: "x", message: "typed “this”" },
	});
	assert.equal(answer.status(), 422);
	const text = await answer.text();
	assert.match(text, /typed “this”/);
	const [, doc] = text.match(/<script type="application\/problem\+json">(.*?)<\/script>/s);
	assert.equal(JSON.parse(doc).code, "validation_failed");
	await close();
});

test("a citation is copied", async () => {
	const { page, close } = await open(true);
	await page.goto("/catalog/");
	await page.locator("#results h3 a").first().click();
	for (const id of ["plain", "html", "bibtex", "csl", "ris"]) {
		await page.click(`button[data-copy="${id}"]`);
		assert.equal(await page.evaluate(() => navigator.clipboard.readText()), await page.locator("#" + id).textContent());
	}
	await close();
});

test("a record is verified, and a tampered one refused", async () => {
	const { page, close } = await open(true);
	await page.goto("/publishers/harbor-ledger/");
	await page.locator('#inventory ~ ol a[href^="/citations/"], a[href^="/citations/"]').first().click();
	await page.getByRole("link", { name: "Verify this record" }).click();
	await page.locator("#verdict:not([hidden])").waitFor();
	assert.match(await page.locator("#verdict").textContent(), /^Valid/);
	const entry = new URL(page.url()).searchParams.get("entry");
	const record = await (await page.request.get(`/v1/public/contentdna-provenance/${entry}`)).text();
	await page.goto("/verify/");
	await page.fill("#record", record.replace('"title":"', '"title":"Not '));
	await page.getByRole("button", { name: "Check" }).click();
	await page.locator("#verdict:not([hidden])").waitFor();
	assert.match(await page.locator("#verdict").textContent(), /^Not valid/);
	await close();
});

test("browsers get problems as pages, programs as documents", async () => {
	const { page, close } = await open(true);
	for (const [path, status, code, words] of [
		["/nothing-here", 404, "not_found", /Nothing at this address/],
		["/v1/licensing-marketplace/publishers/nobody-here", 404, "site_not_found", /publisher/i],
		["/v1/public/content-catalog/search", 400, "invalid_parameter", /q/],
		["/catalog/?q=%ff", 400, "invalid_parameter", /percent-encoding/],
	]) {
		const answer = await page.goto(path);
		assert.equal(answer.status(), status, path);
		assert.match(answer.headers()["content-type"], /^text\/html/);
		assert.match(await page.locator("main").innerText(), words);
		assert.equal(JSON.parse(await page.locator('script[type="application/problem+json"]').textContent()).code, code);
		const plain = await fetch(service.base + path, { headers: { accept: "application/json" } });
		assert.match(plain.headers.get("content-type"), /^application\/problem\+json/);
	}
	await close();
});
