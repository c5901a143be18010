package bucket

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"colophon/generator/target"
)

// childVariable makes the test binary publish in a process of its own. Its
// value is "<endpoint> <folder> <changes>".
const childVariable = "COLOPHON_TEST_PUBLISH"

// killVariable is the number of publishers to kill ("make test-publish-kill").
const killVariable = "COLOPHON_PUBLISH_KILLS"

// killedLease is the validity of the leases of publishers that are killed.
const killedLease = 600 * time.Millisecond

func TestMain(m *testing.M) {
	if args := strings.Fields(os.Getenv(childVariable)); len(args) > 0 {
		os.Exit(publishAsChild(args))
	}
	os.Exit(m.Run())
}

func publishAsChild(args []string) int {
	changes, err := strconv.Atoi(args[2])
	if err != nil {
		return 2
	}
	b, err := Open(args[3], Options{Endpoint: args[0], Region: "us-east-1", Lease: killedLease})
	if err != nil {
		return 2
	}
	if _, err := b.PublishFolder(context.Background(), args[1], numbered(changes), options(start)); err != nil {
		return 1
	}
	return 0
}

// history records the content of each release.
type history struct {
	mu       sync.Mutex
	releases []release // number 0 is empty
}

func (h *history) add(r release) (number int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.releases = append(h.releases, r)
	return len(h.releases) - 1
}

// since returns the releases from a number on.
func (h *history) since(number int) []release {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.releases[number:]
}

// TestKilledPublishers kills publishers with SIGKILL at random moments while a
// reader follows the published root. The reader must find every document of the
// root's release, unless a release begun later removes it. Each document must
// belong to one of these releases and name only documents of it, and immutable
// files must never change. The next publisher must succeed without any help,
// and in the end nothing may be left over.
func TestKilledPublishers(t *testing.T) {
	kills := 6
	if text := os.Getenv(killVariable); text != "" {
		n, err := strconv.Atoi(text)
		must(t, err)
		kills = n
	}
	s := newShelf(t)
	random := rand.New(rand.NewPCG(7, uint64(kills)))
	known := &history{releases: []release{{}}}

	stop := make(chan struct{})
	reader := &reader{shelf: s, bucket: s.open(), known: known, random: rand.New(rand.NewPCG(3, 4))}
	var group sync.WaitGroup
	group.Go(func() { reader.follow(stop) })
	end := sync.OnceFunc(func() {
		close(stop)
		group.Wait()
	})
	defer end()

	killed := 0
	var last release
	var length time.Duration // of a publication that nobody kills
	held := false            // a killed publisher may hold the lease
	for round := 0; killed < kills && round < 4*kills; round++ {
		last = newRelease(round+1, somePages(random)...)
		n := known.add(last)
		dir := last.folder(t)
		child := exec.Command(os.Args[0])
		child.Env = append(os.Environ(), fmt.Sprintf("%s=%s %s %d s3://shelf/%s", childVariable, s.endpoint, dir, n, prefix))
		began := time.Now()
		must(t, child.Start())
		if round == 0 {
			must(t, child.Wait())
			length = time.Since(began)
			continue
		}
		moment := time.Duration(random.Int64N(int64(length * 5 / 4)))
		watches := held
		if watches {
			moment += killedLease // for this time it only watches
		}
		timer := time.AfterFunc(moment, func() { _ = child.Process.Kill() })
		held = child.Wait() != nil
		timer.Stop()
		switch {
		case held:
			killed++
		case !watches:
			length = time.Since(began) // the machine may have been busier before
		}

		if round%2 == 0 || killed == kills {
			again := known.add(last)
			must(t, s.publishAfterKill(dir, numbered(again)))
			s.checkRoot(last)
			held = false
		}
	}

	// The next publication is long after the grace period. By then the reader
	// has turned to the latest release.
	reader.waitForNextRead()
	n := known.add(last)
	_, err := s.open().PublishFolder(ctx, last.folder(t), numbered(n), options(start.Add(100*time.Hour)))
	must(t, err)
	end()
	s.wants(last)
	if n := s.notes(); n != 1 {
		t.Errorf("%d lists are left", n)
	}
	if killed < kills || reader.documents < 10*kills {
		t.Errorf("%d of %d publishers were killed, %d documents were read", killed, kills, reader.documents)
	}
	t.Logf("%d publishers were killed; %d roots and %d documents were read", killed, reader.roots, reader.documents)
}

