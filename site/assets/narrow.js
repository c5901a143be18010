// Narrows a list down while its form is filled in: the service answers, and
// its answer takes the place of the list. Without this script the form's
// button does the same. Where only files are published, nobody answers; there
// the catalog is searched here, in the files that the service searches.

const $ = (id) => document.getElementById(id);
const form = $("filter"), field = $("q");
const setting = (name) => document.querySelector(`meta[name=search-${name}]`)?.content;
let last = 0, wait, index;

// asked is what a form asks, as it stands in an address.
const asked = (form) => new URLSearchParams([...new FormData(form)].map(([name, value]) => [name, value.trim()]).filter(([, value]) => value)).toString();

function element(name, attributes, ...children) {
	const e = Object.assign(document.createElement(name), attributes);
	e.append(...children);
	return e;
}

function show(results, question) {
	$("results").replaceWith(results);
	$("status").textContent = results.querySelector("h2")?.textContent ?? "";
	history.replaceState(null, "", question ? "?" + question : location.pathname);
}

async function narrow(n, typing) {
	const question = asked(form);
	const answer = await fetch(form.action + (question && "?" + question), { headers: { accept: "text/html" }, credentials: "omit" });
	const page = new DOMParser().parseFromString(await answer.text(), "text/html");
	if (n !== last) return;
	if (new URL(answer.url).pathname !== location.pathname) { // an address is no question for pages: it leads to its check
		if (!typing) return location.assign(answer.url);
		const check = element("a", { href: answer.url }, "Check what is stated about it");
		return show(element("section", { id: "results" }, element("h2", {}, "This is an address"), element("p", {}, check, ".")), question);
	}
	const results = page.getElementById("results"), other = page.getElementById("filter");
	if (!answer.ok || !results) return form.submit();
	if (setting("engine") && asked(other) !== question) return show(await search(), question);
	for (const option of form.querySelectorAll("option[value]")) {
		const counted = other.querySelector(`#${option.parentNode.id} option[value="${CSS.escape(option.value)}"]`);
		if (counted) option.textContent = counted.textContent;
	}
	show(results, question);
}

async function get(path) {
	const answer = await fetch(path, { credentials: "omit" });
	if (answer.ok) return new Uint8Array(await answer.arrayBuffer());
	index = undefined; // another release may have replaced it
	throw new Error(`${path} answered ${answer.status}`);
}

// search finds pages in the files of the index, by the rules of the service.
async function search() {
	const { Index, Folding } = await import(setting("engine"));
	index ??= await Index.open(get);
	const folding = /[^\0-\x7f]/.test(field.value) ? new Folding(new TextDecoder().decode(await get(setting("folding")))) : undefined;
	const filters = Object.fromEntries(["category", "use", "signals"].map((name) => [name, $(name)?.value ?? ""]));
	const found = await index.loosely(field.value, filters, folding);
	const pages = await index.pages(found.docs.slice(0, 20));
	const link = (href, text) => element("a", { href }, element("bdi", {}, text));
	const items = pages.map((d) => element("li", {}, element("h3", {}, link(`/citations/${d.entry}/`, d.title || "Untitled page")), element("p", { className: "meta" }, link(`/publishers/${d.site}/`, d.publisher || d.site))));
	const heading = !found.total ? "No registered page matches" : found.total === 1 ? "1 page matches" : `${found.total.toLocaleString("en")} pages match`;
	const more = found.total > items.length ? [element("p", {}, `These are the first ${items.length}.`)] : [];
	return element("section", { id: "results" }, element("h2", {}, heading), element("ol", { className: "entries" }, ...items), ...more);
}

// attempt asks once more time has passed without a key; the list is busy until
// the last question is answered.
function attempt(delay, typing, failed) {
	const n = ++last;
	clearTimeout(wait);
	$("results").ariaBusy = true;
	wait = setTimeout(() => narrow(n, typing).catch((e) => {
		console.warn(e);
		if (n !== last) return;
		$("results").ariaBusy = false;
		failed();
	}), delay);
}

const soon = () => attempt(200, true, () => { $("status").textContent = "Searching as you type does not work now. Use the button."; });

// The arrow keys move between the field and the records; Escape clears it.
function move(e) {
	if (e.key === "Escape" && e.target === field && field.value) {
		field.value = "";
		return soon();
	}
	const by = { ArrowDown: 1, ArrowUp: -1 }[e.key];
	if (!by || e.altKey || e.ctrlKey || e.metaKey || e.target.tagName === "SELECT") return;
	const stops = [field, ...$("results").querySelectorAll("h3 a")], at = stops.indexOf(e.target.closest?.("a, input"));
	if (at < 0 || !stops[at + by]) return;
	e.preventDefault();
	stops[at + by].focus();
}

form.addEventListener("input", soon);
form.addEventListener("submit", (e) => {
	e.preventDefault();
	attempt(0, false, () => form.submit());
});
document.querySelector("main").addEventListener("keydown", move);

// A published page at the address of a question is not its answer.
const question = new URLSearchParams(location.search);
let missing = false;
for (const e of form.elements) {
	if (!e.name || e.value || !question.get(e.name)) continue;
	e.value = question.get(e.name);
	missing ||= Boolean(e.value);
}
if (missing) soon();
