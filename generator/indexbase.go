package generator

import (
	"context"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"colophon/exports"
	"colophon/generator/target"
	"colophon/internal/indexbuild"
	"colophon/internal/origin"
	"colophon/internal/rights"
)

// A catalog of many entries has an index of many files, nearly all of which one change
// would rewrite. So a change writes a small generation of the index, which is laid
// over the last one that has all records: see indexbuild.Base.

// layFrom is the number of entries from which on the index of a catalog is laid over
// another. Smaller ones have orders and counts by choice, which follow from all
// entries.
func (b *build) layFrom() int64 {
	if b.opt.LayFrom > 0 {
		return b.opt.LayFrom
	}
	return exports.MaxOrdered + 1
}

// mayBeBase reports whether another index may be laid over the one of this build.
func (b *build) mayBeBase() bool { return b.report.Pages >= b.layFrom() }

// indexNotes are what a build notes of its index: the generation that has all records, and
// what changed since that was built.
type indexNotes struct {
	Base    string   `json:"base"`
	Sites   []string `json:"sites,omitempty"`   // whose own facts changed, or that are gone
	Entries []string `json:"entries,omitempty"` // "site entry", of entries as they are and as they were

	// Readiness is the level of each publisher as of this build. Pages are found by it,
	// and it follows from all pages of the publisher: one that has a record first
	// raises it.
	Readiness map[string]string `json:"readiness,omitempty"`
}

// touchedParts are the sites and entries that are due in a build, or are no more.
type touchedParts struct {
	sites   map[string]bool
	entries map[origin.SiteEntry]bool
}

func newTouchedParts() touchedParts {
	return touchedParts{sites: map[string]bool{}, entries: map[origin.SiteEntry]bool{}}
}

// touchEntry notes an entry that is due, or whose published row is no more. A build that
// renders all has no use for them, and would hold them all.
func (p *plan) touchEntry(r *pageRow) {
	if !p.reuse {
		return
	}
	p.touched.entries[origin.SiteEntry{SiteID: strings.Clone(r.page.SiteID), EntryID: strings.Clone(r.page.EntryID)}] = true
}

// touchSites notes the sites that are due, and those that were published and are no more.
func (p *plan) touchSites(sites []siteFacts) {
	for i := range sites {
		if sites[i].due {
			p.touched.sites[sites[i].Site.SiteID] = true
		}
	}
	for siteID := range p.before.Sites {
		if _, still := p.now.Sites[siteID]; !still {
			p.touched.sites[siteID] = true
		}
	}
}

// factsPath is where the facts of the generation of the index that has all records are
// kept: beside the published files, as rowsPath.
func factsPath(dir string) string {
	return target.PathBeside(dir, "index")
}

// stagedFacts is where they are until the build is published.
func (b *build) stagedFacts() string { return filepath.Join(b.spool.dir, "index") }

// findIndexBase finds the generation over which the index of this build is laid, and notes
// what changed since; nil where all of it is to be written.
func (b *build) findIndexBase() *indexbuild.Base {
	notes := b.indexChanges()
	if notes == nil {
		return nil
	}
	data, err := os.ReadFile(factsPath(b.out.dir))
	if err != nil {
		return nil
	}
	facts, err := indexbuild.ReadFacts(data, notes.Base)
	if err != nil {
		return nil
	}
	b.plan.now.Index = notes
	return &indexbuild.Base{Generation: *b.before.Current.AsBase(), Facts: facts, Changed: notes.entryIDs()}
}

// indexChanges are what changed since the generation that has all records, in order; nil
// where that is not known, or is too much.
func (b *build) indexChanges() *indexNotes {
	p := b.plan
	if !b.mayBeBase() || !p.reuse || b.before == nil || p.before.Index == nil {
		return nil
	}
	base := b.before.Current.AsBase()
	if p.before.Index.Base != base.Gen || !b.hasGeneration(&b.before.Current) {
		return nil
	}
	sites, entries := maps.Clone(p.touched.sites), map[string]bool{}
	for _, siteID := range p.before.Index.Sites {
		sites[siteID] = true
	}
	for _, entry := range p.before.Index.Entries {
		entries[entry] = true
	}
	for x := range p.touched.entries {
		entries[x.SiteID+" "+x.EntryID] = true
	}
	readiness := b.readinessOfSites()
	if int64(len(entries)) > base.Pages*mergePercent/100 || b.raisesOthers(readiness) {
		return nil
	}
	return &indexNotes{Base: base.Gen, Sites: slices.Sorted(maps.Keys(sites)), Entries: slices.Sorted(maps.Keys(entries)), Readiness: readiness}
}

// readinessOfSites are the levels of all publishers, by site id.
func (b *build) readinessOfSites() map[string]string {
	levels := make(map[string]string, len(b.sites))
	for i := range b.sites {
		if p, ok := b.sites[i].publisher(); ok {
			levels[p.SiteID] = p.Readiness
		}
	}
	return levels
}

// raisesOthers reports whether the level of a publisher changed of which not all pages
// are due.
func (b *build) raisesOthers(readiness map[string]string) bool {
	for siteID, level := range readiness {
		if b.plan.before.Index.Readiness[siteID] != level && !b.plan.touched.sites[siteID] {
			return true
		}
	}
	return false
}

// siteEntries are the entries that changed.
func (n *indexNotes) siteEntries() []origin.SiteEntry {
	out := make([]origin.SiteEntry, len(n.Entries))
	for i, text := range n.Entries {
		out[i].SiteID, out[i].EntryID, _ = strings.Cut(text, " ")
	}
	return out
}

// entryIDs are the ids of the entries that changed, in order, each once.
func (n *indexNotes) entryIDs() []string {
	var out []string
	for _, x := range n.siteEntries() {
		out = append(out, x.EntryID)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// changedLedgerRows gives the leaves that are new since the base of the index, which
// described size leaves, and older ones that tell of what changed since, the newest
// first.
func (b *build) changedLedgerRows(ctx context.Context, size int64, notes *indexNotes) iter.Seq2[exports.LedgerRow, error] {
	return func(yield func(exports.LedgerRow, error) bool) {
		for row, err := range b.ledgerRowsFrom(ctx, size) {
			if !yield(row, err) || err != nil {
				return
			}
		}
		lines, err := b.store.LedgerLinesAbout(ctx, notes.Sites, notes.siteEntries())
		if err != nil {
			yield(exports.LedgerRow{}, err)
			return
		}
		for i := range lines {
			if l := &lines[i]; l.Position < size && !yield(rights.LedgerRow(b.findSite(l.SiteID), l), nil) {
				return
			}
		}
	}
}

// stageFacts writes the facts of a generation that has all records, and notes that
// nothing changed since.
func (b *build) stageFacts(gen string, f *indexbuild.Facts) (err error) {
	out, err := os.OpenFile(b.stagedFacts(), os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	if err := f.WriteFacts(out, gen); err != nil {
		out.Close()
		return err
	}
	b.plan.now.Index = &indexNotes{Base: gen, Readiness: b.readinessOfSites()}
	return out.Close()
}

// moveFacts moves the facts to where the next build looks for them, if this build wrote
// any.
func (b *build) moveFacts() error {
	err := os.Rename(b.stagedFacts(), factsPath(b.out.dir))
	if os.IsNotExist(err) {
		return nil
	}
	return err
}
