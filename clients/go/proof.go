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
	// mostBits is the highest difficulty that is accepted. Solving it takes some
	// seconds.
	mostBits = 26
	// mostProofs is the maximum number of challenges that are answered for one
	// request.
	mostProofs = 3
)

// withProof calls send with a nil proof. If the service answers with a
// challenge, withProof solves it and calls send again with the value of the
// header Service-Proof.
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

// answerChallenge solves the challenge in a refusal and returns the proof. ok is
// false for any other error, for a challenge that is too difficult or of an
// unknown algorithm, and when ctx is done.
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
