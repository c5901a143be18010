package bucket

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"colophon/generator/target"
)

var (
	// ErrOlder is returned if the bucket holds a newer release.
	ErrOlder = errors.New("the bucket holds a newer release")

	// ErrOther is returned if the bucket holds another service.
	ErrOther = errors.New("the bucket holds another service")
)

// Release identifies the release to publish.
type Release struct {
	Name    string
	BaseURL string // "" if unknown
	Changes int64  // number of changes of the origin in it
	Latest  string // instant of the last change
}

// PublishOptions are the options of a publication. The zero value publishes
// without a grace period.
type PublishOptions struct {
	Grace    time.Duration
	Rollback bool      // publish an older release too
	Moved    bool      // publish a release with another base URL too
	DoubtAll bool      // request the state of every object instead of trusting the bucket's list
	DryRun   bool      // only compare, and request the state of what may be stored already
	Now      time.Time // the grace period is counted from here

	Progress func(done, total int64, what string) // called with how many of the objects are done; may be nil
	Waiting  func(valid time.Duration)            // called before waiting for the lease of a publisher that may be dead
}

// Report is what a publication did, or what it would do with DryRun.
type Report struct {
	Release   string
	Added     int // new objects
	Changed   int
	Removed   int // objects that wait to be deleted from now on
	Unchanged int
	Sent      int64 // objects
	SentBytes int64
	Present   int64 // objects that an interrupted run had stored already
	Doubted   int   // objects whose state was requested, or would be
	Deleted   int   // objects whose wait was over
	Waiting   int   // objects that wait to be deleted
	Requests  Requests
	Duration  time.Duration
}

// PublishFolder publishes a folder that a build wrote. It returns ErrMismatch,
// ErrOlder, ErrOther, ErrBusy, ErrLost, ErrNoConditions or target.ErrDamaged.
// After any error, readers find everything that the root names, which is the
// previous release or this one, and the next call continues the publication.
func (b *Target) PublishFolder(ctx context.Context, dir string, r Release, opt PublishOptions) (Report, error) {
	f, err := openFolder(dir)
	if err != nil {
		return Report{}, err
	}
	defer f.close()
	began := time.Now()
	p := &publication{bucket: b, release: r, opt: opt, from: f, report: Report{Release: r.Name}}
	if opt.DryRun {
		err = p.previewChanges(ctx)
	} else {
		err = p.runPublication(ctx)
		p.report.Requests = b.requests.countRequests()
	}
	p.report.Duration = time.Since(began)
	p.report.Sent = p.sent.Load()
	p.report.SentBytes = p.sentBytes.Load()
	p.report.Present = p.present.Load()
	return p.report, err
}

// publication is the state of one call of PublishFolder.
type publication struct {
	bucket  *Target
	release Release
	opt     PublishOptions
	from    *folder
	report  Report

	lease *lease
	root  *root
	begun []string // lists of what other publishers began to write
	doubt list     // the objects that they may have written
	plan  *plan

	done, sent, sentBytes, present atomic.Int64
}

// previewChanges compares the release with the bucket without taking the lease.
func (p *publication) previewChanges(ctx context.Context) error {
	note, _, err := p.bucket.readLease(ctx)
	if err != nil {
		return err
	}
	if err := p.comparePublished(ctx, note.Begun); err != nil {
		return err
	}
	if err := p.previewTasks(ctx); err != nil {
		return err
	}
	p.estimateCost()
	return nil
}

func (p *publication) runPublication(ctx context.Context) (err error) {
	waiting := p.opt.Waiting
	if waiting == nil {
		waiting = func(time.Duration) {}
	}
	l, held, err := p.bucket.acquireLease(ctx, waiting)
	if err != nil {
		return err
	}
	p.lease = l
	defer func() { l.releaseLease(ctx, err == nil) }()
	if err := p.writeRelease(held, l.note.Begun); err != nil {
		if cause := context.Cause(held); errors.Is(cause, ErrLost) {
			return cause
		}
		return err
	}
	return nil
}

