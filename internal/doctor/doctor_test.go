package doctor

import (
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
	"colophon/internal/originsql"
	"colophon/internal/registrydir"
	"colophon/internal/registrydir/dirtest"
	"colophon/internal/usage"
)

// hospital makes healthy registries. They are copies of one, and share a server
// at their base URL.
type hospital struct {
	model *registrydir.Dir
	skew  atomic.Int64 // added to the server's clock
	down  atomic.Bool  // the server finds no file
}

// patient is one registry.
type patient struct {
	*testing.T
	*registrydir.Dir
}

func newHospital(t *testing.T) *hospital {
	t.Helper()
	h := &hospital{}
	var published string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Date", time.Now().Add(time.Duration(h.skew.Load())).UTC().Format(http.TimeFormat))
		r.URL.Path = "/" + string(exports.KeyOf(r.URL.Path))
		if h.down.Load() {
			r.URL.Path = "/nothing"
		}
		http.FileServer(http.Dir(published)).ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	h.model = dirtest.New(t, server.URL)
	published = h.model.File("dist")
	p := &patient{t, h.model}
	p.onStore(func(store *originsql.Store) error {
		_, err := registrydir.RunMaintenance(t.Context(), store, time.Now())
		return err
	})
	p.write(registrydir.LastBackupFile, `{"id":"x","at":"`+exports.Instant(time.Now())+`","to":"somewhere"}`)
	return h
}

// admit returns a new registry for a test.
func (h *hospital) admit(t *testing.T) *patient {
	t.Helper()
	h.skew.Store(0)
	h.down.Store(false)
	return &patient{t, dirtest.Copy(t, h.model)}
}

// examine returns the findings by check, the worst of each.
func (p *patient) examine(offline bool) map[string]Finding {
	p.Helper()
	findings := map[string]Finding{}
	for _, f := range Examine(p.Context(), p.Dir, time.Now(), offline) {
		if old, found := findings[f.Check]; !found || old.Status == OK {
			findings[f.Check] = f
		}
		if (f.Status == Failed || f.Status == Warning) && f.Next == "" {
			p.Errorf("%s has no next step", f.Check)
		}
	}
	return findings
}

// TestExamineFindsNothing examines a healthy registry, also without the network.
func TestExamineFindsNothing(t *testing.T) {
	p := newHospital(t).admit(t)
	findings := p.examine(false)
	for _, check := range []string{"settings", "modes", "keys", "ledger-keys", "secret", "store", "schema", "clock", "release", "ledger", "space", "backup", "dns", "reachable"} {
		if findings[check].Status != OK {
			t.Errorf("%s: %+v", check, findings[check])
		}
	}
	findings = p.examine(true)
	for _, check := range []string{"dns", "reachable"} {
		if findings[check].Status != Skipped {
			t.Errorf("offline, %s: %+v", check, findings[check])
		}
	}
}