// publishAfterKill publishes, and publishes again if a killed publisher seemed
// to be alive: a renewal of its lease may arrive after its death.
func (s *shelf) publishAfterKill(dir string, r Release) error {
	_, err := s.open().PublishFolder(ctx, dir, r, options(start))
	if errors.Is(err, ErrBusy) {
		_, err = s.open().PublishFolder(ctx, dir, r, options(start))
	}
	return err
}

func somePages(random *rand.Rand) []int {
	var pages []int
	for n := range 24 {
		if random.IntN(3) > 0 {
			pages = append(pages, n)
		}
	}
	return pages
}

// reader reads the published release repeatedly.
type reader struct {
	*shelf
	bucket    *Target
	known     *history
	random    *rand.Rand
	roots     int
	documents int
	reads     atomic.Int64 // finished reads of a root and the documents of its release
}

func (r *reader) follow(stop chan struct{}) {
	for {
		select {
		case <-stop:
			return
		default:
		}
		r.readRelease()
		r.reads.Add(1)
	}
}

// waitForNextRead waits until a read has finished. The next one reads the
// current root or a later one.
func (r *reader) waitForNextRead() {
	for before := r.reads.Load(); r.reads.Load() == before; {
		time.Sleep(time.Millisecond)
	}
}

// readRelease reads the root, then its documents in random order.
func (r *reader) readRelease() {
	root, err := r.bucket.readRoot(ctx)
	if err != nil {
		r.Error(err)
		return
	}
	if root.etag == "" {
		time.Sleep(time.Millisecond)
		return
	}
	l, found, err := r.bucket.readList(ctx, root.List)
	if err != nil {
		r.Error(err)
		return
	}
	if !found {
		return // superseded: the next root names another list
	}
	r.roots++
	for _, i := range r.random.Perm(len(l.Objects))[:min(8, len(l.Objects))] {
		r.readObject(root, &l.Objects[i])
	}
	if i := r.random.IntN(len(l.Objects)); l.Objects[i].Key != "v1/_index.json" {
		r.readObject(root, &object{Key: "v1/_index.json"})
	}
}

// isGone reports whether a missing document may have been removed since a root
// was written.
func (r *reader) isGone(root *root, key string) bool {
	return !target.IsImmutable(key) && slices.ContainsFunc(r.known.since(int(root.Changes)), func(later release) bool { return later[key] == "" })
}

func (r *reader) readObject(root *root, o *object) {
	data, _, found, err := r.bucket.getObject(ctx, o.Key, maxNote)
	if err != nil || !found && !r.isGone(root, o.Key) {
		r.Errorf("%s of %s is not there: %v", o.Key, root.Release, err)
	}
	if !found {
		return
	}
	r.documents++
	known := false
	for _, release := range r.known.since(int(root.Changes)) {
		known = known || release[o.Key] == string(data)
	}
	if !known {
		r.Errorf("%s of %s is of no release that was begun since: %s", o.Key, root.Release, data)
	}
	if target.IsImmutable(o.Key) && sumOf(string(data)) != o.SHA256 {
		r.Errorf("%s of %s is not as it was", o.Key, root.Release)
	}

	var d document
	if json.Unmarshal(data, &d) != nil {
		return
	}
	for _, name := range d.Names {
		if _, _, found, err := r.bucket.getObject(ctx, name, maxNote); err != nil || !found && !r.isGone(root, name) {
			r.Errorf("%s names %s, which is not there: %v", o.Key, name, err)
		}
	}
}
