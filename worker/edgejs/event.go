//go:build tinygo && js && wasm

package edgejs

import "syscall/js"

// TinyGo starts a goroutine for each call of a js.Func, and a goroutine is 64
// KiB of memory to write, and to clear before the instance is reset: more than
// all the rest of a request. So one goroutine serves the calls in turn. A call
// that comes while it is busy gets its own goroutine, as usual.

// functions are the functions passed to js.FuncOf, by number.
//
//go:extern syscall/js.funcs
var functions map[uint32]func(this js.Value, args []js.Value) any

// event is a call of a js.Func: its number and that of its arguments, which the
// script keeps as elements of the global object. It has no "this".
type event struct{ function, arguments uint32 }

func (e event) call() {
	f := functions[e.function]
	if f == nil {
		return // released
	}
	args := make([]js.Value, e.arguments)
	for i := range args {
		args[i] = js.Global().Index(i)
	}
	result := f(js.Undefined(), args)
	if v, ok := result.(js.Value); !ok || !v.IsUndefined() {
		js.Global().Set("result", result)
	}
}

var (
	events = make(chan event, 1)
	busy   bool
)

func init() {
	go func() {
		for e := range events {
			e.call()
			busy = false
		}
	}()
}

// edgeEvent wakes that goroutine for a call, or returns 0 if it is busy.
//
//export edge_event
func edgeEvent(function, arguments uint32) uint32 {
	if busy {
		return 0
	}
	busy = true
	events <- event{function, arguments}
	return 1
}
