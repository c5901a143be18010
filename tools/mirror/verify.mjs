// Verifies a mirror with node's own crypto and nothing from this repository:
// the signature of release.json, every tile and every file. Usage: node
// verify.mjs DIR [KEYS.json]
import { createHash, createPublicKey, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const dir = process.argv[2];
const keysFile = process.argv[3] ?? join(dir, '.well-known/service-provenance-keys.json');
const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex');
const fail = (text) => {
  console.error(text);
  process.exit(1);
};

const list = JSON.parse(readFileSync(join(dir, 'v1/public/release.json'), 'utf8'));
const keys = JSON.parse(readFileSync(keysFile, 'utf8')).keys;
const signature = Buffer.from(list.proof.signature_b64u, 'base64url');
const unsigned = structuredClone(list);
delete unsigned.proof.signature_b64u;
const covered = Buffer.from('eddsa-ed25519-service-2026\nservice.release.v1\n' + JSON.stringify(unsigned));
const jwk = keys.find((k) => k.kid === list.proof.key_id) ?? fail('the key is not known');
const key = createPublicKey({ key: { kty: jwk.kty, crv: jwk.crv, x: jwk.x }, format: 'jwk' });
if (!verify(null, covered, key, signature)) fail('the signature does not fit');

let files = 0;
let bytes = 0;
for (const tile of list.tiles) {
  const text = readFileSync(join(dir, tile.name));
  if (sha256(text) !== tile.sha256) fail(`${tile.name} is another`);
  for (const line of text.toString('utf8').split('\n').slice(0, -1)) {
    const [, sum, size, name] = /^([0-9a-f]{64}) (\d+) (.+)$/.exec(line) ?? fail(`${tile.name}: ${line}`);
    files += 1;
    bytes += Number(size);
    if (name.endsWith('.gz')) continue; // it has no address, so no mirror has it
    const data = readFileSync(join(dir, name));
    if (data.length !== Number(size) || sha256(data) !== sum) fail(`${name} is another`);
  }
}
if (files !== list.files || bytes !== list.bytes) fail('the list does not add up');
console.log(`${files} files, ${bytes} bytes, root ${list.catalog.root}`);
