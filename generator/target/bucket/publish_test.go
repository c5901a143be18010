package bucket

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/minio/minio-go/v7"

	"colophon/generator/target"
	"colophon/internal/assert"
	releaselist "colophon/internal/release"
	"colophon/internal/s3/s3test"
)

func TestPublishAndChange(t *testing.T) {
	s := newShelf(t)
	first := newRelease(1, 1, 2, 3, 4)
	report := s.publish(first.folder(t), 1, start)
	s.wants(first)
	if report.Added != len(first) || report.Sent != int64(len(first)) || report.Requests.Writes != int64(len(first)+noteWrites) {
		t.Errorf("the first publication: %+v", report)
	}

	again := s.publish(first.folder(t), 1, start.Add(time.Minute))
	s.wants(first)
	if again.Sent != 0 || again.Unchanged != len(first) || again.Requests.Writes > 3 || again.Requests.Deletes != 0 {
		t.Errorf("publishing the same again: %+v", again)
	}

	second := newRelease(6, 2, 3, 4, 5)
	report = s.publish(second.folder(t), 2, start.Add(time.Hour))
	if report.Removed != 3 || report.Waiting != 2 || report.Deleted != 1 {
		t.Errorf("what was removed: %+v", report)
	}

	report = s.publish(second.folder(t), 2, start.Add(time.Hour+target.DefaultGrace))
	s.wants(second)
	if report.Deleted != 2 || report.Sent != 0 {
		t.Errorf("after the grace period: %+v", report)
	}
	last := s.publish(second.folder(t), 2, start.Add(100*time.Hour))
	if last.Deleted != 0 || last.Requests.Writes > 3 {
		t.Errorf("when all is done: %+v", last)
	}
	assert.Equal(t, s.notes(), 1, "lists are left")
}

// TestPublishRestored checks that an object that returns during the grace
// period is not sent again.
func TestPublishRestored(t *testing.T) {
	s := newShelf(t)
	first := newRelease(0, 1, 2, 3)
	s.publish(first.folder(t), 1, start)
	second := maps.Clone(first)
	delete(second, "_ix/0000000000000000/a.idx")
	s.publish(second.folder(t), 2, start.Add(time.Hour))
	report := s.publish(first.folder(t), 3, start.Add(2*time.Hour))
	s.wants(first)
	if report.Sent != 2 { // the list and its tile
		t.Errorf("%d objects were sent, want 2", report.Sent)
	}
	s.publish(first.folder(t), 3, start.Add(100*time.Hour))
	s.wants(first)
}

func TestHeadersOfObjects(t *testing.T) {
	s := newShelf(t)
	s.publish(newRelease(1, 1).folder(t), 1, start)
	b := s.open()
	for key, want := range map[string]headers{
		"index.html":                 {"text/html; charset=utf-8", "public, max-age=300, stale-while-revalidate=86400", "", ""},
		"index.html.gz":              {"text/html; charset=utf-8", "public, max-age=300, stale-while-revalidate=86400", "gzip", ""},
		entryKey(1):                  {"application/json", "public, max-age=300, stale-while-revalidate=86400", "", ""},
		"_ix/0000000000000001/a.idx": {"application/octet-stream", "public, max-age=31536000, immutable", "", ""},
		"ledger/checkpoint":          {"text/plain; charset=utf-8", "public, max-age=5", "", ""},
		"ai-rights-map.csv":          {"text/csv; charset=utf-8", "public, max-age=300, stale-while-revalidate=86400", "", `attachment; filename="ai-rights-map.csv"`},
	} {
		info, err := b.at.Client.StatObject(ctx, b.at.Name, b.at.Prefix+key, minio.StatObjectOptions{})
		must(t, err)
		got := headers{info.ContentType, info.Metadata.Get("Cache-Control"), info.Metadata.Get("Content-Encoding"), info.Metadata.Get("Content-Disposition")}
		if got != want && !strings.HasPrefix(got.ContentType, want.ContentType) {
			t.Errorf("%s is stored with %+v, not %+v", key, got, want)
		}
		if got.ContentEncoding != want.ContentEncoding || got.CacheControl != want.CacheControl || got.Disposition != want.Disposition {
			t.Errorf("%s is stored with %+v, not %+v", key, got, want)
		}
	}
}

