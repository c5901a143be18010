// The form of /editor/. The file is a plain object; the form shows a part of it
// and leaves the rest unchanged. The Wasm module, which is loaded only here,
// computes what the file becomes. Nothing that is typed is sent anywhere.

const $ = (id) => document.getElementById(id);
const form = $("editor"), text = $("file");
let file = { colophon_publisher: "1", name: "" };
let engine = null;

const make = (tag, attributes = {}, ...children) => {
	const e = Object.assign(document.createElement(tag), attributes);
	e.append(...children);
	return e;
};
const words = (s) => s.split(/[\s,;]+/).filter(Boolean);
const LISTS = ["languages", "countries", "categories", "rights_holder.territories"];

// member and setMember read and write a member by its path; an empty value
// removes it.
function member(path) {
	return path.split(".").reduce((at, step) => at?.[step], file);
}
function setMember(path, value) {
	const steps = path.split("."), last = steps.pop();
	const parents = [file];
	for (const step of steps) parents.push(parents.at(-1)[step] ??= {});
	if (value === "" || Array.isArray(value) && !value.length) delete parents.at(-1)[last];
	else parents.at(-1)[last] = value;
	for (let i = steps.length; i > 0; i--) if (!Object.keys(parents[i]).length) delete parents[i - 1][steps[i - 1]];
}

const wholeSite = (p) => !p.paths?.length || p.paths.length === 1 && ["/", "/*"].includes(p.paths[0]);
const list = (name) => Array.isArray(file[name]) ? file[name] : [];

const SIGNS = { "€": "EUR", "£": "GBP", "₹": "INR", "₩": "KRW", "₺": "TRY", "₽": "RUB", "₪": "ILS", "₫": "VND", "₴": "UAH", "zł": "PLN" };
const notPrice = { why: "Write an amount and a currency code, such as 1200 EUR or 12.50 EUR." };

