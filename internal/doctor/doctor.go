// Package doctor examines a registry and the service above it.
package doctor

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"time"

	"colophon/exports"
	"colophon/generator"
	"colophon/generator/ledger"
	"colophon/internal/backup"
	"colophon/internal/inquiry"
	"colophon/internal/ledgerlog"
	"colophon/internal/originsql"
	"colophon/internal/registrydir"
)

// When something is worth a finding.
const (
	keyEndsSoon    = 30 * 24 * time.Hour
	releaseOverdue = 7 * 24 * time.Hour
	backupOverdue  = 7 * 24 * time.Hour
	copyOverdue    = 30 * 24 * time.Hour
	clockTolerance = 2 * time.Minute
	spareBytes     = 64 << 20 // beyond a second copy of the store
)

// The states of a check.
const (
	OK      = "ok"
	Warning = "warning" // something to see to
	Failed  = "failed"  // something is wrong
	Skipped = "skipped"
)

// Finding is the result of one check.
type Finding struct {
	Check  string `json:"check"`
	Status string `json:"status"`
	Detail string `json:"detail"`
	Next   string `json:"next,omitempty"` // what to do about it
}

// examination collects findings.
type examination struct {
	*registrydir.Dir
	now      time.Time
	offline  bool
	settings *registrydir.Settings // nil when they cannot be read
	findings []Finding
}

func (x *examination) addPassed(check, format string, args ...any) {
	x.findings = append(x.findings, Finding{Check: check, Status: OK, Detail: fmt.Sprintf(format, args...)})
}

func (x *examination) addWarning(check, next, format string, args ...any) {
	x.findings = append(x.findings, Finding{Check: check, Status: Warning, Detail: fmt.Sprintf(format, args...), Next: next})
}

func (x *examination) addFailure(check, next, format string, args ...any) {
	x.findings = append(x.findings, Finding{Check: check, Status: Failed, Detail: fmt.Sprintf(format, args...), Next: next})
}

func (x *examination) addSkipped(check, format string, args ...any) {
	x.findings = append(x.findings, Finding{Check: check, Status: Skipped, Detail: fmt.Sprintf(format, args...)})
}

// Examine examines a registry and the service above it, at an instant. If
// offline, it neither looks up nor asks the base URL. It changes nothing.
func Examine(ctx context.Context, dir *registrydir.Dir, now time.Time, offline bool) []Finding {
	x := &examination{Dir: dir, now: now, offline: offline}
	x.checkSettings()
	x.checkModes()
	x.checkKeys("keys", registrydir.KeysFolder, "")
	x.checkKeys("ledger-keys", registrydir.LedgerKeysFolder, " --ledger")
	x.checkSecret()
	x.checkOrigin(ctx)
	x.checkSpace()
	x.checkBackup()
	x.checkCopies()
	x.checkAddress(ctx)
	x.checkMail(ctx)
	return x.findings
}

func (x *examination) checkSettings() {
	s, err := x.ReadSettings()
	if err != nil {
		x.addFailure("settings", "correct "+x.File(registrydir.SettingsFile), "%v", err)
		return
	}
	x.settings = &s
	x.addPassed("settings", "base URL %s", s.BaseURL)
	if s.Brand.Privacy == "" || s.Brand.Terms == "" {
		x.addWarning("texts", "name both under [brand] in "+x.File(registrydir.SettingsFile)+": pages link to them in their footer", "pages link to no privacy notice or terms of use")
	} else {
		x.addPassed("texts", "pages link to the privacy notice and the terms of use")
	}
}

func (x *examination) checkModes() {
	open, err := registrydir.OpenToOthers(x.Path)
	if err != nil {
		x.addFailure("modes", "look at the owner of the folder", "%v", err)
		return
	}
	if len(open) == 0 {
		x.addPassed("modes", "only the owner can read the store, the keys and the secret")
		return
	}
	var paths []string
	for path := range open {
		paths = append(paths, path)
	}
	slices.Sort(paths)
	for _, path := range paths {
		x.addFailure("modes", "chmod go-rwx "+path, "%s can be read by others (mode %04o)", path, open[path])
	}
}

func (x *examination) checkKeys(check, folder, flag string) {
	keys, err := x.ReadKeys(folder)
	if err != nil {
		x.addFailure(check, "follow what the error says, or restore the keys from a backup", "%v", err)
		return
	}
	k := registrydir.NewestActiveKey(keys)
	if k == nil {
		x.addFailure(check, "colophon key generate"+flag+" --dir "+x.Path, "there is no active key in %s", x.File(folder))
		return
	}
	rotate := "colophon key rotate" + flag + " --dir " + x.Path
	end := time.Unix(k.NotAfter, 0)
	switch left := end.Sub(x.now); {
	case left <= 0:
		x.addFailure(check, rotate, "the key %s ended %s", k.KeyID, end.UTC().Format(time.RFC3339))
	case left < keyEndsSoon:
		x.addWarning(check, rotate, "the key %s ends %s", k.KeyID, end.UTC().Format(time.RFC3339))
	default:
		x.addPassed(check, "%d keys, the active one signs until %s", len(keys), end.UTC().Format(time.DateOnly))
	}
}

