// The product's worker under a clock that tests move: /-shift/1000 sets it a
// second ahead. D1, the rate limits of the platform and timers keep theirs.
const real = Date.now.bind(Date);
let shift = 0;
Date.now = () => real() + shift;

const { default: service } = await import("../../build/edge/entry.mjs");

export default {
  fetch(request, env, ctx) {
    const set = /^\/-shift\/(-?\d+)$/.exec(new URL(request.url).pathname);
    if (!set) return service.fetch(request, env, ctx);
    shift = Number(set[1]);
    return new Response(new Date(Date.now()).toISOString());
  },
  scheduled: (event, env, ctx) => service.scheduled(event, env, ctx),
};
