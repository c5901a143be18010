//go:build js && wasm

package edgejs

import "errors"

// The kinds of op, as in js/ops.mjs and js/worker.mjs; opNonce belongs to the
// guard, as in guard/nonce.mjs.
const (
	opAsset = iota + 1
	opBody
	opLimit
	opVerify
	opFetch
	opDocument
	opSign
	opNonce
	opPart
)

// The outcomes of an op.
const (
	opOK     = iota
	opFailed // the bytes are the reason
	opNo     // refused, false or missing
)

type op struct {
	done    chan struct{}
	outcome uint32
	data    []byte
}

var pending = map[uint32]*op{}

// await blocks the goroutine until the op with that number has ended.
func await(id uint32) *op {
	o := &op{done: make(chan struct{}, 1)}
	pending[id] = o
	<-o.done
	return o
}

// ask runs one op. It returns false without an error for opNo.
func ask(kind uint32, arg []byte) ([]byte, bool, error) {
	p, n := bytesAt(arg)
	switch o := await(hostOp(kind, p, n)); o.outcome {
	case opOK:
		return o.data, true, nil
	case opNo:
		return nil, false, nil
	default:
		return nil, false, errors.New(string(o.data))
	}
}