func (x *examination) checkSecret() {
	if _, err := os.Stat(x.File(registrydir.SecretFile)); errors.Is(err, fs.ErrNotExist) {
		x.addPassed("secret", "none yet; the server creates it when it first starts")
		return
	}
	if _, err := x.LoadSecret(); err != nil {
		x.addFailure("secret", "restore it from a backup, or remove it and issue new tokens", "%v", err)
		return
	}
	x.addPassed("secret", "readable by its owner only")
}

// checkOrigin looks at the store as it is: it does not migrate it.
func (x *examination) checkOrigin(ctx context.Context) {
	if x.Origin != "" {
		x.checkPostgres(ctx)
		return
	}
	if x.D1 != "" {
		x.addSkipped("store", "the store is in D1")
		return
	}
	const restore = "colophon restore --from … --dir NEW"
	db, err := registrydir.OpenPlain(x.File(registrydir.OriginFile))
	if err != nil {
		x.addFailure("store", restore, "%v", err)
		return
	}
	defer db.Close()
	if err := backup.CheckIntegrity(ctx, db); err != nil {
		x.addFailure("store", restore, "it is damaged: %v", err)
		return
	}
	x.addPassed("store", "intact, without dangling references")
	if x.checkSchema(ctx, db) {
		store := originsql.New(db)
		x.checkClock(ctx, store)
		x.checkRelease(ctx, store)
		x.checkLedger(ctx, store)
	}
}

// checkSchema reports whether this program can read the store.
func (x *examination) checkSchema(ctx context.Context, db *sql.DB) bool {
	have, err := originsql.SchemaVersion(ctx, db)
	latest := originsql.LatestSchema()
	switch {
	case err != nil:
		x.addFailure("schema", "colophon restore --from … --dir NEW", "%v", err)
	case have > latest:
		x.addFailure("schema", "use the program that wrote it, or a newer one", "the store has schema %d, this program %d", have, latest)
	case have < latest:
		x.addWarning("schema", "colophon backup, then any command: it copies the store and migrates it", "the store has schema %d, this program %d", have, latest)
	default:
		x.addPassed("schema", "%d", have)
		return true
	}
	return false
}

func (x *examination) checkClock(ctx context.Context, store *originsql.Store) {
	seen, err := store.ClockSeen(ctx)
	if err != nil {
		x.addFailure("clock", "look at the store", "%v", err)
		return
	}
	const confirm = "compare with another clock, then colophon doctor --confirm-clock"
	last := time.Unix(seen, 0).UTC().Format(time.RFC3339)
	switch {
	case seen == 0:
		x.addPassed("clock", "%s; no deadlines were processed yet", x.now.UTC().Format(time.RFC3339))
	case inquiry.CheckClock(x.now, seen) != nil:
		x.addFailure("clock", confirm, "it is %s, but the deadlines were last kept %s: nothing is reminded, expires or is erased", x.now.UTC().Format(time.RFC3339), last)
	case time.Unix(seen, 0).Sub(x.now) > clockTolerance:
		x.addFailure("clock", "set the clock, or confirm it: "+confirm, "it is %s, but the deadlines were kept %s already", x.now.UTC().Format(time.RFC3339), last)
	default:
		x.addPassed("clock", "the deadlines were last kept %s", last)
	}
}

func (x *examination) checkRelease(ctx context.Context, store *originsql.Store) {
	if x.settings == nil {
		return
	}
	dir := x.OutFolder(*x.settings, "")
	build := "colophon build --dir " + x.Path
	published, err := generator.ReadPublished(dir)
	if errors.Is(err, fs.ErrNotExist) {
		x.addFailure("release", build, "nothing is published in %s", dir)
		return
	}
	if err != nil {
		x.addFailure("release", build, "%v", err)
		return
	}
	changes, latest, err := store.Changes(ctx)
	if err != nil {
		x.addFailure("release", "look at the store", "%v", err)
		return
	}
	if changes < published.Changes {
		x.addFailure("release", "restore a newer backup", "the store has %d changes, the release %s holds %d: the store is older than what is published", changes, published.Release, published.Changes)
		return
	}
	if changes == published.Changes {
		x.addPassed("release", "%s is up to date", published.Release)
		return
	}
	changed, err := time.Parse(time.RFC3339, latest)
	if err == nil && x.now.Sub(changed) > releaseOverdue {
		x.addFailure("release", build, "%s lacks %d changes, the last of %s", published.Release, changes-published.Changes, latest)
		return
	}
	x.addWarning("release", build, "%s lacks %d changes", published.Release, changes-published.Changes)
}

