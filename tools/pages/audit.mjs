// What the page tests require of a page in Chromium, light and dark: no
// accessibility violation (axe), no horizontal overflow, no layout shift, and
// at most twelve screens of a phone, except for the reference.
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";

const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const rules = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
const phone = { width: 360, height: 740 }, screens = 12;

const audit = async (page, options) => (await page.evaluate((o) => globalThis.axe.run(o), options)).violations.map((v) => `${v.id}: ${v.nodes.map((n) => n.html.slice(0, 160)).slice(0, 3).join(" | ")}`);

// watchShifts runs before the scripts of each page and adds up layout shifts;
// shifted returns the sum once all frames so far are painted.
export function watchShifts() {
	let sum = 0;
	const add = (list) => list.forEach((e) => { if (!e.hadRecentInput) sum += e.value; });
	const observer = new PerformanceObserver((list) => add(list.getEntries()));
	observer.observe({ type: "layout-shift", buffered: true });
	globalThis.shifted = async () => {
		for (let i = 0; i < 2; i++) await new Promise((done) => requestAnimationFrame(done));
		add(observer.takeRecords());
		return sum;
	};
}

// visit checks the page as it is shown now, light and then dark; the two differ
// only in colours.
export async function visit(page, name, width, complain) {
	const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
	if (over > 0) complain(`overflows by ${over} px`);
	const long = await page.evaluate(() => document.documentElement.scrollHeight) / phone.height;
	if (width === phone.width && long > screens && !name.startsWith("/developers/reference/")) complain(`takes ${long.toFixed(1)} screens of a phone`);
	const shift = await page.evaluate(() => globalThis.shifted());
	if (shift > 0.01) complain(`shifts by ${shift}`);
	await page.evaluate(axe);
	for (const colorScheme of ["light", "dark"]) {
		await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
		const runOnly = colorScheme === "light" ? rules : { type: "rule", values: ["color-contrast"] };
		for (const v of await audit(page, { runOnly })) complain(`${colorScheme}: ${v}`);
	}
	await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
}
