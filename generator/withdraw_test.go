package generator

import (
	"bytes"
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"colophon/exports"
	"colophon/generator/verify"
	"colophon/internal/assert"
	"colophon/internal/blob/document"
	"colophon/internal/catalog"
	"colophon/internal/lookup"
	"colophon/internal/origin"
	"colophon/internal/release"
	"colophon/internal/rights"
	"colophon/internal/staticindex"
	"colophon/internal/withdrawn"
	"colophon/templates/entrypage"
)

// atStep calls do once, when a build of the test first reaches a step.
func atStep(t *testing.T, step string, do func()) {
	t.Helper()
	usual, done := reached, false
	t.Cleanup(func() { reached = usual })
	reached = func(s string) {
		if s == step && !done {
			done = true
			do()
		}
	}
	t.Cleanup(func() {
		if !done {
			t.Errorf("no build reached the step %q", step)
		}
	})
}

// withdrawPage withdraws a page. The changes may give it another state.
func withdrawPage(tb testing.TB, store origin.Catalog, p origin.Page, change ...func(*origin.Page)) {
	tb.Helper()
	p.State, p.ChangedAt = "withdrawn", "2026-09-01T00:00:00Z"
	for _, c := range change {
		c(&p)
	}
	must(tb, store.PutPage(tb.Context(), p, nil))
}

// suspendSite sets the state of a site.
func suspendSite(tb testing.TB, store origin.Catalog, id string, state origin.SiteState) {
	tb.Helper()
	site, err := store.Site(tb.Context(), id)
	must(tb, err)
	site.State, site.ChangedAt = state, "2026-09-01T00:00:01Z"
	must(tb, store.PutSite(tb.Context(), site))
}

// answered returns the files in dir as a server answers with them: without
// those that are listed as withdrawn.
func answered(dir string) withdrawn.Files {
	return withdrawn.Files{Source: document.Files{Source: newFolderSource(dir), SpellPage: entrypage.Spell}}
}

func wantAnswered(t *testing.T, dir, when string, keys ...string) {
	t.Helper()
	for _, key := range keys {
		if _, err := answered(dir).Read(t.Context(), key); err != nil {
			t.Errorf("%s: %s: %v", when, key, err)
		}
	}
}

func wantMissing(t *testing.T, dir, when string, keys ...string) {
	t.Helper()
	for _, key := range keys {
		assert.ErrorIs(t, assert.Err(answered(dir).Read(t.Context(), key)), fs.ErrNotExist, "%s: %s is answered", when, key)
	}
}

// currentDocuments returns the keys of the documents that describe the current
// version of an entry.
func currentDocuments(id string) []string {
	return []string{string(exports.KeyOf(exports.RecordPath(id))), string(exports.KeyOf(exports.CitationPath(id))), string(exports.KeyOf(exports.CitationPage(id)))}
}

func versionKey(id string, n int64) string {
	return string(exports.KeyOf(exports.RecordVersionPath(id, n)))
}

// eachForm runs a test on a small catalog in files and in packs. What is
// withdrawn does not depend on the size of packs.
func eachForm(t *testing.T, test func(t *testing.T, form published, store origin.Catalog, dir string)) {
	for _, form := range allForms[:2] {
		t.Run(form.name(), func(t *testing.T) {
			store, dir := form.publishCatalog(t)
			test(t, form, store, dir)
		})
	}
}

// pagesOf returns the active pages of a publisher.
func pagesOf(t *testing.T, store origin.Catalog, siteID string) []origin.Page {
	t.Helper()
	pages, err := store.PagesOf(t.Context(), siteID, "", 100)
	must(t, err)
	return slices.DeleteFunc(pages, func(p origin.Page) bool { return p.State != "active" })
}

// publishWithdrawals counts the withdrawals and lists them, and checks that
// each call returns want.
func publishWithdrawals(t *testing.T, store origin.Catalog, dir string, want Withdrawn) {
	t.Helper()
	for name, do := range map[string]func(context.Context, origin.Catalog, string, Options) (Withdrawn, error){"count": CountWithdrawals, "publish": PublishWithdrawals} {
		if got, err := do(t.Context(), store, dir, testOptions(t, 2)); err != nil || got != want {
			t.Errorf("%s: %+v, %v, want %+v", name, got, err, want)
		}
	}
	wantSound(t, dir)
}

