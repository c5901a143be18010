// The keyboard alone: no click, and no focus set by the test. It goes from an
// address to a closed conversation, with and without scripts; and on each kind
// of page Tab reaches everything, in view and with a visible focus.
import { after, before, describe, test } from "node:test";
import assert from "node:assert/strict";
import { context, follow, launch } from "./browser.mjs";
import { start } from "./demo.mjs";
import { places } from "./places.mjs";

let service, browser;
before(async () => {
	service = await start();
	browser = await launch();
});
after(async () => {
	await browser?.close();
	await service?.stop();
});

const most = 400; // Tab stops on one page

// focusState describes the focused element: whether it matches a selector, and
// what is wrong with how its focus is shown.
function focusState(selector) {
	const e = document.activeElement;
	if (!e || e === document.body) return { name: "", fits: false, faults: [] };
	const name = `${e.localName}${e.id && "#" + e.id} “${(e.innerText || e.value || "").trim().slice(0, 40)}”`;
	const box = e.getBoundingClientRect(), style = getComputedStyle(e);
	const faults = [];
	if (style.outlineStyle === "none" || parseFloat(style.outlineWidth) < 2) faults.push("has no outline");
	if (box.width < 1 || box.height < 1) faults.push("has no size");
	if (box.bottom <= 0 || box.top >= innerHeight || box.right <= 0 || box.left >= innerWidth) faults.push("is out of view");
	return { name, fits: Boolean(selector) && e.matches(selector), faults };
}

// hand returns functions that press keys on a page.
function hand(page) {
	const press = (key) => page.keyboard.press(key);
	// reach presses Tab until the focused element matches, and requires each
	// one on the way to show its focus.
	const reach = async (selector, key = "Tab") => {
		for (let i = 0; i < most; i++) {
			await press(key);
			const at = await page.evaluate(focusState, selector);
			assert.deepEqual(at.faults, [], at.name);
			if (at.fits) return;
		}
		assert.fail(`${key} does not reach ${selector} on ${page.url()}`);
	};
	const enter = async (selector, key) => {
		await reach(selector, key);
		await follow(page, () => press("Enter"));
	};
	const write = async (selector, text) => {
		await reach(selector);
		await press("ControlOrMeta+A");
		await page.keyboard.type(text);
	};
	const on = async (selector) => (await page.evaluate(focusState, selector)).fits;
	return { press, reach, enter, write, on };
}

const headed = async (page, words) => assert.equal(await page.locator("h1").innerText(), words, await page.locator("main").innerText());

