// The worker around a compiled module: files first, then Go.
import { env as bootEnv } from "cloudflare:workers";
import { CRON, HEAD, TOO_LARGE } from "./instance.mjs";
import { Pool } from "./pool.mjs";
import { fileOf, share } from "./policy.mjs";
import { asset, part } from "./published.mjs";
import { answerFile } from "./static.mjs";
import { ops } from "./ops.mjs";
import { readBody } from "./body.mjs";
import { readSettings, settings } from "./settings.mjs";
import { requestID } from "./requestid.mjs";
import { toBlock } from "./header.mjs";
import { split } from "./address.mjs";

Object.assign(ops, { 1: asset, 9: part });

const CRON_RUNS = 3; // runs for one trigger, which may make a thousand subrequests

export class Worker {
  constructor(module) {
    this.pool = new Pool(module, bootEnv);
    this.pool.start();
  }

  // fetch returns the answer or a promise of it: an unnecessary await would
  // cost every answer.
  fetch(request, env, ctx) {
    readSettings(env);
    const asked = { request, env, ctx, id: requestID(), missing: "", cacheCalls: settings.cacheCalls }, { method } = request, [path, query] = split(request.url);
    const file = (method === "GET" || method === "HEAD") && (env.PUBLISHED || env.ASSETS) && fileOf(path, query);
    if (file || request.body) return this.prepared(asked, path, query, file);
    return this.ask(asked, path, query, null, method === "HEAD" ? HEAD : 0);
  }

  // prepared looks for a file and reads the body before it calls Go.
  async prepared(asked, path, query, file) {
    const { request } = asked;
    const found = file && await answerFile(asked, path, file);
    if (found) return found;
    let flags = request.method === "HEAD" ? HEAD : 0, body = null;
    if (request.body) {
      body = await readBody(request);
      if (body === null) flags |= TOO_LARGE;
    }
    return this.ask(asked, path, query, body, flags);
  }

  ask(asked, path, query, body, flags) {
    const { method, headers } = asked.request;
    const remote = headers.get(settings.remoteHeader) || "";
    const head = (flags & HEAD ? "GET" : method) + "\n" + path + "\n" + query + "\n" + remote + "\n" + asked.id + "\n" + toBlock(headers);
    const instance = this.pool.idle.pop() || this.pool.acquire();
    if (instance instanceof Promise) return this.later(instance, head, body, flags, asked, path);
    const answer = instance.run(head, body, flags, asked);
    return answer instanceof Promise ? answer.then((a) => this.whole(a, asked.id, path)) : this.whole(answer, asked.id, path);
  }

  // later calls Go once there is an instance, if there is one in time.
  async later(room, head, body, flags, asked, path) {
    const instance = await room;
    return this.whole(instance ? await instance.run(head, body, flags, asked) : 503, asked.id, path);
  }

  // whole replaces a number by the fault that it stands for, with the headers
  // that every answer to the path has.
  whole(answer, id, path) { return typeof answer === "number" ? share(this.pool.fault(answer, id), path) : answer; }

  // A cron trigger runs in Go like a request, under a flag that no request can
  // set, and again while there is more to do: each run has its own memory and
  // time.
  async scheduled(event, env, ctx) {
    readSettings(env);
    for (let run = 0; run < CRON_RUNS; run++) {
      const id = requestID();
      const instance = await this.pool.acquire();
      if (!instance) throw new Error("cron: every instance is busy");
      const r = await instance.run("CRON\n/\n" + event.cron + "\n\n" + id + "\n", null, CRON, { id, env, ctx });
      if (r.status === 204) return;
      if (r.status !== 202) throw new Error("cron " + event.cron + ": " + (r.status ? r.status + " " + await r.text() : r));
    }
  }
}