// TestWithdrawalsAreListed withdraws an entry without a build: its current
// documents must no longer be answered and no computed answer may name it,
// while its neighbours and its earlier versions remain and no file of the
// release changes. After the next build its record must be answered again.
func TestWithdrawalsAreListed(t *testing.T) {
	eachForm(t, func(t *testing.T, form published, store origin.Catalog, dir string) {
		pages := pagesOf(t, store, "alpha")
		gone, neighbour := pages[3], pages[4]
		change(t, store, gone, "Lighthouse", "2026-08-30T00:00:00Z")
		form.build(t, store, dir)
		gone.Title = "Lighthouse"
		before := readTree(t, dir)

		withdrawPage(t, store, gone)
		addPage(t, store, "alpha", 6000, func(p *origin.Page) { p.State = "withdrawn" }) // never published
		dry, err := DryRun(t.Context(), store, dir, testOptions(t, 2))
		if err != nil || dry.Withdrawn.Entries != 1 {
			t.Errorf("a dry run tells of %+v, %v", dry.Withdrawn, err)
		}
		wantAnswered(t, dir, "after a dry run", currentDocuments(gone.EntryID)...)
		publishWithdrawals(t, store, dir, Withdrawn{Entries: 1})
		wantMissing(t, dir, "when it is listed", currentDocuments(gone.EntryID)...)
		wantAnswered(t, dir, "when it is listed", append(currentDocuments(neighbour.EntryID), versionKey(gone.EntryID, 1))...)
		wantUnnamed(t, dir, gone.EntryID, neighbour.EntryID)
		after := readTree(t, dir)
		for name := range after {
			assert.Equal(t, string(before[name]), string(after[name]), "%s was written", name)
		}
		for name := range before {
			if _, ok := after[name]; !ok {
				t.Errorf("%s was removed", name)
			}
		}
		if audit, err := verify.Release(dir); err != nil || audit.Withdrawn != 1 {
			t.Errorf("the audit tells of %d withdrawn entries, %v", audit.Withdrawn, err)
		}

		if r := form.build(t, store, dir); r.Withdrawn.Any() {
			t.Errorf("the build tells of %+v", r.Withdrawn)
		}
		documents := currentDocuments(gone.EntryID)
		wantMissing(t, dir, "after the build", documents[1:]...)
		wantAnswered(t, dir, "after the build", documents[0], versionKey(gone.EntryID, 1))
		wantSound(t, dir)
		if audit, err := verify.Release(dir); err != nil || audit.Withdrawn != 0 {
			t.Errorf("after the build the audit tells of %d withdrawn entries, %v", audit.Withdrawn, err)
		}
	})
}

// wantUnnamed checks that the computed lists name neighbour but not gone, and
// that a look-up finds gone as withdrawn.
func wantUnnamed(t *testing.T, dir, gone, neighbour string) {
	t.Helper()
	c := catalog.New(answered(dir), time.Now)
	named := map[string]map[string]bool{"search": {}, "feed": {}, "inventory": {}, "licensed": {}, "records": {}}
	hits, err := c.SearchCatalog(t.Context(), staticindex.Ask{Q: "alpha", Limit: "100"})
	must(t, err)
	for i := range hits.Data {
		named["search"][hits.Data[i].EntryID] = true
	}
	feed, err := c.Feed(t.Context(), staticindex.Ask{Limit: "100"}, true)
	must(t, err)
	for i := range feed.Data {
		named["feed"][feed.Data[i].EntryID] = true
	}
	inventory, err := c.Inventory(t.Context(), "alpha", staticindex.Ask{Limit: "100"})
	must(t, err)
	for i := range inventory.Data {
		named["inventory"][inventory.Data[i].EntryID] = true
	}
	licensed, _, err := c.SearchSites(t.Context(), staticindex.Ask{Q: "alpha", Limit: "100"}, []string{"alpha"})
	must(t, err)
	for i := range licensed {
		named["licensed"][licensed[i].EntryID] = true
	}
	records, err := c.SiteRecords(t.Context(), "alpha", staticindex.Ask{Limit: "100"})
	must(t, err)
	for i := range records.Data {
		named["records"][records.Data[i].EntryID] = true
	}
	for list, ids := range named {
		if ids[gone] || !ids[neighbour] {
			t.Errorf("%s of %d entries has the withdrawn one: %v, its neighbour: %v", list, len(ids), ids[gone], ids[neighbour])
		}
	}
	for id, want := range map[string]bool{gone: true, neighbour: false} {
		found, err := c.Find(t.Context(), lookup.Query{EntryID: id})
		must(t, err)
		if len(found.Candidates) != 1 || found.Candidates[0].Withdrawn != want || (found.Candidates[0].RightsVector == rights.AllWithdrawn) != want {
			t.Errorf("%s is found as %+v", id, found.Candidates)
		}
	}
}

