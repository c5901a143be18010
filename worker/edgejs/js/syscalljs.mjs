// The host side of Go's syscall/js and of the few system calls TinyGo's
// runtime makes. It differs from the usual wasm_exec.js where a pool of
// instances needs it to: traps and settling are reported, timers and
// references can be dropped at once (reset), the clock is read when asked for.

const encoder = new TextEncoder(), decoder = new TextDecoder();

// A js.Value crosses as 64 bits: a float that is no NaN and not 0 is a number;
// 0 is undefined; a NaN carries a reference, whose kind stands in bits 32-34.
const float = new Float64Array(1), words = new Uint32Array(float.buffer), long = new BigInt64Array(float.buffer);
const NAN = 0x7ff80000, OBJECT = 1, STRING = 2, SYMBOL = 3, FUNCTION = 4;
const KIND = { string: STRING, symbol: SYMBOL, function: FUNCTION };
const GLOBAL = 5, SELF = 6; // reference numbers fixed by Go

// The scheduler asks for the time at every turn; it changes once a millisecond.
let lastTime = 0, lastTicks = 0n;

function nanoseconds() {
  const now = Date.now();
  if (now !== lastTime) {
    lastTime = now;
    lastTicks = BigInt(now) * 1000000n;
  }
  return lastTicks;
}

const construct = (f, _self, args) => Reflect.construct(f, args);

// isShort tells of a few characters of ASCII, which are copied faster than they
// are encoded.
function isShort(s) {
  if (s.length > 64) return false;
  for (let i = 0; i < s.length; i++) if (s.charCodeAt(i) > 127) return false;
  return true;
}

// callBack runs the Go function of the pending event.
function callBack({ exports }) {
  if (exports.edge_event()) exports.go_scheduler();
  else exports.resume();
}

export class GoHost {
  // context becomes globalThis.context as Go sees it; hooks = { trap(error),
  // settle(), log(line) }.
  constructor(context, hooks) {
    this.hooks = hooks;
    this.generation = 0;       // a reset raises it: callbacks of before do nothing
    this.timers = new Set();
    this.depth = 0;            // entries into Wasm that have not returned
    this.dead = false;
    this.line = [];
    this.callbacks = 0;        // js.FuncOf values made so far
    this.names = new Map();    // decoded constants: property names
    this.heapStart = 0;
    this.global = { context }; // stands for globalThis, which lacks a context
    this.values = [NaN, 0, null, true, false, this.global, this];
    this.uses = [];
    this.numbers = new Map([[this.global, GLOBAL], [this, SELF]]);
    this.free = [];
    this.base = this.values.length; // references below it belong to the boot image
  }

  attach(instance) {
    this.exports = instance.exports;
    this.bytesView = this.dataView = null;
  }
  get(v, name) { return v === this.global && name !== "context" ? globalThis[name] : v[name]; }
  get bytes() {
    const b = this.exports.memory.buffer;
    return this.bytesView?.buffer === b ? this.bytesView : (this.bytesView = new Uint8Array(b));
  }
  get data() {
    const b = this.exports.memory.buffer;
    return this.dataView?.buffer === b ? this.dataView : (this.dataView = new DataView(b));
  }
  text(at, n) { return decoder.decode(this.bytes.subarray(at >>> 0, (at >>> 0) + n)); }
  // take copies bytes out. Short text comes as a string where that is allowed,
  // for a buffer costs more; only ASCII is as long as its bytes.
  take(at, n, asText) {
    at >>>= 0;
    if (asText && n <= 1024) {
      const s = this.text(at, n);
      if (s.length === n && !s.includes("\ufffd")) return s;
    }
    return this.bytes.slice(at, at + n);
  }
  random(at, n) { crypto.getRandomValues(this.bytes.subarray(at >>> 0, (at >>> 0) + n)); }

