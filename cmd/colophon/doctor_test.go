package main

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"colophon/exports"
	"colophon/internal/backup"
	"colophon/internal/doctor"
	"colophon/internal/registrydir"
)

// patients makes healthy registries. They are copies of one, and share a server
// at their base URL.
type patients struct {
	model operator
	skew  atomic.Int64 // added to the server's clock
	down  atomic.Bool  // the server finds no file
}

func newPatients(t *testing.T) *patients {
	t.Helper()
	p := &patients{model: operator{t, filepath.Join(t.TempDir(), "reg")}}
	o := p.model
	files := http.FileServer(http.Dir(filepath.Join(o.dir, "dist")))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Date", time.Now().Add(time.Duration(p.skew.Load())).UTC().Format(http.TimeFormat))
		r.URL.Path = "/" + string(exports.KeyOf(r.URL.Path))
		if p.down.Load() {
			r.URL.Path = "/nothing"
		}
		files.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	o.ok("init", "--base-url", server.URL)
	o.ok("publisher", "add", "harbor-ledger", "--name", "Harbor Ledger", "--site-url", "https://harbor-ledger.example/")
	o.ok("publisher", "approve", "harbor-ledger")
	o.ok("build")
	o.ok("inquiry", "tick")
	o.write(registrydir.LastBackupFile, `{"id":"x","at":"`+time.Now().UTC().Format(time.RFC3339)+`","to":"somewhere"}`)
	return p
}

// one returns a new registry for a test.
func (p *patients) one(t *testing.T) operator {
	t.Helper()
	p.skew.Store(0)
	p.down.Store(false)
	o := operator{t, filepath.Join(t.TempDir(), "reg")}
	copyTree(t, p.model.dir, o.dir)
	return o
}

// examined runs the doctor and returns its findings by check.
func (o operator) examined(args ...string) (code int, findings map[string]doctor.Finding) {
	o.Helper()
	code, out, errs := o.run(append([]string{"doctor", "--json"}, args...)...)
	var doc struct {
		Data struct{ Findings []doctor.Finding }
	}
	if err := json.Unmarshal([]byte(out), &doc); err != nil {
		o.Fatalf("%v in %s; %s", err, out, errs)
	}
	findings = map[string]doctor.Finding{}
	for _, f := range doc.Data.Findings {
		if old, found := findings[f.Check]; !found || old.Status == doctor.OK {
			findings[f.Check] = f
		}
		if (f.Status == doctor.Failed || f.Status == doctor.Warning) && f.Next == "" {
			o.Errorf("%s has no next step", f.Check)
		}
	}
	return code, findings
}

func TestDoctorFindsNothing(t *testing.T) {
	t.Parallel()
	o := newPatients(t).one(t)
	code, findings := o.examined()
	if code != 0 {
		t.Errorf("exit code %d", code)
	}
	for _, check := range []string{"settings", "modes", "keys", "ledger-keys", "secret", "store", "schema", "clock", "release", "ledger", "space", "backup", "dns", "reachable"} {
		if findings[check].Status != doctor.OK {
			t.Errorf("%s: %+v", check, findings[check])
		}
	}
	if _, findings := o.examined("--offline"); findings["dns"].Status != doctor.Skipped || findings["reachable"].Status != doctor.Skipped {
		t.Errorf("offline: %+v", findings)
	}
}

