// Verifies a provenance record in the browser: strict JSON, canonical bytes
// (RFC 8785), Ed25519 by WebCrypto, the canonical text profile, and inclusion
// in the ledger. The exported functions do not depend on a page; the last part
// drives the form of /verify/. Nothing that is pasted is sent anywhere.

const SCHEMA = "service.contentdna-provenance.v1";
const SUITE = "eddsa-ed25519-service-2026";
const PROFILE = "service.canonical-text.v1";
const utf8 = new TextEncoder();

export class Refused extends Error {
	constructor(code) { super(code); this.code = code; }
}
const refuse = (code) => { throw new Refused(code); };

// parse parses I-JSON strictly: no repeated member, integers only, no lone
// surrogate, nothing after the value, and limited size and depth.
export function parse(s) {
	if (utf8.encode(s).length > 65536) refuse("json_too_large");
	let i = 0;
	const space = () => { while (" \t\n\r".includes(s[i] || "x")) i++; };
	const token = (re) => {
		re.lastIndex = i;
		const m = re.exec(s);
		if (m) i = re.lastIndex;
		return m && m[0];
	};
	const expect = (c) => { if (s[i++] !== c) refuse("json_syntax"); };
	const string = () => {
		const t = token(/"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y) ?? refuse("json_syntax");
		const v = JSON.parse(t);
		return /[\ud800-\udfff]/u.test(v) ? refuse("json_ill_formed_unicode") : v;
	};
	const value = (depth) => {
		if (depth > 16) refuse("json_too_deep");
		space();
		const c = s[i];
		if (c === '"') return string();
		if (c === "{" || c === "[") return list(c, depth);
		for (const [word, v] of [["true", true], ["false", false], ["null", null]]) {
			if (s.startsWith(word, i)) { i += word.length; return v; }
		}
		const n = token(/-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y) ?? refuse("json_syntax");
		if (!/^(?:0|-?[1-9]\d*)$/.test(n) || !Number.isSafeInteger(+n)) refuse("json_number_not_safe_integer");
		return +n;
	};
	const list = (open, depth) => {
		const object = open === "{", close = object ? "}" : "]";
		const out = object ? Object.create(null) : [];
		i++;
		space();
		if (s[i] === close) { i++; return out; }
		for (let n = 1; ; n++) {
			if (object) {
				if (n > 256) refuse("json_too_many_members");
				space();
				const key = string();
				if (key in out) refuse("json_duplicate_member");
				space();
				expect(":");
				out[key] = value(depth + 1);
			} else out.push(value(depth + 1));
			space();
			if (s[i] === close) { i++; return out; }
			expect(",");
		}
	};
	const v = value(1);
	space();
	return i < s.length ? refuse("json_trailing_data") : v;
}

// canonical encodes a parsed value by RFC 8785.
export function canonical(v) {
	if (Array.isArray(v)) return `[${v.map(canonical)}]`;
	if (v && typeof v === "object") return `{${Object.keys(v).sort().map((k) => JSON.stringify(k) + ":" + canonical(v[k]))}}`;
	return JSON.stringify(v);
}

const bytes = (b64) => Uint8Array.from(atob(b64.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
const b64u = (b) => btoa(String.fromCharCode(...b)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
export const hex = (b) => Array.from(b, (x) => x.toString(16).padStart(2, "0")).join("");
export const sha256 = async (b) => new Uint8Array(await crypto.subtle.digest("SHA-256", typeof b === "string" ? utf8.encode(b) : b));
const isHex = (s) => typeof s === "string" && /^[0-9a-f]{64}$/.test(s);
const isText = (s) => typeof s === "string" && s !== "";

// smallOrder lists the y coordinates of points under which anyone can sign.
const smallOrder = ["00".repeat(32), "01" + "00".repeat(31), "ec" + "ff".repeat(30) + "7f", "ed" + "ff".repeat(30) + "7f", "ee" + "ff".repeat(30) + "7f",
	"26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05", "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a"];

async function checkEd25519(publicKey, signature, message) {
	const y = Uint8Array.from(publicKey);
	y[31] &= 127;
	if (publicKey.length !== 32 || smallOrder.includes(hex(y))) return false;
	const key = await crypto.subtle.importKey("raw", publicKey, "Ed25519", false, ["verify"]);
	return crypto.subtle.verify("Ed25519", key, signature, message);
}

// checkSignature checks a parsed record against a JWK set. It returns the key
// and a code: "ok", or what is wrong.
export async function checkSignature(record, keys) {
	if (record?.schema_version !== SCHEMA) return { code: "unknown_schema_version" };
	const proof = record.proof;
	if (!proof || (typeof proof === "object" && Object.keys(proof).length === 0)) return { code: "proof_missing" };
	if (proof.cryptosuite !== SUITE) return { code: "unknown_cryptosuite" };
	const sig = proof.signature_b64u;
	if (typeof sig !== "string" || !/^[A-Za-z0-9_-]{85}[AQgw]$/.test(sig)) return { code: "signature_encoding_invalid" };
	const key = keys.find((k) => k.kid === proof.key_id);
	if (!key || key.kty !== "OKP" || key.crv !== "Ed25519") return { code: "key_unknown" };
	const thumb = b64u(await sha256(`{"crv":"Ed25519","kty":"OKP","x":"${key.x}"}`));
	if (thumb !== key.kid) return { code: "key_unknown" };
	const { signature_b64u, ...rest } = proof;
	const signed = utf8.encode(`${SUITE}\n${SCHEMA}\n${canonical({ ...record, proof: rest })}`);
	return { key, code: await checkEd25519(bytes(key.x), bytes(sig), signed) ? "ok" : "signature_invalid" };
}

// checkMembers returns the name of the first member that breaks the format, ""
// if there is none.
export function checkMembers(r) {
	const p = r.fingerprints?.portable, g = r.fingerprints?.registry, v = r.record_version;
	const wrong = [
		["publisher_id", !isText(r.publisher_id)], ["site_id", !isText(r.site_id)], ["entry_id", !/^[A-Za-z0-9_-]{1,64}$/.test(r.entry_id ?? "")],
		["canonical_url", !/^https?:\/\/[^\s]+$/.test(r.canonical_url ?? "")], ["source", !r.source || typeof r.source !== "object"],
		["rights_passport", !r.rights_passport || typeof r.rights_passport !== "object"],
		["fingerprints.portable", p?.algorithm !== "sha-256" || p.profile !== PROFILE || !isHex(p.digest)],
		["fingerprints.registry", g !== undefined && (g?.algorithm !== "sha-256" || !isHex(g.digest))],
		["record_version", !Number.isSafeInteger(v) || v < 1], ["supersedes", v === 1 ? r.supersedes !== undefined : !isHex(r.supersedes)],
		["proof.created", !Number.isFinite(Date.parse(r.proof?.created))],
	];
	return wrong.find(([, bad]) => bad)?.[0] ?? "";
}

// checkKey checks the validity period of a key; a revoked key counts only for
// leaves before its trusted tree size.
export function checkKey(key, created, leafIndex) {
	const at = Date.parse(created) / 1000;
	if (at < key.nbf) return "key_not_yet_valid";
	if (at >= key.exp) return "key_expired";
	if (!key.revoked) return "ok";
	return leafIndex >= 0 && leafIndex < key.revoked.trusted_tree_size ? "ok_key_revoked_later" : "key_revoked";
}

// canonicalText applies the text profile. table lists the code points assigned
// in Unicode 15.0.0 as lines FIRST..LAST: only runs of these are normalized, so
// that the result does not depend on this browser's Unicode version.
export function canonicalText(text, table) {
	if (/[\ud800-\udfff]/u.test(text)) refuse("text_ill_formed_unicode");
	const stripped = text.replace(/\ufeff[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]*|[\u00ad\u200b\u2060]/gu, "");
	const ranges = table.trim().split(/\s+/).map((l) => l.split("..").map((x) => `\\u{${x}}`).join("-")).join("");
	const normal = stripped.replace(new RegExp(`[${ranges}]+`, "gu"), (run) => run.normalize("NFC"));
	return normal.replace(/[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/g, " ").replace(/^ | $/g, "");
}

const join = async (l, r) => sha256(Uint8Array.of(1, ...l, ...r));
export const leafHash = (leaf) => sha256(Uint8Array.of(0, ...leaf));

// openCheckpoint parses a signed note and verifies it with a verifier key
// "name+id+base64"; it returns origin, size and root.
export async function openCheckpoint(note, vkey) {
	const cut = note.indexOf("\n\n"), body = note.slice(0, cut + 1);
	const [origin, size, root] = body.split("\n");
	const [name] = vkey.split("+", 1);
	const key = bytes(vkey.slice(name.length + 10));
	const id = (await sha256(Uint8Array.of(...utf8.encode(name + "\n"), ...key))).slice(0, 4);
	for (const line of note.slice(cut + 2).split("\n")) {
		if (!line.startsWith(`— ${name} `) || key[0] !== 1 || origin !== name) continue;
		const sig = bytes(line.slice(name.length + 3));
		if (hex(sig.slice(0, 4)) === hex(id) && await checkEd25519(key.slice(1), sig.slice(4), utf8.encode(body))) {
			return { origin, size: Number(size), root: bytes(root) };
		}
	}
	return refuse("checkpoint_invalid");
}

// tilePath returns the path of a tile in a log of the given size, by C2SP
// tlog-tiles.
export function tilePath(level, n, size) {
	const total = Math.floor(size / 256 ** (level === "entries" ? 0 : level));
	const width = Math.min(256, total - n * 256);
	const digits = String(n).padStart(Math.ceil(String(n).length / 3) * 3, "0").match(/.{3}/g);
	const path = digits.map((d, i) => (i < digits.length - 1 ? "x" : "") + d).join("/");
	return `tile/${level}/${path}${width < 256 ? `.p/${width}` : ""}`;
}

// leafAt returns leaf n of a bundle of entries.
export function leafAt(bundle, n) {
	let at = 0;
	for (let i = 0; at + 2 <= bundle.length; i++) {
		const end = at + 2 + bundle[at] * 256 + bundle[at + 1];
		if (i === n) return end <= bundle.length ? bundle.slice(at + 2, end) : null;
		at = end;
	}
	return null;
}

// rootWith computes the root of a log of the given size on the assumption that
// leaf has this hash at this index; the other hashes come from tiles.
export async function rootWith(index, hash, size, tile) {
	const node = async (lo, hi) => {
		const height = Math.log2(hi - lo);
		if (Number.isInteger(height)) {
			const level = Math.floor(height / 8), first = lo / 256 ** level;
			const data = await tile(level, Math.floor(first / 256));
			let row = [];
			for (let i = first % 256, n = 2 ** (height - 8 * level); n > 0; i++, n--) row.push(data.slice(32 * i, 32 * i + 32));
			while (row.length > 1) row = await Promise.all(row.filter((_, i) => i % 2 === 0).map((h, i) => join(h, row[2 * i + 1])));
			return row[0].length === 32 ? row[0] : refuse("tile_truncated");
		}
		const k = 2 ** Math.floor(Math.log2(hi - lo - 1));
		return join(await node(lo, lo + k), await node(lo + k, hi));
	};
	const path = async (lo, hi) => {
		if (hi - lo === 1) return hash;
		const k = 2 ** Math.floor(Math.log2(hi - lo - 1));
		return index < lo + k ? join(await path(lo, lo + k), await node(lo + k, hi)) : join(await node(lo, lo + k), await path(lo + k, hi));
	};
	return path(0, size);
}

// ---- The page -------------------------------------------------------------

async function get(path, as) {
	const answer = await fetch(path, { credentials: "omit" });
	if (answer.status === 404) return null;
	if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
	return as === "bytes" ? new Uint8Array(await answer.arrayBuffer()) : answer.text();
}

// inLedger looks up the record in the log and returns what it found.
async function inLedger(record, form, citation) {
	const manifest = parse(await get(form.dataset.ledger) ?? "{}");
	if (!manifest.vkey) return { state: "skip", words: "This site publishes no ledger yet." };
	const index = citation?.provenance?.ledger_index;
	if (!Number.isSafeInteger(index)) return { state: "skip", words: "The ledger has no place for this record yet." };
	const point = await openCheckpoint(await get("/ledger/checkpoint") ?? refuse("checkpoint_missing"), manifest.vkey);
	if (index >= point.size) return { state: "fail", words: "The ledger is shorter than the place this site names." };
	const tiles = {};
	// A partial tile is removed once the full one exists, which begins with the
	// same bytes.
	const file = async (path) => await get(path, "bytes") ?? await get(path.replace(/\.p\/\d+$/, ""), "bytes") ?? refuse("tile_missing");
	const tile = (level, n) => tiles[`${level}/${n}`] ??= file("/ledger/" + tilePath(level, n, point.size));
	const bundle = await tile("entries", Math.floor(index / 256));
	const leaf = leafAt(bundle, index % 256) ?? refuse("leaf_missing");
	const said = parse(new TextDecoder("utf-8", { fatal: true }).decode(leaf));
	if (said.record_sha256 !== hex(await sha256(canonical(record)))) {
		return { state: "skip", words: "The place this site names holds another version of this record." };
	}
	const root = await rootWith(index, await leafHash(leaf), point.size, tile);
	if (hex(root) !== hex(point.root)) return { state: "fail", words: "The leaf does not lead to the root that the checkpoint signs." };
	return { state: "pass", index, words: `Leaf ${index} of ${point.size}, under the signed root.` };
}

function page(form) {
	const $ = (id) => document.getElementById(id);
	const step = (state, label, words) => {
		const li = document.createElement("li"), b = document.createElement("b");
		b.className = state === "skip" ? "state" : "state " + state;
		b.textContent = `${label}: ${{ pass: "passed", fail: "failed", skip: "not checked" }[state]}`;
		li.append(b, document.createElement("br"), words);
		$("steps").append(li);
		return state !== "fail";
	};

	async function check() {
		const entry = $("entry").value.trim();
		let source = $("record").value;
		if (!source.trim()) {
			if (!/^[A-Za-z0-9_-]{1,64}$/.test(entry)) return step("fail", "Record", "Give an entry id, or paste a record.");
			source = await get(`/v1/public/contentdna-provenance/${entry}`);
			if (source === null) return step("fail", "Record", "No such entry is published here.");
		}
		let record;
		try {
			record = parse(source);
		} catch (e) {
			return step("fail", "Form", `This is no record: ${e.code ?? e.message}.`);
		}
		const keys = parse(await get(form.dataset.keys) ?? '{"keys":[]}').keys;
		const { key, code } = await checkSignature(record, keys);
		const member = code.startsWith("unknown_") ? "schema_version" : checkMembers(record);
		const known = step(member ? "fail" : "pass", "Form", member ? `Not as the format asks: ${code.startsWith("unknown_") ? code : member}.` : "Strict JSON of the published schema.");
		const same = canonical(record) === source;
		step(same ? "pass" : "skip", "Canonical bytes", same ? "Byte for byte what is published." : "Spelled differently from the published bytes; the content is the same.");
		let good = step(code === "ok" ? "pass" : "fail", "Signature", code === "ok" ? `Ed25519, key ${record.proof.key_id}.` : `The signature does not hold: ${code}.`) && known;
		if (!good) return false;

		const citation = await get(`/v1/public/citations/${record.entry_id}.json`).then((t) => t && parse(t)).catch(() => null);
		const log = await inLedger(record, form, citation).catch((e) => ({ state: "fail", words: `The ledger could not be checked: ${e.code ?? e.message}.` }));
		const time = checkKey(key, record.proof.created, log.index ?? -1);
		good = step(time.startsWith("ok") ? "pass" : "fail", "Key", { ok: "Published here, and in its time when it signed.", ok_key_revoked_later: "Revoked later; the ledger shows that this record was signed before." }[time] ?? `The key does not count for this record: ${time}.`) && good;
		good = step(log.state, "Ledger", log.words) && good;
		const text = $("text").value;
		if (text) {
			const digest = hex(await sha256(canonicalText(text, await get(form.dataset.table))));
			good = step(digest === record.fingerprints.portable.digest ? "pass" : "fail", "Text", `Fingerprint of your text: ${digest}.`) && good;
		} else step("skip", "Text", "No text was given.");
		const now = await get(`/v1/public/contentdna-provenance/${record.entry_id}`);
		if (now === null) step("skip", "Current", "No entry of this id is published here.");
		else if (now === canonical(record)) step("pass", "Current", record.status === "withdrawn" ? "The newest version: the entry was withdrawn." : "The newest version.");
		else step("skip", "Current", "Another version is published here now. This one stays intact, but it is not the current state.");
		return good;
	}

	async function run() {
		$("steps").replaceChildren();
		$("result").hidden = false;
		$("verdict").hidden = true;
		let good = false;
		try {
			good = await check();
		} catch (e) {
			step("fail", "Check", `The check could not be completed: ${e.code ?? e.message}.`);
		}
		$("verdict").textContent = good ? "Valid: the record is intact. That says nothing about permission." : "Not valid, or not complete.";
		$("verdict").className = "verdict state " + (good ? "pass" : "fail");
		$("verdict").hidden = false;
	}

	form.addEventListener("submit", (e) => { e.preventDefault(); run(); });
	$("file").addEventListener("change", async (e) => {
		const data = await e.target.files[0]?.arrayBuffer();
		if (data) $("record").value = new TextDecoder("utf-8", { ignoreBOM: true }).decode(data);
	});
	const entry = new URLSearchParams(location.search).get("entry");
	if (entry) {
		$("entry").value = entry;
		run();
	}
}

const form = globalThis.document?.getElementById("verify");
if (form) page(form);
