// Keeps the shortlist of publishers in this browser: at most twenty ids. Its
// buttons are wherever a publisher is shown, also in answers that arrive later.
// Without this script the form takes names and addresses.

const most = 20;
const list = document.getElementById("publishers");

function kept() {
	try {
		return JSON.parse(localStorage.getItem("shortlist") ?? "[]").filter((id) => typeof id === "string").slice(0, most);
	} catch {
		return [];
	}
}

function keep(ids) {
	try {
		localStorage.setItem("shortlist", JSON.stringify(ids.slice(0, most)));
	} catch { // private windows may refuse
	}
}

const listed = () => list.value.split(/[\n,]/).map((s) => s.trim()).filter(Boolean);

if (list) {
	if (listed().length === 0) list.value = kept().join("\n");
	else keep([...new Set([...kept(), ...listed()])]);
	list.addEventListener("input", () => keep(listed()));
}

// named returns the name of the publisher that a button in a list belongs to.
const named = (button) => button.closest("tr, .cards li")?.querySelector("th a, h3 a")?.textContent;

// set changes a property only if it differs, so that observers see no change
// otherwise.
function set(element, name, value) {
	if (element[name] !== value) element[name] = value;
}

function show() {
	const ids = kept();
	for (const button of document.querySelectorAll("button[data-shortlist]")) {
		const has = ids.includes(button.dataset.shortlist), words = has ? "Take off the shortlist" : "Add to the shortlist";
		set(button, "textContent", words);
		if (named(button)) set(button, "ariaLabel", `${words}: ${named(button)}`);
		set(button, "disabled", ids.length >= most && !has);
		button.classList.remove("waits"); // its space was reserved, so nothing moves
	}
	const link = document.getElementById("shortlist-link");
	if (!link) return;
	set(link, "textContent", ids.length ? `Ask all on the shortlist (${ids.length})` : "Ask several publishers at once");
	if (ids.length) set(link, "href", new URL(link.href).origin + new URL(link.href).pathname);
}

document.addEventListener("click", (e) => {
	const id = e.target.closest?.("button[data-shortlist]")?.dataset.shortlist;
	if (!id) return;
	const ids = kept();
	keep(ids.includes(id) ? ids.filter((other) => other !== id) : [...ids, id]);
	show();
});

show();
new MutationObserver(show).observe(document.querySelector("main"), { childList: true, subtree: true });
addEventListener("storage", show); // another window changed it
addEventListener("pageshow", show);
