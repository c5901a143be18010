package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"filippo.io/age"

	"colophon/internal/registrydir"
	"colophon/internal/s3/s3test"
)

// TestDrill recovers from the loss of a machine as the manual describes: a
// backup of a running server, a restore into a missing folder, a build, and a
// server over that.
func TestDrill(t *testing.T) {
	t.Parallel()
	d := newDrill(t)
	d.run("a folder", filepath.Join(t.TempDir(), "backups"))
}

// TestDrillOverS3 does the same with the backup in a bucket.
func TestDrillOverS3(t *testing.T) {
	endpoint, _ := s3test.Start(t)
	d := newDrill(t)
	d.run("a bucket", "s3://"+s3test.Bucket+"/drill", "--endpoint", endpoint)
}

// drill is a registry with a partner, buyers and their secrets.
type drill struct {
	operator
	base      string // address of the server that runs
	partner   string // key
	buyer     string // credential of a buyer with a grant
	revoked   string // credential that is revoked
	identity  string // file
	recipient string
}

func newDrill(t *testing.T) *drill {
	t.Helper()
	d := &drill{operator: operator{t, filepath.Join(t.TempDir(), "reg")}}
	d.ok("init", "--base-url", "https://registry.example")
	d.appendSettings("\n[limits]\npartner = 1000000\npartner-day = 1000000\nintake = 1000000\nintake-day = 1000000\n")
	d.ok("publisher", "add", "harbor-ledger", "--name", "Harbor Ledger", "--site-url", "https://harbor-ledger.example/", "--use", "rag=welcome:disallow:attribution")
	d.ok("publisher", "approve", "harbor-ledger")
	d.importPages(12)
	org := d.ok("partner", "add", "Example Answers")
	d.partner = d.ok("partner", "key", "issue", org)
	buyer := d.ok("buyer", "add", "Example Buyer")
	d.buyer = d.ok("buyer", "credential", "issue", buyer)
	d.revoked = d.ok("buyer", "credential", "issue", buyer)
	d.ok("grant", "add", buyer, "--site", "harbor-ledger", "--use", "rag")
	_, list, _ := d.operator.run("buyer", "list")
	for _, line := range strings.Split(list, "\n") {
		if word := strings.Fields(line); strings.Contains(line, d.revoked[len(d.revoked)-4:]) && len(word) > 0 && strings.HasPrefix(word[0], "crd_") {
			d.ok("buyer", "credential", "revoke", word[0])
		}
	}
	d.ok("build")
	d.ok("publisher", "set", "harbor-ledger", "--summary", "Tides and tariffs.")
	d.ok("build") // this leaves files of the first build for their grace period
	id, err := age.GenerateX25519Identity()
	must(t, err)
	d.identity, d.recipient = filepath.Join(t.TempDir(), "key.txt"), id.Recipient().String()
	must(t, os.WriteFile(d.identity, []byte(id.String()+"\n"), 0o600))
	return d
}

func (d *drill) appendSettings(text string) {
	d.Helper()
	f, err := os.OpenFile(filepath.Join(d.dir, registrydir.SettingsFile), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		d.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString(text); err != nil {
		d.Fatal(err)
	}
}

func (d *drill) importPages(n int) {
	d.Helper()
	var lines bytes.Buffer
	for i := range n {
		text := strings.Repeat(fmt.Sprintf("Page %d tells of tides and tariffs at some length. ", i), 6)
		if err := json.NewEncoder(&lines).Encode(map[string]string{"url": fmt.Sprintf("https://harbor-ledger.example/news/%d", i), "title": fmt.Sprint("Page ", i), "text": text}); err != nil {
			d.Fatal(err)
		}
	}
	path := filepath.Join(d.TempDir(), "pages.ndjson")
	if err := os.WriteFile(path, lines.Bytes(), 0o600); err != nil {
		d.Fatal(err)
	}
	d.ok("import", path, "--site", "harbor-ledger")
}

// serve runs the program as a server over a folder, until stop is called.
func (d *drill) serve(dir string) (stop func()) {
	d.Helper()
	s := startServer(d.T, "serve", "--dir", dir)
	d.base = s.base
	return s.stop
}

// acknowledged is a request that a server acknowledged.
type acknowledged struct {
	RequestID    string `json:"request_id"`
	Conversation struct{ Token, Href string }
}

// call sends a request to the server and returns the status and the body.
func (d *drill) call(method, path, body string, header ...string) (int, []byte) {
	d.Helper()
	req, err := http.NewRequest(method, d.base+path, strings.NewReader(body))
	if err != nil {
		d.Error(err)
		return 0, nil
	}
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i+1 < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		d.Error(err)
		return 0, nil
	}
	defer res.Body.Close()
	data, err := io.ReadAll(res.Body)
	if err != nil {
		d.Error(err)
	}
	return res.StatusCode, data
}

