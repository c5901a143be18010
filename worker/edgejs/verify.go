//go:build js && wasm

package edgejs

import (
	"context"
	"errors"
)

// Verify checks an Ed25519 signature with the runtime's own WebCrypto: Wasm
// would need tables of several hundred KiB and ten times as long.
func Verify(_ context.Context, public, message, signature []byte) (bool, error) {
	if len(public) != 32 || len(signature) != 64 {
		return false, errors.New("ed25519: key must be 32 bytes and signature 64")
	}
	arg := make([]byte, 0, 96+len(message))
	arg = append(append(append(arg, public...), signature...), message...)
	_, ok, err := ask(opVerify, arg)
	return ok, err
}