// TestPublishersThatLeaveAreListed suspends a publisher: none of its documents
// may be answered, and all of its neighbour must be. Once the publisher is
// approved again, its documents must be answered again without a build.
func TestPublishersThatLeaveAreListed(t *testing.T) {
	eachForm(t, func(t *testing.T, form published, store origin.Catalog, dir string) {
		of := func(site string) (keys []string) {
			for _, p := range pagesOf(t, store, site) {
				keys = append(keys, currentDocuments(p.EntryID)...)
			}
			for _, path := range []string{exports.PublisherPath(site), exports.PublisherPage(site), exports.OfferPath("lic_" + site)} {
				key := string(exports.KeyOf(path))
				if _, err := answered(dir).Read(t.Context(), key); err == nil {
					keys = append(keys, key)
				}
			}
			return keys
		}
		alpha, beta := of("alpha"), of("beta")
		if len(alpha) < 27 {
			t.Fatalf("the publisher has %d documents", len(alpha))
		}
		count := int64(0)
		for range pagesOf(t, store, "alpha") {
			count++
		}
		count++ // the one that populate withdrew
		suspendSite(t, store, "alpha", origin.Suspended)
		publishWithdrawals(t, store, dir, Withdrawn{Entries: count, Publishers: 1})
		wantMissing(t, dir, "when it is listed", alpha...)
		wantAnswered(t, dir, "when it is listed", beta...)

		suspendSite(t, store, "alpha", origin.Approved)
		publishWithdrawals(t, store, dir, Withdrawn{})
		wantAnswered(t, dir, "when it is back", alpha...)

		suspendSite(t, store, "alpha", origin.Closed)
		form.build(t, store, dir)
		wantMissing(t, dir, "after the build", alpha...)
		wantAnswered(t, dir, "after the build", beta...)
		suspendSite(t, store, "alpha", origin.Approved)
		form.build(t, store, dir)
		wantAnswered(t, dir, "when it was opened again", alpha...)
		wantSound(t, dir)
	})
}

// TestErasedEntriesAreListed erases an entry from the origin: none of its
// documents may be answered, including earlier versions.
func TestErasedEntriesAreListed(t *testing.T) {
	t.Parallel()
	for _, form := range allForms[:2] {
		t.Run(form.name(), func(t *testing.T) {
			root := t.TempDir()
			path, dir := filepath.Join(root, "origin.db"), filepath.Join(root, "dist")
			store := openStore(t, path)
			populate(t, store, 5)
			form.build(t, store, dir)
			p := pagesOf(t, store, "alpha")[2]
			change(t, store, p, "Another title", "2026-08-30T00:00:00Z")
			form.build(t, store, dir)
			all := append(currentDocuments(p.EntryID), versionKey(p.EntryID, 1), versionKey(p.EntryID, 2))
			wantAnswered(t, dir, "before", all...)
			change(t, store, pagesOf(t, store, "beta")[0], "Newer than all that is erased", "2026-08-31T00:00:00Z")
			erasePage(t, path, p.EntryID)
			publishWithdrawals(t, store, dir, Withdrawn{Entries: 1})
			wantMissing(t, dir, "when it is listed", all...)
			form.build(t, store, dir)
			wantMissing(t, dir, "after the build", all...)
			wantSound(t, dir)
		})
	}
}

// TestWithdrawalsThatAreTakenBack checks that an entry that is active again is
// answered again, and that an entry with a successor is not listed.
func TestWithdrawalsThatAreTakenBack(t *testing.T) {
	eachForm(t, func(t *testing.T, form published, store origin.Catalog, dir string) {
		pages := pagesOf(t, store, "alpha")
		withdrawPage(t, store, pages[1])
		withdrawPage(t, store, pages[2], func(p *origin.Page) { p.Successor = pages[3].EntryID })
		publishWithdrawals(t, store, dir, Withdrawn{Entries: 1})
		wantAnswered(t, dir, "of one that moved", currentDocuments(pages[2].EntryID)...)
		withdrawPage(t, store, pages[1], func(p *origin.Page) { p.State, p.ChangedAt = "active", "2026-09-02T00:00:00Z" })
		publishWithdrawals(t, store, dir, Withdrawn{})
		wantAnswered(t, dir, "when it is back", currentDocuments(pages[1].EntryID)...)
		withdrawPage(t, store, pages[1], func(p *origin.Page) { p.ChangedAt = "2026-09-03T00:00:00Z" })
		form.build(t, store, dir)
		withdrawPage(t, store, pages[1], func(p *origin.Page) { p.State, p.ChangedAt = "active", "2026-09-04T00:00:00Z" })
		form.build(t, store, dir)
		wantAnswered(t, dir, "when it was built again", currentDocuments(pages[1].EntryID)...)
	})
}

