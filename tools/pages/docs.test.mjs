// Runs every curl example of the documentation, in the order of its pages,
// against a service of its own. A block may use variables that an earlier block
// set; what people read from an answer (a token, a key) is filled in here.
import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { repo, start } from "./demo.mjs";

const run = promisify(execFile);
// Statuses of the errors that the documentation shows on purpose.
const refused = { errors: [400] };

let service, folder;
before(async () => {
	service = await start({ own: true });
	folder = await mkdtemp(join(tmpdir(), "colophon-docs-"));
});
after(async () => {
	await service?.stop();
	await rm(folder, { recursive: true, force: true });
});

// script makes one shell script of a page's blocks. curl notes the status of
// every answer beside its output.
function script(blocks, given) {
	return [
		"set -o pipefail",
		`trap 'echo "broken $BASH_COMMAND" >&2' ERR`,
		...Object.entries(given).map(([name, value]) => `${name}='${value}'`),
		"uuidgen() { cat /proc/sys/kernel/random/uuid; }",
		'curl() { command curl --max-time 20 -w "%{stderr}status %{http_code} %{url}\\n" "$@"; }',
		...blocks.map((b) => b.replaceAll("http://127.0.0.1:8787", service.base)),
	].join("\n");
}

const inserted = {}; // names that pages use and readers fill in

test("examples answer", async (t) => {
	const names = (await readdir(join(repo, "site/docs"))).filter((n) => n.endsWith(".md")).sort();
	let calls = 0;
	for (const name of names) {
		const text = await readFile(join(repo, "site/docs", name), "utf8");
		const blocks = [...text.matchAll(/```sh\n(.*?)```/gs)].map((m) => m[1]).filter((b) => /\bcurl\b/.test(b));
		if (!blocks.length) continue;
		const page = name.slice(0, -3);
		await t.test(page, async () => {
			const given = await fill(page);
			const kept = blocks.map((b) => b.replace(/^export KEY=.*$/m, ""));
			const { stdout, stderr } = await run("bash", ["-c", script(kept, given)], { cwd: folder, maxBuffer: 64 << 20 }).catch((e) => e);
			const statuses = [...stderr.matchAll(/^status (\d+) (\S+)$/gm)];
			assert.ok(statuses.length, stderr);
			calls += statuses.length;
			for (const [, status, url] of statuses) {
				assert.ok(/^2/.test(status) || refused[page]?.includes(Number(status)), `${page}: ${url} answered ${status}\n${stdout.slice(0, 2000)}`);
			}
			const broken = stderr.split("\n").filter((line) => line.startsWith("broken "));
			assert.deepEqual(broken, [], stdout.slice(0, 2000));
		});
	}
	t.diagnostic(`${calls} calls`);
	assert.ok(calls > 15, `only ${calls} calls`);
});

// fill gives a page what its reader has: a conversation, or a partner key.
async function fill(page) {
	if (page === "buyers") {
		const answer = await fetch(service.base + "/v1/public/licensing-request", { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({
			site_id: "harbor-ledger", requester_name: "R. Example", requester_email: "reader@example.com", intended_use: "Grounding answers of an assistant",
			requested_scope: "All pages about weather", message: "We would like to look up your weather pages when staff ask about them.",
		}) });
		const said = await answer.json();
		assert.equal(answer.status, 201, JSON.stringify(said));
		inserted.TOKEN = said.conversation.token ?? said.conversation_token;
		inserted.THREAD = said.conversation.thread_id ?? said.thread_id;
		assert.ok(inserted.TOKEN && inserted.THREAD, JSON.stringify(said));
		return inserted;
	}
	const said = async (...args) => JSON.parse(await service.command(...args, "--json")).data;
	if (page === "partner-api") {
		const { org_id } = await said("partner", "add", "Docs Reader");
		const { key, secret } = await said("partner", "key", "issue", org_id);
		return { KEY: key ?? secret };
	}
	if (page === "delivery") {
		const { buyer_id } = await said("buyer", "add", "Docs Reader");
		const { secret } = await said("buyer", "credential", "issue", buyer_id);
		await said("grant", "add", buyer_id, "--site", "harbor-ledger", "--use", "rag", "--path", "/shipping/*", "--until", "2099-01-01T00:00:00Z");
		return { CREDENTIAL: secret };
	}
	return {};
}

test("samples of the API reference answer", async () => {
	const read = async (path) => (await fetch(service.base + path)).text();
	const index = await read("/developers/reference/");
	const groups = [...index.matchAll(/<h2[^>]*><a href="([^"]+)">/g)].map((m) => m[1]);
	const page = (await Promise.all(groups.map(read))).join("");
	const samples = [...page.matchAll(/href="([^"#]+)">Sample(?: \(JSON\))?</g)].map((m) => m[1].replaceAll("&amp;", "&"));
	assert.ok(samples.length > 20, `only ${samples.length} samples`);
	for (const path of samples) {
		const answer = await fetch(service.base + path);
		assert.equal(answer.status, 200, path);
	}
	for (const [, name] of (index + page).matchAll(/href="\/developers\/reference\/[^"]*#([^"]+)"/g)) assert.ok(page.includes(`id="${name}"`), name);
});
