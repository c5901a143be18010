package postgres_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"colophon/internal/originsql/origintest"
	"colophon/internal/originsql/postgres/pgtest"
)

var cluster *pgtest.Cluster

func TestMain(m *testing.M) { pgtest.Main(m, func(c *pgtest.Cluster) { cluster = c }) }

// ownDatabase matches the tests of originsql that are about SQLite.
const ownDatabase = "Upgrade|Commit|Full|SQLite|Reals|Column|Transaction|Canceled|FailsAlone|AreEach|IsRead|Named|OldBodies"

// TestConformance runs the tests of the origin store on Postgres.
func TestConformance(t *testing.T) {
	address := cluster.NewDatabase(t)
	cmd := exec.CommandContext(t.Context(), "go", "test", "-count=1", "-v", "-skip", ownDatabase, "colophon/internal/originsql")
	cmd.Env = append(os.Environ(), origintest.Variable+"="+address)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%.20000s", err, out)
	}
	passed := strings.Count(string(out), "\n--- PASS")
	t.Logf("%d passed, %d skipped", passed, strings.Count(string(out), "\n--- SKIP"))
	if passed < 40 {
		t.Errorf("only %d tests passed", passed)
	}
}
