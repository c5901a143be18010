package generator

import (
	"context"
	"errors"
	"maps"
	"math"
	"slices"
	"time"

	"colophon/internal/origin"
	"colophon/internal/rights"
	"colophon/internal/segment"
)

// watchEvery is the time between two looks at the change sequence. Tests look more
// often.
var watchEvery = 500 * time.Millisecond

// watch takes out of the published segments what leaves the origin while a build is at
// work, and notes it, since the build may have read it before. One goroutine looks until
// endWatch; all else is for the goroutine of the build, before and after that.
type watch struct {
	b       *build // of which it reads only store, opt and out.dir
	profile segment.Profile
	planned int64 // the build reads the origin as it is after that change, or later
	seen    int64 // the change up to which this has looked

	noted *inputs         // of what is published now; nil: the origin does not know it, so that it stays as it is
	kept  map[string]bool // objects that the build goes on from
	list  *fileList       // of what is published now, nil while that is what it was

	// What left, as far as this looked. It stays out of what the build publishes, even if
	// it came back: the next build can tell.
	entries map[string]bool // by id; true: erased
	sites   map[string]bool // by id, with those that left before; each is taken out ahead at once or not at all

	report Withdrawn
	err    error
	cancel context.CancelFunc
	done   chan struct{}
}

// startWatch begins to look, of a build in segments. When that fails the build is
// aborted, and endWatch tells why.
func (b *build) startWatch(ctx context.Context) error {
	profile, inSegments := b.segmentProfile()
	if !inSegments {
		return nil
	}
	p := b.plan
	w := &watch{
		b: b, profile: profile, planned: p.now.Sequence, seen: p.now.Sequence, kept: map[string]bool{},
		entries: map[string]bool{}, sites: map[string]bool{}, report: Withdrawn{Meanwhile: true}, done: make(chan struct{}),
	}
	if b.published = readSegments(ctx, b.out.dir, profile); b.published != nil {
		if err := w.keepDeltas(ctx, b.published); err != nil && !isDamage(err) {
			return err
		}
		if err := w.goOnFrom(ctx, p); err != nil {
			return err
		}
	}
	b.watch = w
	ctx, w.cancel = context.WithCancel(ctx)
	go func() {
		defer close(w.done)
		if w.err = w.lookOften(ctx); w.err != nil {
			b.abort()
		}
	}()
	return nil
}

// goOnFrom lets the watch take out of what is published, if the origin knows that.
func (w *watch) goOnFrom(ctx context.Context, p *plan) error {
	if p.known == nil {
		return nil
	}
	if w.noted = readInputs(w.b.out.dir); w.noted == nil { // with what was taken out first
		return nil
	}
	if !p.reuse { // nothing was
		w.seen = p.known.Sequence
		return nil
	}
	list, err := w.b.listSites(ctx)
	if err != nil {
		return err
	}
	for _, id := range sitesThatLeft(list, w.noted) {
		w.sites[id] = true
	}
	return nil
}

// keepDeltas notes the objects that a release with one delta more might not name.
func (w *watch) keepDeltas(ctx context.Context, published *segment.Reader) error {
	layers := published.Root.Layers
	deltas := segment.Reader{Root: &segment.Root{Profile: w.profile, Layers: layers[:len(layers)-1]}, Source: published.Source}
	return deltas.Objects(ctx, func(d segment.Digest) error {
		w.kept[segment.ObjectKey(d)] = true
		return nil
	})
}

// endWatch waits for a look that is under way, and ends looking. It may be called again.
func (b *build) endWatch() error {
	if b.watch == nil {
		return nil
	}
	b.watch.cancel()
	<-b.watch.done
	b.report.Meanwhile = b.watch.report
	return b.watch.err
}

// lookOften looks until ctx ends, for a fifth of the time at most.
func (w *watch) lookOften(ctx context.Context) error {
	for pause := time.Duration(0); ; {
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(pause):
		}
		start := time.Now()
		if err := w.look(ctx); err != nil {
			return err
		}
		pause = max(watchEvery, 4*time.Since(start))
	}
}

// look takes out of what is published what left since the last look. It reads until
// ctx ends, which is no error.
func (w *watch) look(ctx context.Context) error {
	start := time.Now()
	gone, err := w.findDeparted(ctx)
	if err != nil && ctx.Err() != nil {
		return nil
	}
	if err != nil || w.noted == nil || gone.isEmpty() {
		return err
	}
	return w.takeOut(context.WithoutCancel(ctx), gone, start) // which is not broken off
}

// takeOut publishes what is published now without what left, and tells of it.
func (w *watch) takeOut(ctx context.Context, gone departed, start time.Time) error {
	ahead, taken, err := w.stage(ctx, gone)
	if errors.Is(err, errManyChanges) && len(gone.sites) > 0 { // which keep no entry waiting
		w.report.LeftOut = errManyChanges
		gone.sites = nil
		ahead, taken, err = w.stage(ctx, gone)
	}
	if err != nil {
		w.report.LeftOut, err = whyLeftOut(err)
		return err
	}
	if taken == nil {
		return nil
	}
	if _, err := ahead.publishTree(ctx); err != nil {
		return err
	}
	w.noted.TakenOut = taken.with(w.noted.TakenOut)
	w.list = &ahead.after
	reached("meanwhile")
	told := taken.count(time.Since(start))
	told.Meanwhile = true
	w.report = w.report.add(told)
	if w.b.opt.Withdrawn != nil {
		w.b.opt.Withdrawn(told)
	}
	return nil
}

