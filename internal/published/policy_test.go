package published

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"colophon/exports"
	"colophon/internal/rights"
	"colophon/internal/usage"
	"colophon/internal/wire"
)

// TestReadPolicy checks that a policy is read from a build, and what is said of
// a publisher without one and of a text that names none.
func TestReadPolicy(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, filepath.FromSlash(string(exports.RightsDocumentKey("harbor-ledger"))))
	must(t, os.MkdirAll(filepath.Dir(file), 0o700))
	stated := &rights.RightsDocument{AsOf: "2026-11-20T09:00:00Z", SiteID: "harbor-ledger", SiteURL: "https://harbor-ledger.example/"}
	must(t, os.WriteFile(file, wire.Append(nil, stated), 0o600))
	if policy, err := ReadPolicy(t.Context(), dir, "harbor-ledger"); err != nil || policy.SiteURL != stated.SiteURL {
		t.Errorf("%v, %+v", err, policy)
	}
	if _, err := ReadPolicy(t.Context(), dir, "quay-times"); err == nil || !strings.Contains(err.Error(), `has no policy of "quay-times": "colophon publisher approve quay-times"`) {
		t.Errorf("another publisher: %v", err)
	}
	var bad *usage.Error
	if _, err := ReadPolicy(t.Context(), dir, "../harbor-ledger"); !errors.As(err, &bad) {
		t.Errorf("no publisher: %v", err)
	}
}
