// From an address to a closed conversation with letters by e-mail, and one form
// to five publishers; with and without scripts, at two widths, through a real
// SMTP server.
import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import jsQR from "jsqr";
import { visit, watchShifts } from "./audit.mjs";
import { context, follow, launch } from "./browser.mjs";
import { start } from "./demo.mjs";
import { openMailbox } from "./mailbox.mjs";

let service, browser, mailbox;
before(async () => {
	mailbox = await openMailbox();
	service = await start({ own: true, change: async (dir, command) => {
		const file = join(dir, "colophon.toml");
		await writeFile(file, `live_look = true\n${await readFile(file, "utf8")}\n[mail]\nserver = "${mailbox.address}"\nsecurity = "none"\nfrom = "notices@registry.example"\n\n[limits]\ninquiry = 50\ninquiry-day = 50\n`);
		await command("webhook", "add", "mailto:desk@harbor-ledger.example", "--site", "harbor-ledger");
	} });
	browser = await launch();
});
after(async () => {
	await browser?.close();
	await service?.stop();
	await mailbox?.stop();
});

const press = (page, name) => follow(page, () => page.getByRole("button", { name, exact: true }).click());
const headed = async (page, words) => assert.equal(await page.locator("h1").innerText(), words, await page.locator("main").innerText());
const linkIn = (letter, pattern) => letter.text.match(pattern)?.[0] ?? assert.fail(letter.text);

// fillIn fills in who asks and for what; the rest of the form is filled in
// already.
async function fillIn(page, email, need) {
	await page.fill("#requester_name", "Ada Asker");
	await page.fill("#requester_email", email);
	await page.fill("#intended_use", need);
	await page.fill("#message", "We would like to ground answers on your tide tables, confidentially.");
}

// openAct opens one of the publisher's forms with the keyboard.
async function openAct(page, name) {
	await page.locator("summary", { hasText: name }).focus();
	await page.keyboard.press("Enter");
	assert.equal(await page.locator('details[name="act"][open]').count(), 1);
}

// read decodes the page's QR code.
async function read(page) {
	const path = await page.locator("main svg path").getAttribute("d");
	const size = Number((await page.locator("main svg").getAttribute("viewBox")).split(" ")[2]), scale = 4;
	const pixels = new Uint8ClampedArray((size * scale) ** 2 * 4).fill(255);
	for (const [, x, y] of path.matchAll(/M(\d+) (\d+)h1v1h-1z/g)) {
		for (let dy = 0; dy < scale; dy++) for (let dx = 0; dx < scale; dx++) {
			const at = ((Number(y) * scale + dy) * size * scale + Number(x) * scale + dx) * 4;
			pixels.fill(0, at, at + 3);
		}
	}
	return jsQR(pixels, size * scale, size * scale)?.data;
}

