package generator

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"colophon/exports"
	"colophon/generator/ledger"
	"colophon/generator/target"
	"colophon/generator/verify"
	"colophon/internal/assert"
	"colophon/internal/blob/document"
	"colophon/internal/catalog"
	"colophon/internal/ledgerlog"
	"colophon/internal/origin"
	"colophon/internal/originsql"
	"colophon/internal/outcome"
	provrecord "colophon/internal/record"
	"colophon/internal/release"
	"colophon/internal/staticindex"
	"colophon/internal/wire"
)

// change changes the title of a page.
func change(tb testing.TB, store origin.Catalog, p origin.Page, title, at string) {
	tb.Helper()
	p.Title, p.ChangedAt = title, at
	must(tb, store.PutPage(context.Background(), p, nil))
}

func auditLedger(tb testing.TB, dir string) ledger.Report {
	tb.Helper()
	dir = filepath.Join(dir, "ledger")
	files, err := ledger.FilesOf(dir)
	must(tb, err)
	r, err := ledger.Audit(ledger.Question{Read: ledger.Folder(dir), Files: files})
	must(tb, err)
	for _, f := range r.Findings {
		tb.Error(f)
	}
	return r
}

func citationOf(tb testing.TB, dir, entry string) (c exports.Citation) {
	tb.Helper()
	data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(string(exports.KeyOf(exports.CitationPath(entry))))))
	must(tb, err)
	must(tb, wire.Decode(data, &c, wire.Trusted))
	return c
}

// TestLedgerGrows builds several times: the log must grow, every citation must
// name a valid place in it that never changes, and a build in a new folder must
// produce the same log, including the partial files of earlier sizes. With
// -short it builds in a new folder only when a tile is full, and at the end.
func TestLedgerGrows(t *testing.T) {
	t.Parallel()
	store := newStore(t)
	addSite(t, store, "alpha")
	var pages []origin.Page
	dir, fresh := filepath.Join(t.TempDir(), "dist"), t.TempDir()
	var cited *exports.LedgerPlace
	sizes := []int64{}
	for round := range 6 {
		for range []int{5, 200, 60, 1, 0, 20}[round] {
			pages = append(pages, addPage(t, store, "alpha", len(pages)))
		}
		if round == 2 {
			change(t, store, pages[0], "another title", "2026-11-01T00:00:00Z")
		}
		r := build1(t, store, dir, 2)
		a, err := verify.Release(dir)
		must(t, err)
		for _, f := range a.Findings {
			t.Errorf("round %d: %s", round, f)
		}
		if a.Leaves != r.LedgerSize || a.Proofs < int64(len(pages)) {
			t.Errorf("round %d: %+v of %+v", round, a, r)
		}
		assert.Equal(t, (r.Logged == 0), round == 4, "round %d logged %d", round, r.Logged)
		sizes = append(sizes, r.LedgerSize)
		c := citationOf(t, dir, pages[1].EntryID)
		if c.Ledger == nil || c.LedgerIndex != c.Ledger.Index {
			t.Fatalf("round %d: the citation names no place in the ledger", round)
		}
		if cited == nil {
			cited = c.Ledger
		}
		assert.Equal(t, *c.Ledger, *cited, "round %d: its place in the ledger changed from %+v to %+v", round, cited, c.Ledger)
		if testing.Short() && round != 2 && round != 5 {
			continue
		}
		other := filepath.Join(fresh, fmt.Sprint(round))
		build1(t, store, other, 3)
		one, two := readTree(t, filepath.Join(dir, "ledger")), readTree(t, filepath.Join(other, "ledger"))
		if len(one) != len(two) {
			t.Errorf("round %d: %d files, in a fresh folder %d", round, len(one), len(two))
		}
		for name, data := range one {
			if !bytes.Equal(data, two[name]) {
				t.Errorf("round %d: %s differs in a fresh folder", round, name)
			}
		}
		must(t, os.RemoveAll(other))
	}
	t.Logf("sizes %v", sizes)
	for path := range ledger.Partials(sizes, sizes[5]) {
		if _, err := os.Stat(filepath.Join(dir, "ledger", filepath.FromSlash(path))); err != nil {
			t.Errorf("a partial file that was published is gone: %s", path)
		}
	}
	first := pages[0]
	text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(string(exports.KeyOf(exports.PlacePath(first.EntryID, 1))))))
	var place exports.LedgerPlace
	if err != nil || wire.Decode(text, &place, wire.Trusted) != nil || place.Origin != cited.Origin || place.Index == citationOf(t, dir, first.EntryID).LedgerIndex {
		t.Errorf("the superseded version has no place of its own: %s, %v", text, err)
	}
}

