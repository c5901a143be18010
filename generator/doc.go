// Package generator reads the private origin and publishes everything readable
// as static files, in three steps. Plan compares the origin with the published
// release and finds the pages that are due; if nothing changed, the build ends
// there. Render issues and signs the records that are due, and makes each
// family of files with pure functions from what the rights gate lets through.
// Publish moves the differences into the folder, so that files always appear
// before those that name them.
//
// Two builds of one origin with one key produce the same bytes: every time in
// them comes from the data, and nothing depends on map order or on the number
// of processors.
package generator

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"

	"colophon/exports"
	"colophon/generator/brand"
	"colophon/generator/render"
	"colophon/generator/snapshot"
	"colophon/internal/blob"
	"colophon/internal/extsort"
	"colophon/internal/origin"
	"colophon/internal/record"
	"colophon/internal/release"
	"colophon/internal/staticindex"
)

// Options says how to build.
type Options struct {
	BaseURL  string         // absolute, without a final slash
	Name     string         // name of the service, for pages
	Brand    brand.Identity // look of the pages
	Signer   record.Signer
	Keys     record.KeySet                        // every public key, including the signer's
	NotYet   string                               // instant from which the signer's key is valid; no record is dated earlier
	Form     Form                                 // form of the entries' documents; for FormAuto see resolveForm
	PackSize int64                                // size of a pack in bytes, see SmallPacks; 0 means that of the published packs, or else SmallPacks
	Workers  int                                  // goroutines that render entries, at least 1
	Ledger   *LedgerOptions                       // nil: no log is kept
	Accept   map[string]bool                      // findings to tolerate: "vanished", "rollback"
	Whole    bool                                 // render and write everything again
	Progress func(done, total int64, what string) // called with how many of total "pages" are done; total is 0 if unknown; may be nil
	Size     func(pages, publishers int64)        // called with an upper bound of the number of pages, and later with the exact number; may be nil

	// Withdrawn is called from any goroutine whenever the list of withdrawals
	// changes. It may be nil.
	Withdrawn func(w Withdrawn)
}

// Report is the result of a build.
type Report struct {
	Release    exports.Release
	Form       Form
	FormChosen bool // the form follows from the number of pages, because nothing was published and no form was asked for
	Publishers int64
	Pages      int64
	Issued     int64 // records signed by this build
	Logged     int64 // leaves added to the ledger by this build
	LedgerSize int64
	Witnesses  int     // witnesses that are asked to cosign the checkpoint
	Witnessed  int     // witnesses that cosigned
	Unheard    []error // why the others did not
	Files      int64
	Service    int64 // files of the service itself: documentation, the sandbox, assets and the like
	Bytes      int64
	Changed    int64     // files that differ from the previous build
	Due        int64     // pages whose documents were rendered, or would be
	Withdrawn  Withdrawn // since the build was planned; the next build removes it
	Damage     error     // damage of the published build, because of which everything was rendered again; nil if there was none
	Unchanged  bool      // the published build is up to date, and nothing was written
	Duration   time.Duration
}

// ErrUnsafe is returned if the result of a build would be unsafe to publish.
var ErrUnsafe = errors.New("the build is not safe to publish")

var errNoSigner = errors.New("no signing key: make one with \"colophon key generate\"")

// ErrOtherBuild is returned if another build of the same origin is running, or
// was during this build. Nothing was published; the caller may try again.
var ErrOtherBuild = errors.New("another build of this origin is at work")

// ErrPublished is returned for an error after the release was published. The
// next build makes up for what is missing, and may take longer.
var ErrPublished = errors.New("the release is published, but not all that follows was done")

// Build issues the records that are due and publishes the origin into the
// folder dir. It returns target.ErrBusy if another build writes to dir, or
// ErrOtherBuild, ErrUnsafe or ErrPublished. After any other error the previous
// release is still published. In each case the withdrawals since then are
// listed, see package withdrawn.
func Build(ctx context.Context, store origin.Catalog, dir string, opt Options) (Report, error) {
	if opt.Signer == nil {
		return Report{}, errNoSigner
	}
	start := time.Now()
	report, err := buildInto(ctx, store, dir, opt)
	if errors.Is(err, errPacks) {
		opt.Whole = true
		damage := err
		report, err = buildInto(ctx, store, dir, opt)
		report.Damage = damage
	}
	if err != nil {
		return Report{}, otherBuild(err)
	}
	report.Duration = time.Since(start)
	return report, nil
}

// buildInto makes one build. It returns errPacks if a whole build is needed.
func buildInto(ctx context.Context, store origin.Catalog, dir string, opt Options) (Report, error) {
	tree, err := openTree(dir)
	if err != nil {
		return Report{}, err
	}
	defer tree.discardStage()
	b := &build{store: store, opt: opt, out: tree, withdrawals: newWithdrawals(store, tree.dir, opt)}
	err = b.runBuild(ctx)
	return b.report, err
}

