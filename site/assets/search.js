// Searches the published index in the browser, with the same files, words and
// order of hits as the service's own search (package searchindex has the
// format, package query the rules). Words are kept as byte strings, one
// character for each byte, so that they compare in the order of the index.

const bytesOf = (s) => String.fromCharCode(...new TextEncoder().encode(s));
const textOf = (b) => new TextDecoder().decode(typeof b === "string" ? Uint8Array.from(b, (c) => c.charCodeAt(0)) : b);
const hexOf = (word) => Array.from(word, (c) => c.charCodeAt(0).toString(16).padStart(2, "0")).join("");
const damaged = () => new Error("A file of the index is damaged.");

// Reader parses a file.
class Reader {
	constructor(b) { this.b = b; this.i = 0; }
	uint() {
		for (let x = 0, m = 1; ; m *= 128) {
			const c = this.b[this.i++];
			if (c === undefined) throw damaged();
			x += (c & 127) * m;
			if (c < 128) return x;
		}
	}
	bytes(n) {
		if (this.i + n > this.b.length) throw damaged();
		return this.b.subarray(this.i, this.i += n);
	}
	word(n = this.uint()) { return String.fromCharCode(...this.bytes(n)); }
	front(last) { return last.slice(0, this.uint()) + this.word(); }
	list(read, n = this.uint()) { return Array.from({ length: n }, () => read()); }
	magic(name) { if (this.word(4) !== name) throw damaged(); }
	// open checks that this is the expected file: ids are what it says of itself.
	open(name, ...ids) {
		this.magic(name);
		for (const id of ids) if ((typeof id === "number" ? this.uint() : this.word()) !== id) throw damaged();
		return this;
	}
}

