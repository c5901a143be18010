package worker_test

import (
	"context"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"colophon/internal/inquiry"
	"colophon/internal/limiter"
	"colophon/internal/openapi/openapitest"
	"colophon/internal/originsql"
	"colophon/internal/originsql/faulttest"
	"colophon/internal/originsql/local"
	"colophon/worker"
	"colophon/worker/edge"
	"colophon/worker/limit"
)

// TestFaultsOfHandlers runs the scripts. Before each request that writes, it
// makes the same request on copies of the store whose disk fails, and compares
// the answer with what is left after a loss of power:
//
//   - an answer like the one without a fault: all of it is stored;
//   - any other answer: it is a 503 with Retry-After, no record is there in
//     part, and the store works on.
//
// By default one call of SQLite fails for each request and kind of failure;
// with COLOPHON_FAULTS=all ("make test-durable") each call fails once, alone
// and together with all that follow.
func TestFaultsOfHandlers(t *testing.T) {
	names := scripts(t)
	if os.Getenv("COLOPHON_FAULTS") != "all" {
		names = []string{"partner_request", "delivery_gateway"}
	}
	total := 0
	for _, name := range names {
		text := readScript(t, name)
		if defaultLimits(text) || strings.Contains(text, "@repeat") {
			continue // they test limits, with hundreds of requests
		}
		t.Run(name, func(t *testing.T) {
			f := &faults{t: t, svc: newService(t, withLimits(limitsOf(text))), random: rand.New(rand.NewPCG(1, 2))}
			f.inner = f.svc.handle
			f.svc.handle = f.handle
			runScript(t, name, text, f.svc)
			t.Logf("%d faults in %d requests that write; %d were answered as done", f.runs, f.requests, f.done)
			total += f.runs
		})
	}
	if total < 10 {
		t.Errorf("only %d faults were tried", total)
	}
}

var faultKinds = []faulttest.Fault{faulttest.NoSpace, faulttest.Short, faulttest.IO, faulttest.Busy}

type faults struct {
	t      *testing.T
	svc    *service
	inner  edge.Handler
	random *rand.Rand

	requests, runs, done int
}

// tables counts what a store holds, except counters and proofs of work, which
// promise nothing: one line for each number.
const tables = `SELECT 'requests ' || state || count(*) FROM requests GROUP BY state
	UNION ALL SELECT 'messages ' || kind || count(*) FROM messages GROUP BY kind
	UNION ALL SELECT 'moves ' || to_state || count(*) FROM request_history GROUP BY to_state
	UNION ALL SELECT 'outbox ' || kind || count(*) FROM outbox GROUP BY kind
	UNION ALL SELECT 'tokens ' || count(DISTINCT token_hash) FROM requests
	UNION ALL SELECT 'snapshots ' || count(*) FROM snapshots
	UNION ALL SELECT 'items ' || count(*) FROM snapshot_items WHERE snapshot_id IN (SELECT snapshot_id FROM snapshots)
	UNION ALL SELECT 'holdings ' || state || change || count(*) FROM holdings GROUP BY state, change
	UNION ALL SELECT 'feeds ' || buyer_id || sequence FROM feeds`

// halves counts records with a missing part.
const halves = `SELECT (SELECT count(*) FROM requests r WHERE messages <> (SELECT count(*) FROM messages m WHERE m.thread_id = r.thread_id))
	+ (SELECT count(*) FROM requests r WHERE moves <> (SELECT count(*) FROM request_history h WHERE h.request_id = r.request_id))
	+ (SELECT count(*) FROM snapshots s WHERE items <> (SELECT count(*) FROM snapshot_items i WHERE i.snapshot_id = s.snapshot_id))`

// stored returns what a store holds after maintenance has completed what a
// request began: a stored request is delivered by the next RunMaintenance, if
// not at once.
func (f *faults) stored(db *sql.DB) string {
	f.t.Helper()
	_, err := inquiry.RunMaintenance(context.Background(), originsql.New(db), f.svc.now().Add(2*time.Minute))
	must(f.t, err)
	return readLines(f.t, db, tables)
}

func readLines(t *testing.T, db *sql.DB, query string) string {
	t.Helper()
	rows, err := db.Query(query)
	must(t, err)
	defer rows.Close()
	var lines []string
	for rows.Next() {
		var line string
		must(t, rows.Scan(&line))
		lines = append(lines, line)
	}
	must(t, rows.Err())
	return strings.Join(lines, "\n")
}

// copied is the store on a separate disk.
type copied struct {
	dir    string
	disk   *faulttest.Disk
	db     *sql.DB
	handle edge.Handler
}

