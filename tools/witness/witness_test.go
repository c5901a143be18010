package witness_test

import (
	"bytes"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	f_note "github.com/transparency-dev/formats/note"
	"golang.org/x/mod/sumdb/note"
)

func must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

// buildPrograms compiles the witness, unmodified, and colophon.
func buildPrograms(t *testing.T) (bin string) {
	t.Helper()
	bin = t.TempDir()
	for _, c := range []struct{ dir, out, pkg string }{{".", bin + "/", "tool"}, {"../..", filepath.Join(bin, "colophon"), "./cmd/colophon"}} {
		cmd := exec.Command("go", "build", "-o", c.out, c.pkg)
		cmd.Dir = c.dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("go build %s: %v\n%s", c.pkg, err, out)
		}
	}
	return bin
}

// colophon runs the program on a registry and returns what it printed, on
// both streams, and whether it succeeded.
func colophon(t *testing.T, bin, input string, args ...string) (string, bool) {
	t.Helper()
	cmd := exec.Command(filepath.Join(bin, "colophon"), args...)
	cmd.Stdin = strings.NewReader(input)
	out, err := cmd.CombinedOutput()
	return string(out), err == nil
}

// run is colophon for calls that must succeed.
func run(t *testing.T, bin, input string, args ...string) string {
	t.Helper()
	out, ok := colophon(t, bin, input, args...)
	if !ok {
		t.Fatalf("colophon %s:\n%s", strings.Join(args, " "), out)
	}
	return out
}

// witness is a process of omniwitness on loopback.
type witness struct {
	name, vkey, addr string
	args             []string
	program          string
	process          *exec.Cmd
}

// newWitness makes the key of a witness with its own tool. It keeps what it
// cosigned in a file, so it can be stopped and started.
func newWitness(t *testing.T, bin, name string, logs string) *witness {
	t.Helper()
	dir := t.TempDir()
	private, public := filepath.Join(dir, "private"), filepath.Join(dir, "public")
	out, err := exec.Command(filepath.Join(bin, "generate_keys"), "--origin", name, "--out_priv", private, "--out_pub", public).CombinedOutput()
	if err != nil {
		t.Fatalf("generate_keys: %v\n%s", err, out)
	}
	vkey, err := os.ReadFile(public)
	must(t, err)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	addr := listener.Addr().String()
	must(t, listener.Close())
	return &witness{name: name, vkey: string(vkey), addr: addr, program: filepath.Join(bin, "omniwitness"), args: []string{
		"--listen", addr, "--metrics_listen", "", "--private_key_path", private, "--additional_logs", logs, "--db_file", filepath.Join(dir, "state.db"),
	}}
}

func (w *witness) start(t *testing.T) {
	t.Helper()
	w.process = exec.Command(w.program, w.args...)
	var log bytes.Buffer
	w.process.Stdout, w.process.Stderr = &log, &log
	must(t, w.process.Start())
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("%s printed:\n%s", w.name, log.String())
		}
	})
	t.Cleanup(func() { w.stop() })
	for deadline := time.Now().Add(30 * time.Second); ; {
		if c, err := net.Dial("tcp", w.addr); err == nil {
			must(t, c.Close())
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("%s does not listen at %s", w.name, w.addr)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

func (w *witness) stop() {
	if w.process != nil {
		w.process.Process.Kill() //nolint:errcheck // it may have ended
		w.process.Wait()         //nolint:errcheck // it was killed
		w.process = nil
	}
}

// cosigned reports whether a checkpoint bears the cosignature of the witness,
// as the witness's own library reads it.
func (w *witness) cosigned(t *testing.T, checkpoint []byte) bool {
	t.Helper()
	v, err := f_note.NewVerifierForCosignatureV1(w.vkey)
	must(t, err)
	_, err = note.Open(checkpoint, note.VerifierList(v))
	return err == nil
}

func readFile(t *testing.T, parts ...string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(parts...))
	must(t, err)
	return data
}

// setWitnesses appends the witnesses and their quorum to what the settings of
// a registry were at first.
func setWitnesses(t *testing.T, dir string, settings []byte, quorum int, witnesses ...*witness) {
	t.Helper()
	text := fmt.Sprintf("witness_quorum = %d\n%s", quorum, settings)
	for _, w := range witnesses {
		text += fmt.Sprintf("\n[[witness]]\nvkey = %q\nurl = \"http://%s\"\n", w.vkey, w.addr)
	}
	must(t, os.WriteFile(filepath.Join(dir, "colophon.toml"), []byte(text), 0o600))
}

func mustSay(t *testing.T, what, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("%s does not say %q:\n%s", what, part, text)
		}
	}
}

func page(name, word string) string {
	return fmt.Sprintf(`{"url":"https://alpha.example/news/%s","title":%q,"text":"A text about %s and tariffs that is long enough to have a fingerprint of its own, certainly so."}`, name, name, word)
}

