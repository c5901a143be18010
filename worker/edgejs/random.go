//go:build js && wasm

package edgejs

// Random is the host's entropy; it never fails. The worker has no other:
// crypto/rand would draw from a stream cipher seeded once, so that every
// instance made from one image would repeat the same bytes.
type Random struct{}

// Read fills b.
func (Random) Read(b []byte) (int, error) {
	if p, n := bytesAt(b); n > 0 {
		hostRandom(p, n)
	}
	return len(b), nil
}
