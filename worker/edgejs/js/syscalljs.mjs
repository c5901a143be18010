// The host side of Go's syscall/js and of the few system calls of TinyGo's
// runtime. It differs from the usual wasm_exec.js where a pool of instances
// needs it to: traps and settling are reported, timers and references can be
// dropped at once (reset), and the clock is read on demand.

const encoder = new TextEncoder(), decoder = new TextDecoder();
const exact = new TextDecoder("utf-8", { ignoreBOM: true });

// A js.Value has 64 bits: a float other than NaN and 0 is a number; 0 is
// undefined; a NaN carries a reference, whose kind is in bits 32-34. Values are
// passed as two halves (--legalize-js-interface in tools/edge/build.sh), since
// otherwise a BigInt would be made for each: as two arguments, or as the result
// and what getTempRet0 then returns.
const float = new Float64Array(1), words = new Int32Array(float.buffer);
const NAN = 0x7ff80000, OBJECT = NAN | 1, STRING = NAN | 2, SYMBOL = NAN | 3, FUNCTION = NAN | 4;
let high = 0; // upper half of the latest result

function nanoseconds() {
  const now = Date.now(), more = Math.floor(now / 2 ** 32), low = (now - more * 2 ** 32) * 1e6;
  high = more * 1e6 + Math.floor(low / 2 ** 32);
  return low | 0;
}

const construct = (f, _self, args) => Reflect.construct(f, args);

// isShort reports whether s is a few ASCII characters, which are copied faster
// than they are encoded.
function isShort(s) {
  if (s.length > 64) return false;
  for (let i = 0; i < s.length; i++) if (s.charCodeAt(i) > 127) return false;
  return true;
}

export class GoHost {
  // context becomes globalThis.context as Go sees it; hooks = { trap(error),
  // settle(), log(line) }.
  constructor(context, hooks) {
    this.hooks = hooks;
    this.generation = 0;       // a reset raises it, and earlier callbacks then do nothing
    this.timers = new Set();
    this.depth = 0;            // entries into Wasm that have not returned
    this.dead = false;
    this.line = [];
    this.prepared = null;      // the string that Go is about to load
    this.callbacks = 0;        // js.FuncOf values made so far
    this.names = new Map();    // decoded constants: property names
    this.heapStart = 0;
    this.global = { context }; // stands for globalThis, which lacks a context
    this.values = [NaN, 0, null, true, false, this.global, this];
    this.base = this.values.length; // references below it belong to the boot image
  }

  attach(instance) {
    this.exports = instance.exports;
    this.view();
  }
  get(v, name) { return v === this.global && name !== "context" ? globalThis[name] : v[name]; }
  // A view becomes empty when the memory grows.
  get bytes() { return this.bytesView.length ? this.bytesView : this.view().bytesView; }
  get ints() { return this.intsView.length ? this.intsView : this.view().intsView; }
  get data() { return this.bytesView.length ? this.dataView : this.view().dataView; }
  view() {
    const { buffer } = this.exports.memory;
    this.bytesView = new Uint8Array(buffer);
    this.intsView = new Int32Array(buffer);
    this.dataView = new DataView(buffer);
    return this;
  }
  text(at, n) { return decoder.decode(this.bytes.subarray(at >>> 0, (at >>> 0) + n)); }
  // take copies bytes out. If asText is set, UTF-8 is returned as a string: a
  // buffer costs more, and is collected so late that the process grows by half.
  take(at, n, asText) {
    at >>>= 0;
    const bytes = this.bytes.subarray(at, at + n), s = asText ? exact.decode(bytes) : "\ufffd";
    return s.includes("\ufffd") ? bytes.slice() : s; // it was not UTF-8
  }
  random(at, n) { crypto.getRandomValues(this.bytes.subarray(at >>> 0, (at >>> 0) + n)); }

  // enter runs f, which calls into Wasm. A trap ends the instance; a trap below
  // another entry (Go called JavaScript, which called Go) is thrown again, so
  // that the outer frames unwind too.
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

  // dropReferences drops all references that Go has acquired since the boot
  // image.
  dropReferences() { this.values.length = this.base; }

  // Values: value joins the halves, halve splits them.

  value(low, high) {
    if ((high & NAN) === NAN) return this.values[low];
    if (low === 0 && high === 0) return undefined;
    words[0] = low;
    words[1] = high;
    return float[0];
  }
  load(at) {
    const { ints } = this, i = at >>> 2;
    return this.value(ints[i], ints[i + 1]);
  }
  // halve puts the upper half into high.
  halve(v) {
    switch (typeof v) {
      case "object":
        if (v === null) break;
        high = OBJECT;
        return this.reference(v);
      case "string":
        high = STRING;
        return this.reference(v);
      case "function":
        high = FUNCTION;
        return this.reference(v);
      case "symbol":
        high = SYMBOL;
        return this.reference(v);
      case "undefined":
        return high = 0;
      case "number":
        if (v !== v || v === 0) break;
        float[0] = v;
        high = words[1];
        return words[0];
    }
    high = NAN;
    return v === 0 ? 1 : v === null ? 2 : v === true ? 3 : v === false ? 4 : 0;
  }
  store(at, v) {
    const low = this.halve(v), { ints } = this, i = at >>> 2;
    ints[i] = low;
    ints[i + 1] = high;
  }
  // reference gives v a new number each time, since looking up its existing
  // number takes longer. So in Go two references to one object are not equal.
  reference(v) { return this.values.push(v) - 1; }
  // name returns a string of Go's, from the cache if it is a constant.
  name(at, n) {
    at >>>= 0;
    if (at + n > this.heapStart) return this.text(at, n);
    let s = this.names.get(at);
    if (s === undefined || s.length !== n) this.names.set(at, s = this.text(at, n));
    return s;
  }
  list(at, n) {
    const out = new Array(n);
    for (let i = 0; i < n; i++) out[i] = this.load(at + i * 8);
    return out;
  }

