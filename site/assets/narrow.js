// Narrows a list while its form is filled in: the service answers, and its
// answer replaces the list. Without this script the form's button does the
// same.

const form = document.getElementById("filter");
let last = 0, wait;

async function narrow() {
	const n = ++last;
	const asked = new URLSearchParams([...new FormData(form)].map(([name, value]) => [name, value.trim()]).filter(([, value]) => value)).toString();
	const address = asked ? form.action + "?" + asked : form.action;
	document.getElementById("results").ariaBusy = true;
	const answer = await fetch(address, { headers: { accept: "text/html" }, credentials: "omit" });
	const page = new DOMParser().parseFromString(await answer.text(), "text/html");
	const results = page.getElementById("results");
	if (n !== last) return;
	if (!answer.ok || !results) return form.submit();
	document.getElementById("results").replaceWith(results);
	for (const option of form.querySelectorAll("option[value]")) {
		const counted = page.querySelector(`#${option.parentNode.id} option[value="${CSS.escape(option.value)}"]`);
		if (counted) option.textContent = counted.textContent;
	}
	document.getElementById("status").textContent = results.querySelector("h2")?.textContent ?? "";
	history.replaceState(null, "", address);
}

function soon() {
	clearTimeout(wait);
	document.getElementById("results").ariaBusy = true;
	wait = setTimeout(() => narrow().catch(() => form.submit()), 200);
}

form.addEventListener("input", soon);
