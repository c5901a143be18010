package bucket

import (
	"maps"
	"slices"
	"strings"
	"time"

	"colophon/generator/target"
)

// A phase is a step of a publication. All objects of a phase are stored before
// the next phase begins.
type phase int

const (
	phaseImmutable phase = iota // new immutable objects
	phaseAdded                  // other new objects
	phaseChanged
	phaseRoot // in order, one at a time
	phases
)

// task is an object to store.
type task struct {
	object
	doubted bool // may be stored already
}

// plan is what a publication has to do.
type plan struct {
	tasks [phases][]task
	next  list     // contents of the bucket afterwards
	due   []string // keys of the objects to delete now

	added, changed, removed, unchanged int
}

// countTasks returns the number of tasks in all phases.
func (p *plan) countTasks() int {
	n := 0
	for i := range p.tasks {
		n += len(p.tasks[i])
	}
	return n
}

// isEmpty reports whether there is nothing to write or delete.
func (p *plan) isEmpty() bool {
	return p.countTasks() == 0 && p.removed == 0 && len(p.due) == 0
}

// comparison is the input of a plan.
type comparison struct {
	wanted   []object        // the release to publish
	before   list            // the release in the bucket
	doubted  map[string]bool // keys of objects whose state is unknown
	doubtAll bool            // the state of all objects is unknown
	now      time.Time
	grace    time.Duration
}

// newPlan compares a release with the contents of the bucket.
func newPlan(c comparison) *plan {
	p := &plan{}
	before := make(map[string]object, len(c.before.Objects))
	for _, o := range c.before.Objects {
		before[o.Key] = o
	}
	kept := target.WaitingByKey(c.before.Waiting)

	for _, o := range c.wanted {
		p.next.Objects = append(p.next.Objects, o)
		old, published := before[o.Key]
		late, waits := kept[o.Key]
		delete(before, o.Key)

		doubted := c.doubtAll || c.doubted[o.Key]
		if !doubted && (published && old == o || waits && late.Object == o) {
			p.unchanged++
			continue
		}
		p.addTask(task{o, doubted}, published)
		p.countObject(published, published && old == o)
	}
	p.removed = len(before)
	p.next.sortRows()
	p.listWaiting(c, before, kept)
	return p
}

// addTask adds a task to its phase.
func (p *plan) addTask(t task, published bool) {
	at := phaseAdded
	switch {
	case IsRoot(t.Key):
		at = phaseRoot
	case published:
		at = phaseChanged
	case target.IsImmutable(t.Key):
		at = phaseImmutable
	}
	p.tasks[at] = append(p.tasks[at], t)
}

// countObject counts an object with a task as added, changed or unchanged. An
// object whose state is merely unknown is unchanged if it is the same as in the
// release before.
func (p *plan) countObject(published, same bool) {
	switch {
	case same:
		p.unchanged++
	case published:
		p.changed++
	default:
		p.added++
	}
}

// listWaiting lists the objects that wait to be deleted: those removed now,
// those that wait already, and those that killed publishers left.
func (p *plan) listWaiting(c comparison, before map[string]object, kept map[string]waiting) {
	isNamed := func(key string) bool {
		_, named := slices.BinarySearchFunc(p.next.Objects, key, func(o object, key string) int { return strings.Compare(o.Key, key) })
		return named
	}
	removed := slices.Collect(maps.Values(before))
	for key := range c.doubted {
		removed = append(removed, object{Key: key, Headers: target.NoHeaders}) // with unknown content
	}
	p.next.Waiting, p.due = target.Wait(kept, isNamed, removed, c.now, c.grace)
}

// withoutDue returns the list after due objects are deleted.
func (p *plan) withoutDue() *list {
	return &list{Objects: p.next.Objects, Waiting: target.Without(p.next.Waiting, p.due)}
}

// sortRoots sorts the roots in the order of writing.
func (p *plan) sortRoots() {
	rank := func(key string) int { return slices.Index(rootKeys, strings.TrimSuffix(key, gzipSuffix)) }
	slices.SortStableFunc(p.tasks[phaseRoot], func(a, b task) int { return rank(a.Key) - rank(b.Key) })
}
