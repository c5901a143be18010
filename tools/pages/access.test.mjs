// Loads each kind of page in Chromium at phone and desktop width, light and
// dark, and checks that there is no accessibility violation (axe), horizontal
// overflow, layout shift, refused or failed request or script error, and that
// no page but the reference is longer than twelve screens of a phone.
import { after, before, describe, test } from "node:test";
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { visit, watchShifts } from "./audit.mjs";
import { context, follow, launch } from "./browser.mjs";
import { start } from "./demo.mjs";
import { places } from "./places.mjs";

let service, browser, paths;
before(async () => {
	service = await start();
	paths = await places(service.base);
	browser = await launch();
});
after(async () => {
	await browser?.close();
	await service?.stop();
});

// privatePages walks through a conversation and the publisher's inbox, and
// returns how many pages it saw.
async function privatePages(page, see) {
	await page.goto("/publishers/harbor-ledger/request/");
	for (const [id, text] of [["requester_name", "R. Example"], ["requester_email", `${crypto.randomUUID()}@example.com`], ["intended_use", "Grounding for an assistant"], ["requested_scope", "/shipping/*"], ["message", "We would like to ground answers on your tables."]]) await page.fill("#" + id, text);
	await follow(page, () => page.getByRole("button", { name: "Send the inquiry" }).click());
	await page.getByRole("heading", { name: /^The inquiry is (sent|held for review)$/ }).waitFor();
	await see("receipt");
	await follow(page, () => page.getByRole("button", { name: "Open the conversation" }).click());
	await see("conversation");
	if (!service.dir) return 2;
	await page.goto(await service.inbox());
	await see("inbox");
	await follow(page, () => page.locator("main td a").first().click());
	await see("inbox request");
	await page.goto(await service.inbox() + "/statistics");
	await see("statistics of the inbox");
	const facts = JSON.parse(await readFile(join(service.dir, "demo.json"), "utf8"));
	const reported = await fetch(service.base + "/v1/partner/use-reports", {
		method: "POST", headers: { authorization: `Bearer ${facts.partner_keys.full}`, "content-type": "application/json" },
		body: JSON.stringify({ schema_version: "1.0", document_type: "event", agent_id: "assistant.example", event: { type: "content_cited", timestamp: new Date().toISOString(), content_url: facts.url } }),
	});
	if (!reported.ok) throw new Error(`the report of use is answered ${reported.status} ${await reported.text()}`);
	await page.goto(await service.inbox() + "/uses");
	await page.getByRole("heading", { name: "By reporter and agent" }).waitFor();
	await see("reported uses");
	return 6;
}

describe("pages", { concurrency: 2 }, () => {
	for (const width of [360, 1280]) {
		test(`at ${width} px`, async (t) => {
			const window = await context(browser, { viewport: { width, height: 900 }, colorScheme: "light", reducedMotion: "reduce", baseURL: service.base });
			await window.addInitScript(watchShifts);
			const page = await window.newPage();
			const complaints = [];
			let where = "";
			const complain = (what) => complaints.push(`${where}: ${what}`);
			// Chromium logs every answer with an error status. These are
			// expected: pages that do not exist, and the proof of work that a
			// form asks for first.
			const refused = (m) => /status of 404/.test(m.text()) && /nothing-here|nobody/.test(m.location().url) || /status of 403/.test(m.text()) && new URL(m.location().url).pathname === "/v1/public/licensing-request";
			page.on("console", (m) => m.type() === "error" && !refused(m) && complain(m.text()));
			page.on("pageerror", (e) => complain(e.message));
			page.on("request", (r) => /^(data:|blob:)/.test(r.url()) || r.url().startsWith(service.base + "/") || complain(`request to ${r.url()}`));
			for (const path of paths) {
				await page.goto(where = path);
				await visit(page, path, width, complain);
			}
			const n = await privatePages(page, (name) => visit(page, where = name, width, complain));
			await window.close();
			t.diagnostic(`${paths.length} pages and ${n} private ones`);
			assert.deepEqual(complaints, []);
		});
	}
});

test("a publisher's page prints without navigation", async () => {
	const window = await context(browser, { viewport: { width: 800, height: 1100 }, baseURL: service.base });
	const page = await window.newPage();
	await page.emulateMedia({ media: "print" });
	await page.goto("/publishers/harbor-ledger/");
	const shown = await page.locator("nav, form, button, .skip").evaluateAll((all) => all.filter((e) => e.checkVisibility() && e.getClientRects().length).map((e) => e.outerHTML));
	await window.close();
	assert.deepEqual(shown, []);
});
