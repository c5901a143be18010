// Opens a private conversation. The address of the page carries
// #thread=thr_…&token=cvt_…; a fragment is never sent to a server. The service
// makes the page, as it does without scripts. Its forms are sent from here, so
// that the address stays, and a message that was not sent yet or was refused is not lost.

const main = () => document.querySelector("main");
const at = new URLSearchParams(location.hash.slice(1));

// A repeated attempt sends the same id, so that no message is posted twice.
let id = crypto.randomUUID();

async function send(fields) {
	const typed = document.getElementById("body")?.value ?? "";
	const answer = await fetch(location.pathname, {
		method: "POST", credentials: "omit", cache: "no-store", referrerPolicy: "no-referrer", headers: { accept: "text/html" },
		body: new URLSearchParams({ ...fields, client_message_id: id }),
	});
	const page = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("main");
	if (!page) throw new Error(`the service answers ${answer.status}`);
	main().replaceWith(page);
	const body = document.getElementById("body");
	if (answer.ok && fields.body) id = crypto.randomUUID();
	else if (body) body.value = typed;
	(page.querySelector(`form:has([name=kind][value="${fields.kind}"]) button`) ?? page).focus();
}

// attempt sends once at a time, and says so when the service is out of reach.
async function attempt(fields) {
	const buttons = main().querySelectorAll("button"), focus = document.activeElement;
	for (const b of buttons) b.disabled = true;
	try {
		await send(fields);
	} catch {
		const p = Object.assign(document.createElement("p"), { className: "warn", role: "alert", textContent: "The service cannot be reached. Try again in a moment." });
		main().querySelector(".warn[role=alert]")?.remove();
		main().querySelector("h1").after(p);
		for (const b of buttons) b.disabled = false;
		focus.focus();
	}
}

document.addEventListener("submit", (e) => {
	if (!main().contains(e.target)) return;
	e.preventDefault();
	const fields = Object.fromEntries(new FormData(e.target));
	if (fields.kind !== "withdraw" || confirm("Withdraw the inquiry? This cannot be undone.")) attempt(fields);
});

const opened = at.get("group") ?? at.get("thread");
if (opened && at.get("token")) attempt({ thread_id: opened, token: at.get("token") });
