// Installs each client into an empty project, as its README says, and runs the
// examples of the README there against the registry that COLOPHON_BASE names.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const root = fileURLToPath(new URL("../..", import.meta.url));
const base = process.env.COLOPHON_BASE;
if (!base) throw new Error('COLOPHON_BASE names no registry: run "make test-clients"');

// run runs a program and returns what it prints.
async function run(command, args, cwd) {
	try {
		return (await promisify(execFile)(command, args, { cwd, maxBuffer: 16 << 20 })).stdout;
	} catch (e) {
		assert.fail(`${command} ${args.join(" ")}:\n${e.stdout}${e.stderr}`);
	}
}

// example returns the first block of a README in a language, with the
// registry's address.
function example(client, language) {
	const text = readFileSync(join(root, "clients", client, "README.md"), "utf8").replaceAll("https://registry.example", base);
	const block = text.match(new RegExp("```" + language + "\\n(.*?)```", "s"));
	assert.ok(block, `the README of ${client} has no example in ${language}`);
	return block[1];
}

// inEmpty calls work with an empty folder, which it removes afterwards.
async function inEmpty(work) {
	const folder = mkdtempSync(join(tmpdir(), "colophon-install-"));
	try {
		await work(folder);
	} finally {
		rmSync(folder, { recursive: true });
	}
}

const found = /harbor-ledger rag license_required/;

test("npm installs the package in an empty project", () =>
	inEmpty(async (folder) => {
		const packed = JSON.parse(await run("npm", ["pack", "--json", "--ignore-scripts=false", "--pack-destination", folder], join(root, "clients/ts")));
		const files = packed[0].files.map((f) => f.path);
		assert.ok(files.includes("dist/index.js") && files.includes("dist/index.d.ts") && files.includes("README.md"), files.join(" "));
		assert.ok(!files.some((f) => f.startsWith("src/") || f.startsWith("test/")), files.join(" "));

		writeFileSync(join(folder, "package.json"), '{ "name": "user", "private": true, "type": "module" }');
		await run("npm", ["install", "--offline", "--no-audit", "--no-fund", "./" + packed[0].filename], folder);
		writeFileSync(join(folder, "main.ts"), example("ts", "ts"));
		const options = { strict: true, target: "es2022", module: "nodenext", lib: ["es2022", "dom"], types: [] };
		writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions: options, files: ["main.ts"] }));
		const compile = () => run(process.execPath, [join(root, "clients/ts/node_modules/typescript/bin/tsc")], folder);
		await compile();
		assert.match(await run(process.execPath, ["main.js"], folder), found);

		// The declarations are the package's own, so a misspelt member is an
		// error.
		writeFileSync(join(folder, "main.ts"), example("ts", "ts").replace("site_id", "siteid"));
		await assert.rejects(compile(), /siteid/);
	}));

test("go adds the module to an empty module", () =>
	inEmpty(async (folder) => {
		await run("go", ["mod", "init", "example.org/user"], folder);
		await run("go", ["mod", "edit", "-replace=colophon/clients/go=" + join(root, "clients/go")], folder);
		await run("go", ["get", "colophon/clients/go"], folder);
		writeFileSync(join(folder, "main.go"), example("go", "go"));
		assert.match(await run("go", ["run", "."], folder), found);
	}));

test("pip installs the package in an empty environment", () =>
	inEmpty(async (folder) => {
		// Install from a copy, because setuptools builds beside the sources.
		// The build tools are Debian's, so nothing is downloaded.
		cpSync(join(root, "clients/python"), join(folder, "source"), { recursive: true });
		await run("/usr/bin/python3", ["-m", "venv", "--system-site-packages", "env"], folder);
		const python = join(folder, "env/bin/python");
		await run(python, ["-m", "pip", "install", "--quiet", "--no-index", "--no-build-isolation", "./source"], folder);
		rmSync(join(folder, "source"), { recursive: true });
		writeFileSync(join(folder, "main.py"), example("python", "py"));
		assert.match(await run(python, ["-W", "error", "main.py"], folder), found);
		const typed = await run(python, ["-c", "import colophon, pathlib; print(pathlib.Path(colophon.__file__).with_name('py.typed').exists(), colophon.__file__)"], folder);
		assert.match(typed, /^True .*\/env\/lib\//);
		await assert.rejects(run(python, ["-m", "colophon", "--base", base, "check", "--use", "rag", "--private", "https://harbor-ledger.example/shipping/tide-tables-2026"], folder), /license_required/);
	}));
