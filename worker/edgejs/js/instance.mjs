// One instance of the module: it starts or loads the boot image, runs one
// request at a time, and ends either back in the pool or dead.
import { GoHost } from "./syscalljs.mjs";
import { fromBlock, tagFor } from "./header.mjs";
import { keep, recall } from "./kept.mjs";
import { ops } from "./ops.mjs";
import { settings } from "./settings.mjs";

const encoder = new TextEncoder();

// Flags of edge_request and outcomes of an op, as in Go.
export const TOO_LARGE = 1, HEAD = 2, CRON = 4;
const OK = 0, FAILED = 1, NO = 2;

// A status that is not an answer: the guard lets the request pass.
export const CONTINUE = 100;

// A head is encoded here first, so that Go allocates only what it needs.
let scratch = new Uint8Array(32 << 10);

export class Instance {
  // pool = { module, env, image, live, addFault(), guard(), back(), gone() }
  constructor(pool) {
    this.pool = pool;
    this.context = { env: pool.env }; // globalThis.context, where the D1 driver looks for its binding
    this.lastWords = "";
    this.host = new GoHost(this.context, {
      trap: (e) => this.die(e),
      settle: () => this.settle(),
      log: (line) => this.log(line),
    });
    this.host.attach(new WebAssembly.Instance(pool.module, this.host.imports(this.imports())));
    this.ops = 0;
    if (pool.image) pool.image.load(this);
    else this.boot();
  }

  // boot runs Go's initialisation up to Serve. The first instance boots while
  // the script loads, when the runtime provides no entropy: Go's own generators
  // are seeded with zeros, so nothing secret may come from them. crypto/rand
  // does not use them.
  boot() {
    this.host.random = () => {};
    this.host.exports._start();
    delete this.host.random;
  }

  imports() {
    const { host } = this;
    return {
      respond: (status, head, headLen, body, bodyLen) => {
        const h = fromBlock(host.text(head, headLen));
        this.respond(status, h, bodyLen ? host.take(body, bodyLen, h.typed) : null);
      },
      stream: (status, head, headLen) => {
        const { readable, writable } = new IdentityTransformStream();
        this.writer = writable.getWriter();
        this.writer.closed.catch(() => {});
        this.respond(status, fromBlock(host.text(head, headLen)), readable);
      },
      stream_write: (at, n) => {
        const chunk = host.bytes.slice(at, at + n);
        this.await();
        return this.op(() => this.writer.write(chunk));
      },
      stream_close: (failed) => {
        const w = this.writer;
        this.writer = null;
        (failed ? w.abort(new Error("cut by the handler")) : w.close()).catch(() => {});
      },
      op: (kind, at, n) => {
        const argument = host.bytes.slice(at, at + n);
        return this.op(() => ops[kind](this.context.env, argument, this.asked));
      },
      random: (at, n) => host.random(at, n),
      getenv: (at, n, got) => {
        const v = this.context.env[host.text(at, n)];
        return typeof v === "string" ? this.giveAt(got, encoder.encode(v)) : 0;
      },
      recall: (at, n, version, length, got) => {
        const bytes = recall(host.text(at, n), host.text(version, length));
        return bytes ? this.giveAt(got, bytes) : 0;
      },
      keep: (at, n, version, length, from, size) => keep(host.text(at, n), host.text(version, length), host.take(from, size)),
      fault: (status, head, headLen, body, bodyLen) => {
        this.pool.addFault(status, host.text(head, headLen), host.text(body, bodyLen));
      },
      done: () => { this.finished = true; },
    };
  }

  // give copies bytes into memory that Go allocates.
  give(bytes) {
    const n = bytes ? bytes.length : 0;
    if (n === 0) return [0, 0];
    const at = this.host.exports.edge_alloc(n);
    this.host.bytes.set(bytes, at);
    return [at, n];
  }

  // giveAt gives bytes and stores their address and length in got.
  giveAt(got, bytes) {
    const [at, n] = this.give(bytes);
    this.host.data.setUint32(got, at, true);
    this.host.data.setUint32(got + 4, n, true);
    return 1;
  }

  giveText(s) {
    if (s.length * 3 > scratch.length) scratch = new Uint8Array(s.length * 3);
    return this.give(scratch.subarray(0, encoder.encodeInto(s, scratch).written));
  }

