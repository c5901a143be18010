//go:build js && wasm

package edgejs

import (
	"errors"
	"unsafe"

	"colophon/worker/edge"
)

// parts returns the arguments of hostRespond and hostFault for an answer.
func parts(res *edge.Response) (status uint32, head unsafe.Pointer, headLen uint32, body unsafe.Pointer, bodyLen uint32) {
	head, headLen = bytesAt(blockOf(res.Header))
	body, bodyLen = bytesAt(res.Body)
	return uint32(res.Status), head, headLen, body, bodyLen
}

// stream sends the head, then runs the stream function. An error, or a client
// that has left, cuts the answer off.
func stream(res *edge.Response) {
	hp, hn := bytesAt(blockOf(res.Header))
	hostStream(uint32(res.Status), hp, hn)
	if err := res.Stream(writer{}); err != nil {
		hostStreamClose(1)
		return
	}
	hostStreamClose(0)
}

func blockOf(h edge.Header) []byte {
	return appendBlock(make([]byte, 0, 64*len(h)), h)
}

// writer sends each Write as one chunk; callers collect about 16 KiB.
type writer struct{}

var errClientGone = errors.New("client gone")

func (writer) Write(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	at, n := bytesAt(p)
	if o := await(hostStreamWrite(at, n)); o.outcome != opOK {
		return 0, errClientGone
	}
	return len(p), nil
}
