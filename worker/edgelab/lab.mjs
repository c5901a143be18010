// The lab's entry: the worker, and at /pool what its pool has done.
import module from "./worker.wasm";
import { Worker } from "./worker.mjs";

const worker = new Worker(module);

export default {
  fetch: (request, env, ctx) => request.url.endsWith("/pool") ? Response.json(worker.pool.info()) : worker.fetch(request, env, ctx),
  scheduled: (event, env, ctx) => worker.scheduled(event, env, ctx),
};
