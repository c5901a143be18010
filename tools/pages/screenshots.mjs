// Writes the pictures of the README into docs/images: a check with its answer
// and the rights map, both of the demo.
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { context, follow, launch } from "./browser.mjs";
import { repo, start } from "./demo.mjs";

const folder = join(repo, "docs/images");
const service = await start(), browser = await launch();
try {
	await mkdir(folder, { recursive: true });
	const window = await context(browser, { viewport: { width: 1100, height: 900 }, colorScheme: "light", reducedMotion: "reduce", baseURL: service.base });
	const page = await window.newPage(), devtools = await window.newCDPSession(page);
	const shoot = async (name, top, height) => {
		const y = (await top.boundingBox()).y + await page.evaluate(() => scrollY);
		const { data } = await devtools.send("Page.captureScreenshot", { format: "webp", quality: 35, captureBeyondViewport: true, clip: { x: 0, y: y - 12, width: 1100, height, scale: 1 } });
		await writeFile(join(folder, name + ".webp"), data, "base64");
	};

	await page.goto("/check/");
	await page.getByRole("textbox").first().fill("https://harbor-ledger.example/shipping/tide-tables-2026");
	await follow(page, () => page.getByRole("button", { name: "Check", exact: true }).click());
	await shoot("check", page.locator("h1"), 880);

	await page.goto("/rights-map/");
	await shoot("rights-map", page.getByRole("heading", { name: "At a glance" }), 690);
} finally {
	await browser.close();
	await service.stop();
}
