package generator

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"colophon/exports"
	"colophon/generator/snapshot"
	"colophon/generator/target"
	"colophon/internal/blob"
	"colophon/internal/blob/document"
	"colophon/internal/origin"
	"colophon/internal/pause"
	"colophon/internal/release"
	"colophon/internal/rights"
	"colophon/internal/withdrawn"
)

// Withdrawn counts what is still published but was withdrawn since: entries
// that are no longer public, and publishers that are no longer public, with
// everything of theirs. Servers leave it out of their answers by the list of
// package withdrawn; the next build removes it.
type Withdrawn struct {
	Entries    int64 // including those of the publishers
	Publishers int64
}

// Any reports whether anything was withdrawn.
func (w Withdrawn) Any() bool { return w.Entries+w.Publishers > 0 }

// ErrNothingPublished is returned if no release of this origin is published, so
// that there is nothing to withdraw.
var ErrNothingPublished = errors.New("nothing is published that this origin knows of")

// PublishWithdrawals updates the list of withdrawals and nothing else. It may
// be called while a build is running. It returns ErrNothingPublished if there
// is no release.
func PublishWithdrawals(ctx context.Context, store origin.Catalog, dir string, opt Options) (Withdrawn, error) {
	if opt.Signer == nil {
		return Withdrawn{}, errNoSigner
	}
	return newWithdrawals(store, dir, opt).refresh(ctx, false)
}

// CountWithdrawals returns what PublishWithdrawals would list, without writing.
func CountWithdrawals(ctx context.Context, store origin.Catalog, dir string, opt Options) (Withdrawn, error) {
	list, err := newWithdrawals(store, dir, opt).collect(ctx, nil)
	if err != nil {
		return Withdrawn{}, err
	}
	return list.count(), nil
}

// withdrawals maintains the list of withdrawals beside the published files of a
// folder.
type withdrawals struct {
	store origin.Catalog
	dir   string
	opt   Options
	seen  int64 // number of the last change that the list includes

	stop func() // ends watching, after the update in progress
}

func newWithdrawals(store origin.Catalog, dir string, opt Options) *withdrawals {
	return &withdrawals{store: store, dir: filepath.Clean(dir), opt: opt, seen: -1}
}

// refresh makes the list again, and counts its items. With keep it also keeps
// what was listed before and is still not public, for readers that hold an
// earlier release; a list with the same content keeps its instant. refresh
// repeats until the list stays the same, so that of two concurrent updates the
// later one counts. It returns ErrNothingPublished if there is no release.
func (w *withdrawals) refresh(ctx context.Context, keep bool) (Withdrawn, error) {
	for {
		listed := w.readList()
		kept := listed
		if !keep {
			kept = nil
		}
		list, err := w.collect(ctx, kept)
		if err != nil {
			return Withdrawn{}, err
		}
		made := list.withdrawn()
		if made.Proof.Created, err = w.listedAt(ctx); err != nil {
			return Withdrawn{}, err
		}
		current := keep || listed != nil && listed.Proof.Created == made.Proof.Created
		if listed != nil && current && listed.Proof.KeyID == w.opt.Signer.KeyID() && slices.Equal(made.Entries, listed.Entries) && slices.Equal(made.Erased, listed.Erased) && slices.Equal(made.Owners, listed.Owners) {
			return list.count(), nil
		}
		if err := w.writeList(made); err != nil {
			return Withdrawn{}, err
		}
		reached("withdrawn")
		if told := list.count(); told.Any() && w.opt.Withdrawn != nil {
			w.opt.Withdrawn(told)
		}
	}
}

// watchEvery is the interval at which the origin's sequence of changes is read.
// Tests lower it.
var watchEvery = 500 * time.Millisecond

