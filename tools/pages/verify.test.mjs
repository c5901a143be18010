// Runs the functions of the verify page against the published vectors:
//
//   node --test tools/pages/
import { test } from "node:test";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import * as v from "../../site/assets/verify.js";

const data = (name) => readFileSync(new URL(`../../internal/${name === "provenance.json" ? "record" : "canonicaltext"}/testdata/${name}`, import.meta.url), "utf8");
const texts = JSON.parse(data("canonical-text.json"));
const provenance = JSON.parse(data("provenance.json"));
const table = readFileSync(new URL("../../site/assets/unicode-15.0.0-assigned.txt", import.meta.url), "utf8");
const keys = provenance.keys.map((k) => k.jwk).filter(Boolean);

const result = async (text) => {
	try {
		return (await v.checkSignature(v.parse(text), keys)).code;
	} catch (e) {
		return e.code ?? String(e);
	}
};

test("canonical text", async () => {
	for (const t of texts.vectors) {
		const got = v.canonicalText(t.input, table);
		assert.equal(got, t.canonical, t.id);
		assert.equal(v.hex(await v.sha256(got)), t.sha256, t.id);
	}
	for (const t of texts.rejected.filter((t) => t.input_utf16be_hex)) {
		const units = t.input_utf16be_hex.match(/.{4}/g).map((h) => parseInt(h, 16));
		assert.throws(() => v.canonicalText(String.fromCharCode(...units), table), { code: t.expect_error }, t.id);
	}
});

test("records", async () => {
	for (const r of provenance.records) {
		const record = v.parse(r.record_jcs);
		assert.equal(v.canonical(record), r.record_jcs, r.name);
		assert.equal(await result(r.record_jcs), "ok", r.name);
		assert.equal(v.checkMembers(record), "", r.name);
		assert.equal(v.hex(await v.sha256(r.record_jcs)), r.record_sha256, r.name);
	}
});

test("mutations", async () => {
	for (const m of provenance.mutations_of_record_0) {
		assert.equal(await result(m.input), m.expect, m.name);
		if (m.canonical_bytes !== undefined) assert.equal(v.canonical(v.parse(m.input)) === m.input, m.canonical_bytes, m.name);
	}
});

test("forbidden keys", async () => {
	const message = v.parse(provenance.records[0].record_jcs);
	for (const h of provenance.forbidden_public_keys.hex) {
		const x = Buffer.from(h, "hex").toString("base64url");
		const kid = Buffer.from(await v.sha256(`{"crv":"Ed25519","kty":"OKP","x":"${x}"}`)).toString("base64url");
		const forged = { ...message, proof: { ...message.proof, key_id: kid, signature_b64u: "AQ".padEnd(86, "A") } };
		const got = await v.checkSignature(forged, [{ kty: "OKP", crv: "Ed25519", x, kid }]);
		assert.equal(got.code, "signature_invalid", h);
	}
});

test("key policy", () => {
	for (const c of provenance.key_policy.cases) {
		const key = keys.find((k) => k.kid === c.key_id);
		assert.equal(key ? v.checkKey(key, c.created, c.leaf_index ?? -1) : "key_unknown", c.expect, c.name);
	}
});

test("checkpoints and inclusion", async () => {
	const leaves = await Promise.all(provenance.records.map((r) => v.leafHash(new TextEncoder().encode(r.leaf_jcs))));
	provenance.records.forEach((r, i) => assert.equal(v.hex(leaves[i]), r.leaf_hash));
	for (const [size, note] of [[3, provenance.log.checkpoint_3], [5, provenance.log.checkpoint_5]]) {
		const point = await v.openCheckpoint(note, provenance.log.vkey);
		assert.equal(point.size, size);
		const tile = async () => Uint8Array.from(leaves.slice(0, size).flatMap((h) => [...h]));
		for (let i = 0; i < size; i++) {
			assert.equal(v.hex(await v.rootWith(i, leaves[i], size, tile)), v.hex(point.root), `${i} of ${size}`);
			const other = await v.rootWith(i, leaves[(i + 1) % size], size, tile);
			assert.notEqual(v.hex(other), v.hex(point.root));
		}
		await assert.rejects(v.openCheckpoint(note.replace(`\n${size}\n`, `\n${size + 1}\n`), provenance.log.vkey), { code: "checkpoint_invalid" });
	}
});

test("inclusion across tile levels", async () => {
	const size = 70000;
	const node = async (l, r) => v.sha256(Uint8Array.of(1, ...l, ...r));
	const levels = [[]];
	for (let i = 0; i < size; i++) levels[0].push(await v.sha256(String(i)));
	for (let l = 1; l <= 16; l++) {
		const below = levels[l - 1];
		levels.push(await Promise.all(Array.from({ length: below.length >> 1 }, (_, i) => node(below[2 * i], below[2 * i + 1]))));
	}
	const tile = async (level, n) => Uint8Array.from(levels[8 * level].slice(256 * n, 256 * n + 256).flatMap((h) => [...h]));
	const roots = new Set();
	for (const i of [0, 1, 255, 256, 65535, 65536, 69999]) roots.add(v.hex(await v.rootWith(i, levels[0][i], size, tile)));
	assert.equal(roots.size, 1);
	// Compute the root of 70,000 leaves from the complete subtrees, one for
	// each set bit of the size.
	let root, left = size, at = size;
	for (let l = 0; l <= 16; l++) {
		if (!((left >> l) & 1)) continue;
		at -= 2 ** l;
		const h = levels[l][at / 2 ** l];
		root = root ? await node(h, root) : h;
	}
	assert.ok(roots.has(v.hex(root)));
});

test("paths of tiles", () => {
	assert.equal(v.tilePath(0, 0, 5), "tile/0/000.p/5");
	assert.equal(v.tilePath("entries", 1, 600), "tile/entries/001");
	assert.equal(v.tilePath("entries", 2, 600), "tile/entries/002.p/88");
	assert.equal(v.tilePath(0, 1234067, 1e9), "tile/0/x001/x234/067");
	assert.equal(v.tilePath(1, 0, 70000), "tile/1/000");
	assert.equal(v.tilePath(2, 0, 70000), "tile/2/000.p/1");
});
