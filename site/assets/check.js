// Enter submits the box, since most input is a single line; a text of several
// lines is sent with the button. The two selects replace the answer in place.
// Without this script the button does all of it.

const $ = (id) => document.getElementById(id);
const box = $("q"), form = box.form;

box.addEventListener("keydown", (e) => {
	if (e.key !== "Enter" || e.shiftKey || e.isComposing || box.value.includes("\n")) return;
	e.preventDefault();
	form.requestSubmit();
});

let last = 0;

async function again() {
	if (!box.value.trim()) return;
	const n = ++last;
	$("results").ariaBusy = true;
	const answer = await fetch(form.action, { method: "POST", body: new URLSearchParams(new FormData(form)), headers: { accept: "text/html" }, credentials: "omit" });
	const page = new DOMParser().parseFromString(await answer.text(), "text/html");
	if (n !== last) return;
	const results = page.getElementById("results");
	if (!answer.ok || !results) return form.submit();
	$("results").replaceWith(results);
	$("status").textContent = "The answer is for your choice now.";
	history.replaceState(null, "", answer.url);
}

for (const select of form.querySelectorAll("select")) select.addEventListener("change", () => again().catch(() => form.submit()));
