// Lighthouse, as on a phone. No other test runs beside it.
import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import lighthouse from "lighthouse";
import { chromium, start } from "./demo.mjs";

let service, browser, folder, port, ended;
before(async () => {
	service = await start();
	folder = await mkdtemp(join(tmpdir(), "colophon-lighthouse-"));
	browser = spawn(chromium, ["--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-port=0", `--user-data-dir=${folder}`, "about:blank"], { stdio: ["ignore", "ignore", "pipe"] });
	ended = new Promise((done) => browser.once("close", done));
	port = await new Promise((done, failed) => {
		let text = "";
		browser.stderr.on("data", (b) => {
			const found = (text += b).match(/DevTools listening on ws:\/\/127\.0\.0\.1:(\d+)/);
			if (found) done(Number(found[1]));
		});
		browser.once("exit", () => failed(new Error(text)));
	});
});
after(async () => {
	browser?.kill();
	await ended;
	await rm(folder, { recursive: true, force: true });
	await service?.stop();
});

const lowMedian = (list) => [...list].sort((a, b) => a - b)[(list.length - 1) >> 1];

// measure runs Lighthouse once.
async function measure(path) {
	const { lhr } = await lighthouse(service.base + path, {
		port, logLevel: "error", onlyCategories: ["performance", "accessibility", "best-practices", "seo"], disableFullPageScreenshot: true,
		pauseAfterFcpMs: 300, pauseAfterLoadMs: 300, networkQuietThresholdMs: 500, cpuQuietThresholdMs: 500, // nothing loads late here
	});
	const failed = Object.values(lhr.audits).filter((a) => a.score !== null && a.score < 0.9 && a.scoreDisplayMode === "binary").map((a) => a.id);
	const scores = Object.fromEntries(Object.entries(lhr.categories).map(([name, c]) => [name, Math.round(c.score * 100)]));
	const loaded = lhr.audits["network-requests"].details.items.filter((r) => !r.url.startsWith("data:"));
	const load = { requests: loaded.length, bytes: loaded.reduce((sum, r) => sum + r.transferSize, 0) };
	return { scores, failed, load, shift: lhr.audits["cumulative-layout-shift"].numericValue, lcp: lhr.audits["largest-contentful-paint"].numericValue, tbt: lhr.audits["total-blocking-time"].numericValue };
}

// One page of each kind. With a server of 1,000 publishers at BASE, these are
// the largest pages.
const kinds = {
	home: "/", check: "/check/", catalog: "/catalog/", publishers: "/publishers/", publisher: "/publishers/harbor-ledger/", inventory: "/publishers/harbor-ledger/pages/",
	request: "/publishers/harbor-ledger/request/", map: "/rights-map/", "map of one": "/rights-map/harbor-ledger/", offers: "/offers/", demand: "/demand/", policies: "/publishers/harbor-ledger/policy/", ledger: "/ledger/", status: "/status/", reference: "/developers/reference/",
};

for (const name of [...Object.keys(kinds), "citation"]) {
	test(name, async (t) => {
		const feed = await (await fetch(service.base + "/v1/public/licensing-feed?limit=100")).json();
		const path = kinds[name] ?? `/citations/${feed.data.find((e) => e.fingerprint).entry_id}/`;
		// The network is simulated, but CPU time is measured on this machine,
		// so a busy machine may cost points. A page that is slow once is
		// measured again: it is slow when most of nine runs say so.
		const runs = [];
		const of = (value) => lowMedian(runs.map(value));
		do {
			runs.push(await measure(path));
		} while (of((r) => r.scores.performance) < 95 && runs.length < 9);
		t.diagnostic(`${path} in ${runs.length} runs: performance ${of((r) => r.scores.performance)}, LCP ${Math.round(of((r) => r.lcp))} ms, TBT ${Math.round(of((r) => r.tbt))} ms, CLS ${of((r) => r.shift)}, ${runs[0].load.requests} requests, ${runs[0].load.bytes} bytes`);
		for (const name of ["accessibility", "best-practices", "seo"]) {
			assert.equal(of((r) => r.scores[name]), 100, String(runs[0].failed));
		}
		assert.ok(of((r) => r.scores.performance) >= 95, JSON.stringify(runs));
		// A page may be painted while it is still being read, and a table
		// widens with its rows. Real layout shifts score far higher than this.
		assert.ok(of((r) => r.shift) < 0.001, JSON.stringify(runs));
		assert.ok(runs[0].load.requests <= 8 && runs[0].load.bytes <= 60_000, JSON.stringify(runs[0].load));
	});
}
