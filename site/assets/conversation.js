// Shows a private conversation. The address of the page carries
// #thread=thr_…&token=cvt_…; a fragment is never sent to a server, and the
// token travels only in the header X-Conversation-Token.

const $ = (id) => document.getElementById(id);
const at = new URLSearchParams(location.hash.slice(1));
let thread = at.get("thread"), token = at.get("token");
let group = at.get("group");

const states = {
	received: ["Received", "The operator reviews it before the publisher gets it."],
	delivered: ["Delivered", "The publisher can read it."],
	in_review: ["In review", "The publisher is reading it."],
	info_requested: ["Question asked", "The publisher waits for your answer."],
	in_discussion: ["In discussion", "Either side can write."],
	terms_indicated: ["Terms proposed", "The publisher proposed terms (non-binding)."],
	referred: ["Referred", "It continues in the publisher’s own process."],
	declined: ["Declined", "The publisher declined."],
	withdrawn: ["Withdrawn", "You withdrew it."],
	expired: ["Expired", "The publisher did not answer in time."],
	transferred: ["Transferred", "It continues with another publisher."],
	closed: ["Closed", "It is closed."],
};

function trouble(words) {
	$("trouble").textContent = words;
	$("trouble").hidden = !words;
}

async function call(path, body) {
	const answer = await fetch(`/v1/public/licensing-conversations/${encodeURIComponent(thread)}${path}`, {
		method: body ? "POST" : "GET", credentials: "omit", cache: "no-store", referrerPolicy: "no-referrer",
		headers: { "X-Conversation-Token": token, ...(body && { "Content-Type": "application/json" }) },
		body: body && JSON.stringify(body),
	});
	const said = await answer.json().catch(() => ({}));
	if (answer.ok) return said;
	const fields = (said.errors ?? []).map((e) => e.detail).filter(Boolean).join(" ");
	throw new Error([said.title ?? `The service answered ${answer.status}.`, said.detail, fields].filter(Boolean).join(" "));
}

function element(name, text, attributes = {}) {
	const e = Object.assign(document.createElement(name), attributes);
	e.textContent = text;
	return e;
}

// money is an amount of minor units as the other pages write it: 1,250.00 EUR.
function money(minor, currency) {
	const digits = "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF".includes(currency) ? 0 : "BHD IQD JOD KWD LYD OMR TND".includes(currency) ? 3 : 2;
	return new Intl.NumberFormat("en", { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(minor / 10 ** digits) + " " + currency;
}

// terms are the figures that a publisher indicated, in money.
function terms(t) {
	const parts = [];
	if (t.uses?.length) parts.push("Uses: " + t.uses.join(", ").replaceAll("_", " "));
	if (t.amount_cents !== undefined && t.currency) {
		parts.push(money(t.amount_cents, t.currency) + (t.unit ? " per " + t.unit : ""));
	}
	if (t.term_months) parts.push(t.term_months + (t.term_months === 1 ? " month" : " months"));
	return parts.join("; ");
}

// moment is an instant as the other pages write it: 20 November 2026, 09:04 UTC.
function moment(at) {
	return new Date(at).toLocaleDateString("en-GB", { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" }) + ", " + at.slice(11, 16) + " UTC";
}

// publisherName is the name under which a publisher is published, its id where
// that cannot be read.
async function publisherName(id) {
	const answer = await fetch(`/v1/licensing-marketplace/publishers/${encodeURIComponent(id)}`, { credentials: "omit" }).catch(() => null);
	return (answer?.ok && (await answer.json().catch(() => ({}))).name) || id;
}

function message(m) {
	const li = element("li", "", m.author_role === "requester" ? { className: "own" } : {});
	const who = { publisher: $("site").textContent, requester: "You", system: "Service" }[m.author_role] ?? m.author_role;
	const head = element("small", `${who}${m.author_kind === "agent" ? ", by an agent" : ""} · `);
	head.append(element("time", moment(m.at), { dateTime: m.at }));
	li.append(head, element("p", m.body ?? "", { dir: "auto" }));
	if (m.indicative_terms) li.append(element("p", terms(m.indicative_terms), { className: "dim" }));
	return li;
}

async function show() {
	const messages = [];
	let c, cursor = "";
	do {
		c = await call(`?limit=100${cursor && "&cursor=" + encodeURIComponent(cursor)}`);
		messages.push(...c.messages);
		cursor = c.page?.next_cursor;
	} while (cursor);
	const [state, next] = states[c.status] ?? [c.status, ""];
	$("state").textContent = state;
	$("next").textContent = next;
	if ($("site").dataset.of !== c.site_id) {
		$("site").dataset.of = c.site_id;
		$("site").textContent = await publisherName(c.site_id);
	}
	$("site").href = `/publishers/${encodeURIComponent(c.site_id)}/`;
	$("messages").replaceChildren(...messages.map(message));
	const may = c.allowed_actions ?? [];
	$("reply").hidden = !may.some((a) => a === "text" || a === "answer");
	$("reply").dataset.kind = may.includes("answer") && c.status === "info_requested" ? "answer" : "text";
	$("withdraw").hidden = !may.includes("withdraw");
	$("open").hidden = true;
	$("thread").hidden = false;
}

async function attempt(work) {
	const at = document.activeElement;
	trouble("");
	for (const b of document.querySelectorAll("main button")) b.disabled = true;
	try {
		await work();
	} catch (e) {
		trouble(e.message);
	}
	for (const b of document.querySelectorAll("main button")) b.disabled = false;
	if (document.activeElement === document.body && at !== document.body) goOn(at);
}

// goOn gives the focus back to what had it, or to the page when that is gone: a
// button that cannot be pressed for a moment loses it.
function goOn(at) {
	const there = at.isConnected && at.checkVisibility();
	(there ? at : $("main")).focus();
}

$("open").addEventListener("submit", (e) => {
	e.preventDefault();
	thread = $("thread_id").value.trim();
	token = $("token").value.trim();
	group = thread.startsWith("grp_") ? thread : "";
	attempt(group ? overview : show);
});

// A repeated attempt sends the same id, so that no message is posted twice.
let id = crypto.randomUUID();
$("reply").addEventListener("submit", (e) => {
	e.preventDefault();
	attempt(async () => {
		await call("/messages", { body: $("body").value, kind: $("reply").dataset.kind, author_kind: "human", client_message_id: id });
		id = crypto.randomUUID();
		$("body").value = "";
		await show();
	});
});

$("withdraw").addEventListener("click", () => {
	if (confirm("Withdraw the inquiry? This cannot be undone.")) {
		attempt(async () => {
			await call("/messages", { kind: "withdraw", author_kind: "human" });
			await show();
		});
	}
});

// overview shows the conversations that began together: the service makes the
// page, as it does without scripts.
async function overview() {
	const answer = await fetch(location.pathname, {
		method: "POST", credentials: "omit", cache: "no-store", referrerPolicy: "no-referrer", headers: { accept: "text/html" },
		body: new URLSearchParams({ group_id: group, token }),
	});
	const page = new DOMParser().parseFromString(await answer.text(), "text/html");
	document.querySelector("main").replaceWith(page.querySelector("main"));
}

if (group && token) attempt(overview);
else if (thread && token) attempt(show);
