// Measures Pagefind on the pages that "searchbench -html" wrote: the time it
// takes to index them, the bytes of its index, and the bytes of a first query
// with ten hits.
//
//	node pagefind.mjs FOLDER [OURS.json]
//
// FOLDER holds site/ and queries.json. OURS.json holds our own figures for the
// same pages and queries ("searchbench -json"); with it, both are printed side
// by side. The exit code is 1 when our first query takes more than half of
// Pagefind's bytes, or our indexing more than a third of its CPU time.
import { spawnSync } from "node:child_process";
import { readFileSync, readdirSync, statSync } from "node:fs";
import { join, dirname } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const [folder, ours] = process.argv.slice(2);
const here = dirname(fileURLToPath(import.meta.url));
const out = join(folder, "pagefind");

// Indexing: the installed program, on HTML files.
const from = performance.now();
const run = spawnSync("bash", ["-c", '"$@" && times', "bash", process.execPath, join(here, "node_modules/pagefind/lib/runner/bin.cjs"), "--site", join(folder, "site"), "--output-path", out], { encoding: "utf8" });
const seconds = (performance.now() - from) / 1000;
if (run.status !== 0) throw new Error(run.stderr || run.stdout);
const [, ...used] = run.stdout.trim().split("\n").at(-1).match(/^(\d+)m([\d.]+)s (\d+)m([\d.]+)s$/).map(Number);
const cpu = used[0] * 60 + used[1] + used[2] * 60 + used[3];
const pages = Number(run.stdout.match(/Indexed (\d+) pages/)[1]);

// Index size: what depends on the pages, without the JavaScript and WebAssembly
// program, which is the same for every site.
const sizes = { index: [0, 0], fragment: [0, 0], filter: [0, 0], meta: [0, 0] };
for (const f of readdirSync(out, { recursive: true })) {
	const s = statSync(join(out, f));
	const kind = f.endsWith("_meta") || f === "pagefind-entry.json" ? "meta" : f.split("/")[0];
	if (!s.isFile() || !sizes[kind]) continue;
	sizes[kind][0]++;
	sizes[kind][1] += s.size;
}

// The reader runs as in a browser, and every file that it fetches is counted.
const base = "http://pagefind.invalid/pagefind/";
let fetched = [];
globalThis.location = new URL(base);
globalThis.window = globalThis;
globalThis.document = { currentScript: null, querySelector: () => ({ getAttribute: () => "en" }) };
globalThis.fetch = async (input) => {
	const url = new URL(input.url ?? input, base);
	const b = readFileSync(join(out, url.pathname.replace("/pagefind/", "")));
	fetched.push([url.pathname, b.length]);
	return new Response(b);
};
const program = statSync(join(out, "pagefind.js")).size;
const { createInstance } = await import(pathToFileURL(join(out, "pagefind.js")));

const queries = JSON.parse(readFileSync(join(folder, "queries.json"), "utf8")).slice(0, 100);
const first = [], data = [], reads = [];
let hits = 0;
for (const { q } of queries) {
	fetched = [];
	const p = createInstance({ basePath: base, baseUrl: "/", noWorker: true });
	const found = await p.search(q);
	await Promise.all(found.results.slice(0, 10).map((r) => r.data()));
	if (found.results.length) hits++;
	const bytes = fetched.reduce((n, [, b]) => n + b, 0);
	first.push(program + bytes);
	data.push(fetched.filter(([f]) => !f.includes("wasm")).reduce((n, [, b]) => n + b, 0));
	reads.push(fetched.length + 1);
	await p.destroy();
}
const at = (list, p) => [...list].sort((a, b) => a - b)[Math.min(list.length - 1, Math.floor(p * list.length))];
const spread = (list) => `p50 ${at(list, 0.5)}  p95 ${at(list, 0.95)}  worst ${at(list, 1)}`;
const mb = (n) => (n / 1e6).toFixed(2) + " MB";
const list = (kinds) => Object.entries(kinds).map(([k, [f, b]]) => `${k} ${f} files ${mb(b)}`).join(", ");
const disk = (folder) => readdirSync(folder, { recursive: true }).map((f) => statSync(join(folder, f))).reduce((n, s) => n + (s.isFile() ? Math.ceil(s.size / 4096) * 4096 : 0), 0);