// TestLastEventsAreTheList compares the leaves on the ledger's page with the list
// of leaves of the same release, after updates, a better extraction, a withdrawal,
// an erasure and the end of a publisher.
func TestLastEventsAreTheList(t *testing.T) {
	t.Parallel()
	ctx, path := t.Context(), filepath.Join(t.TempDir(), "origin.db")
	store, opt, dir := openStore(t, path), testOptions(t, 2), filepath.Join(t.TempDir(), "dist")
	opt.Accept = map[string]bool{"vanished": true, "rollback": true}
	addSite(t, store, "alpha")
	addSite(t, store, "beta")
	addPage(t, store, "beta", 1)
	extracted := func(version string, n int) origin.Page {
		return addPage(t, store, "alpha", n, func(p *origin.Page) { p.Extraction = "service.main-text." + version })
	}
	better, edited := extracted("v2", 1), extracted("v2", 2)
	withdrawn, erased := addPage(t, store, "alpha", 3), addPage(t, store, "alpha", 4)
	_, err := Build(ctx, store, dir, opt)
	must(t, err)
	extracted("v3", 1)
	change(t, store, edited, "Edited", "2026-10-01T00:00:00Z")
	withdrawn.State, withdrawn.ChangedAt = "withdrawn", "2026-10-02T00:00:00Z"
	must(t, store.PutPage(ctx, withdrawn, nil))
	beta, err := store.Site(ctx, "beta")
	must(t, err)
	beta.State = origin.Suspended
	must(t, store.PutSite(ctx, beta))
	erasePage(t, path, erased.EntryID)
	opt.Keys, err = provrecord.NewKeySet(append(opt.Keys.Keys(), revokedKey(t, "a seed of a revoked record key .", 1780000000))...)
	must(t, err)
	opt.Ledger.Keys = append(opt.Ledger.Keys, revokedKey(t, "a seed of a revoked log's key ..", 1780086400))
	_, err = Build(ctx, store, dir, opt)
	must(t, err)

	b := &build{store: store, opt: opt}
	must(t, b.readOrigin(ctx))
	b.log.size, err = store.LedgerSize(ctx)
	must(t, err)
	got, err := b.lastEvents(ctx)
	must(t, err)
	listed, err := catalog.New(document.Files{Source: newFolderSource(dir)}, time.Now).LedgerSearch(ctx, staticindex.Ask{Limit: "20"})
	must(t, err)
	want := listed.Data
	if len(got) != len(want) || len(got) < 12 {
		t.Fatalf("%d leaves, %d listed", len(got), len(want))
	}
	revoked := map[string]bool{}
	for i := range got {
		switch want[i].Event {
		case exports.LedgerIndexPublished: // which the list does not date
			want[i].At = got[i].At
		case exports.LedgerPolicyChanged: // of which the list names no publisher
			want[i].Publisher = got[i].Publisher
		case exports.LedgerKeyRevoked:
			revoked[want[i].At] = true
		}
		if got[i] != want[i] {
			t.Errorf("%+v, listed %+v", got[i], want[i])
		}
		if got[i].At == "" || (got[i].SiteID == "alpha") != (got[i].Publisher != "") {
			t.Errorf("%+v", got[i])
		}
		if wanted := got[i].EntryID == better.EntryID && got[i].Event == exports.LedgerUpdated; (got[i].Reason != "") != wanted {
			t.Errorf("the reason of %+v", got[i])
		}
	}
	if !revoked["2026-05-28T20:26:40Z"] || !revoked["2026-05-29T20:26:40Z"] {
		t.Errorf("keys were revoked at %v", revoked)
	}
}

