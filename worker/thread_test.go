package worker_test

import (
	"context"
	"testing"
	"time"

	"colophon/internal/inquiry"
	"colophon/worker/edge"
)

const tokenLife = inquiry.TokenDays * 24 * time.Hour

// readConversation requests a conversation and returns the status.
func readConversation(s *service, thread, token string) int {
	r := &edge.Request{Method: "GET", Path: "/v1/public/licensing-conversations/" + thread, ID: "rid_x", Remote: "192.0.2.1"}
	r.Header.Set("x-conversation-token", token)
	return s.handle(context.Background(), r).Status
}

// TestConversationTokenExpires checks that a token ends if it is not used for
// TokenDays, and then opens nothing.
func TestConversationTokenExpires(t *testing.T) {
	for name, tc := range map[string]struct {
		unused time.Duration
		status int
	}{
		"a minute before its end": {tokenLife - time.Minute, 200},
		"at its end":              {tokenLife, 404},
		"a day after":             {tokenLife + 24*time.Hour, 404},
	} {
		t.Run(name, func(t *testing.T) {
			s := newService(t)
			thread, token := openConversation(t, s)
			s.later(tc.unused)

			if got := readConversation(s, thread, token); got != tc.status {
				t.Errorf("status %d, want %d", got, tc.status)
			}
		})
	}
}

// TestConversationTokenIsExtended checks that using a token extends it to
// TokenDays from then.
func TestConversationTokenIsExtended(t *testing.T) {
	s := newService(t)
	thread, token := openConversation(t, s)

	for _, unused := range []time.Duration{tokenLife - time.Hour, tokenLife - time.Hour} {
		s.later(unused)
		if got := readConversation(s, thread, token); got != 200 {
			t.Fatalf("status %d after %v without use", got, unused)
		}
	}
	s.later(tokenLife)

	if got := readConversation(s, thread, token); got != 404 {
		t.Errorf("status %d: the token does not end", got)
	}
}
