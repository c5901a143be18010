// The browser of the page tests, and its waits: always for a condition and
// never for a fixed time, since the machine may be very fast or very busy.
import * as playwright from "playwright-core";
import { chromium } from "./demo.mjs";

export const patience = 120_000; // ms until a condition that is not met is an error

export const launch = () => playwright.chromium.launch({ executablePath: chromium, args: ["--no-sandbox"] });

// context opens a browser context with this patience as its timeout.
export async function context(browser, options) {
	const c = await browser.newContext(options);
	c.setDefaultTimeout(patience);
	return c;
}

// follow performs an action that leads to another page, and returns when that
// page is loaded and its scripts have run once. After a click or a key alone,
// the old page may still be shown or the new one may be half read.
export async function follow(page, act) {
	const loaded = page.waitForEvent("load");
	loaded.catch(() => {}); // if act fails, its error is the one to report
	await act();
	await loaded;
}

// until repeats ask until holds accepts its result, and returns that.
export async function until(ask, holds) {
	const end = Date.now() + patience;
	for (;;) {
		const got = await ask();
		if (holds(got)) return got;
		if (Date.now() > end) throw new Error(`it stayed ${JSON.stringify(got)}`);
		await new Promise((done) => setTimeout(done, 20));
	}
}

// clipboard waits until the clipboard holds a text. The whole browser shares
// one clipboard, so the text must differ from what was copied before.
export const clipboard = (page, want) => until(() => page.evaluate(() => navigator.clipboard.readText()), (got) => got === want);
