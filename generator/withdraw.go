package generator

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"colophon/exports"
	"colophon/internal/origin"
	"colophon/internal/rights"
	"colophon/internal/segment"
)

// Withdrawn tells what a build in segments took out of the published release before
// it rendered anything, or while it did: entries that are not public any more, and publishers that
// are not, with all that they had. Lists name them until the rest is published.
type Withdrawn struct {
	Entries    int64 // those of the publishers too
	Publishers int64
	Meanwhile  bool          // what was taken out while the build was at work, not before it
	Duration   time.Duration // since the build began, or of what was taken out meanwhile since it was seen
	LeftOut    error         // why what is withdrawn waits for the rest of the build; nil: it does not
}

// Any tells whether something was taken out.
func (w *Withdrawn) Any() bool { return w.Entries+w.Publishers > 0 }

// add is what both took out; the longer duration counts, and the later reason.
func (w Withdrawn) add(later Withdrawn) Withdrawn {
	later.Entries += w.Entries
	later.Publishers += w.Publishers
	later.Duration = max(later.Duration, w.Duration)
	if later.LeftOut == nil {
		later.LeftOut = w.LeftOut
	}
	return later
}

// ErrNotAhead says that withdrawals cannot be published ahead of a build.
var ErrNotAhead = errors.New("withdrawals cannot be published ahead of a build")

// PublishWithdrawals publishes what a build in segments publishes first, and nothing
// else: see Withdrawn. The next build renders what is due as if this had not been.
// Errors: those of Build, and ErrNotAhead where only a build can publish them.
func PublishWithdrawals(ctx context.Context, store origin.Catalog, dir string, opt Options) (Report, error) {
	b, err := openWithdrawals(dir, opt)
	if err != nil {
		return Report{}, err
	}
	defer b.out.discardStage()
	b.store = store
	before, err := b.planWithdrawals(ctx)
	if err != nil {
		return Report{}, err
	}
	defer b.plan.closeRows()
	if err := b.withdrawFirst(ctx); err != nil {
		return Report{}, err
	}
	return b.reportWithdrawals(before)
}

// CountWithdrawals tells what PublishWithdrawals would take out, without writing.
func CountWithdrawals(ctx context.Context, store origin.Catalog, dir string, opt Options) (Report, error) {
	if opt.Signer == nil {
		return Report{}, errNoSigner
	}
	b := &build{store: store, opt: opt, out: &tree{dir: filepath.Clean(dir)}, began: time.Now()}
	before, err := b.planWithdrawals(ctx)
	if err != nil {
		return Report{}, err
	}
	defer b.plan.closeRows()
	if err := b.countWithdrawn(ctx); err != nil {
		return Report{}, err
	}
	return b.reportWithdrawals(before)
}

func openWithdrawals(dir string, opt Options) (*build, error) {
	if opt.Signer == nil {
		return nil, errNoSigner
	}
	began := time.Now()
	out, err := openTree(dir)
	if err != nil {
		return nil, err
	}
	return &build{opt: opt, out: out, began: began}, nil
}

// planWithdrawals reads what is published and what changed since.
func (b *build) planWithdrawals(ctx context.Context) (*state, error) {
	before, err := readState(b.out.dir)
	if err != nil {
		return nil, err
	}
	if err := b.resolveForm(ctx, b.out.dir); err != nil {
		return nil, err
	}
	if b.opt.Form != FormSegments {
		return nil, fmt.Errorf("%w: the form is not segments", ErrNotAhead)
	}
	if err := b.makePlan(ctx); err != nil {
		return nil, err
	}
	if err := b.plan.openRows(ctx, b); err != nil {
		b.plan.closeRows()
		return nil, err
	}
	if !b.plan.reuse {
		b.plan.closeRows()
		return nil, fmt.Errorf("%w: nothing is published that this program, its settings and this origin can go on from", ErrNotAhead)
	}
	return before, nil
}

func (b *build) reportWithdrawals(before *state) (Report, error) {
	w := b.report.Withdrawn
	if w.LeftOut != nil {
		return Report{}, fmt.Errorf("%w: %w", ErrNotAhead, w.LeftOut)
	}
	b.report.Release = before.Release
	b.report.Duration = time.Since(b.began)
	return b.report, nil
}