  // enter runs f, which calls into Wasm. A trap ends the instance; one met
  // below another entry (Go called JavaScript, which called Go) is thrown on,
  // so that the outer frames unwind too.
  enter(f) {
    if (this.dead) return;
    this.depth++;
    try {
      f(this);
    } catch (e) {
      this.dead = true;
      if (this.depth > 1) throw e;
      this.hooks.trap(e);
    } finally {
      this.depth--;
    }
    if (this.depth === 0 && !this.dead) this.hooks.settle();
  }

  clearTimers() {
    for (const t of this.timers) clearTimeout(t);
    this.timers.clear();
  }

  // dropReferences forgets all that Go came to hold since the boot image.
  dropReferences() {
    for (let i = this.base; i < this.values.length; i++) {
      const v = this.values[i];
      if (typeof v !== "string") this.numbers.delete(v);
    }
    this.values.length = this.uses.length = this.base;
    this.free.length = 0;
  }

  // Values: from the 64 bits, and into them.

  unbox(bits) {
    long[0] = bits;
    return this.fromWords();
  }
  load(at) {
    words[0] = this.data.getUint32(at, true);
    words[1] = this.data.getUint32(at + 4, true);
    return this.fromWords();
  }
  fromWords() {
    const f = float[0];
    if (f === 0) return undefined;
    return f === f ? f : this.values[words[0]];
  }
  box(v) {
    this.toWords(v);
    return long[0];
  }
  store(at, v) {
    this.toWords(v);
    this.data.setUint32(at, words[0], true);
    this.data.setUint32(at + 4, words[1], true);
  }
  toWords(v) {
    const type = typeof v;
    if (type === "number" && v === v && v !== 0) { float[0] = v; return; }
    if (v === undefined) { words[0] = words[1] = 0; return; }
    if (type === "object" && v !== null || KIND[type]) {
      words[0] = this.reference(v, type);
      words[1] = NAN | (KIND[type] || OBJECT);
      return;
    }
    words[0] = type === "number" ? (v === 0 ? 1 : 0) : v === null ? 2 : v ? 3 : 4;
    words[1] = NAN;
  }
  reference(v, type) {
    let n = type === "string" ? undefined : this.numbers.get(v);
    if (n === undefined) {
      n = this.free.length ? this.free.pop() : this.values.length;
      this.values[n] = v;
      this.uses[n] = 0;
      if (type !== "string") this.numbers.set(v, n);
    }
    this.uses[n]++;
    return n;
  }
  release(bits) {
    long[0] = bits;
    const n = words[0];
    if (n < this.base || --this.uses[n] > 0) return;
    this.numbers.delete(this.values[n]);
    this.values[n] = null;
    this.free.push(n);
  }
  name(at, n) {
    at >>>= 0;
    if (at + n > this.heapStart || n >= 64) return this.text(at, n);
    const key = at * 64 + n;
    let s = this.names.get(key);
    if (s === undefined) this.names.set(key, s = this.text(at, n));
    return s;
  }
  list(at, n) {
    const out = new Array(n);
    for (let i = 0; i < n; i++) out[i] = this.load(at + i * 8);
    return out;
  }

  // _makeFuncWrapper is called by Go itself for js.FuncOf.
  _makeFuncWrapper(id) {
    const host = this, generation = this.generation;
    this.callbacks++;
    return function () {
      if (generation !== host.generation) return undefined;
      const event = { id, this: this, args: arguments };
      host._pendingEvent = event;
      host.enter(callBack);
      return event.result;
    };
  }

