// Validates what is published against its formats: HTML (html-validate, vnu),
// sitemaps (the schema of sitemaps.org), feeds, JSON-LD (types of schema.org),
// and the sizes of pages and assets as browsers get them.
import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { brotliCompressSync } from "node:zlib";
import { HtmlValidate } from "html-validate";
import { start } from "./demo.mjs";
import { places } from "./places.mjs";

const run = promisify(execFile);
const require = createRequire(import.meta.url);
let service, folder, pages;

before(async () => {
	service = await start();
	folder = await mkdtemp(join(tmpdir(), "colophon-markup-"));
	pages = [];
	for (const path of await places(service.base)) {
		const answer = await fetch(service.base + path, { headers: { accept: "text/html" } });
		assert.match(answer.headers.get("content-type"), /^text\/html/, path);
		const file = join(folder, "site", path.replace(/[?=&]/g, "_"), "index.html"), text = await answer.text();
		await mkdir(dirname(file), { recursive: true });
		await writeFile(file, text);
		pages.push({ path, file, text });
	}
});
after(async () => {
	await service?.stop();
	await rm(folder, { recursive: true, force: true });
});

test("html-validate", async () => {
	const v = new HtmlValidate({ extends: ["html-validate:standard", "html-validate:a11y"], rules: {
		"no-trailing-whitespace": "off", "long-title": "off", "no-raw-characters": "off", "attribute-boolean-style": "off", "attribute-empty-style": "off",
		"no-inline-style": "error", "require-sri": "off", "doctype-style": "off", "valid-id": ["error", { relaxed: true }],
	} });
	const complaints = [];
	for (const { path, text } of pages) {
		const report = await v.validateString(text, path);
		for (const r of report.results) for (const m of r.messages) complaints.push(`${path}: ${m.ruleId}: ${m.message}`);
	}
	assert.deepEqual([...new Set(complaints)], []);
});

test("vnu", async () => {
	const jar = require("vnu-jar");
	const { stderr } = await run("java", ["-jar", jar, "--errors-only", "--skip-non-html", join(folder, "site")], { maxBuffer: 64 << 20 }).catch((e) => e);
	assert.equal(stderr.replaceAll(folder, ""), "");
});

// readLocations returns the paths of the addresses in a sitemap, or in an index
// of sitemaps.
const readLocations = (text) => [...text.matchAll(/<loc>([^<]*)<\/loc>/g)].map((m) => new URL(m[1]).pathname);

// readXML fetches a document and checks it with xmllint.
async function readXML(path, ...rules) {
	const file = join(folder, "sitemap.xml");
	const text = await (await fetch(service.base + path)).text();
	await writeFile(file, text);
	await run("xmllint", ["--nonet", "--noout", ...rules, file]);
	return text;
}

test("sitemaps", async () => {
	const index = await readXML("/sitemap.xml");
	assert.match(index, /<sitemapindex xmlns="http:\/\/www\.sitemaps\.org\/schemas\/sitemap\/0\.9">(<sitemap><loc>[^<]+<\/loc><lastmod>[^<]+<\/lastmod><\/sitemap>)+<\/sitemapindex>\s*$/);
	const schema = join(dirname(require.resolve("sitemap/package.json")), "schema/sitemap.xsd");
	for (const path of readLocations(index)) {
		const locations = readLocations(await readXML(path, "--schema", schema));
		assert.ok(locations.length > (path.startsWith("/sitemap-citations-") ? 0 : 5), path);
		for (const l of locations.slice(0, 80)) {
			const answer = await fetch(service.base + l);
			assert.equal(answer.status, 200, l);
			assert.ok(!/name="robots" content="noindex/.test(await answer.text()), `${l} is noindex`);
		}
	}
});

test("feeds", async () => {
	for (const path of ["/feeds/publishers.rss", "/publishers/harbor-ledger/feed.rss"]) {
		const answer = await fetch(service.base + path), file = join(folder, "feed.xml"), text = await answer.text();
		assert.match(answer.headers.get("content-type"), /^application\/rss\+xml/);
		await writeFile(file, text);
		await run("xmllint", ["--nonet", "--noout", file]);
		assert.match(text, /<atom:link [^>]*rel="self"/);
		const items = text.split("<item>").slice(1);
		assert.ok(items.length);
		for (const i of items) {
			assert.match(i, /<guid/);
			assert.ok(Date.parse(i.match(/<pubDate>([^<]*)/)[1]) > 0);
		}
	}
});

test("JSON-LD has the properties of schema.org", async () => {
	let source = 'import type { Graph, Thing, WithContext } from "schema-dts";\n', n = 0;
	for (const { path, text } of pages) {
		for (const [, data] of text.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs)) {
			const value = JSON.parse(data);
			source += `// ${path}\nexport const x${n++}: ${value["@graph"] ? "Graph" : "WithContext<Thing>"} = ${JSON.stringify(value)};\n`;
		}
	}
	assert.ok(n > 10, `only ${n} blocks`);
	const file = join(dirname(new URL(import.meta.url).pathname), "node_modules", ".linked-data.ts");
	await writeFile(file, source);
	try {
		await run(process.execPath, [require.resolve("typescript/bin/tsc"), "--noEmit", "--strict", "--skipLibCheck", "--moduleResolution", "bundler", "--module", "esnext", "--target", "es2022", file], { maxBuffer: 16 << 20 });
	} catch (e) {
		const line = Number(e.stdout.match(/\((\d+),/)?.[1]);
		assert.fail(`${source.split("\n")[line - 2]}\n${e.stdout.slice(0, 3000)}`);
	} finally {
		await rm(file, { force: true });
	}
});

test("sizes", async (t) => {
	const most = { ".html": 14 << 10, "site.css": 6 << 10, "narrow.js": 3 << 10, "search.js": 8 << 10, "verify.js": 6 << 10, "conversation.js": 4 << 10, "copy.js": 2 << 10, "map.js": 2 << 10, "folding.txt": 8 << 10, "card.png": 40 << 10 };
	const large = [], seen = new Set();
	let widest = 0;
	const weigh = (name, bytes, limit) => {
		if (bytes > limit) large.push(`${name} has ${bytes} bytes`);
	};
	for (const { path, text } of pages) {
		const bytes = brotliCompressSync(text).length;
		weigh(path, bytes, most[".html"]);
		widest = Math.max(widest, bytes);
		for (const [, asset] of text.matchAll(/"(\/assets\/[^"]+)"/g)) seen.add(asset);
	}
	// All are fetched before any is compressed, which takes so long that the server
	// ends an idle connection.
	const assets = await Promise.all([...seen].map(async (asset) => [asset, Buffer.from(await (await fetch(service.base + asset)).arrayBuffer())]));
	let scripts = 0;
	for (const [asset, content] of assets) {
		const name = asset.replace(/^\/assets\/(.*)\.[0-9a-f]{10}\./, "$1.");
		const bytes = brotliCompressSync(content).length;
		if (name === "narrow.js" || name === "search.js") scripts += bytes;
		if (most[name]) weigh(name, bytes, most[name]);
		t.diagnostic(`${name}: ${bytes} bytes (brotli)`);
	}
	weigh("narrow.js and search.js", scripts, most["search.js"]);
	t.diagnostic(`largest page: ${widest} bytes (brotli)`);
	assert.deepEqual(large, []);
});