// TestPublishRefusesOlderReleases checks that an older release, or one of
// another service, is published only on request.
func TestPublishRefusesOlderReleases(t *testing.T) {
	s := newShelf(t)
	newer := newRelease(6, 1, 2)
	s.publish(newer.folder(t), 6, start)
	older := newRelease(5, 1, 2)
	dir := older.folder(t)

	assert.ErrorIs(t, assert.Err(s.open().PublishFolder(ctx, dir, numbered(5), options(start))), ErrOlder, "fewer changes")
	back := numbered(7)
	back.Latest = "2026-01-01T00:00:00Z"
	assert.ErrorIs(t, assert.Err(s.open().PublishFolder(ctx, dir, back, options(start))), ErrOlder, "an earlier change")
	other := numbered(7)
	other.BaseURL = "https://another.example"
	assert.ErrorIs(t, assert.Err(s.open().PublishFolder(ctx, dir, other, options(start))), ErrOther, "another service")
	nameless := numbered(7)
	nameless.BaseURL = ""
	_, err := s.open().PublishFolder(ctx, newer.folder(t), nameless, options(start))
	must(t, err)
	assert.ErrorIs(t, assert.Err(s.open().PublishFolder(ctx, dir, other, options(start))), ErrOther, "another service, after a release without an address")
	s.wants(newer)

	opt := options(start)
	opt.Rollback = true
	_, err = s.open().PublishFolder(ctx, dir, numbered(5), opt)
	must(t, err)
	opt = options(start)
	opt.Moved = true
	_, err = s.open().PublishFolder(ctx, dir, other, opt)
	must(t, err)
	s.wants(older, newer.immutable())
}

// TestPublishRefusesSpoiledFolders checks that a folder that differs from its
// list is not published.
func TestPublishRefusesSpoiledFolders(t *testing.T) {
	s := newShelf(t)
	r := newRelease(1, 1, 2)
	for name, spoil := range map[string]func(dir string){
		"another byte":    func(dir string) { writeFile(t, filepath.Join(dir, entryKey(1)), strings.ToUpper(r[entryKey(1)])) },
		"a byte more":     func(dir string) { writeFile(t, filepath.Join(dir, entryKey(1)), r[entryKey(1)]+" ") },
		"a missing file":  func(dir string) { must(t, os.Remove(filepath.Join(dir, entryKey(1)))) },
		"an unknown file": func(dir string) { writeFile(t, filepath.Join(dir, "secret.txt"), "x") },
	} {
		dir := r.folder(t)
		spoil(dir)
		assert.ErrorIs(t, assert.Err(s.open().PublishFolder(ctx, dir, numbered(1), options(start))), ErrMismatch, "%s", name)
	}
	dir := r.folder(t)
	writeFile(t, filepath.Join(dir, releaselist.ListKey), "what is this")
	assert.ErrorIs(t, assert.Err(s.open().PublishFolder(ctx, dir, numbered(1), options(start))), target.ErrDamaged, "a damaged list")
	if got := s.stored(); len(got) != 0 {
		t.Errorf("%d objects were stored", len(got))
	}
}

