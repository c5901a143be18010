// The product's worker as tests run it: /-shift/1000 sets its clock a second
// ahead, /-stop/1790000000000 stops it at that instant, /-cron runs its cron trigger where there is none, and
// https://signer.example publishes the keys in SIGNER_DIRECTORY. D1,
// the rate limits of the platform and timers keep the clock they have.
// /-calls gives what was asked of ASSETS, PUBLISHED and the Cache API since it was
// asked before, and counts from then on; PUT and DELETE of /-published/ and a key
// change the bucket PUBLISHED.
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

let calls = null;

// counted is a binding whose calls are counted.
const counted = (name, of) => of && new Proxy(of, {
  get: (_, method) => (...args) => {
    calls.push(name + " " + method);
    return of[method](...args);
  },
});

function takeCalls() {
  if (calls === null) {
    const cache = caches.default;
    for (const method of ["match", "put"]) {
      const call = cache[method].bind(cache);
      cache[method] = (...args) => { calls.push("cache " + method); return call(...args); };
    }
  }
  const taken = calls || [];
  calls = [];
  return Response.json(taken);
}

async function changeBucket(request, env, key) {
  await (request.method === "PUT" ? env.PUBLISHED.put(key, await request.arrayBuffer()) : env.PUBLISHED.delete(key));
  return new Response("ok");
}

export default {
  fetch(request, env, ctx) {
    const { pathname } = new URL(request.url);
    if (pathname === "/-calls") return takeCalls();
    if (pathname.startsWith("/-published/")) return changeBucket(request, env, pathname.slice(12));
    if (calls) env = { ...env, ASSETS: counted("assets", env.ASSETS), PUBLISHED: counted("bucket", env.PUBLISHED) };
    if (new URL(request.url).pathname === "/-cron") return this.scheduled({ cron: "*/5 * * * *" }, env, ctx).then(() => new Response("ok"));
    const set = /^\/-(shift|stop)\/(-?\d+)$/.exec(new URL(request.url).pathname);
    if (!set) return service.fetch(request, env, ctx);
    if (set[1] === "stop") stopped = Number(set[2]);
    else shift = Number(set[2]);
    return new Response(new Date(Date.now()).toISOString());
  },
  scheduled: (event, env, ctx) => service.scheduled(event, env, ctx),
};