// TestWithdrawnWhileABuildRuns withdraws an entry at each step of a build,
// which may already have read the entry: from then on it must not be answered,
// neither during the build nor after it.
func TestWithdrawnWhileABuildRuns(t *testing.T) {
	usual := watchEvery
	t.Cleanup(func() { watchEvery = usual })
	watchEvery = time.Millisecond
	for n, step := range []string{"signed", "rendered", "sealed"} {
		for m, form := range allForms {
			if testing.Short() && m != n {
				continue // each step and each form is there once
			}
			t.Run(step+" "+form.name(), func(t *testing.T) {
				store, dir := form.publishCatalog(t)
				pages := pagesOf(t, store, "alpha")
				gone := pages[5]
				change(t, store, gone, "Edited", "2026-08-30T00:00:00Z")
				listed := make(chan bool, 100)
				atStep(t, step, func() {
					withdrawPage(t, store, gone)
					<-listed
					wantMissing(t, dir, "while the build runs", currentDocuments(gone.EntryID)...)
				})
				r := form.build(t, store, dir, func(o *Options) {
					o.Whole = form.packSize == LargePacks
					o.Withdrawn = func(Withdrawn) { listed <- true }
				})
				assert.Equal(t, r.Withdrawn.Entries, 1, "the build tells of %+v", r.Withdrawn)
				wantMissing(t, dir, "after the build", currentDocuments(gone.EntryID)...)
				wantAnswered(t, dir, "after the build", currentDocuments(pages[6].EntryID)...)
				wantSound(t, dir)
				form.build(t, store, dir)
				documents := currentDocuments(gone.EntryID)
				wantMissing(t, dir, "after the next build", documents[1:]...)
				wantAnswered(t, dir, "after the next build", documents[0])
			})
		}
	}
}

// TestWithdrawnWhenPublished withdraws an entry after a build has published
// its release and before it updates the list of withdrawals.
func TestWithdrawnWhenPublished(t *testing.T) {
	eachForm(t, func(t *testing.T, form published, store origin.Catalog, dir string) {
		gone := pagesOf(t, store, "alpha")[5]
		change(t, store, gone, "Edited", "2026-08-30T00:00:00Z")
		atStep(t, "published", func() { withdrawPage(t, store, gone) })
		form.build(t, store, dir)
		wantMissing(t, dir, "after the build", currentDocuments(gone.EntryID)...)
	})
}

// TestWithdrawalsNeedARelease checks that ErrNothingPublished is returned, and
// that the list stays as it is, if nothing is published or another origin was.
func TestWithdrawalsNeedARelease(t *testing.T) {
	t.Parallel()
	store, dir := populated(t, 3)
	other := newStore(t)
	populate(t, other, 3)
	for _, c := range []struct {
		name  string
		from  origin.Catalog
		built bool
	}{
		{"nothing is published", store, false},
		{"of another origin", other, true},
	} {
		list := filepath.Join(dir, filepath.FromSlash(withdrawn.Key))
		var before []byte
		if c.built {
			published{form: FormFiles}.build(t, store, dir)
			var err error
			before, err = os.ReadFile(list)
			must(t, err)
		}
		for _, do := range []func(context.Context, origin.Catalog, string, Options) (Withdrawn, error){CountWithdrawals, PublishWithdrawals} {
			assert.ErrorIs(t, assert.Err(do(t.Context(), c.from, dir, testOptions(t, 1))), ErrNothingPublished, "%s", c.name)
		}
		if after, err := os.ReadFile(list); (err == nil) != c.built || !bytes.Equal(after, before) {
			t.Errorf("%s: the list is another: %v", c.name, err)
		}
	}
}

// TestForgedListOfWithdrawn alters the list of withdrawals: an audit must
// report it, and the next build must write the list again.
func TestForgedListOfWithdrawn(t *testing.T) {
	t.Parallel()
	store, dir := populated(t, 3)
	p := pagesOf(t, store, "alpha")[0]
	form := published{form: FormFiles}
	form.build(t, store, dir)
	path := filepath.Join(dir, filepath.FromSlash(withdrawn.Key))
	list, err := os.ReadFile(path)
	must(t, err)
	must(t, os.WriteFile(path, []byte(strings.Replace(string(list), `"entries":[`, `"entries":["`+p.EntryID+`"`, 1)), 0o600))
	audit, err := verify.Release(dir)
	must(t, err)
	if len(audit.Findings) != 1 || !strings.Contains(audit.Findings[0], release.ErrSignature.Error()) {
		t.Errorf("found %q", audit.Findings)
	}
	form.build(t, store, dir)
	wantAnswered(t, dir, "after a build", currentDocuments(p.EntryID)...)
	wantSound(t, dir)
}
