import module from "./worker.wasm";
import { Worker } from "./worker.mjs";

const worker = new Worker(module);

export default {
  fetch: (request, env, ctx) => worker.fetch(request, env, ctx),
  scheduled: (event, env, ctx) => worker.scheduled(event, env, ctx),
};
