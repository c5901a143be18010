package worker

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"io"
	"math/bits"
	"strconv"
	"strings"
	"time"

	"colophon/exports"
	"colophon/internal/inquiry"
	"colophon/internal/wire"
	"colophon/worker/problem"
)

// A proof of work takes the place of a CAPTCHA, which an agent could not
// solve and a human should not have to. The challenge is
//
//	nonce = <random>.<end, unix seconds>.<bits>.<signature>
//
// and the answer is any text a for which SHA-256(nonce ":" a) begins with that
// many zero bits. It is sent back as
//
//	Service-Proof: nonce=<nonce>;answer=<a>
//
// The nonce carries its own signature, so nothing is stored until it is
// spent, which it can be once.

const (
	proofLife     = 10 * time.Minute
	defaultBits   = 18
	proofAlgoName = "sha-256-leading-zero-bits"
)

// proofWanted is the value of the field "proof" by which a script asks for a
// challenge before it sends a form.
const proofWanted = "wanted"

// groupBits are what several publishers cost more than one.
const groupBits = 2

// proven accepts a call whose Service-Proof answers a fresh challenge, and
// else refuses it with a new one.
func (c *call) proven(ctx context.Context) error {
	ok, err := c.spendWork(ctx, c.Header.Get("service-proof"), 0)
	if err != nil || ok {
		return err
	}
	return c.newChallenge(0)
}

// spendWork reports whether a proof answers a fresh challenge that has so many
// bits more than usual.
func (c *call) spendWork(ctx context.Context, proof string, more int) (bool, error) {
	nonce, answer := proofOf(proof)
	end, ok := c.checkProof(nonce, answer, c.proofBits()+more)
	if !ok {
		return false, nil
	}
	return c.deps.Counters.SpendProof(ctx, nonce, exports.Instant(time.Unix(end, 0)))
}

func (c *call) proofBits() int {
	if c.deps.ProofBits == 0 {
		return defaultBits
	}
	return c.deps.ProofBits
}

// proofOf reads the header: nonce=…;answer=….
func proofOf(header string) (nonce, answer string) {
	for _, part := range strings.Split(header, ";") {
		name, value, _ := strings.Cut(strings.TrimSpace(part), "=")
		switch name {
		case "nonce":
			nonce = value
		case "answer":
			answer = value
		}
	}
	return nonce, answer
}

func (c *call) checkProof(nonce, answer string, least int) (end int64, ok bool) {
	parts := strings.Split(nonce, ".")
	if len(parts) != 4 || len(nonce) > 200 || answer == "" || len(answer) > 200 {
		return 0, false
	}
	end, err := strconv.ParseInt(parts[1], 10, 64)
	want, err2 := strconv.Atoi(parts[2])
	if err != nil || err2 != nil || !inquiry.Same(parts[3], c.sealProof(parts[0], parts[1], parts[2])) {
		return 0, false
	}
	return end, want >= least && end > c.deps.Now().Unix() && zeroBits(nonce+":"+answer) >= want
}

func (c *call) sealProof(random, end, want string) string {
	return inquiry.Sealed(c.deps.Secret, "colophon.proof.v1", random, end, want)[:22]
}

func (c *call) newChallenge(more int) error {
	var b [12]byte
	if _, err := io.ReadFull(c.deps.Rand, b[:]); err != nil {
		return err
	}
	difficulty := c.proofBits() + more
	end := c.deps.Now().Add(proofLife)
	parts := [3]string{base64.RawURLEncoding.EncodeToString(b[:]), strconv.FormatInt(end.Unix(), 10), strconv.Itoa(difficulty)}
	signature := c.sealProof(parts[0], parts[1], parts[2])
	f := problem.New("anti_spam_challenge", "Find an answer for which SHA-256(nonce \":\" answer) begins with that many zero bits, and repeat the call with Service-Proof: nonce=...;answer=...")
	f.More = []wire.Member{wire.M("challenge", wire.Object(
		wire.M("algorithm", wire.String(proofAlgoName)), wire.M("difficulty", wire.Int(int64(difficulty))),
		wire.M("expires_at", wire.String(exports.Instant(end))), wire.M("nonce", wire.String(strings.Join(parts[:], ".")+"."+signature)),
		wire.M("signature", wire.String(signature)),
	))}
	return f
}

// zeroBits counts the zero bits that begin the SHA-256 of s.
func zeroBits(s string) int {
	sum := sha256.Sum256([]byte(s))
	for i, b := range sum {
		if b != 0 {
			return 8*i + bits.LeadingZeros8(b)
		}
	}
	return 8 * len(sum)
}
