//go:build tinygo && js && wasm

package edgejs

import _ "unsafe" // for go:linkname

// TinyGo starts a goroutine for each call of a js.Func, and a goroutine is
// 64 KiB of memory to write, and to clear again before the instance is put
// back: more than all the rest of a request. So one goroutine serves them in
// turn. A call that comes while it is busy gets one of its own, as usual.

//go:linkname handleEvent syscall/js.handleEvent
func handleEvent() bool

var (
	events = make(chan struct{}, 1)
	busy   bool
)

func init() {
	go func() {
		for range events {
			handleEvent()
			busy = false
		}
	}()
}

// edgeEvent wakes that goroutine for the event that the script holds ready, or
// reports 0 where it is busy.
//
//export edge_event
func edgeEvent() uint32 {
	if busy {
		return 0
	}
	busy = true
	events <- struct{}{}
	return 1
}
