//go:build js && wasm

package edgejs

import "unsafe"

// Getenv returns a variable or secret of the worker, "" if it is not set.
func Getenv(name string) string {
	var got struct {
		at *byte
		n  uint32
	}
	p, n := stringAt(name)
	if hostGetenv(p, n, unsafe.Pointer(&got)) == 0 {
		return ""
	}
	return unsafe.String(got.at, got.n)
}