// watch keeps the list up to date until stop is called. It uses at most a fifth
// of the time, and repeats a failed update. Until stop returns, only the
// goroutine of watch uses w.
func (w *withdrawals) watch(ctx context.Context) {
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for every := watchEvery; pause.For(ctx, every) == nil; {
			start := time.Now()
			if sequence, err := w.store.Sequence(ctx); err == nil && sequence != w.seen {
				w.refresh(ctx, true) //nolint:errcheck // the last update, after the release, reports errors
			}
			every = max(watchEvery, 4*time.Since(start))
		}
	}()
	w.stop = func() {
		cancel()
		<-done
	}
}

func (w *withdrawals) listPath() string {
	return filepath.Join(w.dir, filepath.FromSlash(withdrawn.Key))
}

// readList reads the list. It returns nil if there is none with a valid
// signature.
func (w *withdrawals) readList() *release.Withdrawn {
	data, err := os.ReadFile(w.listPath())
	if err != nil {
		return nil
	}
	list, err := release.ParseWithdrawn(data, w.opt.Keys)
	if err != nil {
		return nil
	}
	return list
}

// listedAt returns the instant of a list made now: that of the origin's last
// change, or that of the release.
func (w *withdrawals) listedAt(ctx context.Context) (string, error) {
	published, err := release.ReadList(os.DirFS(w.dir))
	if err != nil { // the build that repairs it makes the list again
		published = &release.List{}
	}
	_, latest, err := w.store.Changes(ctx)
	return max(published.Catalog.GeneratedAt, latest, w.opt.NotYet), err
}

// writeList signs the list and replaces the file atomically.
func (w *withdrawals) writeList(list *release.Withdrawn) error {
	data, err := list.Sign(w.opt.Signer)
	if err != nil {
		return err
	}
	file, err := os.CreateTemp(filepath.Dir(w.dir), filepath.Base(target.PathBeside(w.dir, "withdrawn-*")))
	if err != nil {
		return fmt.Errorf("cannot write the list of what is withdrawn: %w", err)
	}
	defer os.Remove(file.Name()) //nolint:errcheck // renamed by then, unless there was an error
	_, err = file.Write(data)
	if err := errors.Join(err, file.Chmod(0o644), file.Sync(), file.Close()); err != nil {
		return fmt.Errorf("cannot write the list of what is withdrawn: %w", err)
	}
	return os.Rename(file.Name(), w.listPath())
}

// leftList is what has left the origin and is still published.
type leftList struct {
	entries map[string]bool
	erased  map[string]bool
	owners  map[string]bool
	earlier int64 // entries that were kept from the earlier list
	sites   int64
}

func (l *leftList) withdrawn() *release.Withdrawn {
	return &release.Withdrawn{Entries: slices.Sorted(maps.Keys(l.entries)), Erased: slices.Sorted(maps.Keys(l.erased)), Owners: slices.Sorted(maps.Keys(l.owners))}
}

// count returns the numbers of what is still published.
func (l *leftList) count() Withdrawn {
	return Withdrawn{Entries: int64(len(l.entries)+len(l.erased)) - l.earlier, Publishers: l.sites}
}

// collect finds what is published and no longer public: among the changes since
// the published build was planned, and among its publishers. Items of kept are
// listed again if they are still not public.
func (w *withdrawals) collect(ctx context.Context, kept *release.Withdrawn) (*leftList, error) {
	sequence, err := w.store.Sequence(ctx)
	if err != nil {
		return nil, err
	}
	noted, err := readState(w.dir)
	if err != nil {
		return nil, ErrNothingPublished
	}
	read, err := w.store.BuildSequence(ctx, noted.Token)
	if errors.Is(err, origin.ErrNotFound) {
		return nil, ErrNothingPublished
	}
	if err != nil {
		return nil, err
	}
	w.seen = sequence
	l := &leftList{entries: map[string]bool{}, erased: map[string]bool{}, owners: map[string]bool{}}
	if err := w.addSites(ctx, noted, kept, l); err != nil {
		return nil, err
	}
	if err := w.addReservations(ctx, kept, l); err != nil {
		return nil, err
	}
	published := document.Files{Source: blob.Folder(w.dir), Memory: &document.Memory{}}
	err = eachChange(ctx, w.store, read, func(ids []string) error {
		return w.addLeft(ctx, ids, l, func(path string) bool {
			_, err := published.Read(ctx, string(exports.KeyOf(path)))
			return !errors.Is(err, fs.ErrNotExist) // a damaged document may be published
		})
	})
	if err != nil || kept == nil {
		return l, err
	}
	before := len(l.entries) + len(l.erased)
	for ids := range slices.Chunk(slices.Concat(kept.Entries, kept.Erased), changedBatch) {
		if err := w.addLeft(ctx, ids, l, func(string) bool { return true }); err != nil {
			return nil, err
		}
	}
	l.earlier += int64(len(l.entries) + len(l.erased) - before)
	return l, nil
}

