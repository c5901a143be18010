package generator

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"colophon/exports"
	"colophon/generator/ledger"
	"colophon/generator/snapshot"
	"colophon/generator/target"
	"colophon/internal/ledgerlog"
	"colophon/internal/origin"
	"colophon/internal/record"
	"colophon/internal/release"
	"colophon/internal/wire"
)

// plan is what a build has to render. The zero value means everything.
type plan struct {
	before  *state // the published build, nil if its outputs cannot be used
	read    int64  // number of the origin's last change that the published build read
	now     state
	planned int64                    // number of the origin's last change that this build reads
	reuse   bool                     // documents of pages that are not due stay as published
	rows    *rowReader               // rows of the published build, nil after the last one
	ahead   *pageRow                 // read from rows but not used yet
	file    *os.File                 // file of the rows; nil if there is none
	changed map[string]bool          // entries changed since the published build
	pages   map[string][]origin.Page // the changed pages that exist, by site, sorted by entry id
	same    map[string]bool          // sites whose facts and pages did not change

	// No site is due, appeared or disappeared, so the index has the groups that are published.
	sameSites bool

	gone map[string]publishedEntry // entries whose published documents must be rendered again or removed
}

// publishedEntry is what is published of an entry. The zero value means
// nothing.
type publishedEntry struct {
	siteID  string
	version int64 // of its record, 0 if it has none
}

// newPlan returns a plan that renders everything.
func newPlan() *plan {
	return &plan{now: state{Format: stateFormat, Sites: map[string]string{}}, gone: map[string]publishedEntry{}, same: map[string]bool{}}
}

// closeRows closes the rows of the published build.
func (p *plan) closeRows() {
	if p.file != nil {
		p.file.Close()
	}
}

// buildToken returns a digest of everything that a build has read. Two builds
// have the same token only if they publish the same.
func (b *build) buildToken() string {
	h := sha256.New()
	now := &b.plan.now
	fmt.Fprintf(h, "%s %d %s %x\n%s\n", now.Settings, b.plan.planned, b.index.Gen, b.log.root, wire.Append(nil, &b.catalog.Release))
	for _, id := range slices.Sorted(maps.Keys(now.Sites)) {
		fmt.Fprintf(h, "%s %s\n", id, now.Sites[id])
	}
	return hex.EncodeToString(h.Sum(nil))
}

// makePlan begins the plan: it notes the last change of the origin that the
// build reads, and determines whether the outputs of the published build can be
// used.
func (b *build) makePlan(ctx context.Context, before *state) (err error) {
	p := b.plan
	p.now.Settings = b.settingsDigest()
	if p.planned, err = b.store.Sequence(ctx); err != nil || before == nil {
		return err
	}
	p.read, err = b.store.BuildSequence(ctx, before.Token)
	if errors.Is(err, origin.ErrNotFound) {
		return nil // the origin was restored, or is another one
	}
	if err == nil && before.Settings != "" && before.Settings == p.now.Settings {
		p.before = before
	}
	return err
}

// findDuePages finds the pages that are due: those that changed, and all pages
// of a site whose own facts changed.
func (b *build) findDuePages() error {
	if len(b.out.before.Rows) == 0 { // the list of files is damaged
		b.plan.forgetRows()
	}
	return b.plan.compareSites(b.sites, fmt.Sprintf("%+v", b.origin.Categories))
}

