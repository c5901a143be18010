//go:build js && wasm

package edgejs

import (
	"unsafe"

	"colophon/worker/edge"
)

// The functions below are called by the script. They are plain exports rather
// than //go:wasmexport, which would allocate a goroutine stack for each call.

// Flags of edge_request.
const (
	flagTooLarge = 1 << iota // the body went over the limit and was not read
	flagHead                 // a HEAD request: the answer goes without its body
	flagCron                 // not a request: the query is a cron expression
)

type arrival struct {
	*edge.Request
	flags uint32
}

var arrivals = make(chan arrival, 1)

// edgeAlloc allocates n bytes for the script to fill.
//
//export edge_alloc
func edgeAlloc(n uint32) unsafe.Pointer {
	return unsafe.Pointer(unsafe.SliceData(make([]byte, max(n, 1))))
}

// edgeRequest queues the one request of this instance.
//
//export edge_request
func edgeRequest(head unsafe.Pointer, headLen uint32, body unsafe.Pointer, bodyLen uint32, flags uint32) {
	a := arrival{parseHead(unsafe.String((*byte)(head), headLen)), flags}
	a.TooLarge = flags&flagTooLarge != 0
	if bodyLen > 0 {
		a.Body = unsafe.Slice((*byte)(body), bodyLen)
	}
	arrivals <- a
}

// edgeOpDone completes an op with its outcome and bytes.
//
//export edge_op_done
func edgeOpDone(id, outcome uint32, p unsafe.Pointer, n uint32) {
	o := pending[id]
	if o == nil {
		return
	}
	delete(pending, id)
	o.outcome = outcome
	if n > 0 {
		o.data = unsafe.Slice((*byte)(p), n)
	}
	o.done <- struct{}{}
}

// The variables in which TinyGo's allocator (gc=leaking) keeps its state.

//go:extern runtime.heapptr
var heapNext uintptr

//go:extern runtime.heapEnd
var heapEnd uintptr

//go:extern runtime.heapStart
var heapStart uintptr

//go:extern __global_base
var globalBase [0]byte

var layout [4]uint32

// edgeLayout returns where an image of the instance begins and ends: the
// addresses of the allocator's next and end pointers, the heap's start, and the
// start of constants and globals. Only the system stack lies below the latter,
// and it is empty whenever the script runs.
//
//export edge_layout
func edgeLayout() unsafe.Pointer {
	layout = [4]uint32{
		uint32(uintptr(unsafe.Pointer(&heapNext))),
		uint32(uintptr(unsafe.Pointer(&heapEnd))),
		uint32(heapStart),
		uint32(uintptr(unsafe.Pointer(&globalBase))),
	}
	return unsafe.Pointer(&layout)
}

// arc4random replaces the C library's generator, from which TinyGo seeds its
// maps: that generator would be part of the image and would include printf.
//
//export arc4random
func arc4random() uint32 {
	var word [4]byte
	hostRandom(unsafe.Pointer(&word), 4)
	return uint32(word[0]) | uint32(word[1])<<8 | uint32(word[2])<<16 | uint32(word[3])<<24
}
