package worker_test

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"colophon/internal/inquiry"
	"colophon/internal/openapi/openapitest"
	"colophon/internal/origin"
	"colophon/internal/originsql"
	"colophon/worker"
	"colophon/worker/edgehttp"
)

// TestMain lets the test binary act as the server that a test kills, and checks
// the answers in all tests against the contract.
func TestMain(m *testing.M) {
	if path := os.Getenv("COLOPHON_TEST_STORE"); path != "" {
		serveStore(path, os.Getenv("COLOPHON_TEST_ADDR"))
		return
	}
	// Each check of a property runs a history of a whole service: by default
	// fewer than rapid's 100, with -rapid.checks as many as requested.
	if err := flag.Set("rapid.checks", "25"); err != nil {
		panic(err)
	}
	os.Exit(openapitest.Run(m))
}

// serveStore serves the store at path on addr until it is killed.
func serveStore(path, addr string) {
	store, _, err := openDatabase("sqlite", path)
	if err != nil {
		fmt.Println("error", err)
		return
	}
	deps := depsOf(store, time.Now)
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		fmt.Println("error", err)
		return
	}
	fmt.Println("ready", listener.Addr())
	err = http.Serve(listener, edgehttp.New(worker.New(deps), edgehttp.Options{})) //nolint:gosec // a test server
	fmt.Println("error", err)
}

// process is a server in a separate process.
type process struct {
	cmd  *exec.Cmd
	addr string
}

func startServer(path, addr string) (*process, error) {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "COLOPHON_TEST_STORE="+path, "COLOPHON_TEST_ADDR="+addr)
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil || !strings.HasPrefix(line, "ready ") {
		return nil, fmt.Errorf("the server did not start: %q %v", line, err)
	}
	return &process{cmd, strings.TrimSpace(strings.TrimPrefix(line, "ready "))}, nil
}

// kill ends the process without warning, as a power cut would.
func (p *process) kill() {
	p.cmd.Process.Kill() //nolint:errcheck // it may have ended by itself
	p.cmd.Wait()         //nolint:errcheck // killed
}

// callsPerKey is how many calls race for each key.
const callsPerKey = 40

// raceBody returns one of the two bodies that are sent with each key.
func raceBody(key, variant int) string {
	return fmt.Sprintf(`{"site_id":"harbor-ledger","buyer_name":"Racer %d","buyer_email":"racer%d@example.org","intended_use":"Grounding, body %d of key %d","requested_scope":"/shipping/*","message":"We would like to ground answers on your tide tables."}`, key, key, variant, key)
}

type raceAnswer struct {
	key, variant, status int
	body                 string
}

// TestRaceOfKeys sends concurrent requests with two bodies for each key while the
// server is killed three times. Every call is repeated until it is answered. Each
// key must end with exactly one request, which all its answers name; all other
// answers are conflicts; nothing is lost. COLOPHON_RACE_KEYS sets how many keys
// (make test-licensing).
func TestRaceOfKeys(t *testing.T) {
	keys := number("COLOPHON_RACE_KEYS", 8)
	calls := int64(keys * callsPerKey)
	path := filepath.Join(t.TempDir(), "origin.db")
	store := openStore(t, path)
	must(t, seed(context.Background(), store))
	server, err := startServer(path, "127.0.0.1:0")
	must(t, err)
	addr := server.addr
	defer func() { server.kill() }()

	var done atomic.Int64
	killed := make(chan int)
	go func() {
		kills := 0
		for _, at := range []int64{calls / 4, calls / 2, 3 * calls / 4} {
			for done.Load() < at {
				time.Sleep(time.Millisecond)
			}
			server.kill()
			next, err := startServer(path, addr)
			if err != nil {
				t.Error(err) // this ends the calls too
				break
			}
			server = next
			kills++
		}
		killed <- kills
	}()
	answers := race(t, "http://"+addr, int(calls), &done)
	if n := <-killed; n != 3 {
		t.Fatalf("the server was killed %d times", n)
	}
	server.kill()
	checkRace(t, store, keys, answers)
}