// isUnchanged reports whether the published build already is what this build
// would publish. It is cheap: it compares only numbers.
func (b *build) isUnchanged(ctx context.Context) (bool, error) {
	p := b.plan
	if b.opt.Whole || p.before == nil || p.read != p.planned {
		return false, nil
	}
	published, err := release.ReadList(os.DirFS(b.out.dir))
	if err != nil || published.Tables != published.Catalog.Root { // a whole build repairs it
		return false, nil
	}
	r := Report{
		Release: published.Catalog, Form: b.opt.Form, Publishers: int64(len(p.before.Sites)), Pages: p.before.Pages,
		Files: p.before.Files, Bytes: p.before.Bytes, Unchanged: true,
	}
	if l := b.opt.Ledger; l != nil {
		note, same := b.publishedCheckpoint(ctx)
		c, err := ledgerlog.ReadCheckpoint(note)
		if err != nil || !same {
			return false, nil
		}
		size, err := b.store.LedgerSize(ctx)
		policy := ledger.Policy{Witnesses: l.Witnesses}
		r.LedgerSize, r.Witnesses, r.Witnessed = c.Size, len(l.Witnesses), policy.Cosigned(note)
		if err != nil || size != c.Size || r.Witnessed < len(l.Witnesses) { // other witnesses may answer now
			return false, err
		}
	}
	b.report = r
	return true, nil
}

// publishedCheckpoint returns the checkpoint published here, and whether all
// checkpoints known elsewhere equal it. If they differ, a whole build must
// judge them.
func (b *build) publishedCheckpoint(ctx context.Context) (own []byte, same bool) {
	own, err := os.ReadFile(filepath.Join(b.out.dir, filepath.FromSlash(ledgerPrefix+ledgerlog.CheckpointPath)))
	if err != nil {
		return nil, false
	}
	for _, read := range b.opt.Ledger.elsewhere(ctx) {
		note, err := read()
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil || !bytes.Equal(note, own) {
			return own, false
		}
	}
	return own, true
}

// openRows opens the rows of the published build, and reads the pages that
// changed since.
func (p *plan) openRows(ctx context.Context, b *build) error {
	if p.before == nil || b.opt.Whole {
		return nil
	}
	f, err := os.Open(rowsPath(b.out.dir))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	info, err := f.Stat()
	if err != nil {
		return errors.Join(err, f.Close())
	}
	rows, err := newRowReader(f, sizedToken(p.before.Token, info.Size()))
	if err != nil { // of another build, or truncated by a power failure
		return f.Close()
	}
	p.reuse = true
	p.rows = rows
	p.file = f
	p.changed, p.pages = map[string]bool{}, map[string][]origin.Page{}
	return p.readChanges(ctx, b.store)
}

// readChanges reads the pages that changed since the published build.
func (p *plan) readChanges(ctx context.Context, store origin.Catalog) error {
	return eachChange(ctx, store, p.read, func(ids []string) error {
		// A page that was changed again meanwhile is listed twice.
		ids = slices.DeleteFunc(ids, func(id string) bool { return p.changed[id] })
		for _, id := range ids {
			p.changed[id] = true
			p.gone[id] = publishedEntry{} // until its row is read
		}
		pages, err := store.PagesByID(ctx, ids)
		for _, page := range pages {
			p.pages[page.SiteID] = append(p.pages[page.SiteID], page)
		}
		return err
	})
}

// eachChange calls do with the ids of the entries that changed after a change of
// the origin, in batches.
func eachChange(ctx context.Context, store origin.Sequence, read int64, do func(ids []string) error) error {
	after := origin.PageChange{Sequence: read + 1}
	for {
		changes, err := store.PagesChanged(ctx, after, changedBatch)
		if err != nil {
			return err
		}
		ids := make([]string, len(changes))
		for i := range changes {
			ids[i] = changes[i].EntryID
		}
		if err := do(ids); err != nil || len(changes) < changedBatch {
			return err
		}
		after = changes[len(changes)-1]
	}
}

// CountUnbuilt counts the pages that were imported or changed since the build
// in dir. If there is no build of this origin, it counts all pages.
func CountUnbuilt(ctx context.Context, store origin.Sequence, dir string) (int64, error) {
	read := int64(-1)
	if before, err := readState(dir); err == nil {
		built, err := store.BuildSequence(ctx, before.Token)
		if err != nil && !errors.Is(err, origin.ErrNotFound) {
			return 0, err
		}
		if err == nil {
			read = built
		}
	}
	var n int64
	err := eachChange(ctx, store, read, func(ids []string) error {
		n += int64(len(ids))
		return nil
	})
	return n, err
}

