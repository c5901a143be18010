// Runs the examples of the four pages on languages, exactly as they are
// printed, against the registry that COLOPHON_BASE names, and checks what each
// of the five tasks finds in the demo. An example has at most five lines; its
// setup stands in a separate block.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../..", import.meta.url));
const base = process.env.COLOPHON_BASE;
if (!base) throw new Error('COLOPHON_BASE names no registry: run "make test-clients"');

// What each task must print, in the order of the pages.
const tasks = {
	"Find who publishes an address": /^Harbor Ledger harbor-ledger ent_5ba1cbb533fb86532020cdd9$/m,
	"Check rights": /^harbor-ledger rag license_required$/m,
	"Send an inquiry and read its answer": /^\w+ We would like to ground answers on your tide tables\.$/m,
	"Page a list": /^(https:\/\/harbor-ledger\.example\/\S+ .+\n){40,}/m,
	"Verify a record": /^(valid: true,? key: \S+|intact, and attested by this registry: https:\/\/harbor-ledger\.example\/shipping\/tide-tables-2026)$/m,
};

// page returns the code blocks of a page: those before the first task, and
// those of each task.
function page(name, language) {
	const asker = `r${randomUUID().slice(0, 8)}@example.org`; // the service takes the same inquiry of one person once a day
	const text = readFileSync(join(root, "site/docs", name), "utf8").replaceAll("http://127.0.0.1:8787", base).replaceAll("r@example.org", asker);
	const [head, ...sections] = text.split(/^## /m);
	const blocks = (part) => [...part.matchAll(new RegExp("```" + language + "\\n(.*?)```", "gs"))].map((m) => m[1]);
	assert.deepEqual(sections.map((s) => s.split("\n")[0]), Object.keys(tasks), `${name}: the tasks`);
	for (const s of sections) {
		const lines = blocks(s).at(-1).trim().split("\n");
		assert.ok(lines.length <= 5, `${name}: ${lines.length} lines under ${s.split("\n")[0]}`);
	}
	return { head: blocks(head), tasks: sections.map(blocks) };
}

// inFolder writes a program into a temporary folder and runs it.
async function inFolder(where, name, text, command, args, cwd) {
	const folder = mkdtempSync(join(root, where, ".docs-"));
	try {
		const file = join(folder, name);
		writeFileSync(file, text);
		const { stdout } = await run(command, [...args, file], { cwd, maxBuffer: 16 << 20 });
		return stdout;
	} finally {
		rmSync(folder, { recursive: true });
	}
}

function expect(name, stdout) {
	for (const [task, pattern] of Object.entries(tasks)) assert.match(stdout, pattern, `${name}: ${task}`);
}

const scoped = (blocks) => `{\n${blocks.join("\n")}}\n`;

test("From a shell", async () => {
	const { head, tasks } = page("curl.md", "bash");
	const script = ["set -euo pipefail", ...head, ...tasks.flat()].join("\n");
	expect("curl.md", (await run("bash", ["-c", script], { maxBuffer: 16 << 20 })).stdout);
});

test("From Go", async () => {
	const { head: [imports, setup], tasks } = page("go.md", "go");
	const program = `package main\n\n${imports}\nfunc main() {\n${setup}${tasks.map(scoped).join("")}}\n`;
	expect("go.md", await inFolder("build", "main.go", program, "go", ["run"], join(root, "clients/go")));
});

test("From TypeScript", async () => {
	const { head, tasks } = page("typescript.md", "ts");
	const program = head.join("\n").replace('"colophon-client"', '"../src/index.ts"') + tasks.map(scoped).join("");
	const folder = mkdtempSync(join(root, "clients/ts", ".docs-"));
	try {
		const file = join(folder, "main.ts");
		writeFileSync(file, program);
		writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ extends: "../tsconfig.json", include: ["main.ts"] }));
		await run(process.execPath, [join(root, "clients/ts/node_modules/typescript/bin/tsc"), "--project", folder]).catch((e) => assert.fail(e.stdout));
		expect("typescript.md", (await run(process.execPath, [file], { maxBuffer: 16 << 20 })).stdout);
	} finally {
		rmSync(folder, { recursive: true });
	}
});

test("From an MCP client", async () => {
	const { head, tasks } = page("mcp-client.md", "ts");
	const program = head.join("\n") + tasks.map(scoped).join("") + "await client.close();\n";
	expect("mcp-client.md", await inFolder("tools/mcp", "main.mjs", program, process.execPath, [], root));
});
