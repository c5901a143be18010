//go:build edge

package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"colophon/internal/registrydir"
)

// TestCronKeepsDeadlines runs the cron trigger under workerd: a request in D1
// that nobody answered for 56 days expires, but not while the clock seems to
// have jumped forward; a fresh request does not expire.
func TestCronKeepsDeadlines(t *testing.T) {
	base, dir := os.Getenv("BASE"), os.Getenv("DIR")
	if base == "" || dir == "" {
		t.Fatal("BASE and DIR are not set: run through tools/edge/with-served.sh")
	}
	f := readDemo(t, filepath.Join(dir, registrydir.DemoFile))
	key := []string{"Authorization", "Bearer " + f.PartnerKeys["full"]}
	create := func(name string) string {
		t.Helper()
		body := `{"site_id":"` + f.SiteID + `","buyer_name":"R. Example","buyer_email":"` + name + `@example-labs.example","intended_use":"Grounding for an assistant",` +
			`"requested_scope":"/shipping/*","message":"We would like to ground answers on your tables, ` + name + `."}`
		r, err := askOnce(base, asked{method: "POST", target: "/v1/partner/licensing/requests", header: append(key, "Content-Type", "application/json", "Idempotency-Key", "cron-"+name), body: body})
		if err != nil || r.status != 201 {
			t.Fatalf("%v %d %s", err, r.status, r.body)
		}
		var made struct {
			RequestID string `json:"request_id"`
		}
		if err := json.Unmarshal(r.body, &made); err != nil || made.RequestID == "" {
			t.Fatalf("%v in %s", err, r.body)
		}
		return made.RequestID
	}
	state := func(id string) string {
		t.Helper()
		r, err := askOnce(base, asked{method: "GET", target: "/v1/partner/licensing/requests/" + id, header: key})
		if err != nil || r.status != 200 {
			t.Fatalf("%v %d %s", err, r.status, r.body)
		}
		var now struct{ Status string }
		must(t, json.Unmarshal(r.body, &now))
		return now.Status
	}
	execute := func(statement string) {
		t.Helper()
		out, err := exec.Command(os.Getenv("NODE"), os.Getenv("WRANGLER"), "d1", "execute", "colophon-origin", "--local", "--yes",
			"--config", filepath.Join(dir, "workers", "wrangler.toml"), "--persist-to", filepath.Join(dir, "workers"), "--command", statement).CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	trigger := func() {
		t.Helper()
		r, err := askOnce(base, asked{method: "GET", target: "/cdn-cgi/handler/scheduled?cron=*/5+*+*+*+*"})
		if err != nil || r.status != 200 || !strings.Contains(string(r.body), "ok") {
			t.Fatalf("the trigger: %v %d %s", err, r.status, r.body)
		}
	}

	old, fresh := create("old"), create("fresh")
	// Fifty-six days pass for one of them. Deadlines were last processed two
	// days ago, which looks like a forward jump of the clock.
	const back = "strftime('%Y-%m-%dT%H:%M:%SZ', 'now', '-56 days')"
	execute("UPDATE requests SET created_at = " + back + ", publisher_at = " + back + ", state_since = " + back + " WHERE request_id = '" + old + "'; " +
		"INSERT INTO meta (name, value) VALUES ('clock', unixepoch('now', '-2 days')) ON CONFLICT (name) DO UPDATE SET value = excluded.value")
	if s := state(old); s == "expired" || s == "" {
		t.Fatalf("before the trigger ran it is %q", s)
	}
	trigger()
	trigger() // a second run does not confirm the clock
	if s := state(old); s == "expired" || s == "" {
		t.Fatalf("after a jump of the clock it is %q", s)
	}

	execute("UPDATE meta SET value = unixepoch('now') WHERE name = 'clock'") // as "colophon doctor --confirm-clock" does
	trigger()
	if s := state(old); s != "expired" {
		t.Errorf("after 56 days it is %q", s)
	}
	if s := state(fresh); s == "expired" || s == "" {
		t.Errorf("a fresh request is %q", s)
	}
}
