// Loads pages over a connection so slow that the browser paints them in parts:
// what is already painted must not move.
import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { context, launch } from "./browser.mjs";
import { start } from "./demo.mjs";

const piece = 200; // bytes of a page between two pauses

let service, browser, server, base;
before(async () => {
	service = await start();
	browser = await launch();
	server = createServer(sendSlowly).listen(0, "127.0.0.1");
	await new Promise((done) => server.once("listening", done));
	base = `http://127.0.0.1:${server.address().port}`;
});
after(async () => {
	await browser?.close();
	server?.close();
	await service?.stop();
});

// sendSlowly passes on pages of the service in pieces, and everything else at
// once.
async function sendSlowly(request, response) {
	const answer = await fetch(service.base + request.url);
	const type = answer.headers.get("content-type") ?? "", body = Buffer.from(await answer.arrayBuffer());
	response.writeHead(answer.status, { "content-type": type });
	for (let at = 0; type.startsWith("text/html") && at < body.length; at += piece) {
		response.write(body.subarray(at, at + piece));
		await wait(20);
	}
	response.end(type.startsWith("text/html") ? undefined : body);
}

// watch collects the layout shifts of the page.
function watch() {
	window.moved = [];
	new PerformanceObserver((list) => {
		for (const shift of list.getEntries()) {
			window.moved.push(...shift.sources.map((s) => `${shift.value} ${s.node?.outerHTML?.slice(0, 80) ?? s.node?.textContent}`));
		}
	}).observe({ type: "layout-shift", buffered: true });
}

for (const viewport of [{ width: 412, height: 823 }, { width: 1280, height: 800 }]) {
	for (const path of ["/", "/check/", "/offers/"]) {
		test(`${path} in parts, ${viewport.width} px wide`, async () => {
			const c = await context(browser, { viewport, deviceScaleFactor: 1.75 });
			const page = await c.newPage();
			await page.addInitScript(watch);

			await page.goto(base + path);
			await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 100))));

			assert.deepEqual(await page.evaluate(() => window.moved), []);
			await c.close();
		});
	}
}
