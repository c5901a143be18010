// The worker around a compiled module: files first, then Go.
import { env as bootEnv } from "cloudflare:workers";
import { CRON, HEAD, TOO_LARGE } from "./instance.mjs";
import { Pool } from "./pool.mjs";
import { fileOf } from "./policy.mjs";
import { fromAssets } from "./static.mjs";
import { readBody } from "./body.mjs";
import { readSettings, settings } from "./settings.mjs";
import { requestID } from "./requestid.mjs";
import { toBlock } from "./header.mjs";
import { split } from "./address.mjs";

const CRON_RUNS = 5; // of one trigger

export class Worker {
  constructor(module) {
    this.pool = new Pool(module, bootEnv);
    this.pool.start();
  }

  async fetch(request, env, ctx) {
    const answer = await this.answer(request, env, ctx);
    if (mayCompress(request)) weaken(answer.headers);
    return answer;
  }

  async answer(request, env, ctx) {
    readSettings(env);
    const id = requestID(), { method, headers, url } = request;
    const [path, query] = split(url);
    if ((method === "GET" || method === "HEAD") && env.ASSETS) {
      const file = fileOf(path, query);
      const found = file && await fromAssets(request, env, path, file, id);
      if (found) return found;
    }
    let flags = method === "HEAD" ? HEAD : 0, body = null;
    if (request.body) {
      body = await readBody(request);
      if (body === null) flags |= TOO_LARGE;
    }
    const remote = headers.get(settings.remoteHeader) || "";
    const head = (flags & HEAD ? "GET" : method) + "\n" + path + "\n" + query + "\n" + remote + "\n" + id + "\n" + toBlock(headers);
    const instance = this.pool.idle.pop() || await this.pool.acquire();
    if (!instance) return this.pool.fault(503, id);
    const answer = await instance.run(head, body, flags, id, env, ctx);
    return typeof answer === "number" ? this.pool.fault(answer, id) : answer;
  }

  // A cron trigger runs in Go like a request, under a flag no request can set,
  // and again while there is more to do: each run has memory and time of its own.
  async scheduled(event, env, ctx) {
    readSettings(env);
    for (let run = 0; run < CRON_RUNS; run++) {
      const id = requestID();
      const instance = await this.pool.acquire();
      if (!instance) throw new Error("cron: every instance is busy");
      const r = await instance.run("CRON\n/\n" + event.cron + "\n\n" + id + "\n", null, CRON, id, env, ctx);
      if (r.status === 204) return;
      if (r.status !== 202) throw new Error("cron " + event.cron + ": " + (r.status ? r.status + " " + await r.text() : r));
    }
  }
}

// The platform compresses answers by itself, after the worker. Then one tag
// would name two representations, which a strong one must not.
function mayCompress(request) {
  const takes = request.cf?.clientAcceptEncoding ?? request.headers.get("accept-encoding");
  return takes && takes !== "identity";
}

function weaken(headers) {
  const etag = headers.get("etag");
  if (etag?.startsWith('"')) headers.set("etag", "W/" + etag);
}