func (f *faults) copy(base string) *copied {
	f.t.Helper()
	dir, err := os.MkdirTemp(f.t.TempDir(), "copy")
	must(f.t, err)
	data, err := os.ReadFile(base)
	must(f.t, err)
	path := filepath.Join(dir, "origin.db")
	must(f.t, os.WriteFile(path, data, 0o600))

	c := &copied{dir: dir, disk: faulttest.New(f.t)}
	patient := local.Address(path) + "&vfs=" + c.disk.Name()
	c.db, err = sql.Open("sqlite", strings.Replace(patient, "busy_timeout(10000)", "busy_timeout(0)", 1))
	must(f.t, err)
	readLines(f.t, c.db, "SELECT name FROM sqlite_master") // opens it before anything fails
	deps := depsOf(originsql.New(c.db), f.svc.now)
	deps.Limits = limit.Limits{Policies: f.svc.deps.Limits.Policies, Limiter: limiter.New(f.svc.deps.Limits.Policies, 10_000, f.svc.now)}
	c.handle = openapitest.Handler(f.t, worker.New(deps))
	return c
}

func (c *copied) remove() {
	c.db.Close()
	os.RemoveAll(c.dir) //nolint:errcheck // a temporary folder
}

// notDone stands for an answer that reports failure otherwise than by its
// status: a stream that was cut off, an MCP error.
const notDone = 0

// send returns the status and the Retry-After of an answer.
func (c *copied) send(r *edge.Request) (status int, retryAfter string) {
	again := *r
	again.Header = append(edge.Header(nil), r.Header...)
	resp := c.handle(context.Background(), &again)
	if resp.Stream != nil {
		var out strings.Builder
		if err := resp.Stream(&out); err != nil {
			return notDone, ""
		}
	}
	if strings.HasPrefix(r.Path, "/mcp") && strings.Contains(string(resp.Body), "origin_unavailable") {
		return notDone, ""
	}
	return resp.Status, resp.Header.Get("retry-after")
}

// handle tries a request with failures before it answers it.
func (f *faults) handle(ctx context.Context, r *edge.Request) *edge.Response {
	base := filepath.Join(f.t.TempDir(), fmt.Sprint("base", f.requests, f.runs, f.random.Uint64()))
	_, err := f.svc.store.DB().Exec("VACUUM INTO ?", base)
	must(f.t, err)
	untouched := f.copy(base)
	before := f.stored(untouched.db)
	untouched.remove()

	calls := map[faulttest.Fault]int{}
	want, after := 0, ""
	for _, kind := range faultKinds {
		c := f.copy(base)
		c.disk.Set(faulttest.Plan{Fault: kind})
		want, _ = c.send(r)
		calls[kind] = c.disk.Calls()
		after = f.stored(c.db)
		c.remove()
		if after == before {
			break // it writes nothing that counts
		}
	}
	if after != before {
		f.requests++
		f.failEach(r, base, calls, want, after)
	}
	must(f.t, os.Remove(base))
	return f.inner(ctx, r)
}

func (f *faults) failEach(r *edge.Request, base string, calls map[faulttest.Fault]int, want int, after string) {
	for _, kind := range faultKinds {
		n := calls[kind]
		if os.Getenv("COLOPHON_FAULTS") != "all" {
			f.fail(r, base, faulttest.Plan{Fault: kind, From: 1 + f.random.IntN(n)}, want, after)
			continue
		}
		for from := 1; from <= n; from++ {
			f.fail(r, base, faulttest.Plan{Fault: kind, From: from}, want, after)
			f.fail(r, base, faulttest.Plan{Fault: kind, From: from, Times: 1}, want, after)
		}
	}
}

// fail makes a request on a failing disk and checks what is left.
func (f *faults) fail(r *edge.Request, base string, plan faulttest.Plan, want int, after string) {
	f.t.Helper()
	f.runs++
	what := fmt.Sprintf("%s %s with %+v", r.Method, r.Path, plan)
	c := f.copy(base)
	defer c.remove()
	c.disk.Set(plan)
	status, retryAfter := c.send(r)
	if c.disk.Failed() == 0 {
		f.t.Errorf("%s: nothing failed", what)
	}
	c.disk.Set(faulttest.Plan{})

	left := filepath.Join(c.dir, "left")
	must(f.t, os.Mkdir(left, 0o700))
	must(f.t, c.disk.PowerLoss(c.dir, left, nil))
	db, err := sql.Open("sqlite", local.Address(filepath.Join(left, "origin.db")))
	must(f.t, err)
	defer db.Close()
	if got := readLines(f.t, db, "PRAGMA integrity_check"); got != "ok" {
		f.t.Errorf("%s: integrity: %s", what, got)
	}
	if n := readLines(f.t, db, halves); n != "0" {
		f.t.Errorf("%s: %s records are there in part", what, n)
	}
	stored := f.stored(db)
	switch {
	case status == want && stored != after:
		f.t.Errorf("%s: answered %d, but stored is\n%s\nand not\n%s", what, status, stored, after)
	case status == want:
		f.done++
	case status == notDone:
	case status != 503 || retryAfter == "":
		f.t.Errorf("%s: answered %d, Retry-After %q", what, status, retryAfter)
	}
	if _, err := c.db.Exec("UPDATE meta SET value = value"); err != nil {
		f.t.Errorf("%s: afterwards: %v", what, err)
	}
}
