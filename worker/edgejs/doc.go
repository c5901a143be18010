// Package edgejs runs an edge.Handler inside the Cloudflare Workers runtime.
//
// A worker is one Wasm module and a small script (js/*.mjs). The script keeps a
// pool of instances of the module, gives each at most one request at a time and
// provides everything a handler needs from outside: static files, bodies, rate
// limits, signature checks, entropy, settings. Requests and answers cross as
// bytes; nothing here imports net/http.
//
// The main goroutine of an instance is its request loop: Serve receives from a
// channel that the exported edge_request fills. Exports run on the system
// stack, never block and start no goroutine; after each, the script calls the
// scheduler, which runs Go until every goroutine waits. A call to the outside
// (an "op") works in reverse: an import starts it and returns its number, the
// goroutine waits on a channel, and edge_op_done wakes it.
//
// Two requests never share an instance at the same time, because the runtime
// ties open streams and sockets to the request that opened them. After a
// request the instance may be reset to its boot image (see edge_layout), which
// frees all memory at once: the module is built without a garbage collector,
// and a panic, which TinyGo cannot recover from on Wasm, costs one instance and
// one answer. Code that runs here must therefore keep nothing between requests
// that it could not recreate.
//
// The package also compiles with the standard Go toolchain, so that vet and
// tests cover its sources, but only a TinyGo build exports what the script
// calls.
//
//go:generate go run ./tables
package edgejs