// writeRelease does the part of a publication that needs the lease.
func (p *publication) writeRelease(ctx context.Context, begun []string) error {
	if err := p.comparePublished(ctx, begun); err != nil {
		return err
	}
	if p.plan.isEmpty() && len(p.begun) == 0 && p.isPublished() {
		return nil
	}
	if err := p.checkSource(ctx); err != nil {
		return err
	}
	next, cleaned, err := p.noteBegin(ctx)
	if err != nil {
		return err
	}
	if err := p.sendObjects(ctx); err != nil {
		return err
	}
	superseded := p.root.List
	if err := p.replaceRoot(ctx, next); err != nil {
		return err
	}
	return p.deleteExpired(ctx, superseded, cleaned)
}

// isPublished reports whether the root already names this release.
func (p *publication) isPublished() bool {
	r := p.root
	return r.etag != "" && r.Release == p.release.Name && r.BaseURL == p.release.BaseURL && r.Changes == p.release.Changes && r.Latest == p.release.Latest
}

// comparePublished reads what is in the bucket, and makes the plan.
func (p *publication) comparePublished(ctx context.Context, begun []string) error {
	var err error
	if p.root, err = p.bucket.readRoot(ctx); err != nil {
		return err
	}
	if err := p.checkAllowed(); err != nil {
		return err
	}
	if p.release.BaseURL == "" { // so that the next publisher is still checked against it
		p.release.BaseURL = p.root.BaseURL
	}
	before, err := p.readPublished(ctx)
	if err != nil {
		return err
	}
	if err := p.readBegun(ctx, begun); err != nil {
		return err
	}
	doubted := map[string]bool{}
	for i := range p.doubt.Objects {
		doubted[p.doubt.Objects[i].Key] = true
	}
	if p.root.List != "" {
		delete(doubted, listKey(p.root.List)) // it was read and is intact
	}
	p.plan = newPlan(comparison{
		wanted: p.from.files, before: *before, doubted: doubted, doubtAll: p.opt.DoubtAll, now: p.opt.Now, grace: p.opt.Grace,
	})
	p.plan.sortRoots()
	p.countWork()
	return nil
}

// checkAllowed returns an error if the release must not replace the published
// one.
func (p *publication) checkAllowed() error {
	r := p.root
	if r.etag == "" {
		return nil
	}
	if r.BaseURL != "" && p.release.BaseURL != "" && r.BaseURL != p.release.BaseURL && !p.opt.Moved {
		return fmt.Errorf("%w: %s is published to %s, not %s; publish with --accept moved if that is meant", ErrOther, r.BaseURL, p.bucket, p.release.BaseURL)
	}
	if (p.release.Changes < r.Changes || p.release.Latest < r.Latest) && !p.opt.Rollback {
		return fmt.Errorf("%w: %s of %s after %d changes, and this one is of %s after %d; publish with --accept rollback if that is meant",
			ErrOlder, r.Release, r.Latest, r.Changes, p.release.Latest, p.release.Changes)
	}
	return nil
}

// readPublished reads the list that the root names.
func (p *publication) readPublished(ctx context.Context) (*list, error) {
	if p.root.List == "" {
		return &list{}, nil
	}
	l, found, err := p.bucket.readList(ctx, p.root.List)
	if err != nil {
		return nil, err
	}
	if !found {
		return nil, p.bucket.requestError("read", listKey(p.root.List), fmt.Errorf("%w: the root names it, and it is missing", target.ErrDamaged))
	}
	return l, nil
}

// readBegun reads what other publishers may have written: the last list that
// exists.
func (p *publication) readBegun(ctx context.Context, begun []string) error {
	p.begun = begun
	for i := len(begun) - 1; i >= 0; i-- {
		l, found, err := p.bucket.readList(ctx, begun[i])
		if err != nil {
			return err
		}
		if found {
			p.doubt = *l
			p.begun = begun[:i+1]
			return nil
		}
	}
	return nil
}

func (p *publication) countWork() {
	p.report.Added = p.plan.added
	p.report.Changed = p.plan.changed
	p.report.Removed = p.plan.removed
	p.report.Unchanged = p.plan.unchanged
	p.report.Deleted = len(p.plan.due)
	p.report.Waiting = len(p.plan.next.Waiting) - len(p.plan.due)
	for _, tasks := range p.plan.tasks {
		for i := range tasks {
			if tasks[i].doubted {
				p.report.Doubted++
			}
		}
	}
}

// The number of requests of a publication other than those for its objects.
const (
	noteReads  = 3 // lease, root, list
	noteWrites = 7 // lease (twice, to see the condition refused), begun, its list, list, root, lease
	dueWrites  = 2 // list and root after deletions
)

