package colophon

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"math/bits"
	"strconv"

	"colophon/clients/go/api"
)

const (
	// mostBits bounds the work that a registry can ask for: some seconds.
	mostBits = 26
	// mostProofs bounds how many challenges are answered for one request.
	mostProofs = 3
)

// withProof calls send, and answers the proof of work that a busy caller is
// asked for: send then gets the value of the header Service-Proof, nil before.
func withProof[T any](ctx context.Context, send func(proof *string) (*T, error)) (*T, error) {
	out, err := send(nil)
	for range mostProofs {
		proof, ok := answerChallenge(ctx, err)
		if !ok {
			break
		}
		out, err = send(&proof)
	}
	if ctx.Err() != nil && err != nil {
		return nil, errors.Join(ctx.Err(), err)
	}
	return out, err
}

// answerChallenge solves the challenge in a refusal. It is false for any other
// error, for a challenge that asks for too much, and when ctx is done.
func answerChallenge(ctx context.Context, err error) (proof string, ok bool) {
	var p *Problem
	if !errors.As(err, &p) || p.Challenge == nil || p.Challenge.Algorithm != api.Sha256LeadingZeroBits || p.Challenge.Difficulty > mostBits {
		return "", false
	}
	text := []byte(p.Challenge.Nonce + ":")
	for n := uint64(0); n%4096 != 0 || ctx.Err() == nil; n++ {
		sum := sha256.Sum256(strconv.AppendUint(text, n, 10))
		if bits.LeadingZeros64(binary.BigEndian.Uint64(sum[:])) >= int(p.Challenge.Difficulty) {
			return "nonce=" + p.Challenge.Nonce + ";answer=" + strconv.FormatUint(n, 10), true
		}
	}
	return "", false
}
