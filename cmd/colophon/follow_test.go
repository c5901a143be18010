package main

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"colophon/internal/registrydir"
)

// TestServeFollows changes the origin beside a server that follows it: each
// change must be answered without a command or a restart. A build that fails
// leaves what is published, and the change follows once it can be built.
func TestServeFollows(t *testing.T) {
	t.Parallel()
	o := newBuilt(t)
	server := serveProcess(t, o.dir, "--follow")
	base := server.base
	name := func(id string) string {
		return base + "/v1/licensing-marketplace/publishers/" + id
	}

	o.ok("publisher", "add", "lantern-weekly", "--name", "Lantern Weekly", "--site-url", "https://lantern-weekly.example/")
	o.ok("publisher", "approve", "lantern-weekly")
	awaitStatus(t, name("lantern-weekly"), http.StatusOK)
	o.ok("publisher", "close", "quay-times", "--reason", "It has ended.")
	awaitStatus(t, name("quay-times"), http.StatusNotFound)

	keys := filepath.Join(o.dir, registrydir.KeysFolder)
	must(t, os.Rename(keys, keys+".away"))
	o.ok("publisher", "add", "mast-review", "--name", "Mast Review", "--site-url", "https://mast-review.example/")
	o.ok("publisher", "approve", "mast-review")
	server.awaitLog(t, "changes are not published")
	awaitStatus(t, name("lantern-weekly"), http.StatusOK)
	awaitStatus(t, name("mast-review"), http.StatusNotFound)
	must(t, os.Rename(keys+".away", keys))
	awaitStatus(t, name("mast-review"), http.StatusOK)
}

// awaitStatus repeats a request until the answer has a status.
func awaitStatus(t *testing.T, address string, want int) {
	t.Helper()
	waitUntil(t, fmt.Sprintf("%s to be answered %d", address, want), func() bool { return sendRequest(t, "GET", address).StatusCode == want })
}

func TestFollowNeedsItsOwnOrigin(t *testing.T) {
	t.Parallel()
	o := newOperator(t)
	o.no(exitUsage, "--follow", "serve", "--follow", "--mirror", t.TempDir())
	o.no(exitUsage, "--follow", "serve", "--follow", "--origin", "d1:account/database")
}
