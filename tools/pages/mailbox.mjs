// A mailbox for the tests: a real SMTP server on the loopback address.
import { execFile, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { until } from "./browser.mjs";
import { repo } from "./demo.mjs";

// openMailbox returns { address, next, stop }: next waits for a letter to an
// address that holds(letter) accepts and that it has not returned before.
export async function openMailbox() {
	const folder = await mkdtemp(join(tmpdir(), "colophon-mailbox-")), program = join(folder, "mailbox");
	await promisify(execFile)("go", ["build", "-o", program, "./tools/mailbox"], { cwd: repo });
	const child = spawn(program, [], { stdio: ["ignore", "pipe", "inherit"] });
	const ended = new Promise((done) => child.once("close", done));
	const lines = [];
	createInterface({ input: child.stdout }).on("line", (line) => lines.push(line));
	const address = await until(async () => lines[0], Boolean);
	const given = new Set();
	const next = async (to, holds = () => true) => {
		const find = async () => lines.slice(1).findIndex((line, i) => !given.has(i) && JSON.parse(line).to === to && holds(JSON.parse(line)));
		const i = await until(find, (at) => at >= 0);
		given.add(i);
		return JSON.parse(lines[i + 1]);
	};
	const stop = async () => {
		child.kill();
		await ended;
		await rm(folder, { recursive: true, force: true });
	};
	return { address, next, stop };
}