const total = Object.values(sizes).reduce((n, [, b]) => n + b, 0);
const files = Object.values(sizes).reduce((n, [f]) => n + f, 0);
const version = JSON.parse(readFileSync(join(here, "node_modules/pagefind/package.json"), "utf8")).version;
console.log(`pagefind ${version}, ${pages} pages`);
console.log(`  indexing     ${seconds.toFixed(1)} s, ${cpu.toFixed(1)} s CPU, ${Math.round(pages / seconds)} pages/s (its program on HTML files)`);
console.log(`  index        ${files} files, ${mb(total)}: ${list(sizes)}; ${mb(disk(out))} on a disk of 4 KiB blocks`);
console.log(`  first query  ${spread(first)} bytes, ${spread(reads)} files: pagefind.js, wasm, meta, index chunks, fragments of ten hits; ${hits} of ${queries.length} have hits`);
console.log(`  of which     ${spread(data)} bytes are data, without pagefind.js and wasm`);
if (!ours) process.exit();

// Ours: the browser's script reads the same bytes as the service; in addition
// it fetches the script and, for words beyond ASCII, its table.
const x = JSON.parse(readFileSync(ours, "utf8"));
const script = statSync(join(here, "../../site/assets/search.js")).size, table = statSync(join(here, "../../site/assets/unicode-15.0.0-assigned.txt")).size;
const plain = /^[\x00-\x7f]*$/;
const bytes = x.bytes.map((b, i) => b + script + (plain.test(queries[i].q) ? 0 : table));
const mine = Object.values(x.index).reduce((n, [, b]) => n + b, 0), mineFiles = Object.values(x.index).reduce((n, [f]) => n + f, 0);
console.log(`colophon, ${x.pages} pages`);
console.log(`  indexing     ${x.seconds.toFixed(1)} s, ${x.cpu.toFixed(1)} s CPU, ${Math.round(x.pages / x.seconds)} pages/s (with the lookups, feed, inventories and four further indexes, without inventing the pages)`);
console.log(`  index        ${mineFiles} files, ${mb(mine)}: ${list(x.index)}`);
console.log(`  first query  ${spread(bytes)} bytes, ${spread(x.files.map((n) => n + 1))} files: search.js, opening, words, records of ten hits; ${x.found} of ${x.bytes.length} have hits`);
console.log(`  of which     ${spread(x.bytes)} bytes are data`);
const ratio = (a, b) => (a / b).toFixed(2);
const words = x.index.words[1], theirs = sizes.index[1] + sizes.meta[1] + sizes.filter[1];
console.log("beside pagefind");
console.log(`  first query  ${ratio(at(bytes, 0.5), at(first, 0.5))} of its bytes at p50, ${ratio(at(x.bytes, 0.5), at(data, 0.5))} of its data (wanted: at most 0.50)`);
console.log(`  index        ${ratio(mine, total)} of its bytes in ${ratio(mineFiles, files)} of its files (wanted: at most 0.33); words and filters alone ${ratio(words, theirs)}, records, heads and extras alone ${ratio(mine - words, sizes.fragment[1])}`);
console.log(`  indexing     ${ratio(cpu, x.cpu)} times its speed by CPU, ${ratio(seconds, x.seconds)} times by the clock, which other work on the machine disturbs (wanted: at least 3)`);
const missed = [at(bytes, 0.5) > at(first, 0.5) / 2 && "first query", cpu < 3 * x.cpu && "indexing"].filter(Boolean);
if (missed.length) {
	console.log(`missed: ${missed.join(", ")}`);
	process.exit(1);
}