for (const scripts of [true, false]) {
	const how = scripts ? "with scripts" : "without scripts";

	test(`from an address to a closed conversation, ${how}`, async (t) => {
		const window = await context(browser, { javaScriptEnabled: scripts, baseURL: service.base });
		const page = await window.newPage(), desk = await window.newPage();
		const asker = hand(page), publisher = hand(desk);
		const feed = await (await fetch(service.base + "/v1/public/licensing-feed?limit=100")).json();
		const entry = feed.data.find((e) => e.site_id === "harbor-ledger");
		const need = `Grounding by keyboard, ${how}, ${crypto.randomUUID()}`;

		await page.goto("/");
		await asker.reach("a.skip");
		await asker.press("Enter");
		await asker.reach("#q");
		await page.keyboard.type(entry.url);
		if (scripts) await follow(page, () => asker.press("Enter"));
		else await asker.enter("main form button[type=submit]");

		await page.locator("#results h2").filter({ hasText: entry.title }).waitFor();
		await asker.reach("#user_type");
		await asker.press("ArrowDown");
		const kind = await page.locator("#user_type").inputValue();
		assert.notEqual(kind, "");
		if (scripts) await page.waitForFunction((kind) => location.search.includes(`user_type=${kind}`), kind);
		else await asker.enter("main form button[type=submit]");
		assert.equal(await page.locator("#user_type").inputValue(), kind);
		await asker.reach("#results summary");
		await asker.press("Enter");
		assert.equal(await page.locator("#results details[open]").count(), 1);
		await asker.enter(".ask-now button[type=submit]", "Shift+Tab");

		assert.equal(await page.locator("#requested_scope").inputValue(), entry.url);
		await asker.write("#requester_name", "Kay Board");
		await asker.write("#requester_email", `${crypto.randomUUID()}@example.com`);
		await asker.write("#intended_use", need);
		await asker.write("#message", "We would like to ground answers on your tide tables.");
		await asker.enter("main form button[type=submit]");

		await headed(page, "The inquiry is sent");
		const token = await page.locator("dd code", { hasText: "cvt_" }).textContent();
		if (scripts) {
			await asker.reach("[data-copy]");
			await asker.press("Enter");
			await asker.reach("[data-qr]");
			await asker.press("Enter");
			await page.locator("main svg path").waitFor();
			assert.ok(await asker.on("main svg"));
		}
		await asker.enter("main form button");
		await headed(page, "Private conversation");
		if (!service.dir) {
			t.diagnostic("the inbox is left out: the folder of the demo is not here");
			return window.close();
		}

		const inbox = await service.inbox();
		await desk.goto(inbox);
		await publisher.reach("#state");
		await desk.keyboard.type("Waiting for you");
		await publisher.enter("#filter button");
		// The newest inquiry with this name may not be ours.
		const mine = desk.locator("main td a", { hasText: "Kay Board" });
		let at = "";
		for (let i = 0, n = await mine.count(); i < n && !at; i++) {
			await publisher.enter(`main td a[href="${await mine.nth(i).getAttribute("href")}"]`);
			if ((await desk.locator("main").innerText()).includes(need)) at = desk.url();
			else await follow(desk, () => desk.goBack());
		}
		assert.ok(at, "the inquiry is not in the inbox");
		await publisher.reach("#act-indicative_terms summary");
		await publisher.press("Enter");
		await publisher.reach("[name=use_rag]");
		await publisher.press("Space");
		assert.ok(await desk.locator("[name=use_rag]").isChecked());
		await publisher.write("#price", "1.250,50");
		await publisher.write("#unit", "year");
		await publisher.enter("#act-indicative_terms button[type=submit]");
		// Errors are linked from the top of the page, and no input is lost.
		await publisher.reach('.warn a[href="#price"]');
		await publisher.press("Enter");
		assert.ok(await publisher.on("#price"));
		await publisher.press("End");
		await desk.keyboard.type(" EUR");
		await publisher.enter("#act-indicative_terms button[type=submit]");
		await desk.getByText("1,250.50 EUR per year").waitFor();

		await asker.enter("main form:first-of-type button");
		await page.getByText("1,250.50 EUR per year").waitFor();
		await asker.write("#body", "That fits our budget.");
		await asker.enter("main form:has(#body) button");
		await page.getByText("That fits our budget.").waitFor();

		await follow(desk, () => desk.reload());
		await desk.getByText("That fits our budget.").waitFor();
		await publisher.reach("#act-refer summary");
		await publisher.press("Enter");
		await publisher.enter("#act-refer button[type=submit]");
		await desk.getByText("Nothing: it is closed.").waitFor();

		await asker.enter("main form:first-of-type button");
		await page.getByText(/own process/).first().waitFor();
		assert.equal(await page.locator("textarea:visible").count(), 0);
		assert.ok(!page.url().includes(token));
		await window.close();
	});
}

