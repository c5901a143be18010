// The guard of a publisher's site: requests that cannot be an AI agent's pass
// to the site unchanged, without starting Wasm; Go decides about the others.
import module from "./worker.wasm";
import { env as bootEnv } from "cloudflare:workers";
import { CONTINUE, HEAD } from "./instance.mjs";
import { Pool } from "./pool.mjs";
import { isAgent, isFree } from "./agents.mjs";
import { ops } from "./ops.mjs";
import { spendNonce } from "./nonce.mjs";
import { readSettings, settings } from "./settings.mjs";
import { requestID } from "./requestid.mjs";
import { toBlock } from "./header.mjs";
import { split } from "./address.mjs";

export { SpentNonces } from "./nonce.mjs";

ops[8] = spendNonce; // for the guard only, see worker/edgejs/op.go

const pool = new Pool(module, bootEnv);
pool.start();

// The site: a service binding if there is one, otherwise the origin behind this
// worker's route.
const pass = (request, env) => (env.UPSTREAM || globalThis).fetch(request);

async function check(request, env, ctx, path, query) {
  readSettings(env);
  const id = requestID(), { method, headers } = request, isHead = method === "HEAD";
  const head = (isHead ? "GET" : method) + "\n" + path + "\n" + query + "\n" + (headers.get(settings.remoteHeader) || "") + "\n" + id + "\n" + toBlock(headers);
  const instance = pool.idle.pop() || await pool.acquire();
  const answer = instance ? await instance.run(head, null, isHead ? HEAD : 0, { id, env, ctx }) : 503;
  if (typeof answer !== "number") return answer;
  // A request that cannot be decided passes, unless the publisher sets
  // otherwise.
  return answer === CONTINUE || !env.GUARD_FAIL_CLOSED ? pass(request, env) : pool.fault(answer, id);
}

export default {
  fetch(request, env, ctx) {
    const { headers } = request;
    if (!isAgent(headers.get("user-agent")) && !headers.has("signature-input")) return pass(request, env);
    const [path, query] = split(request.url);
    return isFree(path) ? pass(request, env) : check(request, env, ctx, path, query);
  },
};