func revokedKey(t *testing.T, seed string, at int64) provrecord.Key {
	t.Helper()
	key, _ := logKey(t, seed, 1704067200)
	key.Revoked = &provrecord.Revocation{At: at, Reason: "copied", TrustedTreeSize: 1}
	return key
}

// TestLedgerHoldsMetadataOnly checks that the log contains no words of pages.
func TestLedgerHoldsMetadataOnly(t *testing.T) {
	t.Parallel()
	store, dir := populated(t, 5)
	build1(t, store, dir, 2)
	for name, data := range readTree(t, filepath.Join(dir, "ledger", "tile")) {
		for _, word := range []string{"https://", "Page", "alpha.example", "tariffs", "PRIVATE", "Site alpha"} {
			if bytes.Contains(data, []byte(word)) {
				t.Errorf("%s holds %q", name, word)
			}
		}
	}
	if r := auditLedger(t, dir); r.Leaves[provrecord.FormatRecordLeaf] != 16 || r.Leaves[provrecord.FormatKeyLeaf] != 2 || r.Leaves[provrecord.FormatIndexLeaf] != 1 {
		t.Errorf("leaves %v", r.Leaves)
	}
}

// copyStore copies the origin to path, as a backup would, and opens the copy.
func copyStore(tb testing.TB, from *originsql.Store, path string) *originsql.Store {
	tb.Helper()
	_, err := from.DB().Exec("VACUUM INTO ?", path)
	must(tb, err)
	return openStore(tb, path)
}

// TestLedgerIsNeverRolledBack restores the origin from a backup: the published
// log must not become shorter or different, whatever the operator accepts.
func TestLedgerIsNeverRolledBack(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	dir := filepath.Join(root, "dist")
	store := openStore(t, filepath.Join(root, "origin.db"))
	populate(t, store, 4)
	build1(t, store, dir, 2)
	backup := copyStore(t, store, filepath.Join(root, "backup.db"))
	addPage(t, store, "alpha", 500)
	build1(t, store, dir, 2)
	before := readTree(t, dir)

	opt := testOptions(t, 2)
	opt.Accept = map[string]bool{"vanished": true, "rollback": true}
	refused := func(what, why string, store origin.Catalog, opt Options) {
		t.Helper()
		_, err := Build(context.Background(), store, dir, opt)
		if !errors.Is(err, ErrUnsafe) || !strings.Contains(err.Error(), why) {
			t.Errorf("%s: %v", what, err)
		}
	}
	refused("a restored origin", "restored from a backup", backup, opt)
	addPage(t, backup, "alpha", 501)
	addPage(t, backup, "alpha", 502)
	addPage(t, backup, "alpha", 503)
	refused("a restored origin that went another way", "does not begin with", backup, opt)
	other := opt
	key, signer := logKey(t, "a seed of quite another log ....", 1704067200)
	other.Ledger = &LedgerOptions{Signer: signer, Keys: []provrecord.Key{key}}
	refused("another key", "not signed by a key of the log", store, other)
	other.Ledger = nil
	refused("no key", "no key to sign it with", store, other)
	refused("no key and another origin", "no key to sign it with", newStore(t), other)

	served := opt
	note, err := os.ReadFile(filepath.Join(dir, "ledger", "checkpoint"))
	must(t, err)
	l := *testLedger(t)
	l.Served = func(context.Context) ([]byte, error) { return note, nil }
	served.Ledger = &l
	assert.ErrorIs(t, assert.Err(Build(context.Background(), backup, filepath.Join(root, "elsewhere"), served)), ErrUnsafe, "a build elsewhere against the live log")
	if _, err := Build(context.Background(), store, filepath.Join(root, "elsewhere"), served); err != nil {
		t.Errorf("a build elsewhere that continues the live log: %v", err)
	}
	l.Served = func(context.Context) ([]byte, error) { return nil, errors.New("no answer") }
	assert.Fails(t, assert.Err(Build(context.Background(), store, filepath.Join(root, "elsewhere"), served)), "a live log that does not answer counts as none")
	after := readTree(t, dir)
	for name, data := range before {
		if !bytes.Equal(after[name], data) {
			t.Errorf("a refused build changed %s", name)
		}
	}
}