// forgetRows discards what was read about the published build, so that
// everything is rendered.
func (p *plan) forgetRows() {
	p.reuse = false
	p.rows = nil
	p.changed = nil
	p.pages = nil
	p.gone = map[string]publishedEntry{}
}

const changedBatch = 4096

// rowsPath returns where the rows of the build in dir are kept. They are beside
// the folder, not in it, because they contain pages that were withdrawn.
func rowsPath(dir string) string {
	return target.PathBeside(dir, "rows")
}

// workPath returns the folder for temporary files of a build.
func workPath(dir string) string {
	return target.PathBeside(dir, "work")
}

// settingsDigest returns a digest of the program and of the options on which
// outputs depend. It returns "" if the program cannot read itself, as in a
// container without /proc; then every build renders everything.
func (b *build) settingsDigest() string {
	program, err := programDigest()
	if err != nil {
		return ""
	}
	h := sha256.New()
	add := func(parts ...string) {
		for _, part := range parts {
			fmt.Fprintf(h, "%d %s\n", len(part), part)
		}
	}
	add(program, b.opt.BaseURL, b.opt.Name, b.opt.Signer.KeyID(), b.opt.NotYet, string(b.opt.Keys.Value().Append(nil)), string(b.opt.Form), fmt.Sprint(b.opt.PackSize))
	add(b.opt.Brand.Parts()...)
	if l := b.opt.Ledger; l != nil {
		add("ledger", l.Signer.KeyID(), fmt.Sprint(l.Quorum))
		for i := range l.Keys {
			leaf := record.KeyLeafOf(l.Keys[i])
			add(string(wire.Append(nil, &leaf)), fmt.Sprint(l.Keys[i].NotBefore, l.Keys[i].NotAfter))
			if l.Keys[i].Revoked != nil {
				add(string(wire.Append(nil, l.Keys[i].Revoked)))
			}
		}
		for _, w := range l.Witnesses {
			add(w.Key.String())
		}
	}
	return hex.EncodeToString(h.Sum(nil))
}

// programDigest returns the digest of the running program, because other code
// may produce other bytes.
var programDigest = sync.OnceValues(func() (string, error) {
	path, err := os.Executable()
	if err != nil {
		return "", err
	}
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
})

// siteDigest returns a digest of everything on which the documents of a site and
// of its pages depend, beside these: its facts, the instant at which it is judged,
// and the names of categories.
func siteDigest(s *siteFacts, categories string) (string, error) {
	facts, err := json.Marshal(&s.SiteSnapshot)
	if err != nil {
		return "", err
	}
	h := sha256.New()
	fmt.Fprintf(h, "%s\n%s\n%s\n%s\n", s.JudgedAt(), s.Vector(), facts, categories)
	return hex.EncodeToString(h.Sum(nil)), nil
}

// compareSites marks as due the sites whose digest has changed, or all of them if nothing is
// reused. Every page of such a site is rendered.
func (p *plan) compareSites(sites []siteFacts, categories string) error {
	p.sameSites = p.reuse && len(sites) == len(p.before.Sites)
	for i := range sites {
		s := &sites[i]
		digest, err := siteDigest(s, categories)
		if err != nil {
			return err
		}
		p.now.Sites[s.Site.SiteID] = digest
		s.due = !p.reuse || p.before.Sites[s.Site.SiteID] != digest
		p.sameSites = p.sameSites && !s.due
	}
	return nil
}

// eachRow calls do with batches of the pages of a site, ordered by entry id,
// each with its newest record. do may keep the rows. Sites must come in the order
// of their ids. Rows that are not due come from the published build.
func (b *build) eachRow(ctx context.Context, s *siteFacts, do func(rows []pageRow) error) error {
	if s.due {
		if err := b.plan.skipSites(s.Site.SiteID + "\x00"); err != nil {
			return err
		}
		return snapshot.EachPage(ctx, b.store, s.Site.SiteID, func(pages []origin.Page) error {
			rows, err := b.readRows(ctx, pages)
			if err != nil {
				return err
			}
			return do(rows)
		})
	}
	if err := b.plan.skipSites(s.Site.SiteID); err != nil {
		return err
	}
	return b.mergedRows(ctx, s, do)
}

