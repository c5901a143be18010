// Makes the copy buttons of a page copy.
for (const button of document.querySelectorAll("button[data-copy]")) {
	const label = button.firstChild, words = label.data;
	button.hidden = !navigator.clipboard;
	button.addEventListener("click", async () => {
		try {
			await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent);
			label.data = "Copied";
		} catch {
			getSelection().selectAllChildren(document.getElementById(button.dataset.copy));
			label.data = "Selected: copy it yourself";
		}
		setTimeout(() => { label.data = words; }, 2500);
	});
}
