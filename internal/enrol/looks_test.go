package enrol

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"testing"

	"golang.org/x/sync/semaphore"

	"colophon/internal/intake"
)

// TestServerLooksAtNothingPrivate checks that what a server reads for a
// stranger passes the guard of imports.
func TestServerLooksAtNothingPrivate(t *testing.T) {
	var logged bytes.Buffer
	look := JoinLooks(intake.Options{Contact: "desk@registry.example", Registry: "https://registry.example"}, slog.New(slog.NewTextHandler(&logged, nil)))
	for _, host := range []string{"localhost", "127.0.0.1", "169.254.169.254", "10.0.0.1"} {
		logged.Reset()
		found, ok := look(context.Background(), host)
		if !ok || found.File != "unreachable" || found.Problem != "its name leads to a private address" {
			t.Errorf("%s: %t %+v", host, ok, found)
		}
		if !strings.Contains(logged.String(), "host="+host) || !strings.Contains(logged.String(), "--allow-private") {
			t.Errorf("%s: logged %s", host, logged.String())
		}
	}
}

// TestLooksAtOnce checks that few looks run at once, each for a limited time,
// and that one that ended makes room.
func TestLooksAtOnce(t *testing.T) {
	slots := semaphore.NewWeighted(looksAtOnce)
	var within func(depth int) bool
	within = func(depth int) bool {
		return lookOnce(t.Context(), slots, func(ctx context.Context) bool {
			if _, limited := ctx.Deadline(); !limited {
				t.Error("a look has no end")
			}
			return depth <= 1 || within(depth-1)
		})
	}
	if within(looksAtOnce + 1) {
		t.Error("one look too many begins")
	}
	if !within(looksAtOnce) {
		t.Error("looks that ended make no room")
	}
}
