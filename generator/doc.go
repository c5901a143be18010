// Package generator reads the private origin and publishes everything that can
// be read as static files, in three steps. Plan compares the origin with what
// is published and finds which pages are due; where nothing changed the build
// ends there. Render issues and signs the records that are due and spells each
// family of outputs by a pure function of what the rights gate lets through.
// Publish moves what differs into the folder, what others name first. Tables for
// programs follow the published release, see publishTables.
//
// Two builds of one origin with one key give the same bytes: every time in
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
	"colophon/internal/origin"
	"colophon/internal/record"
	"colophon/internal/release"
	"colophon/internal/staticindex"
)

// Options says how to build.
type Options struct {
	BaseURL  string      // absolute, without a final slash
	Name     string      // of the service, for pages
	Brand    brand.Brand // of the pages
	Signer   record.Signer
	Keys     record.KeySet                        // every public key, the signer's included
	NotYet   string                               // instant from which the signer's key counts; records are dated no earlier
	Form     Form                                 // of the documents of entries; FormAuto: see resolveForm
	PackSize int64                                // bytes of a pack, see SmallPacks; 0: that of the published ones, else SmallPacks
	Workers  int                                  // goroutines that spell entries, at least 1
	Ledger   *LedgerOptions                       // nil: no log is kept
	Accept   map[string]bool                      // findings to let pass: "vanished", "rollback"
	Whole    bool                                 // render everything into a new folder, which takes the place of the old one in one step
	Progress func(done, total int64, what string) // told how many "pages" are done, of 0: that is not known; nil: nobody
	Size     func(pages, publishers int64)        // told how many pages there may be, and once it is known how many there are; nil: nobody

	// Withdrawn is called with the withdrawals each time that their list changes,
	// from any goroutine; nil: not at all.
	Withdrawn func(w Withdrawn)
}

// Report says what a build did.
type Report struct {
	Release    exports.Release
	Form       Form
	FormChosen bool // by the count of pages: nothing was published, and nothing asked for a form
	Publishers int64
	Pages      int64
	Issued     int64 // records signed by this build
	Logged     int64 // leaves that this build added to the ledger
	LedgerSize int64
	Witnesses  int     // that are asked to cosign the checkpoint
	Witnessed  int     // of them that did
	Unheard    []error // why others did not
	Files      int64
	Service    int64 // of them: documentation, the sandbox, assets and the like
	Bytes      int64
	Changed    int64     // files that differ from the previous build
	Due        int64     // pages whose documents were rendered, or are to be
	Withdrawn  Withdrawn // since the build was planned; the next one takes it out
	Damage     error     // of the published build, for which everything was rendered and written again; nil: none was met
	Unchanged  bool      // the published build holds everything already; nothing was written
	Duration   time.Duration
}

// ErrUnsafe marks a build that was refused because its result would be unsafe to
// publish.
var ErrUnsafe = errors.New("the build is not safe to publish")

var errNoSigner = errors.New("no signing key: make one with \"colophon key generate\"")

// ErrOtherBuild says that another build of the same origin is at work, or was
// while this one ran. Nothing was published; the same call may be made again.
var ErrOtherBuild = errors.New("another build of this origin is at work")

// ErrPublished says that an error came after the release was put in place. The next
// build makes good what is missing, and may take longer for it.
var ErrPublished = errors.New("the release is published, but not all that follows was done")

// Build issues the records that are due and publishes the origin into the
// folder dir. Errors: target.ErrBusy while another build writes to dir,
// ErrOtherBuild, ErrUnsafe, ErrPublished. After any other error the published
// release is the one before. In each case what was withdrawn since is listed: see
// package withdrawn.
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

