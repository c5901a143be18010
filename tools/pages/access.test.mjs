// Loads each kind of page in Chromium at phone and desktop width, light and
// dark: no accessibility violation (axe), no horizontal overflow, no layout
// shift, no refused or failed request, no script error. With SHOTS=1 it also
// writes screenshots into the folder screens/.
import { after, before, describe, test } from "node:test";
import assert from "node:assert/strict";
import { mkdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import * as playwright from "playwright-core";
import { chromium, repo, start } from "./demo.mjs";
import { places } from "./places.mjs";

const shots = process.env.SHOTS && join(repo, "screens");
const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const rules = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

let service, browser, paths;
before(async () => {
	service = await start();
	paths = await places(service.base);
	browser = await playwright.chromium.launch({ executablePath: chromium, args: ["--no-sandbox"] });
	if (shots) await mkdir(shots, { recursive: true });
});
after(async () => {
	await browser?.close();
	await service?.stop();
});

const audit = async (page, options) => (await page.evaluate((o) => globalThis.axe.run(o), options)).violations.map((v) => `${v.id}: ${v.nodes.map((n) => n.html.slice(0, 160)).slice(0, 3).join(" | ")}`);

// visit checks what the page shows now, light and then dark; only colours
// differ between the two.
async function visit(page, name, width, complain) {
	const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
	if (over > 0) complain(`overflows by ${over} px`);
	const shift = await page.evaluate(() => new Promise((done) => {
		new PerformanceObserver((list) => done(list.getEntries().reduce((n, e) => n + (e.hadRecentInput ? 0 : e.value), 0))).observe({ type: "layout-shift", buffered: true });
		setTimeout(() => done(0), 60);
	}));
	if (shift > 0.01) complain(`shifts by ${shift}`);
	await page.evaluate(axe);
	for (const colorScheme of ["light", "dark"]) {
		await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
		if (shots) await page.screenshot({ path: join(shots, `${name.replaceAll(/[/?=&]+/g, "_")}-${width}-${colorScheme}.png`), fullPage: true });
		const runOnly = colorScheme === "light" ? rules : { type: "rule", values: ["color-contrast"] };
		for (const v of await audit(page, { runOnly })) complain(`${colorScheme}: ${v}`);
	}
	await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
}

// privatePages walks through a conversation and the publisher's inbox.
async function privatePages(page, see) {
	await page.goto("/publishers/harbor-ledger/request/");
	for (const [id, text] of [["requester_name", "R. Example"], ["requester_email", `r${Math.random()}@example.com`], ["intended_use", "Grounding for an assistant"], ["requested_scope", "/shipping/*"], ["message", "We would like to ground answers on your tables."]]) await page.fill("#" + id, text);
	await page.getByRole("button", { name: "Send the inquiry" }).click();
	await see("receipt");
	await page.getByRole("button", { name: "Open the conversation" }).click();
	await see("conversation");
	if (!service.dir) return;
	await page.goto(new URL((await service.command("publisher", "inbox-link", "harbor-ledger")).trim()).pathname);
	await see("inbox");
	await page.locator("main td a").first().click();
	await see("inbox request");
}

describe("pages", { concurrency: 2 }, () => {
	for (const width of [360, 1280]) {
		test(`at ${width} px`, async (t) => {
			const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme: "light", reducedMotion: "reduce", baseURL: service.base });
			const page = await context.newPage();
			const complaints = [];
			let where = "", refused = false;
			const complain = (what) => complaints.push(`${where}: ${what}`);
			page.on("console", (m) => m.type() === "error" && !(refused && /status of 4/.test(m.text())) && complain(m.text()));
			page.on("pageerror", (e) => complain(e.message));
			page.on("request", (r) => /^(data:|blob:)/.test(r.url()) || r.url().startsWith(service.base + "/") || complain(`request to ${r.url()}`));
			for (const path of paths) {
				where = path;
				refused = /nothing-here|nobody/.test(path);
				await page.goto(path);
				await visit(page, path, width, complain);
			}
			refused = true;
			await privatePages(page, (name) => visit(page, where = name, width, complain));
			await context.close();
			t.diagnostic(`${paths.length} pages and 4 private ones`);
			assert.deepEqual(complaints, []);
		});
	}
});