// TestExamineFinds spoils a registry in many ways, each of which must be found
// by its check, with a next step.
func TestExamineFinds(t *testing.T) {
	t.Parallel()
	h := newHospital(t)
	for _, tc := range []struct {
		name, check, status, detail string
		spoil                       func(p *patient)
	}{
		{"a setting that is unknown", "settings", Failed, "not known", func(p *patient) { p.write(registrydir.SettingsFile, "colour = 1\n") }},
		{"no privacy notice", "texts", Warning, "no privacy notice", func(p *patient) {}},
		{"a privacy notice alone", "texts", Warning, "or terms of use", func(p *patient) {
			p.addSettings("[brand]\nprivacy = 'https://registry.example/privacy'\n")
		}},
		{"privacy notice and terms", "texts", OK, "link to the privacy notice", func(p *patient) {
			p.addSettings("[brand]\nprivacy = 'https://registry.example/privacy'\nterms = 'https://registry.example/terms'\n")
		}},
		{"a folder for all", "modes", Failed, "0755", func(p *patient) { p.chmod(".", 0o755) }},
		{"a store for all", "modes", Failed, "0644", func(p *patient) { p.chmod(registrydir.OriginFile, 0o644) }},
		{"a secret for all", "secret", Failed, "read by others", func(p *patient) {
			p.write(registrydir.SecretFile, strings.Repeat("A", 43)+"\n")
			p.chmod(registrydir.SecretFile, 0o640)
		}},
		{"a secret that is damaged", "secret", Failed, "damaged", func(p *patient) { p.write(registrydir.SecretFile, "short\n") }},
		{"no keys", "keys", Failed, "no active key", func(p *patient) { p.removeKeys(registrydir.KeysFolder) }},
		{"no ledger keys", "ledger-keys", Failed, "no active key", func(p *patient) { p.removeKeys(registrydir.LedgerKeysFolder) }},
		{"a key that ended", "keys", Failed, "ended", func(p *patient) { p.endKey() }},
		{"a key that ends", "keys", Warning, "ends", func(p *patient) { p.rotateKey(7) }},
		{"a damaged store", "store", Failed, "", func(p *patient) { p.damage(registrydir.OriginFile) }},
		{"no store", "store", Failed, "no such file", func(p *patient) { p.removeAll(registrydir.OriginFile) }},
		{"a row without its parent", "store", Failed, "websites", func(p *patient) {
			p.sql("PRAGMA foreign_keys = 0; INSERT INTO websites (site_id, host, changed_at) VALUES ('none', 'x', '')")
		}},
		{"an old schema", "schema", Warning, "schema 2", func(p *patient) { p.sql("PRAGMA user_version = 2") }},
		{"a new schema", "schema", Failed, "schema 99", func(p *patient) { p.sql("PRAGMA user_version = 99") }},
		{"a clock that jumped", "clock", Failed, "nothing is reminded", func(p *patient) { p.sql("UPDATE meta SET value = value - 90000 WHERE name = 'clock'") }},
		{"a clock that is late", "clock", Failed, "already", func(p *patient) { p.sql("UPDATE meta SET value = value + 9000 WHERE name = 'clock'") }},
		{"a clock unlike the server's", "clock", Failed, "differ", func(p *patient) { h.skew.Store(-int64(time.Hour)) }},
		{"no release", "release", Failed, "nothing is published", func(p *patient) { p.removeAll("dist") }},
		{"a release that lacks a change", "release", Warning, "lacks 1 changes", func(p *patient) {
			p.sql("UPDATE sites SET name = 'Harbor News', changed_at = '" + exports.Instant(time.Now()) + "'")
		}},
		{"a release that lacks an old change", "release", Failed, "the last of 2026-01-21T09:00:00Z", func(p *patient) {
			p.sql("UPDATE sites SET name = 'Harbor News', changed_at = '2026-01-21T09:00:00Z'")
		}},
		{"a store older than the release", "release", Failed, "older", func(p *patient) { p.sql("UPDATE meta SET value = 0 WHERE name = 'changes'") }},
		{"a store older than the ledger", "ledger", Failed, "published", func(p *patient) { p.sql("DROP TRIGGER ledger_no_delete; DELETE FROM ledger_events") }},
		{"a ledger that is remembered", "ledger", Failed, "remembered", func(p *patient) {
			p.removeAll("dist")
			p.sql("DROP TRIGGER ledger_no_delete; DELETE FROM ledger_events")
		}},
		{"a remembered ledger that is damaged", "ledger", Failed, "damaged", func(p *patient) { p.write(backup.HeadName, "nonsense") }},
		{"no backup", "backup", Warning, "no backup", func(p *patient) { p.removeAll(registrydir.LastBackupFile) }},
		{"an old backup", "backup", Warning, "days old", func(p *patient) {
			p.write(registrydir.LastBackupFile, `{"id":"x","at":"2020-01-01T00:00:00Z","to":"y"}`)
		}},
		{"an old copy", "copies", Warning, "still holds", func(p *patient) {
			path := filepath.Join(p.Path, registrydir.CopiesFolder, "schema-1-x.db")
			_ = os.MkdirAll(filepath.Dir(path), 0o700)
			p.write(filepath.Join(registrydir.CopiesFolder, "schema-1-x.db"), "x")
			old := time.Now().AddDate(0, -2, 0)
			if err := os.Chtimes(path, old, old); err != nil {
				p.Fatal(err)
			}
		}},
		{"a host without an address", "dns", Failed, "", func(p *patient) {
			p.write(registrydir.SettingsFile, "base_url = \"https://registry.invalid\"\n")
		}},
		{"a server that is down", "reachable", Failed, "refused", func(p *patient) { p.write(registrydir.SettingsFile, "base_url = \"http://127.0.0.1:9\"\n") }},
		{"a server without the files", "reachable", Failed, "404", func(p *patient) { h.down.Store(true) }},
	} {
		t.Run(tc.name, func(t *testing.T) {
			p := h.admit(t)
			tc.spoil(p)
			findings := p.examine(false)
			got := findings[tc.check]
			if got.Status != tc.status || !strings.Contains(got.Detail, tc.detail) {
				t.Errorf("%s: %+v", tc.check, got)
			}
			failed := 0
			for _, f := range findings {
				if f.Status == Failed {
					failed++
				}
			}
			if (tc.status == Failed) != (failed > 0) {
				t.Errorf("%d checks failed: %+v", failed, findings)
			}
		})
	}
}