// checkLedger compares the ledger of the store with what is published and
// what is remembered.
func (x *examination) checkLedger(ctx context.Context, store *originsql.Store) {
	size, err := store.LedgerSize(ctx)
	if err != nil {
		x.addFailure("ledger", "look at the store", "%v", err)
		return
	}
	known := map[string]string{"remembered": x.File(backup.HeadName)}
	if x.settings != nil {
		known["published"] = filepath.Join(x.OutFolder(*x.settings, ""), filepath.FromSlash(ledger.CheckpointFile))
	}
	for _, what := range []string{"published", "remembered"} {
		note, err := os.ReadFile(known[what])
		if err != nil {
			continue // there is none
		}
		c, err := ledgerlog.ReadCheckpoint(note)
		if err != nil {
			x.addFailure("ledger", "look at "+known[what], "the checkpoint that is %s is damaged: %v", what, err)
			return
		}
		if c.Size > size {
			x.addFailure("ledger", "restore a newer backup", "the store has %d leaves, %d are %s: a log is never rolled back", size, c.Size, what)
			return
		}
	}
	x.addPassed("ledger", "%d leaves, which continue what is published", size)
}

func (x *examination) checkSpace() {
	free, err := freeBytes(x.Path)
	if err != nil {
		x.addSkipped("space", "%v", err)
		return
	}
	need := uint64(spareBytes)
	if info, err := os.Stat(x.File(registrydir.OriginFile)); err == nil {
		need += uint64(info.Size())
	}
	if free < need {
		x.addFailure("space", "free some, or move the registry", "%d MiB are free, a backup or an upgrade needs %d", free>>20, need>>20)
		return
	}
	x.addPassed("space", "%d MiB are free", free>>20)
}

func (x *examination) checkBackup() {
	if x.IsRemote() {
		x.addSkipped("backup", "%s is backed up where it is, which cannot be seen from here; keys and settings are in %s", x.OriginName(), x.Path)
		return
	}
	const next = "colophon backup --to … --recipient …, from a timer"
	last, err := x.ReadLastBackup()
	if errors.Is(err, fs.ErrNotExist) {
		x.addWarning("backup", next, "no backup of this folder yet")
		return
	}
	at, bad := time.Parse(time.RFC3339, last.At)
	if err != nil || bad != nil {
		x.addWarning("backup", next, "%s cannot be read", x.File(registrydir.LastBackupFile))
		return
	}
	if age := x.now.Sub(at); age > backupOverdue {
		x.addWarning("backup", next, "the last one, %s, is %d days old", last.ID, int(age.Hours()/24))
		return
	}
	x.addPassed("backup", "%s in %s", last.ID, last.To)
}

func (x *examination) checkCopies() {
	copies, _ := filepath.Glob(filepath.Join(x.File(registrydir.CopiesFolder), "*.db")) // the pattern is valid
	for _, path := range copies {
		if info, err := os.Stat(path); err == nil && x.now.Sub(info.ModTime()) > copyOverdue {
			x.addWarning("copies", "rm "+path, "%s still holds what was erased since", path)
		}
	}
}

// checkAddress resolves the host of the base URL and asks the service there.
func (x *examination) checkAddress(ctx context.Context) {
	if x.settings == nil {
		return
	}
	if x.offline {
		x.addSkipped("dns", "--offline")
		x.addSkipped("reachable", "--offline")
		return
	}
	u, err := url.Parse(x.settings.BaseURL)
	if err != nil {
		return // readSettings refuses it
	}
	ctx, cancel := context.WithTimeout(ctx, 15*time.Second)
	defer cancel()
	addresses, err := net.DefaultResolver.LookupHost(ctx, u.Hostname())
	if err != nil {
		x.addFailure("dns", "make an address record for "+u.Hostname(), "%v", err)
		x.addSkipped("reachable", "the host has no address")
		return
	}
	x.addPassed("dns", "%s is %s", u.Hostname(), addresses[0])
	x.checkReachable(ctx, x.settings.BaseURL)
}

func (x *examination) checkReachable(ctx context.Context, base string) {
	next := "start the server, and look at the proxy in front of it"
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, base+exports.PathDiscovery, nil)
	if err != nil {
		x.addFailure("reachable", next, "%v", err)
		return
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		x.addFailure("reachable", next, "%v", err)
		return
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		x.addFailure("reachable", next, "%s answered %s", base+exports.PathDiscovery, res.Status)
		return
	}
	x.addPassed("reachable", "%s answers", base)
	theirs, err := http.ParseTime(res.Header.Get("Date"))
	if err != nil {
		return // it does not report its time
	}
	if skew := x.now.Sub(theirs).Abs(); skew > clockTolerance {
		x.addFailure("clock", "set one of the clocks", "the clock here and that of %s differ by %s", base, skew.Round(time.Second))
	}
}

// checkMail connects to the SMTP server and logs in.
func (x *examination) checkMail(ctx context.Context) {
	if x.settings == nil || !x.settings.Mail.Configured() {
		return
	}
	c := x.settings.Mail
	if x.offline {
		x.addSkipped("mail", "--offline")
		return
	}
	to := cmp.Or(c.Server, "the mail API of [mail]")
	if err := c.Check(ctx); err != nil {
		x.addFailure("mail", "look at [mail] in colophon.toml", "%s takes no letters: %v", to, err)
		return
	}
	x.addPassed("mail", "%s takes letters from %s", to, c.From)
}
