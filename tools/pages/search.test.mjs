// Compares the search of the catalog page with that of the API: the same files,
// the same hits in the same order.
import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { start } from "./demo.mjs";
import { Index, Folding, tokens } from "../../site/assets/search.js";

let service, base;
const fetched = [];
const get = async (path) => {
	const answer = await fetch(base + path);
	assert.equal(answer.status, 200, path);
	const b = new Uint8Array(await answer.arrayBuffer());
	fetched.push([path, b.length]);
	return b;
};

let folding, words;
const publisher = async (id) => (await fetch(`${base}/v1/licensing-marketplace/publishers/${id}`)).json();
before(async () => {
	service = await start();
	({ base } = service);
	const page = await (await fetch(base + "/catalog/")).text();
	const [, path] = page.match(/<meta name="search-folding" content="([^"]+)"/);
	folding = new Folding(await (await fetch(base + path)).text());
	const feed = await (await fetch(base + "/v1/public/licensing-feed?limit=100")).json();
	words = [...new Set(feed.data.flatMap((e) => (e.title ?? "").split(/\s+/)))];
});

after(() => service?.stop());

// api collects the hits of the service, page by page.
async function api(q, most = 60) {
	const ids = [];
	let next = "/v1/public/content-catalog/search?limit=20&q=" + encodeURIComponent(q), total;
	while (next && ids.length < most) {
		const answer = await fetch(base + next), said = await answer.json();
		assert.equal(answer.status, 200, `${q}: ${JSON.stringify(said)}`);
		total = said.page.total;
		ids.push(...said.data.map((e) => e.entry_id));
		next = said.links.next;
	}
	return { total, ids };
}

async function own(index, q, filters = {}, most = 60) {
	const found = await index.search(q, filters, folding);
	const pages = await index.pages(found.docs.slice(0, most), 1000);
	return { total: found.total, ids: pages.map((p) => p.entry), pages };
}

test("a question is read as the service reads it", async () => {
	const index = await Index.open(get);
	for (const q of ["how do I read a tide table?", "when is the tide", "tide zzzzqqqq", "wie ist das wetter im hafen", "how do I", "zzzzqqqq yyyyqqqq", "? tide !"]) {
		const page = await (await fetch(base + "/catalog/?q=" + encodeURIComponent(q))).text();
		const total = Number(page.match(/<h2>(\d+) pages? match/)?.[1] ?? 0), said = page.match(/No page has every word\. ([^<]*)/)?.[1] ?? "";
		const found = await index.loosely(q, {}, folding);
		assert.equal(found.total, total, q);
		assert.equal(said.includes("at least one"), Boolean(found.any && found.kept.length > 1), q);
		assert.deepEqual([...said.matchAll(/“([^”]*)”/g)].map((m) => m[1]), found.kept ?? [], q);
		const shown = [...page.matchAll(/<li><h3><a href="\/citations\/(ent_\w+)\//g)].map((m) => m[1]);
		assert.deepEqual((await index.pages(found.docs.slice(0, shown.length), 1000)).map((p) => p.entry), shown, q);
	}
});

test("hits are those of the API, in its order", async () => {
	const index = await Index.open(get);
	const questions = ["tide", "tide tables", "shipping", "ti", "t", "tabels", "harbour  tide ", "the", "2026", "nothing-of-the-sort-xyzzy", "ärzte", "東京", "京", "كيف", "a b c d e f g h i j k l", "!!!", "É", "x".repeat(200)];
	for (let i = 0; i < words.length; i += 7) {
		const w = words[i], v = words[(i * 3 + 1) % words.length];
		questions.push(w, w.slice(0, 3), w.slice(0, -2), `${v} ${w.slice(0, 4)}`, `${w} ${v}`, w.slice(1), w.slice(0, -1) + "x");
	}
	let some = 0;
	for (const q of questions.filter((q) => q.trim())) {
		const [want, got] = [await api(q), await own(index, q)];
		assert.equal(got.total, want.total, `total for ${JSON.stringify(q)}`);
		assert.deepEqual(got.ids.slice(0, want.ids.length), want.ids.slice(0, 60), `hits for ${JSON.stringify(q)}`);
		if (want.total) some++;
	}
	assert.ok(some > questions.length / 3, `only ${some} of ${questions.length} questions have hits`);
	console.log(`${questions.length} questions, ${some} with hits`);
});

const levels = ["none", "listed", "declared", "attested", "enforced"];

test("the filters are those of the catalog's form", async () => {
	const index = await Index.open(get);
	const categories = (await (await fetch(base + "/v1/public/content-catalog/categories")).json()).data.map((c) => c.slug);
	assert.ok(categories.length > 5);
	let some = 0;
	for (const q of ["", "the", "water", words[5] ?? ""]) {
		for (const category of ["", ...categories]) {
			for (const [use, signals] of [["", ""], ["rag", ""], ["training", ""], ["", "attested"], ["rag", "listed"]]) {
				if (!q && !category && !use && !signals) continue;
				const page = await (await fetch(`${base}/catalog/?${new URLSearchParams({ q, category, use, signals })}`)).text();
				const main = page.slice(page.indexOf('id="results"'));
				const want = [...main.matchAll(/href="\/citations\/([^/"]+)\//g)].map((m) => m[1]);
				const got = await own(index, q, { category, use, signals }, 20);
				assert.deepEqual(got.ids, want, JSON.stringify({ q, category, use, signals }));
				for (const id of new Set(got.pages.map((p) => p.site))) {
					const p = await publisher(id);
					if (category) assert.ok(p.categories.includes(category), `${id} is not in ${category}`);
					if (signals) assert.ok(levels.indexOf(p.readiness) >= levels.indexOf(signals), `${id} and ${signals}`);
					if (use) assert.match(p.preference_signals.find((x) => x.use === use).inquiry, /welcome|conditional/, `${id} and ${use}`);
				}
				some += want.length;
			}
		}
	}
	assert.ok(some > 100, `only ${some} hits`);
});

test("a first search is small", async () => {
	for (const q of ["tide tables", "shipping", "water"]) {
		fetched.length = 0;
		const index = await Index.open(get);
		const found = await index.search(q, {}, folding);
		const pages = await index.pages(found.docs.slice(0, 20), Math.max(1, Math.min(4, 8 - 1 - fetched.length)));
		const bytes = fetched.reduce((n, [, b]) => n + b, 0);
		console.log(`${q}: ${found.total} hits, ${pages.length} shown, ${fetched.length} files, ${bytes} bytes`);
		assert.ok(pages.length > 0 || !found.total);
		assert.ok(fetched.length + 1 <= 8 && bytes <= 60 << 10, JSON.stringify(fetched));
	}
});

test("words are split as in the service", async () => {
	assert.deepEqual(tokens("Ünïcode TABLES, berries; heroes news bus", folding), ["unicode", "table", "berry", "hero", "news", "bus"]);
	const show = (list) => list.map((w) => new TextDecoder().decode(Uint8Array.from(w, (c) => c.charCodeAt(0))));
	assert.deepEqual(show(tokens("東京都 京", folding)), ["東京", "京都", "京"]);
});
