// Searches the catalog as you type, in the same files that the service itself
// searches. Without this script the form asks the service, which answers with
// the same hits.

const $ = (id) => document.getElementById(id);
const field = $("q"), form = field.form, results = $("results"), status = $("status");
const { engine, folding } = results.dataset;
const atFirst = results.innerHTML;
const labels = [...form.querySelectorAll("option")].map((option) => [option, option.textContent]);
const filterNames = ["category", "use", "signals", "sort"];
const requests = 7; // for the pages of one search, at most; one more asks for publishers
let asked = 0, last = 0, wait;
let opened, fold;

async function get(path, more) {
	asked++;
	const answer = await fetch(path, { credentials: "omit", referrerPolicy: "no-referrer", ...more });
	if (answer.status === 404 && path.startsWith("/_ix/")) opened = null; // a newer release has replaced the index
	if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
	return new Uint8Array(await answer.arrayBuffer());
}

// open loads the engine and the index once, and again after a failure.
function open() {
	opened ??= (async () => {
		asked++;
		const search = await import(engine);
		return { ...search, index: await search.Index.open(get) };
	})().catch((e) => { opened = null; throw e; });
	return opened;
}

function element(name, attributes, ...children) {
	const e = Object.assign(document.createElement(name), attributes);
	e.append(...children);
	return e;
}

// clean removes from a publisher's text what shows nothing or changes how other
// text shows, as the published pages do.
function clean(s, limit) {
	s = s.replace(/[\0-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/g, " ").trim()
		.replace(/[\x7f-\x9f\xad\u200b\u202a-\u202e\u2060\u2066-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e0fff}]/gu, "")
		.replace(/(?<=[\p{Mn}\p{Me}]{5})[\p{Mn}\p{Me}]+|^[\p{Mn}\p{Me}]+/gu, "");
	const c = [...s];
	return c.length > limit ? c.slice(0, limit - 1).join("").trimEnd() + "…" : s;
}

const months = ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"];

// marked splits a text and marks what was found: whole words, or pairs of
// characters in scripts without spaces.
const marked = (text, hit) => text.split(/([\p{L}\p{M}\p{N}]+)/u).flatMap((run, i) => {
	const hits = i % 2 ? hit(run) : [];
	if (!hits.includes(true)) return [run];
	const c = [...run];
	if (hits.length < 2 || hits.length !== c.length - 1) return [element("mark", {}, run)];
	return c.map((x, i) => (hits[i] || hits[i - 1] ? element("mark", {}, x) : x));
});

const uses = ["Retrieval (RAG)", "Training", "Fine-tuning", "Search indexing", "Summarization", "Datasets", "Syndication", "Research"];
const verdicts = [["S", "Signals allow"], ["L", "Ask first"], ["D", "Declined"], ["U", "Unknown"], ["W", "Withdrawn"]];

// rightsLine shows a rights vector in words, as the published pages do.
function rightsLine(vector) {
	const line = element("p", { className: "rights" });
	const letters = uses.map((_, i) => (/[LDSW]/i.test(vector[i] ?? "") ? vector[i].toUpperCase() : "U"));
	for (const [letter, word] of verdicts) {
		const names = uses.filter((_, i) => letters[i] === letter);
		if (!names.length) continue;
		const all = names.length === uses.length ? "all eight uses" : names.join(", ");
		line.append(element("span", {}, element("span", { className: `state v-${letter.toLowerCase()}` }, word), " " + all), " ");
	}
	return line;
}