  sleep(nanoseconds) {
    const generation = this.generation;
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      if (generation === this.generation) this.enter(() => this.exports.go_scheduler());
    }, Math.ceil(Number(nanoseconds) / 1e6));
    this.timers.add(timer);
  }

  // attempt stores what a call gives, or what it throws, with a flag after it.
  attempt(at, call, f, self, args) {
    let v, ok = 1;
    try { v = call(f, self, args); } catch (e) {
      if (this.dead) throw e;
      v = e;
      ok = 0;
    }
    this.store(at, v);
    this.data.setUint8(at + 8, ok);
  }

  copy(at, array, run) {
    if (!(array instanceof Uint8Array || array instanceof Uint8ClampedArray)) {
      this.data.setUint8(at + 4, 0);
      return;
    }
    this.data.setUint32(at, run(array), true);
    this.data.setUint8(at + 4, 1);
  }

  print(vectors, count, written) {
    let total = 0;
    for (let i = 0; i < count; i++) {
      const at = this.data.getUint32(vectors + i * 8, true), n = this.data.getUint32(vectors + i * 8 + 4, true);
      total += n;
      for (const c of this.bytes.subarray(at, at + n)) {
        if (c !== 10) { this.line.push(c); continue; }
        this.hooks.log(decoder.decode(new Uint8Array(this.line)));
        this.line = [];
      }
    }
    this.data.setUint32(written, total, true);
    return 0;
  }

  imports(edge) {
    const h = this;
    const gojs = {
      "runtime.ticks": () => nanoseconds(),
      "runtime.sleepTicks": (ns) => h.sleep(ns),
      "runtime.getRandomData": (p, n) => h.random(p, n),
      "syscall/js.finalizeRef": (ref) => h.release(ref),
      "syscall/js.stringVal": (p, n) => h.box(h.name(p, n)),
      "syscall/js.valueGet": (ref, p, n) => h.box(h.get(h.unbox(ref), h.name(p, n))),
      "syscall/js.valueSet": (ref, p, n, x) => { const v = h.unbox(ref); Reflect.set(v, h.name(p, n), h.unbox(x)); },
      "syscall/js.valueDelete": (ref, p, n) => { Reflect.deleteProperty(h.unbox(ref), h.name(p, n)); },
      "syscall/js.valueIndex": (ref, i) => h.box(h.unbox(ref)[i]),
      "syscall/js.valueSetIndex": (ref, i, x) => { const v = h.unbox(ref); v[i] = h.unbox(x); },
      "syscall/js.valueLength": (ref) => h.unbox(ref).length,
      "syscall/js.valueInstanceOf": (a, b) => h.unbox(a) instanceof h.unbox(b),
      "syscall/js.valueCall": (at, ref, p, n, args, count) => {
        const v = h.unbox(ref);
        h.attempt(at, Reflect.apply, h.get(v, h.name(p, n)), v === h.global ? globalThis : v, h.list(args, count));
      },
      "syscall/js.valueInvoke": (at, ref, args, count) => {
        h.attempt(at, Reflect.apply, h.unbox(ref), undefined, h.list(args, count));
      },
      "syscall/js.valueNew": (at, ref, args, count) => {
        h.attempt(at, construct, h.unbox(ref), undefined, h.list(args, count));
      },
      "syscall/js.valuePrepareString": (at, ref) => {
        const s = String(h.unbox(ref)), b = isShort(s) ? s : encoder.encode(s);
        h.store(at, b);
        h.data.setInt32(at + 8, b.length, true);
      },
      "syscall/js.valueLoadString": (ref, p) => {
        const b = h.unbox(ref), to = h.bytes;
        p >>>= 0;
        if (typeof b === "string") for (let i = 0; i < b.length; i++) to[p + i] = b.charCodeAt(i);
        else to.set(b, p);
      },
      "syscall/js.copyBytesToGo": (at, p, n, _cap, ref) => h.copy(at, h.unbox(ref), (source) => {
        const k = Math.min(n >>> 0, source.length);
        h.bytes.set(source.subarray(0, k), p >>> 0);
        return k;
      }),
      "syscall/js.copyBytesToJS": (at, ref, p, n) => h.copy(at, h.unbox(ref), (target) => {
        const k = Math.min(n >>> 0, target.length);
        target.set(h.bytes.subarray(p >>> 0, (p >>> 0) + k));
        return k;
      }),
    };
    const wasi = {
      fd_write: (_fd, vectors, count, written) => h.print(vectors, count, written),
      fd_close: () => 0,
      fd_fdstat_get: () => 0,
      fd_seek: () => 0,
      proc_exit: (code) => { throw new Error("exit " + code); },
      random_get: (p, n) => { h.random(p, n); return 0; },
    };
    return { gojs, env: gojs, wasi_snapshot_preview1: wasi, edge };
  }
}