// findDeparted finds what left since the last look, of what is published still, and
// notes what of it the build may publish again.
func (w *watch) findDeparted(ctx context.Context) (gone departed, err error) {
	store := w.b.store
	sequence, err := store.Sequence(ctx)
	if err != nil || sequence == w.seen {
		return gone, err
	}
	after := origin.PageChange{Sequence: w.seen + 1}
	for {
		changes, err := store.PagesChanged(ctx, after, changedBatch)
		if err != nil {
			return gone, err
		}
		for _, change := range changes {
			if err := w.readChange(ctx, change, &gone); err != nil {
				return gone, err
			}
		}
		if len(changes) < changedBatch {
			break
		}
		after = changes[len(changes)-1]
	}
	if w.noted != nil {
		list, err := store.Sites(ctx)
		if err != nil {
			return gone, err
		}
		for _, id := range sitesThatLeft(list, w.noted) {
			if !w.sites[id] {
				w.sites[id] = true
				gone.sites = append(gone.sites, id)
			}
		}
	}
	w.seen = sequence
	return gone, nil
}

func (w *watch) readChange(ctx context.Context, change origin.PageChange, gone *departed) error {
	page, err := w.b.store.Page(ctx, change.EntryID)
	erased := errors.Is(err, origin.ErrNotFound)
	if err != nil && !erased {
		return err
	}
	if !erased && !hasLeft(&page) {
		return nil
	}
	w.entries[change.EntryID] = erased
	switch {
	case w.noted == nil || w.noted.TakenOut.hasEntry(change.EntryID):
	case erased:
		gone.erased = append(gone.erased, change.EntryID)
	default:
		gone.withdrawn = append(gone.withdrawn, change.EntryID)
	}
	return nil
}

// stage stages what is published now without what left; nil where it has nothing of
// that.
func (w *watch) stage(ctx context.Context, gone departed) (*tree, *takenOut, error) {
	b := w.b
	published := readSegments(ctx, b.out.dir, w.profile)
	if published == nil {
		return nil, nil, errNoSegments
	}
	taken, err := b.takeFromPublished(ctx, published, gone)
	if err != nil || taken == nil {
		return nil, nil, err
	}
	ahead := b.out.startAhead()
	return ahead, taken, b.stageWithdrawn(ctx, ahead, *w.noted, published, taken, w.kept)
}

// takeOutMeanwhile ends the watch, and returns the tombstones of all that left since the
// plan, of a release with those values. All else that is noted of a release then tells
// of them.
func (b *build) takeOutMeanwhile(ctx context.Context, values valueReader) ([]segment.Value, error) {
	if err := b.endWatch(); err != nil || b.watch == nil {
		return nil, err
	}
	w := b.watch
	w.seen = max(w.seen, w.planned) // a first look may not have come so far
	if _, err := w.findDeparted(ctx); err != nil {
		return nil, err
	}
	if w.list != nil {
		_, packed := b.out.before.split()
		b.out.before = w.list.merge(packed)
	}
	gone, err := w.departedSincePlan(ctx)
	if err != nil {
		return nil, err
	}
	t := withdrawal{store: b.store, values: values, most: math.MaxInt64, out: newTakenOut(), packed: b.packedFiles}
	if err := t.takeAll(ctx, gone); err != nil || t.out.isEmpty() {
		return nil, err
	}
	b.plan.now.TakenOut = t.out
	b.out.dropPacked(t.out.Files)
	return t.out.tombstones(), nil
}

// departedSincePlan is all that left while the build was at work.
func (w *watch) departedSincePlan(ctx context.Context) (gone departed, err error) {
	for _, id := range slices.Sorted(maps.Keys(w.entries)) {
		if w.entries[id] {
			gone.erased = append(gone.erased, id)
		} else {
			gone.withdrawn = append(gone.withdrawn, id)
		}
	}
	list, err := w.b.store.Sites(ctx)
	if err != nil {
		return gone, err
	}
	left := map[string]bool{}
	for i := range list {
		left[list[i].SiteID] = !rights.Public(list[i])
	}
	for i := range w.b.sites {
		if id := w.b.sites[i].Site.SiteID; left[id] || w.sites[id] {
			gone.sites = append(gone.sites, id)
		}
	}
	return gone, nil
}

// packedFiles are the files of this build that stand in segments.
func (b *build) packedFiles() (fileList, error) {
	_, packed := b.out.mergeLists(b.plan.isKept).split()
	return packed, nil
}

// lookOnce takes out what left while the release was put in place, which nothing
// watched.
func (b *build) lookOnce(ctx context.Context) error {
	w := b.watch
	if w == nil {
		return nil
	}
	w.noted = &b.plan.now
	err := w.look(ctx)
	b.report.Meanwhile = w.report
	if err == nil {
		err = ctx.Err()
	}
	return err
}

// valuesOver are values over those of a release.
type valuesOver struct {
	newer []segment.Value // by key
	older valueReader
}

// Entry finds a value, nil where there is none or a tombstone.
func (v valuesOver) Entry(ctx context.Context, k segment.Key) ([]byte, error) {
	at, found := slices.BinarySearchFunc(v.newer, k, func(v segment.Value, k segment.Key) int { return v.Key.Compare(k) })
	if found {
		return v.newer[at].Data, nil
	}
	return v.older.Entry(ctx, k)
}

// dropPacked takes files in segments out of the release.
func (t *tree) dropPacked(names []string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.dropped = map[string]bool{}
	for _, name := range names {
		delete(t.list, name)
		t.dropped[name] = true
	}
}
