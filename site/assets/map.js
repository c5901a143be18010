// Narrows the rights map down to the publishers that are looked for, in the
// picture and in the table. Without this script both show all of them.

const form = document.getElementById("filter");
const rows = [...document.querySelectorAll("table.map tbody tr")];
const picture = document.querySelector("svg.heat"), bands = [...picture.querySelectorAll("g.hr")];
const [, , width, height] = picture.getAttribute("viewBox").split(" ").map(Number);
const step = 27; // the height of a band

// A level of readiness stands for itself and those above it.
const levels = [...form.elements.readiness.options].map((o) => o.value);
const plain = (s) => s.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();

function narrow() {
	const asked = Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, value.trim()]).filter(([, value]) => value));
	const q = plain(asked.q ?? "");
	let shown = 0;
	rows.forEach((row, i) => {
		const { categories, readiness } = row.dataset;
		const meets = plain(row.cells[0].textContent).includes(q)
			&& (!asked.category || categories.split(" ").includes(asked.category))
			&& (!asked.readiness || levels.indexOf(readiness) >= levels.indexOf(asked.readiness));
		row.hidden = !meets;
		bands[i].classList.toggle("gone", !meets);
		if (meets) bands[i].setAttribute("transform", `translate(0 ${(shown++ - i) * step})`);
	});
	picture.setAttribute("viewBox", `0 0 ${width} ${height - (rows.length - shown) * step}`);
	const more = document.querySelector(".pager") ? " on this page" : "";
	document.getElementById("shown").textContent = Object.keys(asked).length ? `${shown} of ${rows.length} publishers${more}` : "";
	const words = new URLSearchParams(asked).toString();
	history.replaceState(null, "", words ? "?" + words : location.pathname);
}

for (const [name, value] of new URLSearchParams(location.search)) if (form.elements[name]) form.elements[name].value = value;
form.addEventListener("input", narrow);
form.addEventListener("submit", (e) => {
	e.preventDefault();
	narrow();
});
if (location.search) narrow();