// hasLeft reports whether a page is withdrawn. A page that moved is not: its
// citation stays and names the successor.
func hasLeft(p *origin.Page) bool { return p.State != "active" && p.Successor == "" }

// addLeft lists those of some entries that have left: a withdrawn entry if its
// citation is published, an erased one if its record is.
func (w *withdrawals) addLeft(ctx context.Context, ids []string, l *leftList, isPublished func(path string) bool) error {
	ids = slices.DeleteFunc(ids, func(id string) bool { return l.entries[id] || l.erased[id] })
	pages, err := w.store.PagesByID(ctx, ids)
	if err != nil {
		return err
	}
	exists := make(map[string]bool, len(pages))
	for i := range pages {
		id := pages[i].EntryID
		exists[id] = true
		if hasLeft(&pages[i]) && isPublished(exports.CitationPath(id)) {
			l.entries[id] = true
		}
	}
	for _, id := range ids {
		if !exists[id] && isPublished(exports.RecordPath(id)) {
			l.erased[id] = true
		}
	}
	return nil
}

// addSites lists the publishers that are or were published and are no longer
// public, with their files, offers and entries. It does not list publishers
// that the origin does not know, see checkSafe.
func (w *withdrawals) addSites(ctx context.Context, noted *state, kept *release.Withdrawn, l *leftList) error {
	sites, err := w.store.Sites(ctx)
	if err != nil {
		return err
	}
	for i := range sites {
		id := sites[i].SiteID
		_, published := noted.Sites[id]
		if rights.Public(sites[i]) || !published && (kept == nil || !slices.Contains(kept.Owners, id)) {
			continue
		}
		before := len(l.erased)
		if err := w.addSite(ctx, id, l); err != nil {
			return err
		}
		if published {
			l.sites++
		} else {
			l.earlier += int64(len(l.erased) - before)
		}
	}
	return nil
}

// addReservations lists the reservations that were withdrawn since the published
// release, by the origin's clock. That one may be listed in vain does no harm.
func (w *withdrawals) addReservations(ctx context.Context, kept *release.Withdrawn, l *leftList) error {
	published, err := release.ReadList(os.DirFS(w.dir))
	if err != nil { // the build that repairs it makes the list again
		return nil
	}
	all, err := w.store.Reservations(ctx)
	for i := range all {
		r := &all[i]
		since := r.WithdrawnAt >= published.Catalog.GeneratedAt
		if r.WithdrawnAt != "" && (since || kept != nil && slices.Contains(kept.Owners, r.ReservationID)) {
			l.owners[r.ReservationID] = true
		}
	}
	return err
}

func (w *withdrawals) addSite(ctx context.Context, id string, l *leftList) error {
	l.owners[id] = true
	offers, err := w.store.OffersOf(ctx, id)
	if err != nil {
		return err
	}
	for i := range offers {
		l.owners[offers[i].LicenseID] = true
	}
	return snapshot.EachPage(ctx, w.store, id, func(pages []origin.Page) error {
		for i := range pages {
			l.erased[pages[i].EntryID] = true
		}
		return nil
	})
}
