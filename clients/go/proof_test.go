package colophon_test

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	colophon "colophon/clients/go"
	"colophon/clients/go/api"
)

func challenge(algorithm, nonce string, difficulty int) string {
	return fmt.Sprintf(`{"code":"anti_spam_challenge","title":"t","request_id":"rid_1","retry":{"retryable":false},"challenge":{"algorithm":%q,"difficulty":%d,"nonce":%q,"expires_at":"2026-11-20T09:00:00Z","signature":"s"}}`, algorithm, difficulty, nonce)
}

// TestProofOfWork checks that a request solves the challenges that a busy
// caller gets, keeps its key, and fails if the challenges never end or ask for
// too much.
func TestProofOfWork(t *testing.T) {
	const algorithm = "sha-256-leading-zero-bits"
	for _, x := range []struct {
		what    string
		asks    []string // successive challenges; then the request is created
		calls   int
		refused bool
	}{
		{"no challenge", nil, 1, false},
		{"a challenge", []string{challenge(algorithm, "n1", 12)}, 2, false},
		{"an answer that came too late", []string{challenge(algorithm, "n1", 8), challenge(algorithm, "n2", 9)}, 3, false},
		{"no bits", []string{challenge(algorithm, "n1", 0)}, 2, false},
		{"no end", []string{challenge(algorithm, "a", 1), challenge(algorithm, "b", 1), challenge(algorithm, "c", 1), challenge(algorithm, "d", 1), challenge(algorithm, "e", 1)}, 4, true},
		{"too much", []string{challenge(algorithm, "n1", 27)}, 1, true},
		{"another kind", []string{challenge("scrypt", "n1", 1)}, 1, true},
		{"no challenge in it", []string{problem("anti_spam_challenge", false, "null")}, 1, true},
	} {
		keys, calls := map[string]bool{}, 0
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			keys[r.Header.Get("Idempotency-Key")] = true
			if calls > 0 && !answers(x.asks[calls-1], r.Header.Get("Service-Proof")) {
				t.Errorf("%s: %q answers %s", x.what, r.Header.Get("Service-Proof"), x.asks[calls-1])
			}
			calls++
			w.Header().Set("Content-Type", "application/json")
			if calls <= len(x.asks) {
				w.WriteHeader(403)
				fmt.Fprint(w, x.asks[calls-1])
				return
			}
			w.WriteHeader(201)
			fmt.Fprint(w, "{}")
		}))
		c, err := colophon.New(s.URL, colophon.WithRetries(3, time.Millisecond))
		must(t, err)
		_, err = c.CreateRequest(t.Context(), api.PublicRequest{}, "")
		s.Close()
		if (err != nil) != x.refused || x.refused && colophon.CodeOf(err) != "anti_spam_challenge" || calls != x.calls || len(keys) != 1 {
			t.Errorf("%s: %v after %d calls with %d keys", x.what, err, calls, len(keys))
		}
	}
}

// answers reports whether a proof answers the challenge in a problem.
func answers(problem, proof string) bool {
	var difficulty int
	_, rest, _ := strings.Cut(problem, `"difficulty":`)
	fmt.Sscanf(rest, "%d", &difficulty)
	_, rest, _ = strings.Cut(rest, `"nonce":"`)
	want, _, _ := strings.Cut(rest, `"`)
	nonce, answer, ok := strings.Cut(strings.TrimPrefix(proof, "nonce="), ";answer=")
	sum := sha256.Sum256([]byte(nonce + ":" + answer))
	return ok && nonce == want && bits.LeadingZeros64(binary.BigEndian.Uint64(sum[:])) >= difficulty
}

// TestProofEndsWithItsContext checks that a caller that gives up need not wait
// for a solution.
func TestProofEndsWithItsContext(t *testing.T) {
	c, _ := answerInTurn(t, 403, challenge("sha-256-leading-zero-bits", "n1", 26))
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := c.CreateRequest(ctx, api.PublicRequest{}, ""); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v", err)
	}
}
