package enrol

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"testing"

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

// TestLimitLooks checks that few looks run at once, and that one that ended
// makes room.
func TestLimitLooks(t *testing.T) {
	begin := limitLooks()
	var end func()
	for i := range looksAtOnce {
		looking, ended, ok := begin(t.Context())
		if !ok {
			t.Fatalf("look %d does not begin", i)
		}
		if _, limited := looking.Deadline(); !limited {
			t.Error("a look has no end")
		}
		end = ended
	}
	if _, _, ok := begin(t.Context()); ok {
		t.Error("one look too many begins")
	}
	end()
	if _, _, ok := begin(t.Context()); !ok {
		t.Error("a look that ended makes no room")
	}
}
