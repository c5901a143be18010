// The pool of instances. An instance serves one request at a time and returns
// only when Go says that all work for it has ended; after a trap it is never
// used again.
import { Image } from "./image.mjs";
import { Instance } from "./instance.mjs";
import { fromBlock } from "./header.mjs";
import { settings } from "./settings.mjs";

const LOST = 4; // in deadlines: an instance that has not returned after that is written off

const FAULT_ID = "rid_00000000000000000000000000"; // placeholder for the request id in a prepared answer

export class Pool {
  // Instances see env while they boot; a request brings its own.
  constructor(module, env) {
    this.module = module;
    this.env = env;
    this.image = null;
    this.idle = [];
    this.live = new Set();
    this.waiting = [];
    this.faults = new Map();
    this.guarding = null;      // who watches the deadlines, see guard
    this.counts = { booted: 0, forked: 0, reset: 0, retired: 0, died: 0, refused: 0, lost: 0 };
  }

  // start boots the first instance and takes its image. It runs while the
  // script loads, when there is no entropy, no clock and no input.
  start() {
    const first = this.make();
    this.image = new Image(first);
    this.idle.push(first);
  }

  make() {
    this.counts[this.image ? "forked" : "booted"]++;
    return new Instance(this);
  }

  // makeFresh is for measurements: it returns an instance as other glue makes
  // it, started from nothing for one request.
  makeFresh() {
    const { image } = this;
    this.image = null;
    try {
      return this.make();
    } finally {
      this.image = image;
    }
  }

  addFault(status, block, body) { this.faults.set(status, { block, body }); }

  fault(status, id) {
    const f = this.faults.get(status) || this.faults.get(500);
    const r = new Response(f.body.replaceAll(FAULT_ID, id), { status, headers: fromBlock(f.block).headers });
    r.headers.set("request-id", id);
    return r;
  }

  // acquire returns an instance, a promise of one, or a promise of null if the
  // queue is full or the wait is too long.
  acquire() {
    if (settings.mode === "fresh") return this.makeFresh();
    if (settings.mode === "fork") return this.make();
    return this.idle.pop() || (this.room() ? this.make() : this.wait());
  }

  // room reports whether one more instance may be made. An instance that has
  // been working for too long is lost and written off; a stream may take its
  // maximum duration.
  room() {
    const now = Date.now(), lost = LOST * settings.deadline;
    let memory = 0;
    for (const i of this.live) {
      memory += i.host.bytes.length;
      if (now - i.started > (i.writer ? settings.streamLife + lost : lost)) {
        this.counts.lost++;
        i.die(new Error("lost"));
      }
    }
    return this.live.size < settings.maxLive && memory < settings.allMemory;
  }

  // wait resolves on behalf of the request that returns its instance. The
  // runtime then continues in the context of the waiting request, but only for
  // a promise that it made itself: optimized code creates those of the
  // constructor without recording whose they are, and the answer would be
  // another request's.
  wait() {
    const { promise, resolve } = Promise.withResolvers();
    const take = (instance) => {
      clearTimeout(timer);
      resolve(instance);
    };
    const timer = setTimeout(() => {
      const i = this.waiting.indexOf(take);
      if (i >= 0) this.waiting.splice(i, 1);
      this.refuse(resolve);
    }, settings.queueTime);
    if (this.waiting.length < settings.queue) this.waiting.push(take);
    else this.refuse(take);
    return promise;
  }

  refuse(resolve) {
    this.counts.refused++;
    resolve(null);
  }

  // guard ensures that some request watches the deadlines of working instances.
  // A timer for each request would cost more than the handler, so one request
  // watches for all, as long as any is working, until a later request takes
  // over. If the platform ends it early, the next request notices.
  guard(ctx) {
    const since = Date.now();
    if (this.guarding && since - this.guarding.since < settings.deadline / 3) return;
    this.guarding = { since };
    ctx.waitUntil(this.watch(this.guarding));
  }

  async watch(turn) {
    do {
      await new Promise((wake) => setTimeout(wake, settings.deadline / 3));
      this.expire();
    } while (this.guarding === turn && this.live.size > 0);
    if (this.guarding === turn) this.guarding = null;
  }

  // expire gives up the instances past their deadlines; a stream has its own
  // timer.
  expire() {
    const oldest = Date.now() - settings.deadline;
    for (const i of this.live) if (!i.writer && i.started <= oldest) i.die(new Error("deadline"), 504);
  }

  // back takes back an instance whose request has ended.
  back(instance) {
    const { host } = instance;
    const crowded = this.idle.length >= settings.maxIdle && !this.waiting.length;
    if (settings.mode === "fresh" || settings.mode === "fork" || crowded || host.bytes.length > settings.maxMemory) {
      this.counts.retired++;
      host.dead = true;
      this.next(null);
      return;
    }
    if (settings.mode === "reset" || this.usedUp(host)) {
      this.image.restore(instance);
      this.counts.reset++;
    }
    this.next(instance);
  }

  usedUp(host) {
    return this.image.next(host) - this.image.top > settings.heapSlack || host.values.length - host.base > settings.referenceSlack;
  }

  gone() {
    this.counts.died++;
    this.next(null);
  }

  // next passes an instance, or the room for one, to the request that has
  // waited longest.
  next(instance) {
    const take = this.waiting.shift();
    if (take) take(instance || this.make());
    else if (instance) this.idle.push(instance);
  }

  info() {
    const memory = this.idle.map(({ host }) => host.bytes.length);
    return { ...this.counts, idle: this.idle.length, live: this.live.size, waiting: this.waiting.length, image: this.image.memory.length, memory };
  }
}
