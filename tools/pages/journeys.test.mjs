// What people come to do, in Chromium over a running service, with and without
// scripts: find a publisher and send an inquiry, answer it from the inbox,
// search the catalog, copy a citation, verify a record.
import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { clipboard, context, follow, launch } from "./browser.mjs";
import { start } from "./demo.mjs";

let service, browser;
before(async () => {
	service = await start();
	browser = await launch();
});
after(async () => {
	await browser?.close();
	await service?.stop();
});

// open returns a page that fails the test on a script error, a refused
// resource, or a request to another origin.
async function open(scripts) {
	const window = await context(browser, { javaScriptEnabled: scripts, baseURL: service.base });
	await window.grantPermissions(["clipboard-read", "clipboard-write"]);
	const page = await window.newPage();
	const faults = [], sent = [];
	page.on("pageerror", (e) => faults.push(e.message));
	page.on("console", (m) => /Content Security Policy|is not defined/.test(m.text()) && faults.push(m.text()));
	page.on("request", (r) => {
		sent.push(r);
		if (!r.url().startsWith(service.base + "/")) faults.push("request to " + r.url());
	});
	return { page, sent, faults, close: async () => {
		await window.close();
		assert.deepEqual(faults, []);
	} };
}

// press clicks the button with this name and waits for the next page.
const press = (page, name) => follow(page, () => page.getByRole("button", { name, exact: true }).click());

// headed asserts the heading of a loaded page.
const headed = async (page, words) => assert.equal(await page.locator("h1").innerText(), words, await page.locator("main").innerText());

test("the shortlist is wherever a publisher is", async () => {
	const { page, close } = await open(true);
	const { data } = await (await fetch(service.base + "/v1/licensing-marketplace/publishers")).json();
	const [one, two, three, four, five] = data.filter((p) => p.accepts_inquiries && p.registered_pages > 0);
	const entry = (await (await fetch(`${service.base}/v1/licensing-marketplace/publishers/${three.site_id}/content-inventory?limit=1`)).json()).data[0];
	const add = async (path, id, n, named = true) => {
		await page.goto(path);
		const button = page.locator(`button[data-shortlist="${id}"]`).first();
		await button.filter({ hasText: "Add to the shortlist" }).click();
		assert.equal(await button.innerText(), "Take off the shortlist");
		if (named) assert.match(await button.getAttribute("aria-label"), /^Take off the shortlist: ./);
		const link = page.locator("#shortlist-link");
		if (await link.count()) assert.equal(await link.innerText(), `Ask all on the shortlist (${n})`);
	};
	await add(`/publishers/${one.site_id}/`, one.site_id, 1, false);
	await add(`/rights-map/?q=${two.site_id}`, two.site_id, 2);
	await add(`/citations/${entry.entry_id}/`, three.site_id, 3, false);
	await add("/publishers/", four.site_id, 4);
	await add(`/check/?q=${encodeURIComponent(five.site_url)}`, five.site_id, 5, false);
	await page.goto("/publishers/?sort=name"); // a list that the service answers marks what is on the shortlist
	await page.fill("#q", one.site_id);
	await page.locator(`#results button[data-shortlist="${one.site_id}"]`).filter({ hasText: "Take off" }).waitFor();
	await follow(page, () => page.getByRole("link", { name: "Ask all on the shortlist (5)" }).click());
	assert.deepEqual((await page.inputValue("#publishers")).split("\n"), [one, two, three, four, five].map((p) => p.site_id));
	await close();
});