// parsePrice parses an amount and a currency as people write them, by the rules
// of the other forms: "1,200.50 EUR", "1.200,50 EUR", "€ 12,50". "" means on
// request; for an ambiguous price, why is set.
export function parsePrice(s) {
	const text = s.replace(/[\u00a0\u202f\u2009]/g, " ").trim();
	if (!text) return { on_request: true };
	const m = /^([^\d.,'’ +-]*) *([\d.,'’ ]*\d) *([^\d.,'’ +-]*)$/.exec(text);
	const word = m && (m[1] && m[3] ? "" : m[1] || m[3]);
	const currency = word && (SIGNS[word] ?? word.toUpperCase());
	if (!/^[A-Z]{3}$/.test(currency ?? "")) return notPrice;
	const amount = parseAmount(m[2].replace(/[ '’]/g, ""));
	return amount.why ? amount : { amount: amount.text, currency };
}

// parseAmount splits the decimals, up to six, from the separators of thousands.
function parseAmount(s) {
	const at = Math.max(s.lastIndexOf("."), s.lastIndexOf(","));
	if (at < 0) return { text: plainNumber(s) };
	let before = s.slice(0, at), after = s.slice(at + 1), other = s[at] === "." ? "," : ".";
	if (after.length === 3 && /^[1-9]\d*$/.test(before)) return { why: `This can be read in two ways. Write ${before}${after} or ${before}.${after}0.` };
	if (after.length === 3 && before.includes(s[at])) [before, after, other] = [before + s[at] + after, "", s[at]];
	if (after.length > 6 || !/^\d{1,3}$/.test(before.split(other)[0]) && before.includes(other) || !before.split(other).every((group, i) => /^\d+$/.test(group) && (i === 0 || group.length === 3))) return notPrice;
	return { text: plainNumber(before.replaceAll(other, "")) + (after && "." + after) };
}
const plainNumber = (s) => s.replace(/^0+(?=\d)/, "");

// shownPrice returns a price as parsePrice reads it back: three decimals get a
// fourth, so that they are not taken for thousands.
const shownPrice = ({ amount, currency } = {}) => [amount && /^[1-9]\d*\.\d{3}$/.test(amount) ? amount + "0" : amount, currency].filter(Boolean).join(" ");
const slugOf = (s) => s.normalize("NFKD").toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-+|-+$/g, "").slice(0, 64);
const MONEYLESS = ["free", "attribution", "contribution"];

function readForm() {
	for (const input of form.querySelectorAll("[data-member]")) {
		const name = input.dataset.member, value = input.value.trim();
		setMember(name, LISTS.includes(name) ? words(value) : value);
	}
	file.name ??= "";
	setMember("hosts", words($("hosts").value));
	const kept = list("preferences").filter((p) => !wholeSite(p)), stated = [];
	for (const box of form.querySelectorAll("[data-preference]")) {
		const old = list("preferences").find((p) => p.use === box.dataset.preference && wholeSite(p));
		const p = { ...old, use: box.dataset.preference };
		for (const part of box.querySelectorAll("[data-part]")) {
			if (part.value.trim()) p[part.dataset.part] = part.value.trim();
			else delete p[part.dataset.part];
		}
		const conditions = [...box.querySelectorAll("[data-condition]:checked")].map((c) => c.dataset.condition);
		if (conditions.length) p.conditions = conditions;
		else delete p.conditions;
		if (p.declared || p.inquiry || p.retention) stated.push(p);
	}
	setMember("preferences", [...stated, ...kept]);
	setMember("offers", [...$("offers").children].map(readOffer));
}

function readOffer(box) {
	const of = (name) => box.querySelector(`[data-offer=${name}]`);
	const o = { ...box.kept, slug: of("slug").value.trim() || slugOf(of("title").value) || "offer", title: of("title").value.trim() };
	o.uses = [...box.querySelectorAll("[data-use]:checked")].map((c) => c.dataset.use);
	const price = parsePrice(of("price").value), model = of("model").value;
	of("price").setAttribute("aria-invalid", String(Boolean(price.why)));
	box.querySelector(".wrong").textContent = price.why ?? "";
	o.payment = { model };
	if (of("unit").value.trim()) o.payment.unit = of("unit").value.trim();
	if (!price.why && !(price.on_request && MONEYLESS.includes(model))) Object.assign(o.payment, price);
	o.obligations = { ...box.kept.obligations, retention: of("retention").value.trim() };
	if (!o.obligations.retention) delete o.obligations.retention;
	if (!Object.keys(o.obligations).length) delete o.obligations;
	if (of("terms").value.trim()) o.terms = { ...box.kept.terms, url: of("terms").value.trim() };
	else delete o.terms;
	if (of("status").value !== "offered") o.status = of("status").value;
	else delete o.status;
	return o;
}

function showOffer(o) {
	const box = $("offer").content.firstElementChild.cloneNode(true);
	box.kept = o;
	const of = (name) => box.querySelector(`[data-offer=${name}]`);
	of("title").value = o.title ?? "";
	of("slug").value = o.slug ?? "";
	of("model").value = o.payment?.model ?? "subscription";
	of("price").value = shownPrice(o.payment);
	of("unit").value = o.payment?.unit ?? "";
	of("retention").value = o.obligations?.retention ?? "";
	of("terms").value = o.terms?.url ?? "";
	of("status").value = o.status ?? "offered";
	for (const c of box.querySelectorAll("[data-use]")) c.checked = !!o.uses?.includes(c.dataset.use);
	$("offers").append(box);
	return box;
}

function showForm() {
	for (const input of form.querySelectorAll("[data-member]")) {
		const value = member(input.dataset.member) ?? "";
		input.value = Array.isArray(value) ? value.join(", ") : value;
	}
	$("hosts").value = list("hosts").join("\n");
	for (const box of form.querySelectorAll("[data-preference]")) {
		const p = list("preferences").find((x) => x.use === box.dataset.preference && wholeSite(x)) ?? {};
		for (const part of box.querySelectorAll("[data-part]")) part.value = p[part.dataset.part] ?? "";
		for (const c of box.querySelectorAll("[data-condition]")) c.checked = !!p.conditions?.includes(c.dataset.condition);
	}
	$("offers").replaceChildren();
	for (const o of list("offers")) showOffer(o);
}

const site = () => ({ home: $("home").value.trim(), base: form.dataset.base, at: new Date().toISOString().slice(0, 19) + "Z" });

const NAMES = {
	"license.xml": "RSL licence file", "robots-fragment.txt": "Lines for robots.txt", "headers.json": "Header fields, as a list",
	_headers: "Header fields for Netlify and Cloudflare Pages (_headers)", "nginx.conf": "Header fields for nginx", ".well-known/tdmrep.json": "TDMRep",
	"policies/tdm.jsonld": "TDM policy in ODRL", "ai.txt": "ai.txt", "trust-fragment.txt": "Lines for trust.txt", "head-fragment.html": "Head of your pages: licence, TDM, schema.org",
	"llms-fragment.txt": "Section for llms.txt", "item-fragment.xml": "Item of a feed", "cawg-training-mining.json": "CAWG assertion for media", "plus-data-mining.txt": "PLUS field for images",
	"comp-package.json": "CoMP package", ".well-known/service-access-response.json": "Access response of your edge",
};
const WHY = {
	no_word: "it has no word for this use", word_wider_than_use: "its word is wider than the use", price_not_expressible: "it cannot say a price",
	condition_not_expressible: "it cannot say the condition", closed_list: "what it does not list is not allowed", same_answer_for_all_paths: "it says the same for all paths",
	consent_can_be_asked: "it says that consent can be asked for", allowed_below_path_only_in_file: "what you allow below a path stands in your file only",
};

function preview() {
	if (!engine) return;
	const answer = JSON.parse(engine.preview(site(), text.value));
	const errors = answer.errors ?? [];
	$("errors").replaceChildren(...[...errors, ...(answer.unknown ?? [])].map((e) => make("li", { textContent: `Line ${e.line}, column ${e.column}: ${e.pointer} ${e.code.replaceAll("_", " ")}. ${e.detail}` })));
	$("status").textContent = errors.length ? "This file has an error and would be ignored." : "Valid file, ready to publish";
	if (errors.length) return;
	const open = new Set([...$("channels").querySelectorAll("details[open]")].map((d) => d.dataset.path));
	$("channels").replaceChildren(...answer.files.map((f) => channel(f, open.has(f.path))));
	$("loss-words").textContent = answer.losses.length ? `${answer.losses.length} times a form says less than you do. None says more.` : "Nothing is lost.";
	$("losses").hidden = !answer.losses.length;
	$("losses").querySelector("tbody").replaceChildren(...answer.losses.map((l) => make("tr", {},
		...[NAMES[l.file] ?? (l.file === "*" ? "All" : l.file), l.path, l.use.replaceAll("_", " "), l.wanted, l.said, WHY[l.why] ?? l.why].map((c) => make("td", { textContent: c })))));
}

function channel(f, isOpen) {
	const name = NAMES[f.path] ?? f.path;
	const d = make("details", { open: isOpen, className: "channel" });
	d.dataset.path = f.path;
	const pre = make("pre", { tabIndex: 0 }, make("code", { textContent: f.text }));
	const copy = make("button", { type: "button", className: "plain" }, "Copy", make("span", { className: "quiet", textContent: " " + name }));
	copy.addEventListener("click", () => copyText(f.text, name));
	const save = make("button", { type: "button", className: "plain" }, "Download", make("span", { className: "quiet", textContent: " " + name }));
	save.addEventListener("click", () => saveText(f.path.split("/").at(-1), f.media_type, f.text));
	d.append(make("summary", { textContent: name }), pre, make("p", { className: "actions" }, copy, save));
	return d;
}

async function copyText(s, name) {
	await navigator.clipboard.writeText(s);
	$("status").textContent = `Copied: ${name}.`;
}

function saveText(name, type, s) {
	const a = make("a", { href: URL.createObjectURL(new Blob([s], { type })), download: name });
	a.click();
	setTimeout(() => URL.revokeObjectURL(a.href), 10_000);
}

function write() {
	text.value = JSON.stringify(file, null, 2) + "\n";
	preview();
}

// take takes over a file that was opened, pasted or typed. A file that is not
// JSON stays as it is, and its errors are shown.
function take(s) {
	text.value = s;
	try {
		const v = JSON.parse(s);
		if (v && typeof v === "object" && !Array.isArray(v)) {
			file = v;
			showForm();
		}
	} catch { /* told by the module, with the place */ }
	preview();
}

let timer = 0;
const soon = (f) => { clearTimeout(timer); timer = setTimeout(f, 200); };

form.addEventListener("input", (e) => {
	if (e.target.id === "open") return;
	soon(() => { readForm(); write(); });
});
text.addEventListener("input", () => soon(() => take(text.value)));
$("open").addEventListener("change", async () => {
	const chosen = $("open").files[0];
	if (!chosen) return;
	if (chosen.size > 262144) { $("status").textContent = "The file has more than 256 KiB."; return; }
	take(await chosen.text());
});
$("add-offer").addEventListener("click", () => {
	const box = showOffer({ title: "", uses: [], payment: { model: "subscription", on_request: true } });
	box.querySelector("[data-offer=title]").focus();
	readForm();
	write();
});
$("offers").addEventListener("click", (e) => {
	if (!e.target.matches("[data-remove]")) return;
	e.target.closest("fieldset.offer-form").remove();
	readForm();
	write();
	$("add-offer").focus();
});
$("download").addEventListener("click", () => saveText("colophon-publisher.json", "application/json", text.value));
$("copy").addEventListener("click", () => copyText(text.value, "your file"));

$("lint").addEventListener("submit", (e) => {
	e.preventDefault();
	const out = $("findings");
	if (!engine) { out.replaceChildren(make("p", { className: "warn", textContent: "Nothing can be checked without the editor's module." })); return; }
	const answer = JSON.parse(engine.lint(site(), "", $("pasted").value));
	if (answer.unknown) { out.replaceChildren(make("p", { className: "warn", textContent: "This is none of the documents that are known here." })); return; }
	const lines = answer.says.map((s) => make("li", { textContent: `${s.use.replaceAll("_", " ")}: ${s.effect}${s.agent ? " to " + s.agent : ""} (${s.statement})` }));
	const problems = answer.problems.map((p) => make("li", { textContent: `${p.where} ${p.code.replaceAll("_", " ")}. ${p.detail}` }));
	out.replaceChildren(
		make("h3", { textContent: `Read as ${answer.channel.replaceAll("_", " ")}` }),
		lines.length ? make("ul", {}, ...lines) : make("p", { textContent: "It says nothing about the eight uses." }),
		make("h3", { textContent: problems.length ? "To mend" : "Nothing to mend" }), make("ul", {}, ...problems),
		make("h3", { textContent: "How it is understood" }), make("ul", {}, ...answer.assumed.map((a) => make("li", { textContent: a }))),
	);
});

// The module starts with Go's runtime for the browser, which sets
// globalThis.Go.
async function load() {
	const { module, runtime } = form.dataset;
	if (!module) return;
	await new Promise((done, failed) => {
		const s = make("script", { src: runtime });
		s.addEventListener("load", done);
		s.addEventListener("error", failed);
		document.head.append(s);
	});
	const go = new globalThis.Go();
	const { instance } = await WebAssembly.instantiateStreaming(fetch(module), go.importObject);
	go.run(instance);
	engine = globalThis.colophonEditor;
	preview();
}

// A link can bring a file to start with, as the one on the page of a listing
// request does.
const brought = new URLSearchParams(location.hash.slice(1)).get("file");
if (brought) take(brought);
else write();
load().catch((e) => { $("status").textContent = `The editor's module cannot be loaded here (${e.message}). The form still makes the file.`; });