  // Go itself calls _makeFuncWrapper for js.FuncOf.
  _makeFuncWrapper(id) {
    const host = this, generation = this.generation;
    this.callbacks++;
    return function () {
      if (generation !== host.generation) return undefined;
      const event = { id, this: this, args: arguments };
      host.enter(() => host.callBack(event));
      return event.result;
    };
  }

  // callBack runs the Go function of an event: through worker/edgejs/event.go
  // or, while that is busy, handleEvent of syscall/js.
  callBack(event) {
    const { exports, global } = this, { id, args } = event;
    for (let i = 0; i < args.length; i++) global[i] = args[i];
    if (exports.edge_event(id, args.length)) {
      global.result = undefined;
      exports.go_scheduler();
      event.result = global.result;
      for (let i = 0; i < args.length; i++) global[i] = undefined;
    } else {
      this._pendingEvent = event;
      exports.resume();
    }
  }

  sleep(nanoseconds) {
    const generation = this.generation;
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      if (generation === this.generation) this.enter(() => this.exports.go_scheduler());
    }, Math.ceil(nanoseconds / 1e6));
    this.timers.add(timer);
  }

  // attempt stores what a call returns or throws, followed by a flag.
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
      "runtime.sleepTicks": (low, high) => h.sleep(high * 2 ** 32 + (low >>> 0)),
      "runtime.getRandomData": (p, n) => h.random(p, n),
      "syscall/js.finalizeRef": () => {}, // TinyGo reports only strings that it has loaded
      "syscall/js.stringVal": (p, n) => h.halve(h.name(p, n)),
      "syscall/js.valueGet": (low, high, p, n) => h.halve(h.get(h.value(low, high), h.name(p, n))),
      "syscall/js.valueSet": (low, high, p, n, x, y) => { h.value(low, high)[h.name(p, n)] = h.value(x, y); },
      "syscall/js.valueDelete": (low, high, p, n) => { Reflect.deleteProperty(h.value(low, high), h.name(p, n)); },
      "syscall/js.valueIndex": (low, high, i) => h.halve(h.value(low, high)[i]),
      "syscall/js.valueSetIndex": (low, high, i, x, y) => { h.value(low, high)[i] = h.value(x, y); },
      "syscall/js.valueLength": (low, high) => h.value(low, high).length,
      "syscall/js.valueInstanceOf": (low, high, x, y) => h.value(low, high) instanceof h.value(x, y),
      "syscall/js.valueCall": (at, low, high, p, n, args, count) => {
        const v = h.value(low, high);
        h.attempt(at, Reflect.apply, h.get(v, h.name(p, n)), v === h.global ? globalThis : v, h.list(args, count));
      },
      "syscall/js.valueInvoke": (at, low, high, args, count) => {
        h.attempt(at, Reflect.apply, h.value(low, high), undefined, h.list(args, count));
      },
      "syscall/js.valueNew": (at, low, high, args, count) => {
        h.attempt(at, construct, h.value(low, high), undefined, h.list(args, count));
      },
      "syscall/js.valuePrepareString": (at, low, high) => {
        const s = String(h.value(low, high)), b = isShort(s) ? s : encoder.encode(s);
        h.prepared = b;
        h.store(at, undefined);
        h.data.setInt32(at + 8, b.length, true);
      },
      // Go loads a string right after it had it prepared.
      "syscall/js.valueLoadString": (_low, _high, p) => {
        const b = h.prepared, to = h.bytes;
        h.prepared = null;
        p >>>= 0;
        if (typeof b === "string") for (let i = 0; i < b.length; i++) to[p + i] = b.charCodeAt(i);
        else to.set(b, p);
      },
      "syscall/js.copyBytesToGo": (at, p, n, _cap, low, high) => h.copy(at, h.value(low, high), (source) => {
        const k = Math.min(n >>> 0, source.length);
        h.bytes.set(source.subarray(0, k), p >>> 0);
        return k;
      }),
      "syscall/js.copyBytesToJS": (at, low, high, p, n) => h.copy(at, h.value(low, high), (target) => {
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
    const env = { ...gojs, getTempRet0: () => high };
    return { gojs, env, wasi_snapshot_preview1: wasi, edge };
  }
}
