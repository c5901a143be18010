//go:build js && wasm

package edgejs

import "unsafe"

// Recall returns the bytes kept under a name, or nil if there are none of that
// version.
func Recall(name, version string) []byte {
	var got struct {
		at *byte
		n  uint32
	}
	p, n := stringAt(name)
	v, length := stringAt(version)
	if hostRecall(p, n, v, length, unsafe.Pointer(&got)) == 0 {
		return nil
	}
	return unsafe.Slice(got.at, got.n)
}

// Keep keeps bytes under a name, in place of those of another version, for all
// instances of the isolate: the memory of one instance does not outlast a few
// requests. The script may forget them at any time.
func Keep(name, version string, b []byte) {
	p, n := stringAt(name)
	v, length := stringAt(version)
	from, size := bytesAt(b)
	hostKeep(p, n, v, length, from, size)
}