// TestPublishLeavesWaitingFiles checks that files of earlier builds that wait
// in the folder to be deleted are not published.
func TestPublishLeavesWaitingFiles(t *testing.T) {
	s := newShelf(t)
	r := newRelease(1, 1, 2)
	dir := r.folder(t)
	writeFile(t, filepath.Join(dir, "_packs/old.pack"), "an object that no root names")
	writeFile(t, filepath.Join(dir, target.WaitingFile), "- 1772445600 "+line64+" 1 - _packs/old.pack\n- 1772445600 "+line64+" 1 - _packs/gone.pack\n")
	s.publish(dir, 1, start)
	s.wants(r)

	writeFile(t, filepath.Join(dir, "_packs/unknown.pack"), "an object that nothing lists")
	assert.ErrorIs(t, assert.Err(s.open().PublishFolder(ctx, dir, numbered(2), options(start))), ErrMismatch, "beside files that wait a file that nothing lists")
	must(t, os.Remove(filepath.Join(dir, "_packs/unknown.pack")))
	writeFile(t, filepath.Join(dir, target.WaitingFile), "_packs/old.pack\n")
	assert.Fails(t, assert.Err(s.open().PublishFolder(ctx, dir, numbered(2), options(start))), "a damaged list of files that wait was passed over")
}

func TestDryRun(t *testing.T) {
	s := newShelf(t)
	s.publish(newRelease(1, 1, 2, 3).folder(t), 1, start)
	before := s.all()
	dir := newRelease(2, 2, 3, 4).folder(t)
	opt := options(start.Add(48 * time.Hour))
	opt.DryRun = true
	expected, err := s.open().PublishFolder(ctx, dir, numbered(2), opt)
	must(t, err)
	if !maps.Equal(before, s.all()) {
		t.Error("a dry run changed the bucket")
	}

	opt.DryRun = false
	done, err := s.open().PublishFolder(ctx, dir, numbered(2), opt)
	must(t, err)
	expected.Duration = done.Duration
	if expected != done {
		t.Errorf("expected %+v\ndone     %+v", expected, done)
	}

	opt.DryRun, opt.Now = true, opt.Now.Add(48*time.Hour)
	expected, err = s.open().PublishFolder(ctx, newRelease(3, 2).folder(t), numbered(3), opt)
	must(t, err)
	opt.DryRun = false
	done, err = s.open().PublishFolder(ctx, newRelease(3, 2).folder(t), numbered(3), opt)
	must(t, err)
	expected.Duration = done.Duration
	if expected != done || done.Deleted == 0 {
		t.Errorf("with deletions: expected %+v\ndone     %+v", expected, done)
	}
}

// TestPublishChecks checks that DoubtAll finds objects that somebody else
// changed or removed.
func TestPublishChecks(t *testing.T) {
	s := newShelf(t)
	r := newRelease(1, 1, 2, 3)
	dir := r.folder(t)
	s.publish(dir, 1, start)
	must(t, os.Remove(filepath.Join(s.objects, entryKey(1))))
	b := s.open()
	_, err := b.at.Client.Client.PutObject(ctx, b.at.Name, b.at.Prefix+entryKey(2), strings.NewReader("other"), 5, minio.PutObjectOptions{})
	must(t, err)

	if report := s.publish(dir, 1, start); report.Sent != 0 {
		t.Errorf("without being asked: %+v", report)
	}
	opt := options(start)
	opt.DoubtAll, opt.DryRun = true, true
	expected, err := s.open().PublishFolder(ctx, dir, numbered(1), opt)
	must(t, err)
	opt.DryRun = false
	report, err := s.open().PublishFolder(ctx, dir, numbered(1), opt)
	must(t, err)
	s.wants(r)
	expected.Duration = report.Duration
	if expected != report {
		t.Errorf("expected %+v\ndone     %+v", expected, report)
	}
	if report.Sent != 2 || report.Present != int64(len(r)-2) {
		t.Errorf("with a check: %+v", report)
	}
}

func TestMissingBucket(t *testing.T) {
	endpoint, _ := s3test.Start(t)
	b, err := Open("s3://no-such-bucket/x", Options{Endpoint: endpoint, Region: "us-east-1"})
	must(t, err)
	_, err = b.PublishFolder(ctx, newRelease(1, 1).folder(t), numbered(1), options(start))
	if err == nil || !strings.Contains(err.Error(), "s3://no-such-bucket/x") || strings.Contains(err.Error(), "\n") {
		t.Errorf("a bucket that is missing: %v", err)
	}
}