// runBuild plans, renders and publishes.
func (b *build) runBuild(ctx context.Context) error {
	before, err := readBefore(b.out.dir)
	if err != nil {
		return err
	}
	if _, err := b.withdrawals.refresh(ctx, false); err != nil && !errors.Is(err, ErrNothingPublished) {
		return err
	}
	b.withdrawals.watch(ctx)
	defer b.withdrawals.stop()
	same, err := b.prepare(ctx, before)
	defer b.plan.closeRows()
	if err != nil {
		return err
	}
	if same { // the rest of a killed build is useless
		return os.RemoveAll(workPath(b.out.dir))
	}
	if b.opt.Form == FormPacks {
		if b.published, err = openPacks(ctx, b.out.dir); err != nil {
			return err
		}
		if b.published == nil && b.out.before.HasPacked() { // of another version, or damaged: nothing in the packs can be reused
			b.out.whole = true
		}
	}
	b.out.whole = b.out.whole || b.opt.Whole
	b.out.rezip = b.plan.before == nil
	if b.spool, err = newSpool(workPath(b.out.dir)); err != nil {
		return err
	}
	defer b.spool.close()
	b.facts = extsort.New(b.spool.dir, extsort.Memory)
	defer b.facts.Close()
	if err := b.renderFiles(ctx); err != nil {
		return err
	}
	reached("rendered")
	return b.publishRelease(ctx)
}

// prepare plans the build and finds what is due, without writing files. same says that
// the published build holds everything already.
func (b *build) prepare(ctx context.Context, before *state) (same bool, err error) {
	b.plan = newPlan()
	if err := b.resolveForm(ctx, b.out.dir); err != nil {
		return false, err
	}
	if err := b.makePlan(ctx, before); err != nil {
		return false, err
	}
	if same, err := b.isUnchanged(ctx); same || err != nil {
		return same, err
	}
	if err := b.plan.openRows(ctx, b); err != nil {
		return false, err
	}
	if before != nil { // other versions may have listed other files
		if err := b.out.readPublished(); err != nil {
			return false, err
		}
	}
	if err := b.readOrigin(ctx); err != nil {
		return false, err
	}
	if err := b.checkSafe(before); err != nil {
		return false, err
	}
	return false, b.findDuePages()
}

// publishRelease moves the rendered files into place, with the notes for the
// next build.
func (b *build) publishRelease(ctx context.Context) error {
	now := &b.plan.now
	now.Token = b.buildToken()
	if err := b.out.sealRelease(b.plan.isKept, b.releaseFiles, b.notes); err != nil {
		return err
	}
	if err := b.store.PutBuild(ctx, now.Token, b.plan.planned); err != nil {
		return err
	}
	reached("sealed")
	if err := b.out.publishTree(ctx); err != nil {
		return err
	}
	reached("published")
	if err := b.finishPublished(ctx, now.Token); err != nil {
		return fmt.Errorf("%w: %w", ErrPublished, err)
	}
	b.report.Changed = b.out.countChanged()
	b.report.Files = b.out.files
	b.report.Service = b.out.service
	b.report.Bytes = b.out.bytes
	return nil
}

// notes returns the notes of a build, by file name.
func (b *build) notes(files, bytes int64) (map[string][]byte, error) {
	now := &b.plan.now
	now.Changes, now.Latest = b.origin.Changes, b.origin.Latest
	now.Pages, now.Files, now.Bytes = b.report.Pages, files, bytes
	text, err := json.Marshal(now)
	return map[string][]byte{NotesFile: text}, err
}

// finishPublished keeps the state for the next build, and lists the withdrawals
// during the build. It returns the error because of which there are no tables.
func (b *build) finishPublished(ctx context.Context, token string) error {
	if err := b.spool.keepRows(rowsPath(b.out.dir), token); err != nil {
		return err
	}
	b.withdrawals.stop()
	told, failed := b.withdrawals.refresh(context.WithoutCancel(ctx), true)
	b.report.Withdrawn = told
	return errors.Join(b.tablesErr, failed)
}

// otherBuild wraps origin.ErrConflict in ErrOtherBuild, because only another
// build causes it, by issuing the same version of a record or the same leaf of
// the ledger. It returns other errors unchanged.
func otherBuild(err error) error {
	if errors.Is(err, origin.ErrConflict) {
		return fmt.Errorf("%w: %w", ErrOtherBuild, err)
	}
	return err
}

// reached is called after each step at which a kill must do no harm. Tests set
// it.
var reached = func(step string) {}

// build is a build in progress.
type build struct {
	store       origin.Catalog
	opt         Options
	out         *tree
	plan        *plan
	published   *blob.Reader // packs from which this build continues, nil if it does not
	withdrawals *withdrawals
	spool       *spool
	entries     entryForm
	facts       *extsort.Sorter // rows of the table of entries
	tables      render.Tables   // rows of the other tables
	tablesOf    string          // root of the catalog whose tables the release has, "" if it has none
	tablesErr   error           // why it has none
	report      Report
	service     *render.Service
	catalog     *render.Catalog // set once all pages are summed up
	origin      snapshot.Origin
	sites       []siteFacts            // public sites, by site id
	newest      newestRows             // pages of all publishers
	line        []byte                 // reused for each page that is summed up
	lastIssued  string                 // instant of the newest record
	index       staticindex.Generation // of the static index
	ranges      release.Ranges         // files for private look-ups
	log         ledgerState
	frame       *blob.PageFrame // of the pages of entries
}
