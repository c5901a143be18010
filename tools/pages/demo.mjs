// Starts the service that the page tests use: the one at BASE (with the folder
// of its origin in DIR, if it is on this machine), or a new demo on the
// loopback address, which ends with the test.
import { execFile, spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
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

// answers waits until base answers, or until its server has exited.
async function answers(base, child, log) {
	for (;;) {
		if (child.exitCode !== null || child.signalCode !== null) throw new Error(`${base} was not served:\n${log()}`);
		try {
			return await (await fetch(base + "/robots.txt")).text();
		} catch {
			await new Promise((done) => setTimeout(done, 100));
		}
	}
}

// start returns { base, dir, command, inbox, stop }. dir is the demo's folder,
// or "" if it is not on this machine; inbox reads the address of the private
// inbox from it. command runs the command line, but only on a demo started
// here, since the origin of a service at BASE may be elsewhere (a local D1).
// The option dir serves the origin in that folder instead of the demo's. The
// option change may change a new demo before it is served.
export async function start({ own = false, dir, change } = {}) {
	const inboxOf = (dir) => async () => new URL(JSON.parse(await readFile(join(dir, "demo.json"), "utf8")).inbox_link).pathname;
	if (process.env.BASE && !own) {
		const dir = process.env.DIR ?? "";
		return { base: process.env.BASE, dir, inbox: inboxOf(dir), stop: async () => {} };
	}
	const folder = await mkdtemp(join(tmpdir(), "colophon-pages-"));
	const program = await binary(folder), port = await freePort(), base = `http://127.0.0.1:${port}`;
	const origin = dir ?? join(folder, "demo");
	let child = spawn(program, [dir ? "serve" : "demo", "--addr", `127.0.0.1:${port}`, "--dir", origin], { stdio: ["ignore", "pipe", "pipe"] });
	let ended, text = "";
	const watch = () => {
		ended = new Promise((done) => child.once("close", done));
		for (const stream of [child.stdout, child.stderr]) stream.on("data", (b) => { text += b; });
	};
	watch();
	const stop = async () => {
		child.kill("SIGINT");
		await ended;
		await rm(folder, { recursive: true, force: true });
	};
	try {
		await answers(base, child, () => text);
	} catch (e) {
		await stop();
		throw e;
	}
	const command = async (...args) => (await run(program, [...args, "--dir", origin])).stdout;
	if (change) {
		child.kill("SIGINT");
		await ended;
		await change(origin, command);
		child = spawn(program, ["serve", "--addr", `127.0.0.1:${port}`, "--dir", origin], { stdio: ["ignore", "pipe", "pipe"] });
		watch();
		await answers(base, child, () => text);
	}
	return { base, dir: origin, command, inbox: inboxOf(origin), stop };
}
