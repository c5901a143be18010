//go:build js && wasm

package edgejs

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"time"
)

// Nonces remembers the nonces of signatures that a guard has seen, in the
// Durable Objects of the binding NONCES, one for each signer, which all
// isolates share. Without the binding each isolate remembers its own.
type Nonces struct{}

// Spend reports whether a nonce was not used before, and remembers its digest.
// It returns false while the object cannot be reached.
func (Nonces) Spend(_ context.Context, host, nonce string, until time.Time) bool {
	sum := sha256.Sum256([]byte(nonce))
	arg := append([]byte(host), '\n')
	arg = append(strconv.AppendInt(arg, until.Unix(), 10), '\n')
	_, fresh, err := ask(opNonce, hex.AppendEncode(arg, sum[:]))
	return fresh && err == nil
}
