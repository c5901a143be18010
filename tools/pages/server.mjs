// Serves a folder of pages on the loopback address, with the content security
// policy that the service sends. first may answer a request itself; it then
// returns true.
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { extname, join } from "node:path";

const types = { ".html": "text/html; charset=utf-8", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml", ".png": "image/png", ".txt": "text/plain; charset=utf-8", ".wasm": "application/wasm" };
const policy = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

export async function serve(root, first = async () => false) {
	const server = createServer(async (req, res) => {
		let path = decodeURIComponent(new URL(req.url, "http://x").pathname);
		if (await first(req, res, path)) return;
		if (path.endsWith("/")) path += "index.html";
		try {
			const data = await readFile(join(root, path));
			res.writeHead(200, { "content-type": types[extname(path)] ?? "application/octet-stream", "content-security-policy": path === "/editor/index.html" ? policy.replace("script-src 'self'", "script-src 'self' 'wasm-unsafe-eval'") : policy });
			res.end(data);
		} catch {
			res.writeHead(404).end();
		}
	}).listen(0, "127.0.0.1");
	await new Promise((done) => server.once("listening", done));
	return { base: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}