  // run starts a request and returns its answer or a promise of it; a number
  // stands for a fault with that status. The answer is returned only once Go
  // has stopped to wait, so that a trap right after it still makes it a fault.
  // The entity tag is adapted to the request, if it is given.
  run(head, body, flags, asked) {
    const { id, env, ctx, request = null } = asked;
    const { host } = this;
    this.context.env = env;
    this.id = id;
    this.request = request;
    this.asked = asked; // needed by ops
    this.answer = this.deliver = this.ended = this.writer = null;
    this.finished = this.handed = false;
    this.timer = 0;
    this.started = Date.now();
    this.pool.live.add(this);
    host.enter(() => {
      const [bp, bl] = this.give(body), [hp, hl] = this.giveText(head);
      host.exports.edge_request(hp, hl, bp, bl, flags);
      host.exports.go_scheduler();
    });
    if (!this.pool.live.has(this)) return this.hand(); // finished or dead
    // Work continues. Without waitUntil, a client that leaves would cancel it,
    // and the instance would never return.
    const end = Promise.withResolvers(); // not the Promise constructor: another request may resolve it, see Pool.wait
    this.ended = end.resolve;
    ctx.waitUntil(end.promise);
    this.pool.guard(ctx);
    if (this.answer) return this.hand();
    const answer = Promise.withResolvers();
    this.deliver = answer.resolve;
    return answer.promise;
  }

  // hand returns the answer.
  hand() {
    this.handed = true;
    const r = this.answer;
    this.answer = null;
    return r;
  }

  // await sets the deadline of a stream: each chunk must be sent within it, and
  // the whole stream within its maximum duration.
  await() {
    clearTimeout(this.timer);
    const left = Math.max(0, this.started + settings.streamLife - Date.now());
    this.timer = setTimeout(() => this.die(new Error("deadline")), Math.min(settings.deadline, left));
  }

  // op starts work outside and tells Go when it has ended.
  op(start) {
    const { host } = this, id = ++this.ops, generation = host.generation;
    const end = (outcome, bytes) => {
      if (generation !== host.generation) return;
      host.enter(() => {
        const [at, n] = this.give(bytes);
        host.exports.edge_op_done(id, outcome, at, n);
        host.exports.go_scheduler();
      });
    };
    const work = async () => start();
    work().then((bytes) => end(bytes === null ? NO : OK, bytes), (e) => end(FAILED, encoder.encode(String(e?.message || e))));
    return id;
  }

  respond(status, { headers, tag }, body) {
    if (status === CONTINUE) return void (this.answer = CONTINUE);
    const empty = status === 204 || status === 304;
    headers.set("request-id", this.id); // into the cached headers: the answer has a copy
    if (tag && this.request) headers.set("etag", tagFor(this.request, tag));
    this.answer = new Response(empty ? null : body, { status, headers });
  }

  settle() {
    if (this.deliver && this.answer) {
      this.deliver(this.hand());
      this.deliver = null;
    }
    if (this.finished && this.pool.live.has(this)) this.leave(() => this.pool.back(this));
  }

  // leave ends the request; where decides what happens to the instance.
  leave(where) {
    if (this.timer) clearTimeout(this.timer);
    this.pool.live.delete(this);
    const ended = this.ended;
    this.ended = this.request = this.asked = null;
    where();
    if (ended) ended();
  }

  // die ends the instance: after a trap, at the deadline, or when it is lost.
  // It may run on behalf of another request, so it creates nothing that belongs
  // to a request; Go's timers find that their generation is gone.
  die(error, status = 500) {
    if (!this.pool.live.has(this)) return;
    this.host.dead = true;
    this.host.generation++;
    console.error(JSON.stringify({ message: "instance retired", request_id: this.id, status, cause: this.lastWords || String(error) }));
    if (this.writer) this.writer.abort(new Error("internal error")).catch(() => {});
    if (!this.handed) {
      this.answer = status;
      if (this.deliver) this.deliver(this.hand());
    }
    this.leave(() => this.pool.gone(this));
  }

  log(line) {
    if (line.startsWith("panic")) this.lastWords = line;
    console.error("go:", line);
  }
}