// buildInto makes one build. errPacks asks for a whole one.
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
	if err := b.resolveForm(ctx, b.out.dir); err != nil {
		return err
	}
	if err := b.makePlan(ctx, before); err != nil {
		return err
	}
	defer b.plan.closeRows()
	same, err := b.isUnchanged(ctx)
	if err != nil {
		return err
	}
	if same { // what a killed build left is of no use
		return os.RemoveAll(workPath(b.out.dir))
	}
	if err := b.plan.openRows(ctx, b); err != nil {
		return err
	}
	if before != nil { // other versions may have listed other files
		if err := b.out.readPublished(); err != nil {
			return err
		}
	}
	if b.opt.Form == FormPacks {
		if b.published, err = openPacks(ctx, b.out.dir); err != nil {
			return err
		}
		if b.published == nil && b.out.before.HasPacked() { // of another version, or damaged: nothing in them can be taken over
			b.out.whole = true
		}
	}
	if err := b.readOrigin(ctx); err != nil {
		return err
	}
	if err := b.checkSafe(before); err != nil {
		return err
	}
	if err := b.findDuePages(); err != nil {
		return err
	}

	b.out.whole = b.out.whole || b.opt.Whole
	b.out.rezip = b.plan.before == nil
	if b.spool, err = newSpool(workPath(b.out.dir)); err != nil {
		return err
	}
	defer b.spool.close()
	b.facts = newSorter(b.spool.dir, sorterMemory)
	defer b.facts.close()
	if err := b.renderFiles(ctx); err != nil {
		return err
	}
	reached("rendered")
	return b.publishRelease(ctx, before)
}

// publishRelease puts what was rendered in place, with the notes for the next build.
func (b *build) publishRelease(ctx context.Context, before *state) error {
	now := &b.plan.now
	now.Token = b.buildToken()
	if len(b.out.before.Rows) > 0 { // the tables stay until this release has its own
		published, err := release.ReadList(os.DirFS(b.out.dir))
		if err != nil {
			return err
		}
		now.Tables, b.tablesOf = before.Tables, published.Tables
	}
	b.out.signed = b.releaseFiles
	kept := func(name string) bool { return isTable(name) || b.plan.isKept(name) }
	if err := b.out.sealRelease(kept, b.notes); err != nil {
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

// notes returns what a build notes beside what it publishes, by name.
func (b *build) notes(files, bytes int64) (map[string][]byte, error) {
	now := &b.plan.now
	now.Changes, now.Latest = b.origin.Changes, b.origin.Latest
	now.Pages, now.Files, now.Bytes = b.report.Pages, files, bytes
	text, err := json.Marshal(now)
	return map[string][]byte{NotesFile: text}, err
}

// finishPublished keeps what the next build continues from, publishes the tables, and lists
// what was withdrawn meanwhile.
func (b *build) finishPublished(ctx context.Context, token string) error {
	if err := b.spool.keepRows(rowsPath(b.out.dir), token); err != nil {
		return err
	}
	err := b.publishTables(ctx)
	if err != nil {
		err = fmt.Errorf("cannot publish the tables: %w", err)
	}
	b.withdrawals.stop()
	told, failed := b.withdrawals.refresh(context.WithoutCancel(ctx), true)
	b.report.Withdrawn = told
	return errors.Join(err, failed)
}

// otherBuild wraps origin.ErrConflict in ErrOtherBuild: only another build causes it, by
// issuing the same version of a record or the same leaf of the ledger. It returns other
// errors unchanged.
func otherBuild(err error) error {
	if errors.Is(err, origin.ErrConflict) {
		return fmt.Errorf("%w: %w", ErrOtherBuild, err)
	}
	return err
}

// reached is called after each step of a build that a kill must not harm; the
// tests kill there.
var reached = func(step string) {}

// build is one build under way.
type build struct {
	store       origin.Catalog
	opt         Options
	out         *tree
	plan        *plan
	published   *blob.Reader // packs that this build continues from, nil: it does not
	withdrawals *withdrawals
	spool       *spool
	entries     entryForm
	facts       *sorter       // rows of the table of entries
	tables      render.Tables // rows of the others
	tablesOf    string        // root of the catalog whose tables are published
	report      Report
	service     *render.Service
	catalog     *render.Catalog // once all pages are summed up
	origin      snapshot.Origin
	sites       []siteFacts            // public ones, by site id
	newestAll   []*pageRow             // see newestRecords
	line        []byte                 // used again for each page that is summed up
	lastIssued  string                 // instant of the newest record
	index       staticindex.Generation // of the static index
	ranges      release.Ranges         // of the files for private look-ups
	log         ledgerState
	frame       *exports.PageFrame // of the pages of entries
}