async function inflate(b) {
	const s = new Blob([b]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
	return new Uint8Array(await new Response(s).arrayBuffer());
}

// unpack reads a packed text.
async function unpack(r) {
	const size = r.uint(), packed = r.uint();
	return new Reader(packed ? await inflate(r.bytes(packed)) : r.bytes(size));
}

// block reads stored pages.
async function block(r) {
	const count = r.uint(), lines = textOf((await unpack(r)).b).split("\n");
	if (lines.pop() !== "" || lines.length !== count) throw damaged();
	return lines.map((line) => line && JSON.parse(line));
}

// page turns a stored page into what the catalog shows.
const page = (d) => ({
	entry: d.entry_id, site: d.site_id, publisher: d.publisher ?? "", url: d.url, title: d.title ?? "", section: d.section ?? "", language: d.language ?? "",
	vector: d.rights_vector, published: d.published_at ?? "", terms: d.terms ?? [],
});

// Folding is the table that classifies and folds the characters of words.
export class Folding {
	constructor(text) {
		const [classes, from, to, long] = text.split("\n").map((line) => line.split(" "));
		let last = 0;
		this.classes = classes.map((c) => (c = parseInt(c, 36), last += c >> 2, [last, c & 3]));
		last = 0;
		this.to = new Map(from.map((c, i) => {
			const n = parseInt(to[i], 36);
			return [last += parseInt(c, 36), n < 0xe000 ? String.fromCodePoint(n) : long[n - 0xe000]];
		}));
	}
	classOf(c) {
		let lo = 0, hi = this.classes.length;
		while (lo + 1 < hi) {
			const mid = (lo + hi) >> 1;
			if (this.classes[mid][0] <= c) lo = mid;
			else hi = mid;
		}
		return this.classes[lo][1];
	}
	fold(c) { return this.to.get(c) ?? String.fromCodePoint(c); }
}

// tokens returns the folded words of s in order; folding may be missing if s is
// ASCII.
export function tokens(s, folding) {
	const out = [];
	let word = "", last = "", lone = false;
	const endRun = () => {
		if (last && lone) out.push(bytesOf(last));
		last = "";
		lone = false;
	};
	const endWord = () => {
		if (word) out.push(singular(word));
		word = "";
	};
	const add = (c) => {
		const b = bytesOf(c);
		if (word.length + b.length <= 48) word += b;
	};
	for (const c of s.toWellFormed?.() ?? s) {
		const n = c.codePointAt(0);
		const kind = n >= 128 ? folding.classOf(n) : +/[a-z0-9]/i.test(c);
		if (kind === 2) continue;
		if (kind === 3) {
			endWord();
			const f = folding.fold(n);
			if (last) out.push(bytesOf(last + f));
			lone = !last;
			last = f;
			continue;
		}
		endRun();
		if (kind) add(n < 128 ? c.toLowerCase() : folding.fold(n));
		else endWord();
	}
	endRun();
	endWord();
	return out;
}

function singular(w) {
	if (w.length < 4 || !w.endsWith("s") || w === "news" || /[sui]s$/.test(w)) return w;
	if (w.length > 4 && w.endsWith("ies")) return w.slice(0, -3) + "y";
	return w.slice(0, w.length > 5 && w.endsWith("oes") ? -2 : -1);
}

// oneEdit reports whether a becomes b by inserting, removing or replacing a
// character or swapping it with its neighbour.
function oneEdit(a, b) {
	let i = 0;
	while (i < a.length && i < b.length && a[i] === b[i]) i++;
	const same = (x, y) => a.slice(i + x).join("") === b.slice(i + y).join("");
	if (i === a.length || i === b.length) return a.length + b.length - 2 * i === 1;
	return same(1, 0) || same(0, 1) || same(1, 1) || (a[i + 1] === b[i] && b[i + 1] === a[i] && same(2, 2));
}

// rarity returns log2((2N+2)/(2n+1)) in units of 1/256, computed in integers.
function rarity(docs, count) {
	const x = (BigInt(2 * docs + 2) << 24n) / BigInt(2 * count + 1);
	const whole = x.toString(2).length - 1;
	let m = (x << BigInt(62 - whole)) >> 31n, out = (whole - 24) << 8;
	for (let bit = 128; bit; bit >>= 1) {
		m = (m * m) >> 31n;
		if (m >= 1n << 32n) {
			m >>= 1n;
			out += bit;
		}
	}
	return Math.max(1, out);
}

const order = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
const sum = (group) => group.reduce((n, t) => n + t.count, 0);

// favour gives the most frequent of several terms (the first of these, if there
// are several) the given weight, and the others weight 1.
function favour(group, weight) {
	const best = group.reduce((a, b) => (b.count > a.count ? b : a), group[0]);
	return group.map((t) => ({ ...t, weight: t === best ? weight : 1 }));
}

// Index is one generation of the index of registered pages. get fetches a
// published file by its path, as bytes; Index keeps the files.
export class Index {
	static async open(get) {
		const { current } = JSON.parse(textOf(await get("/v1/_index.json", { cache: "no-cache" })));
		const x = new Index();
		Object.assign(x, { get, base: `/_ix/${current.gen}/e/`, files: new Map(), gen: current.gen });
		const r = new Reader(await get(x.base + "root.idx"));
		r.magic("CRT7");
		x.docs = r.uint();
		x.starts = [0]; // number of the first record of each group, and the end
		r.list(() => x.starts.push(x.starts.at(-1) + r.uint()));
		x.per = r.uint();
		let last = "";
		x.leaves = r.list(() => last = r.front(last));
		last = "";
		x.common = r.list(() => ({ word: last = r.front(last), count: r.uint() }));
		x.common.forEach((t, i) => t.common = i);
		return x;
	}

	// file reads a file once.
	file(name, read) {
		const path = `${this.base}${name}.idx`;
		if (!this.files.has(path)) {
			const file = this.get(path).then((b) => read(new Reader(b)));
			file.catch(() => this.files.delete(path));
			this.files.set(path, file);
		}
		return this.files.get(path);
	}

	leafOf(word) {
		let n = this.leaves.length - 1;
		while (n >= 0 && this.leaves[n] > word) n--;
		return n;
	}

	leaf(n) {
		return n < 0 ? [] : this.file(`t/x${hexOf(this.leaves[n])}`, async (r) => {
			const count = r.open("CLF4", this.leaves[n]).uint(), t = await unpack(r);
			let last = "";
			return t.list(() => ({ word: last = t.front(last), count: t.uint(), list: t.bytes(t.uint()) }), count);
		});
	}

	// find looks up a word; it returns undefined if no record has it.
	async find(word, weight) {
		const t = this.common.find((t) => t.word === word) ?? (await this.leaf(this.leafOf(word))).find((t) => t.word === word);
		return t && { ...t, weight };
	}

	async postings(t) {
		if (t.list) return this.list(new Reader(t.list), t.count);
		return this.file(`l/x${hexOf(t.word)}`, (r) => this.list(r.open("CPL4", t.word), t.count));
	}

	// list reads the records of a word: [record, impact], sorted by record.
	list(r, count) {
		const out = [];
		for (let group = 0; out.length < count; group++) {
			const x = r.uint(), some = [];
			group += Math.floor(x / 2);
			if (!(group + 1 < this.starts.length)) throw damaged();
			let next = 0;
			for (let n = x % 2 || r.uint(); n; n--) {
				const x = r.uint(), ordinal = next + Math.floor(x / 16);
				next = ordinal + 1;
				some.push([this.starts[group + 1] - next, x % 16]);
			}
			out.push(...some.reverse());
		}
		return out;
	}

	// blockOf returns the name of the file that has a record, and its line there.
	blockOf(doc) {
		let group = 0;
		for (let hi = this.starts.length - 1; group + 1 < hi;) {
			const mid = (group + hi) >> 1;
			if (this.starts[mid] <= doc) group = mid;
			else hi = mid;
		}
		const ordinal = this.starts[group + 1] - 1 - doc, n = Math.floor(ordinal / this.per);
		return { name: `d/${group.toString(16)}/${n.toString(16)}`, group, n, line: ordinal % this.per };
	}

	// endings finds words that begin with w: the first 96 and the rest of their
	// files, and at most wide common ones, since each of those needs a file.
	async endings(w, wide = 2) {
		if (w.length < 2 && w < "\x80") return [];
		const g = this.common.filter((t) => t.word.startsWith(w));
		for (let n = this.leafOf(w); n >= 0 && n < this.leaves.length; n++) {
			g.push(...(await this.leaf(n)).filter((t) => t.word.startsWith(w)));
			const next = this.leaves[n + 1];
			if (sumOwn(g) >= 96 || next === undefined || (!next.startsWith(w) && next > w)) break;
		}
		return favour(g.sort((a, b) => order(a.word, b.word)).filter((t) => (t.list || wide-- > 0) && t.word !== w), 3);
	}

	// near finds words that are one edit away from w.
	async near(w, group) {
		const a = [...textOf(w)];
		if (a.length < 4) return [];
		const near = [...await this.leaf(this.leafOf(w)), ...this.common]
			.filter((t) => t.word[0] !== "\x01" && Math.abs(t.word.length - w.length) < 8 && oneEdit(a, [...textOf(t.word)]) && !group.some((x) => x.word === t.word))
			.sort((x, y) => y.count - x.count || order(x.word, y.word)).slice(0, 4);
		return favour(near, 2);
	}

	// exact finds the words as they are; the last may be unfinished.
	async exact(words) {
		const groups = [];
		for (const [i, t] of (await Promise.all(words.map((w) => this.find(w, 4)))).entries()) {
			const g = t ? [t] : i < words.length - 1 ? [] : await this.endings(words[i]);
			if (!g.length) return null;
			groups.push(g);
		}
		return groups;
	}

	// guesses finds for each word also the words that it may be a misspelling
	// of.
	async guesses(words) {
		const groups = [];
		for (const [i, w] of words.entries()) {
			const t = await this.find(w, 4), g = t ? [t] : [];
			if (i === words.length - 1) g.push(...await this.endings(w));
			g.push(...await this.near(w, g));
			if (!g.length) return null;
			groups.push(g);
		}
		return groups;
	}

	// having returns the records that have any of the properties.
	async having(properties) {
		const out = new Set();
		for (const p of properties) {
			const t = await this.find(bytesOf(`\x01${p}`));
			if (t) for (const [doc] of await this.postings(t)) out.add(doc);
		}
		return out;
	}

	// search finds the pages that have every word of q and match the filters {
	// category, use }: their total, and their numbers, best first.
	async search(q, filters, folding) {
		const words = [...new Set(tokens(q, folding))].slice(0, 10);
		const sets = [];
		for (const [name, value] of Object.entries(filters)) if (value) sets.push(await this.having([`${name}:${value}`]));
		const meets = (doc) => sets.every((s) => s.has(doc));
		if (!words.length) {
			const docs = q.trim() || !sets.length ? [] : [...sets[0]].filter(meets).sort((a, b) => a - b);
			return { total: docs.length, docs, words };
		}
		for (const exact of [true, false]) {
			const groups = await (exact ? this.exact(words) : this.guesses(words));
			const found = groups && await this.ranked(groups, sets.length ? meets : null);
			if (exact && found && (!found.total || (groups.length === 1 && found.total < 10))) await this.longer(groups, sets.length ? meets : null, found);
			if (found?.total) return { ...found, words };
		}
		return { total: 0, docs: [], words };
	}

	// loosely falls back, if no page has every word of q, to pages that have
	// every meaningful word, and then to pages that have at least one: kept are
	// these words, and any says that not all must match. If neither applies, it
	// returns what search finds.
	async loosely(q, filters, folding) {
		const found = await this.search(q, filters, folding);
		const typed = q.split(/\s+/).filter(Boolean), kept = meaningful(q, folding);
		if (found.total || typed.length < 2 || !kept.length) return found;
		if (kept.length < typed.length) {
			const some = await this.search(kept.join(" "), filters, folding);
			if (some.total) return { ...some, kept };
		}
		const some = await this.either(kept.join(" "), filters, folding);
		return some.total ? { ...some, kept, any: true } : found;
	}

	// either finds the pages that have at least one word of q.
	async either(q, filters, folding) {
		const words = [...new Set(tokens(q, folding))].slice(0, 10);
		const groups = (await Promise.all(words.map((w) => this.find(w, 4)))).filter(Boolean).map((t) => [t]);
		const sets = [];
		for (const [name, value] of Object.entries(filters)) if (value) sets.push(await this.having([`${name}:${value}`]));
		const hits = new Map();
		for (const g of this.rare(groups)) for (const [doc, score] of await this.scored(g)) {
			if (sets.every((s) => s.has(doc))) hits.set(doc, (hits.get(doc) ?? 0) + score);
		}
		return { total: hits.size, docs: this.best(hits), words };
	}

	// longer adds to a few hits those with words that begin with the last word
	// of the query, after all others.
	async longer(groups, meets, found) {
		const last = groups.at(-1)[0];
		if (groups.at(-1).length > 1 || last.weight !== 4 || last.word.length < 3) return;
		if (found.total && !last.list) return; // its neighbours have not been read
		const g = await this.endings(last.word, found.total ? 0 : 1);
		if (!g.length || !this.rare([...groups.slice(0, -1), g]).includes(g)) return;
		const had = new Set((await this.hits(this.rare(groups), meets)).keys());
		const more = await this.hits(this.rare([...groups.slice(0, -1), g]), meets);
		for (const doc of had) more.delete(doc);
		found.total += more.size;
		found.docs = [...found.docs, ...this.best(more)];
	}

	// rare leaves out the words that are far more frequent than another.
	rare(groups) {
		const least = Math.min(...groups.map(sum), this.docs);
		return groups.filter((g) => sum(g) < 8192 || sum(g) <= Math.floor(this.docs / 32) || sum(g) < least * 16);
	}

	async ranked(groups, meets) {
		const hits = await this.hits(this.rare(groups), meets);
		return { total: hits.size, docs: this.best(hits) };
	}

	// hits returns all records that have a word of each group, with their
	// scores.
	async hits(groups, meets) {
		groups = [...groups].sort((a, b) => sum(a) - sum(b));
		const scores = await Promise.all(groups.map((g) => this.scored(g)));
		let hits = scores[0];
		for (const more of scores.slice(1)) {
			const both = new Map();
			for (const [doc, score] of hits) if (more.has(doc)) both.set(doc, score + more.get(doc));
			hits = both;
		}
		return meets ? new Map([...hits].filter(([doc]) => meets(doc))) : hits;
	}

	// scored returns the records of a group, each with the score of its best
	// term.
	async scored(group) {
		const out = new Map();
		const lists = await Promise.all(group.map((t) => this.postings(t)));
		group.forEach((t, i) => {
			const r = rarity(this.docs, t.count) * t.weight;
			for (const [doc, impact] of lists[i]) out.set(doc, Math.max(out.get(doc) ?? 0, r * impact));
		});
		return out;
	}

	// best orders hits: by eighths of the best score, then by how many hits of
	// that eighth their block has, then by number.
	best(hits) {
		let top = 1;
		for (const score of hits.values()) top = Math.max(top, score);
		const crowds = new Map(), list = [];
		for (const [doc, score] of hits) {
			const step = Math.floor(score * 8 / top), key = Math.floor(doc / this.per) * 16 + step;
			crowds.set(key, (crowds.get(key) ?? 0) + 1);
			list.push([step, key, doc]);
		}
		list.sort((a, b) => b[0] - a[0] || crowds.get(b[1]) - crowds.get(a[1]) || a[2] - b[2]);
		return list.map((x) => x[2]);
	}

	// pages reads the records of docs in order, as many as lie in at most
	// blocks further files.
	async pages(docs, blocks = 4) {
		const wanted = new Set(), take = [];
		for (const doc of docs) {
			if (!this.files.has(this.base + this.blockOf(doc).name + ".idx")) {
				const b = this.blockOf(doc);
				if (!wanted.has(b.name) && wanted.size === blocks) break;
				wanted.add(b.name);
			}
			take.push(doc);
		}
		for (const doc of take) {
			const { name, group, n } = this.blockOf(doc);
			this.file(name, (r) => block(r.open("CBL4", group, n))); // all at once
		}
		return Promise.all(take.map(async (doc) => {
			const { name, line } = this.blockOf(doc);
			return page((await this.files.get(this.base + name + ".idx"))[line]);
		}));
	}
}

// Folded words that carry a question but not its subject, the same as
// searchindex.StopWords.
const stops = "a about an and any are as at be been but by can could did do doe for from had has have how i if in into is it its may me might my no not of on or our should so such than that the their them then there these they this those to us was we were what when where which who whom whose why will with would you your aber als am au auch auf bei bin bis da das dem den der die du ein eine einem einen einer er es fur haben hat ich ihr im ist kann konnen man mein mit nach nicht oder sein sich sie sind uber um und von vor wann war warum welche welcher wenn wer werden wie wir wird wo zu zum zur ce cette comment dan de des donc elle en est et il je la le les leur ma mais mon ne nous ont ou par pas peut pour pourquoi qu quand que quel quelle qui sa se ses son sont sur tu un une vous al como con cual cuando del donde el ella ello entre era eso esta este fue ha hay las lo los mas mi muy o para pero por porque puede quien si sin sobre su sus te tiene una uno y ya yo";

// meaningful returns the words of a query as typed, without those that carry no
// subject.
export const meaningful = (q, folding) => q.split(/\s+/).filter((w) => tokens(w, folding).some((t) => !` ${stops} `.includes(` ${t} `)));

const sumOwn = (group) => group.filter((t) => t.list).length;
