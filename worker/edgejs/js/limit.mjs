// Rate limits by policy. On Workers a policy is a Rate Limiting binding, RL_
// and its name in upper case. If there is none (plain workerd), requests are
// counted here in fixed windows; one process then counts exactly.

const windows = new Map(); // "policy\nkey" to [end of window in ms, count]

export async function allow(env, policy, calls, seconds, key) {
  const binding = env["RL_" + policy.toUpperCase().replaceAll("-", "_")];
  if (binding) return (await binding.limit({ key })).success;
  return count(policy + "\n" + key, calls, seconds * 1000);
}

function count(id, limit, period) {
  const now = Date.now();
  let w = windows.get(id);
  if (w === undefined || w[0] <= now) {
    if (windows.size >= 100_000) forget(now);
    windows.set(id, w = [now - now % period + period, 0]);
  }
  return ++w[1] <= limit;
}

function forget(now) {
  for (const [id, w] of windows) if (w[0] <= now) windows.delete(id);
  for (const id of windows.keys()) { // still too many: drop the oldest, keep counting the others
    if (windows.size < 90_000) break;
    windows.delete(id);
  }
}