// race sends all calls and returns their answers; done counts them.
func race(t *testing.T, base string, calls int, done *atomic.Int64) []raceAnswer {
	answers := make([]raceAnswer, calls)
	client := &http.Client{Timeout: 30 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: 64}}
	jobs := make(chan int)
	var group sync.WaitGroup
	for range 64 {
		group.Go(func() {
			for i := range jobs {
				key, variant := i/callsPerKey, i%2
				answers[i] = raceCall(t, client, base, key, variant)
				done.Add(1)
			}
		})
	}
	for i := range calls {
		jobs <- i
	}
	close(jobs)
	group.Wait()
	return answers
}

// raceCall repeats a call until it gets an answer other than 503, or the test failed.
func raceCall(t *testing.T, client *http.Client, base string, key, variant int) raceAnswer {
	for !t.Failed() {
		req, err := http.NewRequest("POST", base+"/v1/partner/licensing/requests", strings.NewReader(raceBody(key, variant)))
		if err != nil {
			panic(err)
		}
		req.Header.Set("Authorization", "Bearer "+seedKeys["key_alpha"])
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Idempotency-Key", fmt.Sprintf("race-%02d", key))
		res, err := client.Do(req)
		if err != nil {
			time.Sleep(5 * time.Millisecond)
			continue
		}
		body, err := io.ReadAll(res.Body)
		res.Body.Close()
		if err != nil || res.StatusCode == http.StatusServiceUnavailable {
			time.Sleep(5 * time.Millisecond)
			continue
		}
		return raceAnswer{key, variant, res.StatusCode, string(body)}
	}
	return raceAnswer{key: key, variant: variant}
}

func checkRace(t *testing.T, store *originsql.Store, keys int, answers []raceAnswer) {
	t.Helper()
	ctx := context.Background()
	created, conflicts := map[int]string{}, 0
	winner := map[int]int{}
	for _, a := range answers {
		switch a.status {
		case 201:
			if have, ok := created[a.key]; ok && have != a.body {
				t.Fatalf("key %d has two answers:\n%s\n%s", a.key, have, a.body)
			}
			created[a.key], winner[a.key] = a.body, a.variant
		case 409:
			conflicts++
			if !strings.Contains(a.body, `"code":"idempotency_conflict"`) {
				t.Fatalf("key %d: %s", a.key, a.body)
			}
		default:
			t.Fatalf("key %d answered %d: %s", a.key, a.status, a.body)
		}
	}
	for _, a := range answers {
		if want := 409; a.variant != winner[a.key] && a.status != want || a.variant == winner[a.key] && a.status != 201 {
			t.Fatalf("key %d: body %d of winner %d answered %d", a.key, a.variant, winner[a.key], a.status)
		}
	}
	_, err := inquiry.RunMaintenance(ctx, store, time.Now().Add(2*time.Minute))
	must(t, err)
	rows, err := store.RequestsOf(ctx, origin.RequestFilter{Limit: 1000})
	must(t, err)
	if len(rows) != keys || len(created) != keys {
		t.Fatalf("%d requests for %d keys, %d of them answered", len(rows), keys, len(created))
	}
	for _, r := range rows {
		moves, err := store.History(ctx, r.RequestID)
		must(t, err)
		if r.State != "delivered" || len(moves) != 2 || r.Moves != 2 || r.Messages != 1 {
			t.Errorf("%s is %s after %d moves and %d messages", r.RequestID, r.State, len(moves), r.Messages)
		}
		var view struct {
			RequestID string `json:"request_id"`
		}
		var key int
		fmt.Sscanf(r.Key, "race-%d", &key) //nolint:errcheck // a wrong key fails below
		if json.Unmarshal([]byte(created[key]), &view) != nil || view.RequestID != r.RequestID {
			t.Errorf("key %s: stored %s, answered %s", r.Key, r.RequestID, view.RequestID)
		}
	}
	t.Logf("%d calls: %d created or replayed, %d conflicts, %d requests", len(answers), len(answers)-conflicts, conflicts, len(rows))
}

// number returns the number in the environment variable name, or otherwise.
func number(name string, otherwise int) int {
	if n, err := strconv.Atoi(os.Getenv(name)); err == nil {
		return n
	}
	return otherwise
}
