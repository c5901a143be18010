// The browser of the page tests, and how they wait in it: for conditions,
// never for a time. The machine may be very fast or very busy.
import * as playwright from "playwright-core";
import { chromium } from "./demo.mjs";

export const patience = 120_000; // ms until a condition that does not come is an error

export const launch = () => playwright.chromium.launch({ executablePath: chromium, args: ["--no-sandbox"] });

// context opens a window whose waits are patient.
export async function context(browser, options) {
	const c = await browser.newContext(options);
	c.setDefaultTimeout(patience);
	return c;
}

// follow does what leads to another page, and returns when that page is whole
// and its scripts have run once. A click or a key alone returns while the
// page before may still be there, or the next one is half read.
export async function follow(page, act) {
	const loaded = page.waitForEvent("load");
	loaded.catch(() => {}); // when act fails, its error is the one to tell
	await act();
	await loaded;
}

// until repeats ask until it gives what holds accepts, and returns that.
export async function until(ask, holds) {
	const end = Date.now() + patience;
	for (;;) {
		const got = await ask();
		if (holds(got)) return got;
		if (Date.now() > end) throw new Error(`it stayed ${JSON.stringify(got)}`);
		await new Promise((done) => setTimeout(done, 20));
	}
}

// clipboard waits until the clipboard holds a text. It belongs to the whole
// browser, so what is waited for must be told from what was copied before.
export const clipboard = (page, want) => until(() => page.evaluate(() => navigator.clipboard.readText()), (got) => got === want);