function item(d, hit) {
	const bdi = (text, more) => element("bdi", more, ...marked(text, hit));
	const link = (href, text, more) => element("a", { href, ...more }, element("bdi", {}, text));
	const meta = element("p", { className: "meta" }, link(`/publishers/${d.site}/`, clean(d.publisher, 120) || d.site), " ");
	if (/^https?:\/\/[^/]/.test(d.url)) meta.append(element("span", {}, link(d.url, clean(d.url.replace(/^https?:\/\/|\/$/g, ""), 90), { rel: "nofollow noopener" })), " ");
	if (d.published) {
		const [y, m, day] = d.published.slice(0, 10).split("-");
		meta.append(element("time", { dateTime: d.published }, `${+day} ${months[m - 1]} ${y}`), " ");
	}
	if (d.terms.length) meta.append(element("span", { className: "terms" }, ...d.terms.slice(0, 6).map((t) => bdi(clean(t, 40)))));
	const title = element("a", { href: `/citations/${d.entry}/` }, bdi(clean(d.title, 300) || "Untitled page", /^[a-z]{2}[\w-]*$/i.test(d.language) ? { lang: d.language } : {}));
	const ask = /L/i.test(d.vector) ? [element("p", { className: "meta" }, element("a", { href: `/publishers/${d.site}/request/?resource=${encodeURIComponent(d.url)}` }, "Ask for a licence"))] : [];
	return element("li", {}, element("h3", {}, title), meta, rightsLine(d.vector), ...ask);
}

function say(words) {
	status.textContent = words;
	return element("h2", {}, words);
}

// show lists the first hits, and the rest on request.
async function show(index, found, n, hit) {
	const list = element("ol", { className: "entries" });
	const more = element("button", { type: "button", className: "plain", textContent: "Show more" });
	let shown = 0;
	const add = async () => {
		const pages = await index.pages(found.docs.slice(shown, shown + 20), Math.max(1, Math.min(4, requests - asked)));
		if (n !== last) return;
		list.append(...pages.map((d) => item(d, hit)));
		shown += pages.length;
		more.hidden = shown >= found.total;
	};
	more.onclick = async () => {
		const at = shown;
		asked = 0;
		await add().catch(() => form.submit());
		list.children[at]?.querySelector("a").focus();
	};
	do await add();
	while (n === last && shown < Math.min(10, found.total) && asked < requests);
	if (n !== last) return;
	const heading = say(found.total === 1 ? "1 page matches" : `${found.total.toLocaleString("en")} pages match`);
	results.replaceChildren(heading, ...reading(found), list, element("p", {}, more));
}

// reading says how a query was read if no page has all of its words.
function reading({ kept, any }) {
	if (!kept) return [];
	const words = `“${kept.join("”, “")}”`;
	const said = kept.length < 2 ? `These have the word ${words}.` : any ? `Each of these has at least one of ${words}.` : `These have ${words}.`;
	return [element("p", {}, "No page has every word. " + said)];
}

// answered fetches the page with which the service answers.
async function answered(address) {
	const answer = await fetch("/catalog/?" + address, { headers: { accept: "text/html" }, credentials: "omit" });
	if (!answer.ok) throw new Error(`the service answers ${answer.status}`);
	return new DOMParser().parseFromString(await answer.text(), "text/html");
}

// count puts beside each choice how many pages it would give.
function count(page) {
	for (const [option] of labels) {
		const counted = page.querySelector(`#${option.parentNode.id} option[value="${CSS.escape(option.value)}"]`);
		if (counted) option.textContent = counted.textContent;
	}
}

// besides asks the service for what is shown beside the pages: the matching
// publishers, words similar to misspelt ones, and the counts. Without an answer
// they are left out.
async function besides(address, n) {
	const page = await answered(address);
	if (n !== last) return;
	count(page);
	const read = page.querySelector("#results:has(.entries) > h2 + p"), list = page.querySelector("#results .also");
	if (read && !results.querySelector("h2 + p + .entries")) results.querySelector("h2").after(document.adoptNode(read));
	if (list) (results.querySelector("h2 + p:not(:last-child)") ?? results.querySelector("h2")).after(document.adoptNode(list));
}

// served shows the hits that the service finds.
async function served(address, n) {
	const page = await answered(address);
	if (n !== last) return;
	count(page);
	results.replaceChildren(...page.getElementById("results").childNodes);
	status.textContent = results.querySelector("h2")?.textContent ?? "";
}

