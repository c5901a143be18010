// Request ids, as worker/edge.RequestID makes them: "rid_" and a lower-case
// ULID.
const digits = "0123456789abcdefghjkmnpqrstvwxyz";
const pairs = Array.from({ length: 1024 }, (_, i) => digits[i >> 5] + digits[i & 31]); // of ten bits each
const entropy = new Uint16Array(1024);
let used = entropy.length, lastTime = -1, prefix = "";

const pair = () => pairs[entropy[used++] & 1023];

export function requestID() {
  const now = Date.now();
  if (now !== lastTime) {
    lastTime = now;
    prefix = "";
    for (let i = 0, t = now; i < 5; i++, t = Math.floor(t / 1024)) prefix = pairs[t % 1024] + prefix;
    prefix = "rid_" + prefix;
  }
  if (used === entropy.length) {
    crypto.getRandomValues(entropy);
    used = 0;
  }
  return prefix + pair() + pair() + pair() + pair() + pair() + pair() + pair() + pair();
}