// TestExamineMail checks that a mail server that does not answer is found, and
// that it is not asked without the network.
func TestExamineMail(t *testing.T) {
	p := newHospital(t).admit(t)
	p.addSettings("[mail]\nserver = '127.0.0.1:1'\nsecurity = 'none'\nfrom = 'desk@registry.example'\n")
	if got := p.examine(false)["mail"]; got.Status != Failed || !strings.HasPrefix(got.Detail, "127.0.0.1:1 takes no letters: ") {
		t.Errorf("%+v", got)
	}
	if got := p.examine(true)["mail"]; got.Status != Skipped {
		t.Errorf("offline: %+v", got)
	}
}

// TestAskReady checks what is said of a server that is ready, one that is not,
// one that does not answer, and of no address.
func TestAskReady(t *testing.T) {
	status := http.StatusOK
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/readyz" {
			http.NotFound(w, r)
			return
		}
		w.WriteHeader(status)
		w.Write([]byte("{\"ready\":false}\n")) //nolint:errcheck // the client sees
	}))
	addr := strings.TrimPrefix(server.URL, "http://")
	if err := AskReady(t.Context(), addr); err != nil {
		t.Error(err)
	}
	status = http.StatusServiceUnavailable
	if err := AskReady(t.Context(), addr); err == nil || err.Error() != server.URL+`/readyz answered 503 Service Unavailable: {"ready":false}` {
		t.Errorf("not ready: %v", err)
	}
	server.Close()
	if err := AskReady(t.Context(), addr); err == nil || !strings.HasSuffix(err.Error(), `"colophon serve --admin-addr `+addr+`" starts one that does`) {
		t.Errorf("no server: %v", err)
	}
	if _, bad := AskReady(t.Context(), "a b").(*usage.Error); !bad {
		t.Error("an address with a blank is asked")
	}
}

func (p *patient) onStore(do func(*originsql.Store) error) {
	p.Helper()
	if err := p.WithStore(p.Context(), do); err != nil {
		p.Fatal(err)
	}
}

func (p *patient) sql(statement string) {
	p.Helper()
	db, err := registrydir.OpenPlain(p.File(registrydir.OriginFile))
	if err != nil {
		p.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(statement); err != nil {
		p.Fatal(err)
	}
}

func (p *patient) rotateKey(days int) {
	p.Helper()
	if _, err := p.RotateKey(registrydir.KeysFolder, days); err != nil {
		p.Fatal(err)
	}
}

// endKey makes the signing key end an hour ago.
func (p *patient) endKey() {
	p.Helper()
	keys, err := p.ReadKeys(registrydir.KeysFolder)
	if err != nil || len(keys) != 1 {
		p.Fatalf("keys %v: %v", keys, err)
	}
	ended := time.Now().Add(-time.Hour).Unix()
	keys[0].NotBefore, keys[0].NotAfter = ended-3600, ended
	if err := p.WriteKey(registrydir.KeysFolder, keys[0]); err != nil {
		p.Fatal(err)
	}
}

func (p *patient) write(name, text string) {
	p.Helper()
	if err := os.WriteFile(p.File(name), []byte(text), 0o600); err != nil {
		p.Fatal(err)
	}
}

// addSettings adds lines to the settings.
func (p *patient) addSettings(text string) {
	p.Helper()
	settings, err := os.ReadFile(p.File(registrydir.SettingsFile))
	if err != nil {
		p.Fatal(err)
	}
	p.write(registrydir.SettingsFile, string(settings)+"\n"+text)
}

func (p *patient) chmod(name string, mode os.FileMode) {
	p.Helper()
	if err := os.Chmod(p.File(name), mode); err != nil {
		p.Fatal(err)
	}
}

func (p *patient) removeAll(name string) {
	p.Helper()
	if err := os.RemoveAll(p.File(name)); err != nil {
		p.Fatal(err)
	}
}

func (p *patient) removeKeys(folder string) {
	p.Helper()
	keys, err := filepath.Glob(p.File(folder + "/*.json"))
	if err != nil || len(keys) == 0 {
		p.Fatalf("keys %v: %v", keys, err)
	}
	for _, k := range keys {
		if err := os.Remove(k); err != nil {
			p.Fatal(err)
		}
	}
}

// damage overwrites all but the beginning of a file.
func (p *patient) damage(name string) {
	p.Helper()
	data, err := os.ReadFile(p.File(name))
	if err != nil {
		p.Fatal(err)
	}
	for i := 5000; i < len(data); i++ {
		data[i] ^= 0x5a
	}
	p.write(name, string(data))
}
