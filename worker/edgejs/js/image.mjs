// The boot image: memory and references of an instance that has started and
// waits for its first request. New instances load it instead of starting; used
// ones are restored to it, which frees everything they allocated.
//
// TinyGo's leaking allocator only ever moves a pointer up, so the image is the
// memory from the first constant up to that pointer. Below it is the system
// stack, which is empty whenever JavaScript runs.

const GLOBAL = 5, SELF = 6; // references that differ between instances; Go fixes their numbers

export class Image {
  // The image is taken from an instance, which can still be used.
  constructor(instance) {
    const { host, context } = instance;
    if (host.callbacks) throw new Error("js.FuncOf before Serve: its closure cannot be part of the boot image");
    const at = host.exports.edge_layout(), words = [0, 4, 8, 12].map((i) => host.data.getUint32(at + i, true));
    [this.nextAt, this.endAt, this.heapStart, this.bottom] = words;
    host.heapStart = this.heapStart;
    host.base = host.values.length;
    this.top = this.next(host);
    this.memory = host.bytes.slice(this.bottom, this.top);
    this.context = context;
    this.values = host.values.slice();
    this.names = host.names;
  }

  next(host) { return host.data.getUint32(this.nextAt, true); }

  // load makes a new instance look as if it had started.
  load(instance) {
    const { host, context } = instance;
    const missing = this.top - host.bytes.length;
    if (missing > 0) host.exports.memory.grow(Math.ceil(missing / 65536) + 1);
    host.bytes.set(this.memory, this.bottom);
    this.setEnd(host);
    const own = (v) => v === this.context ? context : v;
    host.values = this.values.map(own);
    host.values[GLOBAL] = host.global;
    host.values[SELF] = host;
    host.base = host.values.length;
    host.names = this.names;
    host.heapStart = this.heapStart;
  }

  // restore resets a used instance. It must not be inside Wasm.
  restore(instance) {
    const { host } = instance, top = this.next(host);
    host.generation++;
    host.clearTimers();
    host.bytes.set(this.memory, this.bottom);
    if (top > this.top) host.bytes.fill(0, this.top, top);
    this.setEnd(host);
    host.dropReferences();
  }

  // The allocator doubles memory once it believes that it is full, so it must
  // be told how much there is.
  setEnd(host) { host.data.setUint32(this.endAt, host.bytes.length, true); }
}
