// Sends inquiry forms with a proof of work, so that no inquiry from a browser
// with scripts is held for review. Without this script the forms are sent as
// they are.

const $ = (id) => document.getElementById(id);

// digest returns the first 32 bits of the SHA-256 (FIPS 180-4) of bytes.
const primes = [...function* () { for (let n = 2, found = []; found.length < 64; n++) if (found.every((p) => n % p)) { found.push(n); yield n; } }()];
const fraction = (x) => ((x - Math.floor(x)) * 2 ** 32) | 0;
const rounds = Int32Array.from(primes, (p) => fraction(Math.cbrt(p)));
const start = Int32Array.from(primes.slice(0, 8), (p) => fraction(Math.sqrt(p)));
const words = new Int32Array(64);

function digest(text) {
	const size = text.length, blocks = (size + 72) >> 6, state = Int32Array.from(start);
	const byte = (i) => i < size ? text.charCodeAt(i) : i === size ? 128 : 0;
	for (let block = 0; block < blocks; block++) {
		for (let i = 0; i < 16; i++) {
			const at = block * 64 + i * 4;
			words[i] = byte(at) << 24 | byte(at + 1) << 16 | byte(at + 2) << 8 | byte(at + 3);
		}
		if (block === blocks - 1) words[15] = size * 8;
		for (let i = 16; i < 64; i++) {
			const x = words[i - 15], y = words[i - 2];
			words[i] = words[i - 16] + words[i - 7] + ((x >>> 7 | x << 25) ^ (x >>> 18 | x << 14) ^ x >>> 3) + ((y >>> 17 | y << 15) ^ (y >>> 19 | y << 13) ^ y >>> 10);
		}
		let [a, b, c, d, e, f, g, h] = state;
		for (let i = 0; i < 64; i++) {
			const one = h + ((e >>> 6 | e << 26) ^ (e >>> 11 | e << 21) ^ (e >>> 25 | e << 7)) + (e & f ^ ~e & g) + rounds[i] + words[i] | 0;
			const two = ((a >>> 2 | a << 30) ^ (a >>> 13 | a << 19) ^ (a >>> 22 | a << 10)) + (a & b ^ a & c ^ b & c) | 0;
			h = g; g = f; f = e; e = d + one | 0; d = c; c = b; b = a; a = one + two | 0;
		}
		[a, b, c, d, e, f, g, h].forEach((v, i) => { state[i] += v; });
	}
	return state[0];
}

// solve finds an answer whose digest begins with that many zero bits, in steps
// that leave the page responsive.
async function solve({ nonce, difficulty }, tell) {
	for (let n = 0; ;) {
		for (const end = n + 4000; n < end; n++) {
			if (Math.clz32(digest(nonce + ":" + n)) >= difficulty) return `nonce=${nonce};answer=${n}`;
		}
		tell(100 * (1 - Math.exp(-n / 2 ** difficulty)));
		await new Promise((done) => setTimeout(done));
	}
}

async function prove(form) {
	const answer = await fetch(form.action, { method: "POST", headers: { accept: "application/json" }, body: new URLSearchParams({ proof: "wanted" }), credentials: "omit" });
	const { challenge } = await answer.json();
	if (!challenge) return "";
	$("work").hidden = false;
	return solve(challenge, (percent) => { $("work-done").value = percent; });
}

const form = document.querySelector("form[data-work]");
form?.addEventListener("submit", async (e) => {
	e.preventDefault();
	const button = form.querySelector("button[type=submit]");
	button.disabled = true;
	const proof = form.querySelector("[name=proof]");
	try {
		proof.value = await prove(form);
	} catch { // send the form without it; the inquiry may be held
	}
	$("work").hidden = true;
	if ($("publishers")) {
		try {
			localStorage.removeItem("shortlist"); // its publishers are being asked now
		} catch { // private windows may refuse
		}
	}
	form.submit();
	button.disabled = false;
});
addEventListener("pageshow", () => { for (const b of form?.querySelectorAll("button") ?? []) b.disabled = false; });