func (d *drill) submit(n int) (a acknowledged) {
	d.Helper()
	body := fmt.Sprintf(`{"site_id":"harbor-ledger","buyer_name":"R. Example","buyer_email":"r%d@example.org","intended_use":"Grounding %d","requested_scope":"/news/*","message":"We would like to ground answers on page %d."}`, n, n, n)
	status, data := d.call("POST", "/v1/partner/licensing/requests", body, "Authorization", "Bearer "+d.partner, "Idempotency-Key", fmt.Sprint("key-", n))
	if status != 201 || json.Unmarshal(data, &a) != nil {
		d.Errorf("request %d: %d %s", n, status, data)
	}
	return a
}

func (d *drill) run(name, repository string, flags ...string) {
	d.Helper()
	stop := d.serve(d.dir)
	var before []acknowledged
	for n := range 20 {
		before = append(before, d.submit(n))
	}

	done, writers := make(chan struct{}), sync.WaitGroup{}
	for w := range 4 {
		writers.Go(func() {
			for n := 1000 * (w + 1); ; n++ {
				select {
				case <-done:
					return
				default:
					d.submit(n)
				}
			}
		})
	}
	d.ok(append([]string{"backup", "--to", repository, "--recipient", d.recipient}, flags...)...)
	close(done)
	writers.Wait()

	restored := operator{d.T, filepath.Join(d.TempDir(), "machine", "reg")}
	restored.ok(append([]string{"restore", "--from", repository, "--identity", d.identity, "--origin", "d1:account/elsewhere"}, flags...)...)
	_, made, _ := restored.run(append([]string{"backup", "list", "--to", repository}, flags...)...)
	if got := restored.trail("--action", "restore"); len(got) != 1 || got[0].TargetID == "" || !strings.Contains(made, got[0].TargetID) || got[0].Actor == "" {
		d.Errorf("%s: the restore of one of %s is recorded as %+v", name, made, got)
	}
	_, items := d.call("GET", "/v1/rag-delivery/items", "", "Authorization", "Bearer "+d.buyer)
	stop()

	restored.ok("build")
	compareTrees(d.T, filepath.Join(d.dir, "dist"), filepath.Join(restored.dir, "dist"))
	stop = d.serve(restored.dir)
	defer stop()
	for _, a := range before {
		if status, data := d.call("GET", a.Conversation.Href, "", "X-Conversation-Token", a.Conversation.Token); status != 200 {
			d.Errorf("%s: the conversation %s after a restore: %d %s", name, a.RequestID, status, data)
		}
		if status, data := d.call("GET", "/v1/partner/licensing/requests/"+a.RequestID, "", "Authorization", "Bearer "+d.partner); status != 200 {
			d.Errorf("%s: the request %s after a restore: %d %s", name, a.RequestID, status, data)
		}
	}
	status, again := d.call("GET", "/v1/rag-delivery/items", "", "Authorization", "Bearer "+d.buyer)
	if status != 200 || !bytes.Contains(again, []byte("tides and tariffs")) || texts(again) != texts(items) {
		d.Errorf("%s: items after a restore: %d %.300s\nbefore: %.300s", name, status, again, items)
	}
	if status, _ := d.call("GET", "/v1/rag-delivery/items", "", "Authorization", "Bearer "+d.revoked); status != 401 && status != 403 {
		d.Errorf("%s: a revoked credential is answered %d after a restore", name, status)
	}
	if got := d.submit(5); got.RequestID != before[5].RequestID {
		d.Errorf("%s: an idempotency key makes %q after a restore, not %q", name, got.RequestID, before[5].RequestID)
	}
}

// texts counts how often each page's text is in an answer of the delivery.
func texts(data []byte) string {
	var counts []int
	for i := range 12 {
		counts = append(counts, bytes.Count(data, []byte(fmt.Sprintf("Page %d tells", i))))
	}
	return fmt.Sprint(counts)
}

// ofEarlierBuilds matches the files that name what earlier builds left, and
// these files themselves: a folder that was built again has none of them.
var ofEarlierBuilds = regexp.MustCompile(`^(_build/|_ix/|v1/_index\.json|v1/public/release\.json$|v1/public/release/files/)`)

// compareTrees requires the same files with the same bytes, except those of
// earlier builds.
func compareTrees(t *testing.T, want, got string) {
	t.Helper()
	read := func(dir string) map[string]string {
		out := map[string]string{}
		err := filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
			if err != nil || e.IsDir() {
				return err
			}
			rel, _ := filepath.Rel(dir, path)
			if ofEarlierBuilds.MatchString(filepath.ToSlash(rel)) {
				return nil
			}
			data, err := os.ReadFile(path)
			out[rel] = string(data)
			return err
		})
		must(t, err)
		return out
	}
	a, b := read(want), read(got)
	if len(a) < 100 {
		t.Errorf("only %d files are published", len(a))
	}
	for name, text := range a {
		if b[name] != text {
			t.Errorf("the published file %s differs after a restore", name)
		}
	}
	if len(a) != len(b) {
		t.Errorf("%d files are published, %d after a restore", len(a), len(b))
	}
}