// estimateCost estimates the number of requests of a publication in which
// nothing fails. previewTasks must have run before.
func (p *publication) estimateCost() {
	r := &p.report.Requests
	r.Writes = p.sent.Load() + noteWrites
	r.Reads = int64(p.report.Doubted) + noteReads
	r.Deletes = 1
	if n := int64(len(p.plan.due)); n > 0 {
		r.Writes += dueWrites
		r.Deletes += (n + deleteBatch - 1) / deleteBatch
	}
}

// noteBegin notes everything that will be written, and encodes the lists of the
// release: as published, and as it is after due objects are deleted.
func (p *publication) noteBegin(ctx context.Context) (next, cleaned *spelledList, err error) {
	if next, err = spellList(&p.plan.next); err != nil {
		return nil, nil, err
	}
	if cleaned, err = spellList(p.plan.withoutDue()); err != nil {
		return nil, nil, err
	}
	work, err := spellList(p.workLists(next.name, cleaned.name))
	if err != nil {
		return nil, nil, err
	}

	lists := []string{work.name}
	if len(p.begun) > 0 {
		lists = []string{p.begun[len(p.begun)-1], work.name}
	}
	if err := p.lease.beginWrite(ctx, lists); err != nil {
		return nil, nil, err
	}
	p.begun = append(p.begun, work.name)
	return next, cleaned, p.bucket.putList(ctx, work)
}

// workLists returns a list of everything that this publisher may write or leave
// behind, and of what others may have written.
func (p *publication) workLists(lists ...string) *list {
	keys := map[string]bool{}
	for _, name := range lists {
		keys[listKey(name)] = true
	}
	if p.root.List != "" {
		keys[listKey(p.root.List)] = true
	}
	for i := range p.doubt.Objects {
		keys[p.doubt.Objects[i].Key] = true
	}
	for _, tasks := range p.plan.tasks {
		for i := range tasks {
			keys[tasks[i].Key] = true
		}
	}
	l := &list{}
	for key := range keys {
		l.Objects = append(l.Objects, object{Key: key, Headers: target.NoHeaders})
	}
	l.sortRows()
	return l
}

// spelledList is an encoded list.
type spelledList struct {
	data []byte
	name string
}

func spellList(l *list) (*spelledList, error) {
	data, name, err := l.encodeList()
	return &spelledList{data, name}, err
}

// listHeaders are the headers of a list. A list is found by its digest.
var listHeaders = headers{ContentType: "application/zstd", CacheControl: "no-store"}

func (b *Target) putList(ctx context.Context, l *spelledList) error {
	_, err := b.putObject(ctx, listKey(l.name), bytes.NewReader(l.data), int64(len(l.data)), sha256.Sum256(l.data), listHeaders, condition{})
	if err != nil {
		return b.requestError("write", listKey(l.name), err)
	}
	return nil
}

// replaceRoot writes the list of the release and then the root, which publishes
// it.
func (p *publication) replaceRoot(ctx context.Context, l *spelledList) error {
	if err := p.bucket.putList(ctx, l); err != nil {
		return err
	}
	next := &root{
		Version: rootVersion, Release: p.release.Name, BaseURL: p.release.BaseURL, Changes: p.release.Changes, Latest: p.release.Latest,
		List: l.name, Objects: int64(len(p.plan.next.Objects)), Bytes: p.plan.next.totalBytes(), Publisher: p.lease.note.Holder, Written: p.root.Written + 1,
	}
	if err := p.bucket.replaceRoot(ctx, p.root, next); err != nil {
		return err
	}
	p.root = next
	return nil
}

// deleteExpired deletes the objects whose wait is over and notes that, then the
// lists that are no longer needed.
func (p *publication) deleteExpired(ctx context.Context, superseded string, cleaned *spelledList) error {
	unneeded := slices.Clone(p.begun)
	if superseded != "" {
		unneeded = append(unneeded, superseded)
	}
	if len(p.plan.due) > 0 {
		if err := p.bucket.removeObjects(ctx, p.plan.due); err != nil {
			return err
		}
		unneeded = append(unneeded, p.root.List)
		if err := p.replaceRoot(ctx, cleaned); err != nil {
			return err
		}
	}
	var keys []string
	for _, name := range unneeded {
		if name != p.root.List {
			keys = append(keys, listKey(name))
		}
	}
	return p.bucket.removeObjects(ctx, keys)
}