for (const scripts of [true, false]) {
	const how = scripts ? "with scripts" : "without scripts";
	const options = () => ({ javaScriptEnabled: scripts, baseURL: service.base, viewport: { width: scripts ? 360 : 1440, height: 800 }, colorScheme: scripts ? "dark" : "light" });

	test(`address, verdict, request, letters, quote in money, answer, closed, ${how}`, async () => {
		const window = await context(browser, options());
		const page = await window.newPage(), desk = await window.newPage();
		const feed = await (await fetch(service.base + "/v1/public/licensing-feed?limit=100")).json();
		const entry = feed.data.find((e) => e.site_id === "harbor-ledger");
		await page.goto("/check/");
		await page.fill("#q", entry.url);
		await press(page, "Check");
		assert.ok(await page.locator("#results [data-verdict]").count() >= 8);
		await press(page, "Ask for a licence");
		assert.equal(await page.locator("#requested_scope").inputValue(), entry.url);

		const email = `${crypto.randomUUID()}@example.com`, need = `Grounding, ${how}, ${crypto.randomUUID()}`;
		await fillIn(page, email, need);
		await press(page, "Send the inquiry");
		await headed(page, "The inquiry is sent");
		assert.match(await page.locator("main").innerText(), /e-mail to confirm your address/);
		const link = await page.locator("#conversation-link").textContent();
		if (scripts) {
			await page.getByRole("button", { name: "Show a QR code" }).click();
			assert.equal(await read(page), link);
		}

		const confirm = await mailbox.next(email);
		assert.doesNotMatch(confirm.text, /cvt_|thr_|Ada|ground|tide/i);
		const request = linkIn(confirm, /req_\w+/);
		await page.goto(linkIn(confirm, /http\S+\/letters\/\S+/));
		await press(page, "This is my address: send e-mails");
		await page.getByText("The address is confirmed.").waitFor();

		const arrived = await mailbox.next("desk@harbor-ledger.example", (l) => /has arrived/.test(l.subject) && l.text.includes(request));
		assert.doesNotMatch(arrived.text, /Ada|tide|Grounding/);
		await desk.goto(linkIn(arrived, /http\S+\/inbox\/\S+/));
		assert.match(await desk.locator("main").innerText(), new RegExp(`${email} \\(confirmed`));
		assert.equal(await desk.locator('details[name="act"][open]').count(), 0);
		await openAct(desk, "Propose terms");
		await desk.getByLabel("Retrieval").check();
		await desk.fill("#price", "1.250,50 EUR");
		await desk.fill("#unit", "year");
		await press(desk, "Propose");
		await desk.getByText("1,250.50 EUR per year").waitFor();

		await mailbox.next(email, (l) => /review/.test(l.subject));
		const quoted = await mailbox.next(email, (l) => /has indicative terms/.test(l.subject));
		assert.doesNotMatch(quoted.text, /1,250|1250|tide|Grounding/);
		const talk = linkIn(quoted, /http\S+\/conversation\/#thread=\S+/);
		assert.notEqual(talk, link);
		await openTalk(page, talk);
		await page.getByText("1,250.50").waitFor();
		await page.fill("#body", "That fits our budget.");
		if (scripts) await page.getByRole("button", { name: "Send", exact: true }).click();
		else await press(page, "Send");
		await page.getByText("That fits our budget.").waitFor();

		const said = await mailbox.next("desk@harbor-ledger.example", (l) => /New message/.test(l.subject) && l.text.includes(request));
		await desk.goto(linkIn(said, /http\S+\/inbox\/\S+/));
		await desk.getByText("That fits our budget.").waitFor();
		await openAct(desk, "Continue in our own process");
		await press(desk, "Continue in our own process");
		await desk.getByText("Nothing: it is closed.").waitFor();
		await mailbox.next(email, (l) => /continues in the publisher’s own process/.test(l.subject));
		await openTalk(page, talk);
		await page.getByText(/own process/).first().waitFor();
		assert.equal(await page.locator("textarea").count(), 0);
		await window.close();

		// openTalk opens a letter's link; without scripts, it enters the parts
		// of the link by hand.
		async function openTalk(page, link) {
			const at = new URLSearchParams(new URL(link).hash.slice(1));
			await page.goto("about:blank");
			await page.goto(link);
			if (scripts) return;
			await page.fill("#thread_id", at.get("thread"));
			await page.fill("#token", at.get("token"));
			await press(page, "Open");
		}
	});

	test(`a shortlist of five, ${how}`, async () => {
		const window = await context(browser, options());
		const page = await window.newPage();
		const { data } = await (await fetch(service.base + "/v1/licensing-marketplace/publishers")).json();
		const five = data.filter((p) => p.accepts_inquiries).slice(0, 5);
		assert.equal(five.length, 5);
		if (scripts) {
			for (const p of five) {
				await page.goto(`/publishers/${p.site_id}/request/`);
				await page.getByRole("button", { name: "Add to the shortlist" }).click();
			}
			await follow(page, () => page.getByRole("link", { name: "Ask all on the shortlist (5)" }).click());
		} else {
			await page.goto(`/publishers/${five[0].site_id}/request/`);
			await follow(page, () => page.getByRole("link", { name: "Ask several publishers at once" }).click());
			assert.equal((await page.inputValue("#publishers")).trim(), five[0].site_id);
			await page.fill("#publishers", five.map((p) => p.name).join("\n"));
		}
		const email = `${crypto.randomUUID()}@example.com`;
		await fillIn(page, email, "Grounding of an assistant");
		await page.fill("#requested_scope", "/shipping/*");
		await press(page, "Send the inquiry");
		await headed(page, scripts ? "5 inquiries are sent" : "5 inquiries are held for review");
		const link = await page.locator("#conversation-link").textContent();
		await press(page, "Open the overview");
		await headed(page, "5 conversations");
		for (const p of five) assert.ok(await page.getByRole("link", { name: p.name, exact: true }).count(), p.name);
		await follow(page, () => page.getByRole("button", { name: `Open the conversation with ${five[2].name}` }).click());
		await headed(page, "Private conversation");
		await page.getByText("confidentially").waitFor();
		if (scripts) {
			await page.goto("about:blank");
			await page.goto(link);
			await page.getByRole("heading", { name: "5 conversations" }).waitFor();
			assert.match((await mailbox.next(email)).text, /5 inquiries/);
		}
		await window.close();
	});
}

// Pages that only a letter, a shortlist or a lookup leads to, held to the same
// rules as in access.test.mjs.
for (const width of [360, 1280]) {
	test(`pages behind letters at ${width} px`, async () => {
		const window = await context(browser, { viewport: { width, height: 900 }, colorScheme: "light", reducedMotion: "reduce", baseURL: service.base });
		await window.addInitScript(watchShifts);
		const page = await window.newPage();
		const complaints = [];
		const see = (name) => visit(page, name, width, (what) => complaints.push(`${name}: ${what}`));
		const { data } = await (await fetch(service.base + "/v1/licensing-marketplace/publishers")).json();
		const asked = data.filter((p) => p.accepts_inquiries).slice(0, 10);

		const email = `${crypto.randomUUID()}@example.com`;
		await page.goto("/shortlist/?publishers=" + asked.map((p) => p.site_id).join());
		await see("filled shortlist");
		await fillIn(page, email, "Grounding of an assistant");
		await page.fill("#requested_scope", "/shipping/*");
		await press(page, "Send the inquiry");
		await headed(page, `${asked.length} inquiries are sent`);
		await see("receipt of several");
		await press(page, "Open the overview");
		await headed(page, `${asked.length} conversations`);
		await see("overview");

		await page.goto(linkIn(await mailbox.next(email), /http\S+\/letters\/\S+/));
		await see("letters, to confirm");
		await press(page, "This is my address: send e-mails");
		await see("letters, confirmed");
		await press(page, "Stop e-mails");
		await page.getByText("No more e-mails are sent.").waitFor();
		await see("letters, ended");
		const arrived = await mailbox.next("desk@harbor-ledger.example", (l) => /has arrived/.test(l.subject));
		await page.goto(linkIn(arrived, /http\S+\/letters\/\S+/));
		await see("letters of a publisher");

		await page.goto("/check/?q=" + encodeURIComponent("http://nobody.invalid/page"));
		await see("a look is offered");
		await press(page, await page.locator("#results form button").innerText());
		await page.locator("#results h2").waitFor();
		await see("a look that found nothing");
		await window.close();
		assert.deepEqual(complaints, []);
	});
}