// withdrawFirst takes out of the published segments what is not public any more,
// and publishes that, where a build goes on from them. Nothing else differs.
func (b *build) withdrawFirst(ctx context.Context) error {
	taken, published, err := b.findWithdrawn(ctx)
	if err != nil || taken == nil {
		return b.leaveOut(err)
	}
	ahead := b.out.startAhead()
	if err := b.stageWithdrawn(ctx, ahead, *b.plan.before, published, taken, nil); err != nil {
		return b.leaveOut(err)
	}
	if _, err := ahead.publishTree(ctx); err != nil {
		return err
	}
	reached("withdrawn")
	b.report.Withdrawn = taken.count(time.Since(b.began))
	if b.opt.Withdrawn != nil {
		b.opt.Withdrawn(b.report.Withdrawn)
	}
	return nil
}

// leaveOut notes why withdrawals wait for the rest of the build, of an error with
// which that deals. It returns all others.
func (b *build) leaveOut(err error) (other error) {
	b.report.Withdrawn.LeftOut, other = whyLeftOut(err)
	return other
}

// whyLeftOut tells an error for which withdrawals wait for the rest of a build from
// all others.
func whyLeftOut(err error) (why, other error) {
	switch {
	case errors.Is(err, errManyChanges):
		return errManyChanges, nil
	case isDamage(err), errors.Is(err, errFileList), errors.Is(err, exports.ErrFacts), isDamagedRelease(err):
		return fmt.Errorf("what is published is damaged: %w", err), nil
	}
	return nil, err
}

// countWithdrawn only tells what withdrawFirst would take out.
func (b *build) countWithdrawn(ctx context.Context) error {
	taken, _, err := b.findWithdrawn(ctx)
	if err == nil && taken != nil {
		b.report.Withdrawn = taken.count(0)
	}
	return b.leaveOut(err)
}

// findWithdrawn finds what the published segments have and the origin does not
// publish any more, by what changed since; nil for nothing. It fails with
// errManyChanges, or with what isDamage tells.
func (b *build) findWithdrawn(ctx context.Context) (*takenOut, *segment.Reader, error) {
	profile, inSegments := b.segmentProfile()
	if !b.plan.reuse || !inSegments {
		return nil, nil, nil
	}
	list, err := b.listSites(ctx)
	if err != nil {
		return nil, nil, err
	}
	gone := b.plan.withdrawnEntries()
	gone.sites = sitesThatLeft(list, b.plan.before)
	if gone.isEmpty() {
		return nil, nil, nil
	}
	published := readSegments(ctx, b.out.dir, profile)
	if published == nil {
		return nil, nil, errNoSegments
	}
	taken, err := b.takeFromPublished(ctx, published, gone)
	return taken, published, err
}

var errNoSegments = fmt.Errorf("%w: %s cannot be read", errSegments, segment.RootKey)

// takeFromPublished takes out of what is published; nil for nothing.
func (b *build) takeFromPublished(ctx context.Context, published *segment.Reader, gone departed) (*takenOut, error) {
	w := withdrawal{
		store: b.store, values: published, most: mostAhead(published.Root), out: newTakenOut(),
		packed: func() (fileList, error) { return readRows(b.out.dir, packedFile) },
	}
	if err := w.takeAll(ctx, gone); err != nil || w.out.isEmpty() {
		return nil, err
	}
	return w.out, nil
}

// sitesThatLeft are those of all publishers that are published, by their id, and are not
// public any more. One that the origin does not know is none: see checkSafe.
func sitesThatLeft(list []origin.Site, before *inputs) (out []string) {
	for i := range list {
		id := list[i].SiteID
		if _, published := before.Sites[id]; published && !rights.Public(list[i]) && !before.TakenOut.hasSite(id) {
			out = append(out, id)
		}
	}
	slices.Sort(out)
	return out
}

// departed names, by id, what the origin does not publish any more.
type departed struct {
	withdrawn []string // entries
	erased    []string // entries that the origin does not have
	sites     []string // by id
}

func (d *departed) isEmpty() bool { return len(d.withdrawn)+len(d.erased)+len(d.sites) == 0 }

// hasLeft tells whether a page is withdrawn. One that moved is not: its citation
// stays, and names its successor.
func hasLeft(p *origin.Page) bool { return p.State != "active" && p.Successor == "" }

// withdrawnEntries are the entries that changed since the published build and are
// withdrawn, and those that the origin does not have any more.
func (p *plan) withdrawnEntries() (d departed) {
	for _, pages := range p.pages {
		for i := range pages {
			if page := &pages[i]; hasLeft(page) && !p.before.TakenOut.hasEntry(page.EntryID) {
				d.withdrawn = append(d.withdrawn, page.EntryID)
			}
		}
	}
	for _, id := range p.erased {
		if !p.before.TakenOut.hasEntry(id) {
			d.erased = append(d.erased, id)
		}
	}
	return d
}