// readRows reads the newest records of pages, and returns rows that are due.
// pages are sorted by entry id.
func (b *build) readRows(ctx context.Context, pages []origin.Page) ([]pageRow, error) {
	ids := make([]string, len(pages))
	for i := range pages {
		ids[i] = pages[i].EntryID
	}
	records, err := b.store.LastRecords(ctx, ids)
	rows := make([]pageRow, len(pages))
	for i := range pages {
		rows[i] = pageRow{page: pages[i], position: record.NotLogged, due: true}
		if len(records) > 0 && records[0].EntryID == ids[i] {
			rows[i].last = records[0]
			rows[i].setRecord(records[0])
			records = records[1:]
		}
	}
	return rows, err
}

// mergedRows merges the rows of the published build with the pages that
// changed.
func (b *build) mergedRows(ctx context.Context, s *siteFacts, do func(rows []pageRow) error) error {
	p := b.plan
	changed := p.pages[s.Site.SiteID]
	touched := len(changed) > 0 || s.Site.SiteID == pagesFolder
	slices.SortFunc(changed, func(x, y origin.Page) int { return strings.Compare(x.EntryID, y.EntryID) })
	var batch, due []pageRow // due are the next of the changed pages
	flush := func() error {
		if len(batch) == 0 {
			return nil
		}
		err := do(slices.Clone(batch))
		batch = batch[:0]
		return err
	}
	for {
		row, err := p.peekRow()
		if err != nil {
			return err
		}
		if n := min(len(changed), snapshot.PageBatch); len(due) == 0 && n > 0 {
			if due, err = b.readRows(ctx, changed[:n]); err != nil {
				return err
			}
			changed = changed[n:]
		}
		more := row != nil && row.page.SiteID == s.Site.SiteID
		switch {
		case len(due) > 0 && (!more || due[0].page.EntryID <= row.page.EntryID):
			batch, due = append(batch, due[0]), due[1:]
		case !more:
			p.same[s.Site.SiteID] = !touched
			return flush()
		default:
			p.ahead = nil
			if p.changed[row.page.EntryID] {
				p.gone[row.page.EntryID] = publishedEntry{row.page.SiteID, row.version}
				touched = true
				continue
			}
			row.due, row.text = false, spooled{}
			batch = append(batch, *row)
		}
		if len(batch) == snapshot.PageBatch {
			if err := flush(); err != nil {
				return err
			}
		}
	}
}

// peekRow returns the next row of the published build, nil after the last one.
func (p *plan) peekRow() (*pageRow, error) {
	if p.rows == nil {
		return nil, nil
	}
	if p.ahead != nil {
		return p.ahead, nil
	}
	row, err := p.rows.readRow()
	if err == io.EOF {
		p.rows = nil
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	p.ahead = &row
	return p.ahead, nil
}

// skipSites skips the rows of all sites below an id, whose pages are due or no
// longer appear.
func (p *plan) skipSites(siteID string) error {
	for {
		row, err := p.peekRow()
		if err != nil || row == nil || row.page.SiteID >= siteID {
			return err
		}
		p.gone[row.page.EntryID] = publishedEntry{row.page.SiteID, row.version}
		p.ahead = nil
	}
}

// isKept reports whether a published file stays although this build did not
// render it, because it belongs to a page that is not due, or to a publisher
// without changes.
func (p *plan) isKept(name string) bool {
	if !p.reuse {
		return false
	}
	if site, ok := siteOfFile(name); ok {
		return p.keepsFilesOf(site)
	}
	entry, ok := exports.EntryOfKey(exports.Key(name))
	_, gone := p.gone[entry]
	return ok && !gone
}