for (const scripts of [true, false]) {
	const how = scripts ? "with scripts" : "without scripts";

	test(`find a publisher, ask, and be answered, ${how}`, async (t) => {
		const { page, sent, close } = await open(scripts);
		await page.goto("/");
		await follow(page, () => page.getByRole("navigation", { name: "Site" }).getByRole("link", { name: "Publishers" }).click());
		await follow(page, () => page.getByRole("main").getByRole("link", { name: "Harbor Ledger", exact: true }).click());
		await follow(page, () => page.locator('a[href$="/request/"]').first().click());
		const need = `Grounding for an assistant, ${how}, ${crypto.randomUUID()}`;
		await page.fill("#requester_name", "R. <b>Example</b>");
		await page.fill("#requester_email", `${crypto.randomUUID()}@example.com`);
		await page.selectOption("#requested_use", "rag");
		await page.fill("#intended_use", need);
		await page.fill("#requested_scope", "/shipping/*");
		await page.fill("#message", "We would like to ground answers on your “tide” tables. & <script>alert(1)</script>");
		await press(page, "Send the inquiry");
		await headed(page, "The inquiry is sent");
		const token = await page.locator("dd code", { hasText: "cvt_" }).textContent();
		const link = await page.locator("#conversation-link").textContent();
		assert.ok(link.startsWith("http") && link.endsWith(token), link);
		if (scripts) {
			await page.getByRole("button", { name: "Copy the link" }).click();
			await clipboard(page, link);
		}
		await press(page, "Open the conversation");
		await headed(page, "Private conversation");
		assert.match(await page.locator("main").innerText(), /tide/);
		assert.equal(await page.locator("main script:not([type])").count(), 0);
		if (service.dir) await answer(scripts, need, page);
		else t.diagnostic("the inbox is left out: the folder of the demo is not here");
		if (service.dir && scripts) { // the private link still works
			await page.goto("about:blank");
			await page.goto(link);
			await page.getByText("1,250.00 EUR per year; 12 months").waitFor();
		}
		assert.ok(!sent.some((r) => r.url().includes(token)), "the token was in an address");
		await close();
	});

	test(`search the catalog, ${how}`, async (t) => {
		const { page, sent, close } = await open(scripts);
		// search performs the acts that start a search and waits for its hits.
		// With scripts, the results are marked busy from the first key on;
		// without, the service answers with a page.
		const search = async (...acts) => {
			if (!scripts) return follow(page, async () => { for (const act of acts) await act(); });
			for (const act of acts) await act();
			await page.locator("#results:not([aria-busy=true])").waitFor();
		};
		const button = () => page.getByRole("button", { name: "Search", exact: true }).click();
		const heading = () => page.locator("#results h2").textContent();
		const links = page.locator("#results li h3 a");

		await page.goto("/catalog/");
		assert.match(await heading(), /^Newest of/);
		sent.length = 0;
		if (scripts) {
			await search(() => page.locator("#q").fill("shipping"));
			// The browser asks for the icon whenever it likes.
			const asked = sent.filter((r) => !r.url().endsWith("/favicon.svg"));
			assert.equal(asked.length, 1, `${asked.length} requests: ${asked.map((r) => r.url())}`);
			const { responseBodySize: bytes } = await asked[0].sizes();
			assert.ok(bytes > 1000 && bytes <= 60 << 10, `${bytes} bytes`);
			t.diagnostic(`a search as you type: ${bytes} bytes`);
			assert.match(page.url(), /\?q=shipping$/);
			const words = await heading();
			await page.locator("#q").focus();
			await search(() => page.keyboard.press("End"), () => page.locator("#q").pressSequentially("zzzz"));
			assert.equal(await heading(), "No registered page matches");
			await search(...Array(4).fill(() => page.keyboard.press("Backspace")));
			assert.equal(await heading(), words);
			await page.keyboard.press("ArrowDown");
			assert.equal(await links.first().evaluate((e) => e === document.activeElement), true);
			await page.keyboard.press("ArrowUp");
			assert.equal(await page.locator("#q").evaluate((e) => e === document.activeElement), true);
		} else {
			await page.locator("#q").fill("shipping");
			await search(() => page.locator("#q").press("Enter"));
		}
		const total = Number((await heading()).match(/^(\d+) pages match$/)[1]);
		assert.ok(total > 5, `${total} hits`);
		assert.equal(await links.count(), Math.min(total, 20));

		await search(() => page.selectOption("#category", { index: 1 }), () => page.fill("#q", ""), button);
		assert.match(await heading(), /pages? match/);
		assert.equal(new URL(page.url()).searchParams.get("category"), await page.locator("#category").inputValue());
		assert.notEqual(await page.locator("#category").inputValue(), "");
		await search(() => page.fill("#q", "zzzzqqqq"), button);
		assert.equal(await heading(), "No registered page matches");
		await search(() => page.selectOption("#category", ""), () => page.fill("#q", "How do I read a tide table?"), button);
		assert.match(await page.locator("#results").innerText(), /No page has every word\. Each of these has at least one of “read”, “tide”, “table\?”\./);
		assert.match(await links.first().innerText(), /tide/i);
		await search(() => page.selectOption("#category", ""), () => page.fill("#q", "tide tabels"), button);
		await page.getByText("Showing results for “table” instead of “tabels”.").waitFor();
		assert.match(await page.locator("#results a", { hasText: "Ask for a licence" }).first().getAttribute("href"), /^\/publishers\/[a-z-]+\/request\/\?resource=https%3A%2F%2F/);
		await search(() => page.fill("#q", "harbor ledger"), button);
		await page.locator('#results .also a[href="/publishers/harbor-ledger/"]').waitFor();
		await search(() => page.selectOption("#category", ""), () => page.selectOption("#signals", "enforced"), () => page.fill("#q", "ferries"), button);
		assert.match(await heading(), /^\d+ pages match$/);
		assert.equal(await page.locator("#signals").inputValue(), "enforced");
		const marks = await page.locator("#results h3 mark").allTextContents();
		assert.ok(marks.length > 0 && marks.every((m) => /^ferr(y|ies)$/i.test(m)), marks.join());
		assert.ok((await page.locator("#results .terms mark").allTextContents()).includes("ferries"));
		await search(() => page.selectOption("#signals", ""), () => page.fill("#q", "shipping"), button);
		assert.equal(await heading(), `${total} pages match`);
		await follow(page, () => links.first().click());
		await page.getByRole("heading", { name: "Cite this page" }).waitFor();

		// An address is not a search: it leads to its check.
		await page.goto("/catalog/");
		const address = "https://harbor-ledger.example/shipping/tide-tables-2026";
		await page.fill("#q", address);
		await follow(page, () => page.locator("#q").press("Enter"));
		assert.equal(new URL(page.url()).pathname, "/check/");
		assert.equal(new URL(page.url()).searchParams.get("q"), address);
		await close();
	});
}