func TestDoctorFinds(t *testing.T) {
	t.Parallel()
	p := newPatients(t)
	for _, tc := range []struct {
		name, check, status, detail string
		spoil                       func(o operator)
	}{
		{"a setting that is unknown", "settings", doctor.Failed, "not known", func(o operator) { o.write(registrydir.SettingsFile, "colour = 1\n") }},
		{"no privacy notice", "texts", doctor.Warning, "no privacy notice", func(operator) {}},
		{"privacy notice and terms", "texts", doctor.OK, "link to the privacy notice", func(o operator) {
			data, err := os.ReadFile(o.path(registrydir.SettingsFile))
			if err != nil {
				o.Fatal(err)
			}
			o.write(registrydir.SettingsFile, string(data)+"\n[brand]\nprivacy = 'https://registry.example/privacy'\nterms = 'https://registry.example/terms'\n")
		}},
		{"a folder for all", "modes", doctor.Failed, "0755", func(o operator) { o.chmod(".", 0o755) }},
		{"a store for all", "modes", doctor.Failed, "0644", func(o operator) { o.chmod(registrydir.OriginFile, 0o644) }},
		{"a secret for all", "secret", doctor.Failed, "read by others", func(o operator) {
			o.write(registrydir.SecretFile, strings.Repeat("A", 43)+"\n")
			o.chmod(registrydir.SecretFile, 0o640)
		}},
		{"a secret that is damaged", "secret", doctor.Failed, "damaged", func(o operator) { o.write(registrydir.SecretFile, "short\n") }},
		{"no keys", "keys", doctor.Failed, "no active key", func(o operator) { o.removeKeys(registrydir.KeysFolder) }},
		{"no ledger keys", "ledger-keys", doctor.Failed, "no active key", func(o operator) { o.removeKeys(registrydir.LedgerKeysFolder) }},
		{"a key that ends", "keys", doctor.Warning, "ends", func(o operator) { o.ok("key", "rotate", "--days", "7") }},
		{"a damaged store", "store", doctor.Failed, "", func(o operator) { o.damage(registrydir.OriginFile) }},
		{"no store", "store", doctor.Failed, "no such file", func(o operator) { o.remove(registrydir.OriginFile) }},
		{"a row without its parent", "store", doctor.Failed, "websites", func(o operator) {
			o.sql("PRAGMA foreign_keys = 0; INSERT INTO websites (site_id, host, changed_at) VALUES ('none', 'x', '')")
		}},
		{"an old schema", "schema", doctor.Warning, "schema 2", func(o operator) { o.sql("PRAGMA user_version = 2") }},
		{"a new schema", "schema", doctor.Failed, "schema 99", func(o operator) { o.sql("PRAGMA user_version = 99") }},
		{"a clock that jumped", "clock", doctor.Failed, "nothing is reminded", func(o operator) { o.sql("UPDATE meta SET value = value - 90000 WHERE name = 'clock'") }},
		{"a clock that is late", "clock", doctor.Failed, "already", func(o operator) { o.sql("UPDATE meta SET value = value + 9000 WHERE name = 'clock'") }},
		{"a clock unlike the server's", "clock", doctor.Failed, "differ", func(operator) { p.skew.Store(-int64(time.Hour)) }},
		{"no release", "release", doctor.Failed, "nothing is published", func(o operator) { o.removeAll("dist") }},
		{"a release that lacks a change", "release", doctor.Warning, "lacks", func(o operator) {
			o.ok("publisher", "add", "quay-times", "--name", "Quay Times", "--site-url", "https://quay-times.example/")
		}},
		{"a store older than the release", "release", doctor.Failed, "older", func(o operator) { o.sql("UPDATE meta SET value = 1 WHERE name = 'changes'") }},
		{"a store older than the ledger", "ledger", doctor.Failed, "published", func(o operator) { o.sql("DROP TRIGGER ledger_no_delete; DELETE FROM ledger_events") }},
		{"a ledger that is remembered", "ledger", doctor.Failed, "remembered", func(o operator) {
			o.removeAll("dist")
			o.sql("DROP TRIGGER ledger_no_delete; DELETE FROM ledger_events")
		}},
		{"a remembered ledger that is damaged", "ledger", doctor.Failed, "damaged", func(o operator) { o.write(backup.HeadName, "nonsense") }},
		{"no backup", "backup", doctor.Warning, "no backup", func(o operator) { o.remove(registrydir.LastBackupFile) }},
		{"an old backup", "backup", doctor.Warning, "days old", func(o operator) {
			o.write(registrydir.LastBackupFile, `{"id":"x","at":"2020-01-01T00:00:00Z","to":"y"}`)
		}},
		{"an old copy", "copies", doctor.Warning, "still holds", func(o operator) {
			path := filepath.Join(o.dir, registrydir.CopiesFolder, "schema-1-x.db")
			_ = os.MkdirAll(filepath.Dir(path), 0o700)
			o.write(filepath.Join(registrydir.CopiesFolder, "schema-1-x.db"), "x")
			old := time.Now().AddDate(0, -2, 0)
			if err := os.Chtimes(path, old, old); err != nil {
				o.Fatal(err)
			}
		}},
		{"a host without an address", "dns", doctor.Failed, "", func(o operator) {
			o.write(registrydir.SettingsFile, "base_url = \"https://registry.invalid\"\n")
		}},
		{"a server that is down", "reachable", doctor.Failed, "refused", func(o operator) { o.write(registrydir.SettingsFile, "base_url = \"http://127.0.0.1:9\"\n") }},
		{"a server without the files", "reachable", doctor.Failed, "404", func(operator) { p.down.Store(true) }},
	} {
		t.Run(tc.name, func(t *testing.T) {
			o := p.one(t)
			tc.spoil(o)
			code, findings := o.examined()
			got := findings[tc.check]
			if got.Status != tc.status || !strings.Contains(got.Detail, tc.detail) {
				t.Errorf("%s: %+v", tc.check, got)
			}
			want := 0
			if tc.status == doctor.Failed {
				want = 1
			}
			if code != want {
				t.Errorf("exit code %d, not %d: %+v", code, want, findings)
			}
		})
	}
	o := operator{t, filepath.Join(t.TempDir(), "none")}
	o.no(1, "there is no registry", "doctor")
}

func (o operator) path(name string) string { return filepath.Join(o.dir, filepath.FromSlash(name)) }

func (o operator) write(name, text string) {
	o.Helper()
	if err := os.WriteFile(o.path(name), []byte(text), 0o600); err != nil {
		o.Fatal(err)
	}
}

func (o operator) chmod(name string, mode os.FileMode) {
	o.Helper()
	if err := os.Chmod(o.path(name), mode); err != nil {
		o.Fatal(err)
	}
}

func (o operator) remove(name string) {
	o.Helper()
	if err := os.Remove(o.path(name)); err != nil {
		o.Fatal(err)
	}
}

func (o operator) removeAll(names ...string) {
	o.Helper()
	for _, name := range names {
		if err := os.RemoveAll(o.path(name)); err != nil {
			o.Fatal(err)
		}
	}
}

func (o operator) removeKeys(folder string) {
	o.Helper()
	keys, err := filepath.Glob(o.path(folder + "/*.json"))
	if err != nil || len(keys) == 0 {
		o.Fatalf("keys %v: %v", keys, err)
	}
	for _, k := range keys {
		if err := os.Remove(k); err != nil {
			o.Fatal(err)
		}
	}
}

// damage overwrites the middle of a file.
func (o operator) damage(name string) {
	o.Helper()
	data, err := os.ReadFile(o.path(name))
	if err != nil {
		o.Fatal(err)
	}
	for i := 5000; i < len(data); i++ {
		data[i] ^= 0x5a
	}
	o.write(name, string(data))
}
