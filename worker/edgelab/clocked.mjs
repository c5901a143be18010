// The product's worker as tests run it: /-shift/1000 sets its clock a second
// ahead, /-stop/1790000000000 stops it at that instant, /-cron runs its cron trigger where there is none, and
// https://signer.example publishes the keys in SIGNER_DIRECTORY. D1,
// the rate limits of the platform and timers keep the clock they have.
import { env } from "cloudflare:workers";
import service from "../../build/edge/entry.mjs";

const time = Date.now.bind(Date), reach = fetch;
let shift = 0, stopped = null;
Date.now = () => stopped ?? time() + shift;
globalThis.fetch = (url, options) => {
  if (!String(url).match(/^https:\/\/[a-z]+\.example\//)) return reach(url, options);
  const there = env.SIGNER_DIRECTORY && url === "https://signer.example/.well-known/http-message-signatures-directory";
  return Promise.resolve(there ? new Response(env.SIGNER_DIRECTORY) : new Response(null, { status: 404 }));
};

export default {
  fetch(request, env, ctx) {
    if (new URL(request.url).pathname === "/-cron") return this.scheduled({ cron: "*/5 * * * *" }, env, ctx).then(() => new Response("ok"));
    const set = /^\/-(shift|stop)\/(-?\d+)$/.exec(new URL(request.url).pathname);
    if (!set) return service.fetch(request, env, ctx);
    if (set[1] === "stop") stopped = Number(set[2]);
    else shift = Number(set[2]);
    return new Response(new Date(Date.now()).toISOString());
  },
  scheduled: (event, env, ctx) => service.scheduled(event, env, ctx),
};