// Where only files are published, every question gets the published page; the
// script finds the same pages as the service, in the files of the index.
test("search the catalog where only files are published", async () => {
	const { page, close } = await open(true);
	const found = async (path) => {
		await page.goto(path);
		await page.locator("#results:not([aria-busy=true]) h2", { hasText: /match/ }).waitFor();
		return [await page.locator("#results h2").textContent(), await page.locator("#results h3 a").evaluateAll((links) => links.map((a) => a.getAttribute("href")))];
	};
	const question = "/catalog/?q=shipping&use=rag", served = await found(question);
	const published = await (await fetch(service.base + "/catalog/")).text();
	await page.route(/\/catalog\/\?/, (route) => route.fulfill({ contentType: "text/html; charset=utf-8", body: published }));
	assert.deepEqual(await found(question), served);
	assert.equal(await page.locator("#use").inputValue(), "rag");
	await page.fill("#q", "zzzzqqqq");
	await page.getByRole("heading", { name: "No registered page matches" }).waitFor();
	await close();
});

// The lists come from the service with its totals, for 1,000 publishers as for
// 15.
for (const scripts of [true, false]) {
	test(`lists are sorted, and choices counted, ${scripts ? "with scripts" : "without scripts"}`, async () => {
		const { page, close } = await open(scripts);
		const json = async (path) => (await fetch(service.base + path)).json();
		// choose selects an order and waits for the list in that order.
		const choose = async (path, order, button) => {
			await page.goto(path);
			await page.selectOption("#sort", order);
			if (!scripts) await press(page, button);
			await page.waitForFunction((order) => new URLSearchParams(location.search).get("sort") === order, order);
			await page.locator("#results:not([aria-busy=true]) h2").first().waitFor();
			if (scripts) await page.waitForFunction(() => document.querySelector("#results").ariaBusy !== "true");
		};
		const texts = (selector) => page.locator(selector).allInnerTexts();
		const list = (await json("/v1/public/ai-rights-map?limit=200")).data;
		const key = (name) => name.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();

		await choose("/publishers/", "name", "Find");
		const named = (await texts(".cards h3")).map(key);
		assert.deepEqual(named, [...named].sort());
		assert.equal(named.length, Math.min(24, list.length));
		await choose("/rights-map/", "pages", "Find");
		const size = Object.fromEntries(list.map((p) => [p.site_id, p.registered_pages]));
		const sizes = (await page.locator("table.map th a").evaluateAll((links) => links.map((a) => a.getAttribute("href").split("/")[2]))).map((id) => size[id]);
		assert.deepEqual(sizes, [...sizes].sort((a, b) => b - a));
		await choose("/demand/", "ends", "Find");
		const ends = (await page.locator(".cards dl").evaluateAll((cards) => cards.map((dl) => [...dl.querySelectorAll("dt")].find((dt) => dt.textContent === "Until")?.nextElementSibling.textContent))).map((day) => (day ? Date.parse(day) : Infinity));
		assert.ok(ends.length > 3);
		assert.deepEqual(ends, [...ends].sort((a, b) => a - b));
		const needs = (await json("/v1/public/buyer-demand?limit=100")).data.filter((d) => d.uses.includes("rag")).length;
		assert.match(await page.locator('#use option[value="rag"]').textContent(), new RegExp(`\\(${needs}\\)$`));
		await choose("/offers/", "price", "Find");
		assert.ok((await texts("#results .offer")).length > 3);

		await choose("/catalog/?use=rag", "newest", "Search");
		const days = () => page.locator("#results .entries time").evaluateAll((times) => times.map((t) => t.dateTime));
		const first = await days();
		assert.equal(await page.locator("#use").inputValue(), "rag");
		const [, total] = (await page.locator("#results h2").first().innerText()).match(/^([\d,]+) /);
		assert.match(await page.locator('#use option[value="rag"]').textContent(), new RegExp(`\\(${total}\\)$`));
		await follow(page, () => page.getByRole("link", { name: "Next" }).click());
		const both = [...first, ...await days()];
		assert.ok(both.length > 25);
		assert.deepEqual(both, [...both].sort().reverse());
		await close();
	});

	test(`narrow the lists down, ${scripts ? "with scripts" : "without scripts"}`, async () => {
		const { page, close } = await open(scripts);
		const total = async (path) => (await (await fetch(service.base + path)).json()).page.total;
		// narrow fills in a field, and submits the form if no script does.
		const narrow = async (fill, address) => {
			await fill();
			if (!scripts) await press(page, "Find");
			await page.waitForFunction((address) => "?" + new URLSearchParams([...new URLSearchParams(location.search)].filter(([, value]) => value)) === address, address);
			await page.locator("#results:not([aria-busy=true]) h2").first().waitFor();
			return page.locator("#results h2").first().innerText();
		};
		const [category] = (await (await fetch(service.base + "/v1/public/content-catalog/categories")).json()).data.filter((c) => c.publishers > 0);
		const map = await total("/v1/public/ai-rights-map?limit=0");

		await page.goto("/rights-map/");
		const some = await total(`/v1/public/ai-rights-map?category=${category.slug}&limit=0`);
		assert.equal(some, category.publishers);
		assert.equal(await narrow(() => page.selectOption("#category", category.slug), `?category=${category.slug}`), `${some.toLocaleString("en")} of ${map.toLocaleString("en")} publishers`);
		assert.equal(await page.locator("table.map tbody tr").count(), Math.min(50, some));
		// The counts beside the choices match the service's answers for these
		// choices.
		await page.waitForFunction(() => /\(\d/.test(document.querySelector('#readiness option[value="min:declared"]').textContent));
		const [, counted] = (await page.locator('#readiness option[value="min:declared"]').textContent()).match(/\(([\d,]+)\)$/);
		assert.equal(Number(counted.replaceAll(",", "")), await total(`/v1/public/ai-rights-map?category=${category.slug}&readiness=min:declared&limit=0`));
		await page.goto(page.url()); // the address alone reproduces the list
		assert.equal(await page.locator("#category").inputValue(), category.slug);
		await page.goto("/rights-map/");
		const enforced = await total("/v1/public/ai-rights-map?readiness=min:enforced&limit=0");
		assert.match(await narrow(() => page.selectOption("#readiness", "min:enforced"), "?readiness=min%3Aenforced"), new RegExp(`^${enforced.toLocaleString("en")} of `));
		await page.goto("/rights-map/");
		const [last] = (await (await fetch(`${service.base}/v1/public/ai-rights-map?limit=1&offset=${map - 1}`)).json()).data;
		await narrow(() => page.fill("#q", last.site_id), `?q=${last.site_id}`);
		assert.ok((await page.locator("table.map th a").evaluateAll((list) => list.map((e) => e.getAttribute("href")))).includes(`/publishers/${last.site_id}/`));

		await page.goto("/publishers/");
		const said = await narrow(() => page.selectOption("#category", category.slug), `?category=${category.slug}`);
		assert.equal(said, `${some.toLocaleString("en")} of ${map.toLocaleString("en")} publishers`);
		assert.equal(await page.locator(".cards > li").count(), Math.min(20, some));

		await page.goto("/offers/");
		await follow(page, () => page.getByRole("link", { name: "Next" }).click());
		const [second] = (await (await fetch(service.base + "/v1/public/license-catalog?limit=1&offset=20")).json()).data;
		assert.equal(await page.locator("article.offer").first().getByRole("link").first().getAttribute("href"), `/publishers/${second.site_id}/#${second.license_id}`);
		const offers = await total("/v1/public/license-catalog?limit=0"), rag = await total("/v1/public/license-catalog?limit=0&use=rag");
		assert.equal(await narrow(() => page.selectOption("#use", "rag"), "?use=rag"), `${rag.toLocaleString("en")} of ${offers.toLocaleString("en")} offers`);

		await page.goto("/demand/");
		assert.match(await narrow(() => page.fill("#q", "zzzzqqqq"), "?q=zzzzqqqq"), /^0 of [\d,]+ needs$/);
		await close();
	});
}

// answer plays the publisher, then the requester again.
async function answer(scripts, need, asking) {
	const { page, close } = await open(scripts);
	const inbox = await service.inbox();
	await page.goto(inbox);
	await headed(page, "Inbox of Harbor Ledger");
	// Other inquiries may reach this publisher too, so the newest one may not
	// be ours.
	const rows = page.getByRole("link", { name: /R\. <b>Example/ });
	let found = false;
	for (let i = 0, n = await rows.count(); i < n && !found; i++) {
		await follow(page, () => rows.nth(i).click());
		found = (await page.locator("main").innerText()).includes(need);
		if (!found) await page.goto(inbox);
	}
	assert.ok(found, "the inquiry is not in the inbox");
	const openAct = (name) => page.locator("summary", { hasText: name }).click();
	await openAct("Ask a question");
	await page.fill("#question-body", "How many answers a month?\n<img src=x onerror=alert(1)>");
	await press(page, "Ask");
	await page.getByText("How many answers a month?").waitFor();
	await press(asking, "Check for new messages");
	await asking.getByText("How many answers a month?").waitFor();
	await asking.fill("#body", "About five hundred.");
	await press(asking, "Send");
	await asking.getByText("About five hundred.").waitFor();
	await page.reload();
	await openAct("Propose terms");
	await page.getByLabel("Summarization").check();
	await page.fill("#price", "1.250");
	await page.fill("#unit", "year");
	await page.fill("#term_months", "12");
	await press(page, "Propose");
	assert.match(await page.locator("#price-error").innerText(), /currency code/);
	assert.deepEqual([await page.inputValue("#price"), await page.inputValue("#unit"), await page.inputValue("#term_months"), await page.getByLabel("Summarization").isChecked()], ["1.250", "year", "12", true]);
	await page.fill("#price", "1.250,00 €");
	await press(page, "Propose");
	await page.getByText("1,250.00 EUR per year; 12 months").waitFor();
	await close();
	await press(asking, "Check for new messages");
	await asking.getByText("1,250.00 EUR per year; 12 months").waitFor();
	assert.equal(await asking.locator("main img").count(), 0);
}

for (const scripts of [true, false]) {
	test(`from an address to a request, ${scripts ? "with scripts" : "without scripts"}`, async () => {
		const { page, sent, close } = await open(scripts);
		const feed = await (await fetch(service.base + "/v1/public/content-catalog/search?q=tide&limit=1")).json();
		const [entry] = feed.data;
		await page.goto("/");
		await page.fill("#q", entry.url);
		if (scripts) await follow(page, () => page.locator("#q").press("Enter"));
		else await press(page, "Check");
		await page.locator("#results h2").filter({ hasText: entry.title }).waitFor();
		const verdicts = () => page.locator("#results [data-use]").evaluateAll((list) => Object.fromEntries(list.map((e) => [e.dataset.use, e.dataset.verdict])));
		const answer = async (audience) => {
			const said = await (await fetch(`${service.base}/v1/public/rights/check?entry_id=${entry.entry_id}${audience}`)).json();
			return Object.fromEntries(said.candidates[0].uses.map((u) => [u.use, u.verdict]));
		};
		assert.deepEqual(await verdicts(), await answer(""));
		if (scripts) {
			await page.selectOption("#user_type", "personal");
			await page.waitForFunction(() => location.search.includes("user_type=personal"));
		} else {
			await page.selectOption("#user_type", "personal");
			await press(page, "Check");
		}
		assert.deepEqual(await verdicts(), await answer("&user_type=personal"));
		assert.equal(await page.locator("#user_type").inputValue(), "personal");
		const use = await page.locator('.ask-now select').inputValue();
		await press(page, "Ask for a licence");
		assert.equal(await page.locator("#requested_scope").inputValue(), entry.url);
		assert.equal(await page.locator("#requested_use").inputValue(), use);
		assert.match(await page.locator("#message").inputValue(), /a private person/);
		// A text is looked up without appearing in any address.
		await page.goto("/check/");
		await page.fill("#q", "Nobody registered these words.\n".repeat(5));
		sent.length = 0;
		await press(page, "Check");
		await page.getByText("No registered page has this text").waitFor();
		assert.ok(!sent.some((r) => /Nobody/.test(decodeURIComponent(r.url()))), "the text was in an address");
		await close();
	});
}

test("from an address to a request, with the keyboard alone", async () => {
	const { page, close } = await open(true);
	const [entry] = (await (await fetch(service.base + "/v1/public/content-catalog/search?q=tide&limit=1")).json()).data;
	// tabTo presses Tab until the focused element matches, and checks that it
	// is visible.
	const tabTo = async (selector) => {
		for (let i = 0; i < 120; i++) {
			await page.keyboard.press("Tab");
			const seen = await page.evaluate((s) => {
				const e = document.activeElement;
				return e.matches(s) ? getComputedStyle(e).outlineStyle : "";
			}, selector);
			if (seen) return assert.notEqual(seen, "none", selector);
		}
		assert.fail(`Tab does not reach ${selector}`);
	};
	await page.goto("/");
	await tabTo("a.skip");
	await page.keyboard.press("Enter");
	await tabTo("#q");
	await page.keyboard.type(entry.url);
	await follow(page, () => page.keyboard.press("Enter"));
	await page.locator("#results h2").filter({ hasText: entry.title }).waitFor();
	await tabTo("#user_type");
	await page.keyboard.press("ArrowDown");
	await page.waitForFunction(() => location.search.includes("user_type="));
	await tabTo(".ask-now button");
	await follow(page, () => page.keyboard.press("Enter"));
	assert.equal(await page.locator("#requested_scope").inputValue(), entry.url);
	await tabTo("main form button[type=submit]");
	await close();
});

for (const scripts of [true, false]) {
	test(`search the ledger, ${scripts ? "with scripts" : "without scripts"}`, async () => {
		const { page, close } = await open(scripts);
		await page.goto("/ledger/");
		await page.fill("#q", "harbor");
		await press(page, "Search");
		const said = await (await fetch(service.base + "/v1/public/provenance-ledger/search?q=harbor")).json();
		assert.equal(await page.locator("main h2").innerText(), `${said.page.total} leaves match`);
		assert.equal(await page.locator("tbody tr").count(), Math.min(20, said.page.total));
		await follow(page, () => page.getByRole("link", { name: "Next" }).click());
		const [second] = (await (await fetch(service.base + "/v1/public/provenance-ledger/search?q=harbor&limit=1&offset=20")).json()).data;
		assert.equal((await page.locator("tbody td").first().innerText()).replaceAll(",", ""), String(second.index));
		await page.goto("/ledger/?q=zzzzqqqq");
		await headed(page, "Search of the ledger");
		await page.getByText("No leaf matches").waitFor();
		await close();
	});
}

test("a form with errors comes back with what was typed", async () => {
	const answer = await fetch(service.base + "/v1/public/licensing-request", {
		method: "POST", headers: { accept: "text/html" },
		body: new URLSearchParams({ site_id: "harbor-ledger", requester_name: "A", requester_email: "nobody", intended_use: "short", requested_scope: "x", message: "typed “this”" }),
	});
	assert.equal(answer.status, 422);
	const text = await answer.text();
	assert.match(text, /typed “this”/);
	const [, doc] = text.match(/<script type="application\/problem\+json">(.*?)<\/script>/s);
	assert.equal(JSON.parse(doc).code, "validation_failed");
});

test("a link into a folded page opens its section", async () => {
	const { page, close } = await open(true);
	for (const [path, words] of [["/developers/operators/#inquiries", "colophon inquiry"], ["/developers/rights/#for-publishers-say-it-everywhere", "colophon lint"]]) {
		await page.goto(path);
		const section = page.locator("details.part[open]");
		assert.equal(await section.count(), 1);
		assert.match(await section.innerText(), new RegExp(words));
	}
	await close();
});

test("a citation is copied", async () => {
	const { page, close } = await open(true);
	await page.goto("/catalog/");
	await follow(page, () => page.locator("#results h3 a").first().click());
	const texts = new Set();
	for (const id of ["apa", "mla", "chicago", "bibtex", "ris", "csl"]) {
		const form = page.locator(`details:has(#${id})`);
		if (await form.getAttribute("open") === null) await form.locator("summary").click();
		assert.equal(await page.locator("details.cite[open]").count(), 1);
		await page.click(`button[data-copy="${id}"]`);
		const text = await page.locator("#" + id).textContent();
		await clipboard(page, text);
		texts.add(text);
	}
	assert.equal(texts.size, 6);
	await page.locator("details:has(#bibtex) summary").click();
	const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("link", { name: "Download .bib" }).click()]);
	assert.match(file.suggestedFilename(), /^ent_[0-9a-f]+\.bib$/);
	assert.match(await readFile(await file.path(), "utf8"), /^@misc\{ent_/);
	await close();
});

test("a record is verified, and a tampered one refused", async () => {
	const { page, close } = await open(true);
	await page.goto("/publishers/harbor-ledger/");
	await follow(page, () => page.getByRole("main").getByRole("link", { name: /registered pages$/ }).first().click());
	await follow(page, () => page.getByRole("main").locator('a[href^="/citations/"]').first().click());
	await follow(page, () => page.getByRole("link", { name: "Verify this record" }).click());
	const verdict = page.locator("#verdict:not([hidden])");
	assert.match(await verdict.textContent(), /^Valid/); // the verdict appears together with its text
	const entry = new URL(page.url()).searchParams.get("entry");
	const record = await (await fetch(`${service.base}/v1/public/contentdna-provenance/${entry}`)).text();
	await page.goto("/verify/");
	await page.fill("#record", record.replace('"title":"', '"title":"Not '));
	await page.getByRole("button", { name: "Check" }).click(); // hides the previous verdict, if any
	assert.match(await verdict.textContent(), /^Not valid/);
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