// TestLedgerHealsItsFiles damages published tiles: a later build must write
// them again from the origin, with the same bytes.
func TestLedgerHealsItsFiles(t *testing.T) {
	t.Parallel()
	store, dir := populated(t, 100)
	build1(t, store, dir, 2)
	for _, name := range []string{"tile/0/000", "tile/1/000.p/1", "tile/entries/000"} {
		path := filepath.Join(dir, "ledger", filepath.FromSlash(name))
		whole, err := os.ReadFile(path)
		must(t, err)
		must(t, os.Remove(path))
		addPage(t, store, "alpha", 1000+len(name))
		build1(t, store, dir, 2)
		if again, err := os.ReadFile(path); err != nil || !bytes.Equal(again, whole) {
			t.Errorf("%s was not spelled again: %v", name, err)
		}
		auditLedger(t, dir)
	}
}

// TestLedgerRefusesToChangeAFile checks that a build fails if a listed file of
// the log would change.
func TestLedgerRefusesToChangeAFile(t *testing.T) {
	t.Parallel()
	tree, err := newTree(filepath.Join(t.TempDir(), "dist"))
	must(t, err)
	defer tree.discardStage()
	b := &build{out: tree}
	tree.before = target.NewFiles([]release.File{release.FileOf("ledger/tile/0/000", []byte("one"))})
	assert.ErrorIs(t, b.putLedger("tile/0/000", []byte("two")), ErrUnsafe, "a changed tile")
	must(t, b.putLedger("tile/0/001", []byte("one")))
	must(t, b.putLedger("tile/0/001", []byte("one")))
	assert.Fails(t, b.putLedger("tile/0/001", []byte("two")), "a tile was written twice with other bytes")
}

// TestLedgerKeyRotates checks that the log continues under a new key, that old
// proofs remain valid, and that a leaf announces the key.
func TestLedgerKeyRotates(t *testing.T) {
	t.Parallel()
	store, dir := populated(t, 5)
	first := build1(t, store, dir, 2)
	seen, err := os.ReadFile(filepath.Join(dir, "ledger", "checkpoint"))
	must(t, err)
	was := auditLedger(t, dir)

	opt := testOptions(t, 2)
	key, signer := logKey(t, "a seed of the second log key ...", 1735689600)
	opt.Ledger.Keys = append(opt.Ledger.Keys, key)
	opt.Ledger.Signer = signer
	second, err := Build(context.Background(), store, dir, opt)
	must(t, err)
	assert.Equal(t, second.LedgerSize, first.LedgerSize+1, "%d leaves, then", first.LedgerSize)
	verified(t, dir)
	logDir := filepath.Join(dir, "ledger")
	r, err := ledger.Audit(ledger.Question{Read: ledger.Folder(logDir), Known: seen, KnownKey: &was.Key})
	must(t, err)
	if len(r.Findings) > 0 || r.Key == was.Key || len(r.Keys) != 2 {
		t.Errorf("after the rotation: %q, keys %v", r.Findings, r.Keys)
	}
}