// withdrawal collects what is to be taken out of a release.
type withdrawal struct {
	store  origin.Catalog
	values valueReader
	packed func() (fileList, error) // the files of the release that stand in segments
	most   int64                    // values that a delta may have
	out    *takenOut
}

// valueReader finds values of a release, nil where there is none.
type valueReader interface {
	Entry(ctx context.Context, k segment.Key) ([]byte, error)
}

func (w *withdrawal) takeAll(ctx context.Context, gone departed) error {
	if err := w.takeEntries(ctx, gone.withdrawn, false); err != nil {
		return err
	}
	if err := w.takeEntries(ctx, gone.erased, true); err != nil {
		return err
	}
	return w.takeSites(ctx, gone.sites)
}

// mostAhead is how many values all deltas may have once withdrawals are among them:
// twice of what a build allows, so that a release whose deltas are about to be
// merged takes some too. The build that follows merges them.
func mostAhead(root *segment.Root) int64 {
	base := root.Layers[len(root.Layers)-1]
	return max(2*base.Entries.Count*mergePercent/100, 1)
}

// takeEntries takes entries out that are published. A withdrawn one keeps its earlier
// versions, as they stay published; of an erased one all go.
func (w *withdrawal) takeEntries(ctx context.Context, ids []string, versions bool) error {
	if int64(len(ids)) > w.most {
		return errManyChanges
	}
	slices.SortFunc(ids, func(a, b string) int {
		return segment.KeyOf(exports.EntryFactsName(a)).Compare(segment.KeyOf(exports.EntryFactsName(b)))
	})
	for _, id := range ids {
		value, err := w.values.Entry(ctx, segment.KeyOf(exports.EntryFactsName(id)))
		if err != nil {
			return err
		}
		if value == nil || !versions && !exports.HasCitation(value) {
			continue // it was never published, or was withdrawn before
		}
		earlier := int64(0)
		if versions {
			if earlier, err = w.countEarlier(ctx, id); err != nil {
				return err
			}
		}
		w.out.Entries[id] = earlier
	}
	return nil
}

// countEarlier counts the published versions before the current record of an entry.
func (w *withdrawal) countEarlier(ctx context.Context, id string) (int64, error) {
	for n := int64(1); ; n++ {
		value, err := w.values.Entry(ctx, segment.KeyOf(exports.VersionFactsName(id, n)))
		if err != nil || value == nil {
			return n - 1, err
		}
	}
}

// takeSites takes out everything of publishers: their files, their offers, and their
// entries with all versions.
func (w *withdrawal) takeSites(ctx context.Context, sites []string) error {
	if len(sites) == 0 {
		return nil
	}
	owners := map[string]bool{}
	for _, id := range sites {
		if id != pagesFolder {
			owners[id] = true
		}
		offers, err := w.store.OffersOf(ctx, id)
		if err != nil {
			return err
		}
		for i := range offers {
			owners[offers[i].LicenseID] = true
		}
		if err := w.takeEntriesOf(ctx, id); err != nil {
			return err
		}
	}
	w.out.Sites = sites
	packed, err := w.packed()
	if err != nil {
		return err
	}
	for i := range packed.rows {
		name := packed.rows[i].name
		if owner, ok := exports.PackedOwner(exports.Key(name)); ok && owners[owner] {
			w.out.Files = append(w.out.Files, name)
		}
	}
	return nil
}

// takeEntriesOf takes out all entries of a publisher that the origin knows. Some of
// their versions may never have been published: such a tombstone hides nothing.
func (w *withdrawal) takeEntriesOf(ctx context.Context, siteID string) error {
	err := eachPage(ctx, w.store, siteID, func(pages []origin.Page) error {
		for i := range pages {
			w.out.OfSites[pages[i].EntryID] = 0
		}
		if int64(len(w.out.OfSites)) > w.most {
			return errManyChanges
		}
		return nil
	})
	for after := ""; err == nil; {
		var records []origin.Record
		records, err = w.store.RecordsOf(ctx, siteID, after, pageBatch)
		for i := range records {
			after = records[i].EntryID
			w.out.OfSites[after] = records[i].Version - 1
		}
		if len(records) < pageBatch {
			break
		}
	}
	return err
}