// TestWitnesses walks a registry through its life with two witnesses: one that
// cosigns and one that is silent, both, a quorum that is not met, a witness
// that is ahead, and a log that was forked.
func TestWitnesses(t *testing.T) {
	bin := buildPrograms(t)
	work := t.TempDir()
	reg := filepath.Join(work, "reg")
	run(t, bin, "", "init", "--dir", reg, "--base-url", "https://registry.example")
	run(t, bin, "", "publisher", "add", "alpha", "--dir", reg, "--name", "Alpha", "--site-url", "https://alpha.example/")
	run(t, bin, "", "publisher", "approve", "alpha", "--dir", reg)
	run(t, bin, page("one", "tides"), "import", "-", "--site", "alpha", "--dir", reg)
	run(t, bin, "", "build", "--dir", reg)
	mustSay(t, "the page", string(readFile(t, reg, "dist/ledger/index.html")), "No witness cosigns this log")

	settings := readFile(t, reg, "colophon.toml")
	key := strings.TrimSpace(string(readFile(t, reg, "dist/ledger/ledger.vkey")))
	origin, _, _ := strings.Cut(key, "+")
	logs := filepath.Join(work, "logs.yaml")
	must(t, os.WriteFile(logs, fmt.Appendf(nil, "Logs:\n  - Origin: %s\n    PublicKey: %s\n", origin, key), 0o600))
	first, second := newWitness(t, bin, "first.example/w", logs), newWitness(t, bin, "second.example/w", logs)

	// One cosigns, the other is silent, and one is enough.
	first.start(t)
	setWitnesses(t, reg, settings, 1, first, second)
	out := run(t, bin, "", "build", "--dir", reg)
	mustSay(t, "the build", out, "cosigned by 1 of 2 witnesses", "witness second.example/w did not cosign", second.addr)
	checkpoint := readFile(t, reg, "dist/ledger/checkpoint")
	if !first.cosigned(t, checkpoint) || second.cosigned(t, checkpoint) {
		t.Errorf("the checkpoint has other cosignatures:\n%s", checkpoint)
	}
	mustSay(t, "the page", string(readFile(t, reg, "dist/ledger/index.html")), "first.example/w", "second.example/w", "not cosigned: the witness did not answer, or refused", "only if at least 1 of them cosigned")
	mustSay(t, "the manifest", string(readFile(t, reg, "dist/.well-known/service-provenance-ledger.json")), `"cosigned_at":null,"name":"second.example/w"`)
	out = run(t, bin, "", "ledger", "verify", "--dir", reg)
	mustSay(t, "the audit", out, "cosigned by 1 of 2 witnesses; the policy asks for 1; not by second.example/w", " 0 findings")

	// The other answers later: nothing new is logged, and its line is added.
	second.start(t)
	mustSay(t, "the build", run(t, bin, "", "build", "--dir", reg), "(0 new), cosigned by 2 of 2 witnesses")
	fork := filepath.Join(work, "fork")
	must(t, exec.Command("cp", "-a", reg, fork).Run())

	// With a quorum that is not met, nothing is published. The witness that
	// answered is ahead then, says so with 409, and is asked again from there.
	second.stop()
	setWitnesses(t, reg, settings, 2, first, second)
	run(t, bin, page("two", "harbours"), "import", "-", "--site", "alpha", "--dir", reg)
	published := readFile(t, reg, "dist/ledger/checkpoint")
	out, ok := colophon(t, bin, "", "build", "--dir", reg)
	if ok || !bytes.Equal(published, readFile(t, reg, "dist/ledger/checkpoint")) {
		t.Errorf("a build without its quorum published:\n%s", out)
	}
	mustSay(t, "the build", out, "1 of 2 witnesses cosigned the ledger, and witness_quorum asks for 2: nothing was published", "witness second.example/w did not cosign")
	second.start(t)
	mustSay(t, "the build", run(t, bin, "", "build", "--dir", reg), "cosigned by 2 of 2 witnesses")
	checkpoint = readFile(t, reg, "dist/ledger/checkpoint")
	if !first.cosigned(t, checkpoint) || !second.cosigned(t, checkpoint) {
		t.Errorf("the checkpoint lacks a cosignature:\n%s", checkpoint)
	}
	mustSay(t, "the audit", run(t, bin, "", "ledger", "verify", "--dir", reg), "cosigned by 2 of 2 witnesses; the policy asks for 2", " 0 findings")
	records, err := filepath.Glob(filepath.Join(reg, "dist/v1/public/contentdna-provenance/ent_*.json"))
	must(t, err)
	keys := filepath.Join(reg, "dist/.well-known/service-provenance-keys.json")
	mustSay(t, "the verification", run(t, bin, "", "verify", records[0], "--keys", keys, "--ledger", filepath.Join(reg, "dist")), "in the ledger", "ok")

	// A mirror that cut the cosignatures off shows a log that the policy does
	// not let stand.
	cut := filepath.Join(work, "cut")
	must(t, exec.Command("cp", "-a", filepath.Join(reg, "dist"), cut).Run())
	body, _, _ := strings.Cut(string(checkpoint), "\u2014 first.example/w")
	must(t, os.WriteFile(filepath.Join(cut, "ledger/checkpoint"), []byte(body), 0o600))
	if out, ok = colophon(t, bin, "", "ledger", "verify", cut, "--dir", t.TempDir()); ok {
		t.Error("an audit accepts a checkpoint without its quorum")
	}
	mustSay(t, "the audit", out, "0 witnesses cosigned, the policy asks for 2")
	if out, ok = colophon(t, bin, "", "verify", records[0], "--keys", keys, "--ledger", cut); ok {
		t.Error("a record is verified against a checkpoint without its quorum")
	}
	mustSay(t, "the verification", out, "checkpoint_cosignatures_missing")

	// A copy of the registry goes another way: no witness cosigns that.
	run(t, bin, page("three", "lighthouses"), "import", "-", "--site", "alpha", "--dir", fork)
	out, ok = colophon(t, bin, "", "build", "--dir", fork)
	if ok {
		t.Errorf("a forked log has its quorum:\n%s", out)
	}
	mustSay(t, "the build of the fork", out, "422 Unprocessable Entity: the log does not continue the one that it cosigned before")
	setWitnesses(t, fork, settings, 0, first, second)
	mustSay(t, "the build of the fork", run(t, bin, "", "build", "--dir", fork), "cosigned by 0 of 2 witnesses")
	setWitnesses(t, fork, settings, 0)
	run(t, bin, page("four", "dredgers"), "import", "-", "--site", "alpha", "--dir", fork)
	run(t, bin, "", "build", "--dir", fork)

	// Two monitors see a log each, and both are whole. Side by side they show
	// the split view, whichever is asked first.
	views := map[string]string{}
	for name, dir := range map[string]string{"reg": reg, "fork": fork} {
		server := httptest.NewServer(http.FileServer(http.Dir(filepath.Join(dir, "dist"))))
		t.Cleanup(server.Close)
		views[name] = server.URL
		mustSay(t, "a monitor", run(t, bin, "", "ledger", "verify", server.URL, "--dir", filepath.Join(work, name+"-monitor")), " 0 findings")
	}
	for own, other := range map[string]string{"reg": "fork", "fork": "reg"} {
		monitor := filepath.Join(work, own+"-monitor")
		out, ok := colophon(t, bin, "", "ledger", "verify", views[own], "--other", views[other], "--dir", monitor)
		if ok {
			t.Errorf("%s does not see that %s shows another log", own, other)
		}
		mustSay(t, "the monitor of "+own, out, "split view: the log of", string(readFile(t, reg, "dist/ledger/checkpoint")), string(readFile(t, fork, "dist/ledger/checkpoint")))
		seen, err := filepath.Glob(filepath.Join(work, other+"-monitor", "seen", "*.txt"))
		must(t, err)
		if own == "fork" { // it is the longer: a checkpoint alone is enough
			if out, ok := colophon(t, bin, "", "ledger", "verify", views[own], "--other", seen[0], "--dir", monitor); ok || !strings.Contains(out, "split view") {
				t.Errorf("what another monitor remembers is not compared:\n%s", out)
			}
		}
		mustSay(t, "the monitor of "+own, run(t, bin, "", "ledger", "verify", views[own], "--other", views[own], "--dir", monitor), "shows the same log", " 0 findings")
	}
}

// TestWitnessThatDoesNotFollow: a witness without the log's key answers 404 if
// it keeps its state in memory. With a file it answers 500, which says less.
func TestWitnessThatDoesNotFollow(t *testing.T) {
	bin := buildPrograms(t)
	reg := filepath.Join(t.TempDir(), "reg")
	run(t, bin, "", "init", "--dir", reg, "--base-url", "https://registry.example")
	settings := readFile(t, reg, "colophon.toml")
	logs := filepath.Join(t.TempDir(), "logs.yaml")
	must(t, os.WriteFile(logs, []byte("Logs: []\n"), 0o600))
	w := newWitness(t, bin, "stranger.example/w", logs)
	w.args = w.args[:len(w.args)-2]
	w.start(t)
	setWitnesses(t, reg, settings, 0, w)
	mustSay(t, "the build", run(t, bin, "", "build", "--dir", reg), "cosigned by 0 of 1 witness", "404 Not Found: it does not follow this log; give the log's key, ledger.vkey")
}