// TestLedgerKeyIsCompromised checks that signatures of a revoked key of the log
// no longer count: proofs lead to a checkpoint of the new key, and a checkpoint
// signed with the stolen key is refused.
func TestLedgerKeyIsCompromised(t *testing.T) {
	t.Parallel()
	store, dir := populated(t, 5)
	first := build1(t, store, dir, 2)
	old := auditLedger(t, dir)

	opt := testOptions(t, 2)
	key, signer := logKey(t, "a seed of the second log key ...", 1735689600)
	thief := opt.Ledger.Signer
	opt.Ledger.Keys[0].Revoked = &provrecord.Revocation{At: 1795000000, Reason: "copied", TrustedTreeSize: first.LedgerSize}
	opt.Ledger.Keys = append(opt.Ledger.Keys, key)
	opt.Ledger.Signer = signer
	_, err := Build(context.Background(), store, dir, opt)
	must(t, err)
	a, err := verify.Release(dir) // each proof must be valid under a key that the policy names
	must(t, err)
	for _, f := range a.Findings {
		t.Error(f)
	}
	now := auditLedger(t, dir)
	if len(now.Keys) != 1 || now.Keys[0] == old.Key {
		t.Errorf("the policy still names the revoked key: %v", now.Keys)
	}
	forged, err := ledgerlog.SignCheckpoint(ledgerlog.Checkpoint{Origin: old.Key.Name, Size: 999999}, old.Key.Public, thief)
	must(t, err)
	files := readTree(t, filepath.Join(dir, "ledger"))
	files["checkpoint"] = forged
	_, err = ledger.Audit(ledger.Question{Read: func(path string) ([]byte, error) {
		if data, ok := files[path]; ok {
			return data, nil
		}
		return nil, os.ErrNotExist
	}})
	assert.Fails(t, err, "a checkpoint of the revoked key is accepted")
}

// TestLedgerAndARevokedRecordKey checks that a stolen key counts only for
// records that were logged before the trusted size, and that the others are
// signed again.
func TestLedgerAndARevokedRecordKey(t *testing.T) {
	t.Parallel()
	store, dir := newRegistry(t)
	addSite(t, store, "alpha")
	for n := range 10 {
		addPage(t, store, "alpha", n)
	}
	first := build1(t, store, dir, 2)
	for n := 10; n < 15; n++ {
		addPage(t, store, "alpha", n)
	}
	build1(t, store, dir, 2)

	opt := testOptions(t, 2)
	stolen := opt.Keys.Keys()[0]
	stolen.Revoked = &provrecord.Revocation{At: 1795000000, Reason: "copied", TrustedTreeSize: first.LedgerSize}
	key, signer := logKey(t, "a seed of the second record key ", 1735689600)
	var err error
	opt.Keys, err = provrecord.NewKeySet(stolen, key)
	must(t, err)
	thief := opt.Signer
	opt.Signer, opt.NotYet = signer, "2025-01-01T00:00:00Z"
	r, err := Build(context.Background(), store, dir, opt)
	must(t, err)
	assert.Equal(t, r.Issued, 5, "records were signed again, of those that were logged too late")
	if again, err := Build(context.Background(), store, dir, opt); err != nil || again.Issued != 0 || again.Logged != 0 {
		t.Errorf("a further build: %+v, %v", again, err)
	}
	verified(t, dir)
	record := exports.Record{PublisherID: "pub_alpha", SiteID: "alpha", EntryID: "ent_x", CanonicalURL: "https://alpha.example/x", Version: 1,
		Portable: strings.Repeat("0", 64), Registry: strings.Repeat("0", 64), Proof: exports.Proof{Created: "2026-01-01T00:00:00Z"}}
	record.Source.Title, record.Passport.HolderBasis = "x", exports.PassportBases[0]
	record.Passport.AsOf = record.Proof.Created
	backdated, err := provrecord.SignRecord(thief, &record)
	must(t, err)
	for leaf, want := range map[int64]outcome.Code{provrecord.NotLogged: outcome.KeyRevoked, first.LedgerSize: outcome.KeyRevoked, first.LedgerSize - 1: outcome.KeyRevokedLater} {
		result := provrecord.Verify(backdated, provrecord.Question{Keys: opt.Keys, Verify: provrecord.Ed25519, Leaf: &leaf})
		assert.Equal(t, result.Key, want, "a back-dated record at leaf %d", leaf)
	}
}
