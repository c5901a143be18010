import type { Records } from "./types.ts";

type Challenge = NonNullable<Records["problem"]["challenge"]>;

/** The highest difficulty that is accepted. Solving it takes some seconds. */
const mostBits = 26;

/** The number of answers that are tried before other tasks may run. */
const batch = 16_384;

/** Solves a challenge and returns the proof to send, or undefined if the algorithm is unknown or the difficulty is too high. */
export async function answerChallenge({ algorithm, difficulty, nonce }: Challenge, signal?: AbortSignal): Promise<string | undefined> {
  if (algorithm !== "sha-256-leading-zero-bits" || difficulty > mostBits) return undefined;
  for (let n = 0; ; ) {
    for (const end = n + batch; n < end; n++) {
      if (Math.clz32(sha256Word(`${nonce}:${n}`)) >= difficulty) return `nonce=${nonce};answer=${n}`;
    }
    await new Promise((done) => setTimeout(done));
    signal?.throwIfAborted();
  }
}

// SHA-256 by FIPS 180-4; the constants are fractions of roots of the first 64
// primes. It is implemented here because the platform's digests are
// asynchronous, and far slower for many short texts.
const primes: number[] = [];
for (let n = 2; primes.length < 64; n++) if (primes.every((p) => n % p)) primes.push(n);
const fraction = (x: number): number => ((x - Math.floor(x)) * 2 ** 32) | 0;
const rounds = Int32Array.from(primes, (p) => fraction(Math.cbrt(p)));
const start = Int32Array.from(primes.slice(0, 8), (p) => fraction(Math.sqrt(p)));
const schedule = new Int32Array(64);
const rotate = (x: number, by: number): number => (x >>> by) | (x << (32 - by));

/** Returns the first 32 bits of the SHA-256 of an ASCII text. */
export function sha256Word(text: string): number {
  const blocks = (text.length + 72) >> 6;
  const padded = new DataView(new ArrayBuffer(blocks * 64));
  for (let i = 0; i < text.length; i++) padded.setUint8(i, text.charCodeAt(i));
  padded.setUint8(text.length, 128);
  padded.setUint32(blocks * 64 - 4, text.length * 8);
  const state = start.slice() as unknown as Int32Array & Record<0 | 1 | 2 | 3 | 4 | 5 | 6 | 7, number>;
  for (let block = 0; block < blocks; block++) compress(state, padded, block * 64);
  return state[0];
}

function compress(state: Int32Array & Record<0 | 1 | 2 | 3 | 4 | 5 | 6 | 7, number>, bytes: DataView, at: number): void {
  const w = schedule as Int32Array & Record<number, number>;
  for (let i = 0; i < 16; i++) w[i] = bytes.getInt32(at + i * 4);
  for (let i = 16; i < 64; i++) {
    const x = w[i - 15] as number;
    const y = w[i - 2] as number;
    w[i] = (w[i - 16] as number) + (w[i - 7] as number) + (rotate(x, 7) ^ rotate(x, 18) ^ (x >>> 3)) + (rotate(y, 17) ^ rotate(y, 19) ^ (y >>> 10));
  }
  let [a, b, c, d, e, f, g, h] = [state[0], state[1], state[2], state[3], state[4], state[5], state[6], state[7]];
  for (let i = 0; i < 64; i++) {
    const one = (h + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + ((e & f) ^ (~e & g)) + (rounds[i] as number) + (w[i] as number)) | 0;
    const two = ((rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
  }
  state[0] += a;
  state[1] += b;
  state[2] += c;
  state[3] += d;
  state[4] += e;
  state[5] += f;
  state[6] += g;
  state[7] += h;
}
