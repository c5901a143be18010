//go:build js && wasm

package edgejs

import "unsafe"

// The functions that the script provides (js/instance.mjs). None of them calls
// back into Go before it returns, except to allocate.

// hostRespond sends a complete answer: status, header block, body.
//
//go:wasmimport edge respond
func hostRespond(status uint32, head unsafe.Pointer, headLen uint32, body unsafe.Pointer, bodyLen uint32)

// hostStream opens a streaming answer.
//
//go:wasmimport edge stream
func hostStream(status uint32, head unsafe.Pointer, headLen uint32)

// hostStreamWrite starts an op that completes when the client has room for
// more.
//
//go:wasmimport edge stream_write
func hostStreamWrite(p unsafe.Pointer, n uint32) uint32

// hostStreamClose ends the stream; failed cuts it so that the client notices.
//
//go:wasmimport edge stream_close
func hostStreamClose(failed uint32)

// hostOp starts an op of that kind and returns its number.
//
//go:wasmimport edge op
func hostOp(kind uint32, p unsafe.Pointer, n uint32) uint32

// hostRandom fills the bytes from crypto.getRandomValues.
//
//go:wasmimport edge random
func hostRandom(p unsafe.Pointer, n uint32)

// hostGetenv allocates and fills the value of a text binding, and stores its
// address and length in got. It returns 0 if there is none.
//
//go:wasmimport edge getenv
func hostGetenv(name unsafe.Pointer, n uint32, got unsafe.Pointer) uint32

// hostRecall allocates and fills what was kept under a name and a version, and
// stores its address and length in got. It returns 0 if there is nothing.
//
//go:wasmimport edge recall
func hostRecall(name unsafe.Pointer, nameLen uint32, version unsafe.Pointer, versionLen uint32, got unsafe.Pointer) uint32

// hostKeep keeps bytes under a name and a version.
//
//go:wasmimport edge keep
func hostKeep(name unsafe.Pointer, nameLen uint32, version unsafe.Pointer, versionLen uint32, p unsafe.Pointer, n uint32)

// hostFault passes a prepared answer for faults outside Go.
//
//go:wasmimport edge fault
func hostFault(status uint32, head unsafe.Pointer, headLen uint32, body unsafe.Pointer, bodyLen uint32)

// hostDone says that the handler and its stream have ended.
//
//go:wasmimport edge done
func hostDone()

// bytesAt returns b's address and length, as imports take them.
func bytesAt(b []byte) (unsafe.Pointer, uint32) {
	return unsafe.Pointer(unsafe.SliceData(b)), uint32(len(b))
}

// stringAt is bytesAt for a string, which the script only reads.
func stringAt(s string) (unsafe.Pointer, uint32) {
	return unsafe.Pointer(unsafe.StringData(s)), uint32(len(s))
}
