package intake

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
	"colophon/internal/credential"
	"colophon/internal/wire"
	"colophon/worker/problem"
	"colophon/worker/request"
)

// A proof of work replaces a CAPTCHA, which an agent could not solve and a
// human should not have to. The challenge is
//
//	nonce = <random>.<end, unix seconds>.<bits>.<signature>
//
// and the answer is any text a for which SHA-256(nonce ":" a) begins with that
// many zero bits. It is sent back as
//
//	Service-Proof: nonce=<nonce>;answer=<a>
//
// The nonce carries its own signature, so nothing is stored until it is used,
// which is possible once.

const (
	proofLife     = 10 * time.Minute
	defaultBits   = 18
	proofAlgoName = "sha-256-leading-zero-bits"
)

// proofWanted is the value of the field "proof" by which a script asks for a
// challenge before it sends a form.
const proofWanted = "wanted"

// groupBits is how many more bits an inquiry to several publishers costs.
const groupBits = 2

// proven accepts a call whose Service-Proof answers a fresh challenge, and
// refuses any other with a new challenge.
func (s *AntiSpam) proven(ctx context.Context, c *request.Call) error {
	ok, err := s.spendWork(ctx, c.Header.Get("service-proof"), 0)
	if err != nil || ok {
		return err
	}
	return s.newChallenge(0)
}

// spendWork reports whether a proof answers a fresh challenge with more bits
// than usual.
func (s *AntiSpam) spendWork(ctx context.Context, proof string, more int) (bool, error) {
	nonce, answer := proofOf(proof)
	end, ok := s.checkProof(nonce, answer, s.proofBits()+more)
	if !ok {
		return false, nil
	}
	return s.Counters.SpendProof(ctx, nonce, exports.Instant(time.Unix(end, 0)))
}

func (s *AntiSpam) proofBits() int {
	if s.ProofBits == 0 {
		return defaultBits
	}
	return s.ProofBits
}

// proofOf parses the header: nonce=…;answer=….
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

func (s *AntiSpam) checkProof(nonce, answer string, least int) (end int64, ok bool) {
	parts := strings.Split(nonce, ".")
	if len(parts) != 4 || len(nonce) > 200 || answer == "" || len(answer) > 200 {
		return 0, false
	}
	end, err := strconv.ParseInt(parts[1], 10, 64)
	want, err2 := strconv.Atoi(parts[2])
	if err != nil || err2 != nil || !credential.Same(parts[3], s.sealProof(parts[0], parts[1], parts[2])) {
		return 0, false
	}
	return end, want >= least && end > s.Now().Unix() && zeroBits(nonce+":"+answer) >= want
}

func (s *AntiSpam) sealProof(random, end, want string) string {
	return s.Limits.Seal("colophon.proof.v1", random, end, want)
}

func (s *AntiSpam) newChallenge(more int) error {
	var b [12]byte
	if _, err := io.ReadFull(s.Rand, b[:]); err != nil {
		return err
	}
	difficulty := s.proofBits() + more
	end := s.Now().Add(proofLife)
	parts := [3]string{base64.RawURLEncoding.EncodeToString(b[:]), strconv.FormatInt(end.Unix(), 10), strconv.Itoa(difficulty)}
	signature := s.sealProof(parts[0], parts[1], parts[2])
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