// When a script changes the page, the focus stays where the reader continues.
test("a script does not take the focus away", async () => {
	const window = await context(browser, { baseURL: service.base });
	const page = await window.newPage(), { press, reach, enter, write, on } = hand(page);
	const ask = async () => {
		await write("#requester_name", "Kay Board");
		await write("#requester_email", `${crypto.randomUUID()}@example.com`);
		await write("#intended_use", "Grounding of an assistant");
		await write("#requested_scope", "/shipping/*");
		await write("#message", "We would like to ground answers on your tide tables.");
		await enter("main form button[type=submit]");
	};
	await page.goto("/publishers/harbor-ledger/request/");
	await reach("[data-shortlist]");
	await press("Enter");
	assert.ok(await on("[data-shortlist]"));
	await ask();
	await enter("#conversation-link");
	await page.locator("#body").waitFor();
	await write("#body", "One more word.");
	await reach("main form:has(#body) button");
	await press("Enter");
	await page.getByText("One more word.").and(page.locator("li p")).waitFor();
	assert.ok(await on("main form:has(#body) button"), "after a message");

	// The form that takes a private link can open an overview too.
	await page.goto("/shortlist/");
	await write("#publishers", "harbor-ledger");
	await ask();
	const link = new URLSearchParams((await page.locator("#conversation-link").getAttribute("href")).split("#")[1]);
	await page.goto("/conversation/");
	await write("#thread_id", link.get("group"));
	await write("#token", link.get("token"));
	await press("Enter");
	await page.getByRole("heading", { name: "1 conversation" }).waitFor();
	await page.waitForFunction(() => document.activeElement.id === "main");
	await reach("main table button");
	await press("Enter");
	await page.locator("#body").waitFor();
	await headed(page, "Private conversation");

	await page.goto("/catalog/");
	await write("#q", "harbour"); // finds several pages
	await page.locator("#results:not([aria-busy=true])").waitFor();
	await reach("#results .pager a");
	await press("Enter");
	await page.waitForFunction(() => new URLSearchParams(location.search).get("offset") === "20");

	await page.goto("/rights-map/");
	await reach("#use, #category");
	await press("ArrowDown");
	await page.waitForFunction(() => location.search);
	await page.locator("#results:not([aria-busy=true])").waitFor();
	assert.ok(await on("#use, #category"));
	await window.close();
});

// noteStops runs inside a page: it collects everything that can be used, and
// removes what gets the focus from then on.
function noteStops(focusState) {
	const tell = new Function("return " + focusState)();
	const usable = (e) => e.tabIndex >= 0 && !e.disabled && e.type !== "hidden" && e.checkVisibility({ visibilityProperty: true });
	const open = new Set([...document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex]")].filter(usable));
	for (const radio of document.querySelectorAll("input[type=radio]:not(:checked)")) open.delete(radio); // arrow keys choose
	const faults = new Set(), total = open.size;
	document.addEventListener("focusin", (e) => {
		open.delete(e.target);
		const { name, faults: wrong } = tell("");
		for (const w of wrong) faults.add(`${name} ${w}`);
	});
	globalThis.stops = () => ({ left: [...open].map((e) => e.outerHTML.slice(0, 120)), faults: [...faults] });
	return total;
}

// walk presses Tab through a whole page, and reports the stops that do not show
// their focus and the elements that were not reached.
async function walk(page) {
	const total = await page.evaluate(`(${noteStops})(${JSON.stringify(String(focusState))})`);
	for (let i = 0; i < total + 2; i++) await page.keyboard.press("Tab");
	const { left, faults } = await page.evaluate(() => globalThis.stops());
	return [...left.map((l) => `Tab does not reach ${l}`), ...faults];
}

describe("Tab reaches everything", { concurrency: 2 }, () => {
	for (const width of [360, 1280]) {
		test(`at ${width} px`, async (t) => {
			const window = await context(browser, { viewport: { width, height: 740 }, reducedMotion: "reduce", baseURL: service.base });
			const page = await window.newPage();
			const complaints = [];
			for (const path of await places(service.base)) {
				if (path.startsWith("/developers/reference/")) continue;
				await page.goto(path);
				for (const fault of await walk(page)) complaints.push(`${path}: ${fault}`);
			}
			await window.close();
			assert.deepEqual(complaints, []);
		});
	}
});