async function search() {
	const n = ++last;
	if (n > 1) asked = 0; // the first search also counts the requests that opened the index
	const q = field.value, filters = {};
	for (const name of filterNames) filters[name] = $(name)?.value ?? "";
	const address = new URLSearchParams(Object.entries({ q: q.trim(), ...filters }).filter(([, v]) => v)).toString();
	history.replaceState(null, "", address ? "?" + address : location.pathname);
	if (!address) {
		if (results.dataset.filled === undefined) results.innerHTML = atFirst;
		for (const [option, text] of labels) option.textContent = text;
		return say("");
	}
	if (isAddress()) return showAddress();
	if (filters.sort) return served(address, n);
	const { index, Folding, tokens } = await open();
	if (/[^\0-\x7f]/.test(q)) fold ??= new Folding(new TextDecoder().decode(await get(folding)));
	const found = await index.loosely(q, filters, fold);
	if (n !== last) return;
	const end = found.words.at(-1);
	const hit = (run) => tokens(run, fold).map((w) => found.words.includes(w) || (end?.length > 1 && w.startsWith(end)));
	if (found.total) await show(index, found, n, hit);
	else showNone();
	besides(address, n).catch(() => {});
}

// An address is not a search for pages; the service links from it to its check.
const isAddress = () => /^\s*(https?:\/\/|[^\s/]+\.[a-z]{2,}\/)\S+\s*$/i.test(field.value);

function showAddress() {
	const check = element("a", { href: "/check/?" + new URLSearchParams({ q: field.value.trim() }) }, "Check what is stated about it");
	results.replaceChildren(say("This is an address"), element("p", {}, check, "."));
}

function showNone() {
	const categories = element("a", { href: "/categories/" }, "categories");
	results.replaceChildren(say("No registered page matches"), element("p", {}, "Try fewer or other words, or look through the ", categories, ". No match does not mean free to use."));
}

// attempt searches, and asks the service instead if the files cannot be read.
// The results are marked busy from the first key on until the last search is
// answered.
async function attempt(failed) {
	clearTimeout(wait);
	wait = 0;
	results.ariaBusy = true;
	let n = last + 1;
	try {
		await search().catch((e) => {
			if (opened || n !== last) throw e;
			n++; // the files of the index could not be read: open it again and try once more
			return search();
		});
	} catch (e) {
		console.warn(e);
		failed();
	}
	if (n === last && !wait) results.ariaBusy = false;
}

function soon() {
	clearTimeout(wait);
	results.ariaBusy = true;
	wait = setTimeout(attempt, 120, () => say("Searching as you type does not work now. Press Search."));
}

// The arrow keys move between the field and the hits; Escape clears it.
function move(e) {
	if (e.key === "Escape" && e.target === field && field.value) {
		field.value = "";
		return soon();
	}
	const by = { ArrowDown: 1, ArrowUp: -1 }[e.key];
	if (!by || e.altKey || e.ctrlKey || e.metaKey || e.target.tagName === "SELECT") return;
	const stops = [field, ...results.querySelectorAll("h3 a")], at = stops.indexOf(e.target.closest?.("a, input"));
	if (at < 0 || !stops[at + by]) return;
	e.preventDefault();
	stops[at + by].focus();
}

if ("DecompressionStream" in globalThis) {
	field.addEventListener("focus", () => open().catch(() => {}), { once: true });
	field.addEventListener("input", soon);
	form.addEventListener("change", (e) => e.target !== field && soon());
	form.addEventListener("submit", (e) => {
		if (isAddress()) return;
		e.preventDefault();
		attempt(() => form.submit());
	});
	document.querySelector("main").addEventListener("keydown", move);
	const words = new URLSearchParams(location.search);
	if (results.dataset.filled === undefined && location.search) {
		for (const e of [field, ...filterNames.map($)]) if (e) e.value = words.get(e.name) ?? "";
		soon();
	}
}
