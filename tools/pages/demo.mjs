// Starts what the page tests ask: the service at BASE (with the folder of its
// origin in DIR, if there is one here), or a demo of its own on the loopback
// address, which ends with the test.
import { execFile, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
export const repo = new URL("../..", import.meta.url).pathname;
export const chromium = process.env.CHROMIUM ?? "/usr/bin/chromium";

async function freePort() {
	const s = createServer().listen(0, "127.0.0.1");
	await new Promise((done) => s.once("listening", done));
	const { port } = s.address();
	await new Promise((done) => s.close(done));
	return port;
}

async function binary(folder) {
	if (process.env.COLOPHON) return process.env.COLOPHON;
	const out = join(folder, "colophon");
	await run("go", ["build", "-o", out, "./cmd/colophon"], { cwd: repo });
	return out;
}

// answers waits until base answers.
async function answers(base, log) {
	for (let i = 0; i < 200; i++) {
		try {
			return await (await fetch(base + "/robots.txt")).text();
		} catch {
			await new Promise((done) => setTimeout(done, 100));
		}
	}
	throw new Error(`${base} does not answer:\n${log()}`);
}

// start returns { base, dir, command, stop }; dir is "" when the origin is
// not here, and command runs the command line on it. serve is the folder of
// an origin to serve instead of the demo's.
export async function start({ own = false, dir } = {}) {
	if (process.env.BASE && !own) {
		const dir = process.env.DIR ?? "";
		const command = async (...args) => (await run(await binary(dir), [...args, "--dir", dir], { cwd: repo })).stdout;
		return { base: process.env.BASE, dir, command, stop: async () => {} };
	}
	const folder = await mkdtemp(join(tmpdir(), "colophon-pages-"));
	const program = await binary(folder), port = await freePort(), base = `http://127.0.0.1:${port}`;
	const origin = dir ?? join(folder, "demo");
	const child = spawn(program, [dir ? "serve" : "demo", "--addr", `127.0.0.1:${port}`, "--dir", origin], { stdio: ["ignore", "pipe", "pipe"] });
	let text = "";
	for (const stream of [child.stdout, child.stderr]) stream.on("data", (b) => { text += b; });
	const stop = async () => {
		child.kill("SIGINT");
		await new Promise((done) => child.once("exit", done));
		await rm(folder, { recursive: true, force: true });
	};
	try {
		await answers(base, () => text);
	} catch (e) {
		await stop();
		throw e;
	}
	const command = async (...args) => (await run(program, [...args, "--dir", origin])).stdout;
	return { base, dir: origin, command, stop };
}
