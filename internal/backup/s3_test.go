package backup_test

import (
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"colophon/internal/assert"
	"colophon/internal/backup"
	"colophon/internal/s3/s3test"
)

func TestS3(t *testing.T) {
	endpoint, objects := s3test.Start(t)
	repo, err := backup.OpenRepository("s3://"+s3test.Bucket+"/a/prefix", backup.S3Options{Endpoint: endpoint})
	must(t, err)
	r := newRegistry(t)
	if ids, err := repo.List(ctx); err != nil || len(ids) != 0 {
		t.Fatalf("an empty bucket lists %v: %v", ids, err)
	}
	assert.ErrorIs(t, assert.Err(repo.Manifest(ctx, "20260301T100000Z-00000000")), backup.ErrNoBackup, "a manifest that is missing")
	r.refused(repo, r.restoreOptions(), backup.ErrNoBackup)

	first := r.backUp(repo, "2026-03-01T10:00:00Z")
	r.log(2)
	second := r.backUp(repo, "2026-03-02T10:00:00Z")
	if ids, err := repo.List(ctx); err != nil || fmt.Sprint(ids) != fmt.Sprint([]string{first.ID, second.ID}) {
		t.Errorf("listed %v: %v", ids, err)
	}
	archive := filepath.Join(objects, "a", "prefix", second.ID, "registry.tar.zst.age")
	data, err := os.ReadFile(archive)
	must(t, err)
	if !strings.HasPrefix(string(data), "age-encryption.org/v1\n") {
		t.Errorf("the object begins with %.30q", data)
	}
	opt := r.restoreOptions()
	m, err := backup.Restore(ctx, repo, opt)
	must(t, err)
	if m.ID != second.ID || files(t, opt.Dir)["secret"] != "the secret of the service\n" {
		t.Errorf("restored %s: %v", m.ID, files(t, opt.Dir))
	}
	stale := r.restoreOptions()
	stale.ID = first.ID
	r.refused(repo, stale, backup.ErrRollback)

	undo := change1(t, archive, func(_ string, b []byte) []byte { b[len(b)/2] ^= 1; return b })
	r.refused(repo, r.restoreOptions(), backup.ErrDamaged)
	undo()

	removed, err := backup.Prune(ctx, repo, 1)
	must(t, err)
	if ids, err := repo.List(ctx); err != nil || fmt.Sprint(ids) != fmt.Sprint([]string{second.ID}) || fmt.Sprint(removed) != fmt.Sprint([]string{first.ID}) {
		t.Errorf("after pruning %v: %v, removed %v", ids, err, removed)
	}
}

// TestS3LargeArchive uploads more than one part, and interrupts an upload in
// the middle of one.
func TestS3LargeArchive(t *testing.T) {
	endpoint, objects := s3test.Start(t)
	repo, err := backup.OpenRepository("s3://"+s3test.Bucket, backup.S3Options{Endpoint: endpoint})
	must(t, err)
	large := make([]byte, 40<<20)
	_, err = rand.Read(large)
	must(t, err)
	const whole, half = "20260301T100000Z-00000001", "20260301T100000Z-00000002"
	must(t, repo.Put(ctx, whole, func(w io.Writer) ([]byte, error) {
		_, err := w.Write(large)
		return []byte("{}"), err
	}))
	body, err := repo.Archive(ctx, whole)
	must(t, err)
	defer body.Close()
	got, err := io.ReadAll(body)
	must(t, err)
	if string(got) != string(large) {
		t.Errorf("%d bytes came back, not the %d that were sent", len(got), len(large))
	}
	err = repo.Put(ctx, half, func(w io.Writer) ([]byte, error) {
		_, _ = w.Write(large)
		return nil, errBroken
	})
	assert.ErrorIs(t, err, errBroken, "a backup that breaks off")
	assert.Fails(t, assert.Err(os.Stat(filepath.Join(objects, half))), "half an archive is among the objects")
	if ids, err := repo.List(ctx); err != nil || len(ids) != 1 {
		t.Errorf("listed %v: %v", ids, err)
	}
}

func TestS3Failures(t *testing.T) {
	endpoint, _ := s3test.Start(t)
	r := newRegistry(t)
	none, err := backup.OpenRepository("s3://no-such-bucket/x", backup.S3Options{Endpoint: endpoint})
	must(t, err)
	assert.ErrorContains(t, assert.Err(backup.Create(ctx, none, r.options("2026-03-01T10:00:00Z"))), "a bucket that is missing", "s3://no-such-bucket/x")
	canceled, cancel := context.WithCancel(ctx)
	cancel()
	repo, err := backup.OpenRepository("s3://"+s3test.Bucket, backup.S3Options{Endpoint: endpoint})
	must(t, err)
	assert.ErrorIs(t, assert.Err(backup.Create(canceled, repo, r.options("2026-03-01T10:00:00Z"))), context.Canceled, "a backup that is called off")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "wrong")
	repo, err = backup.OpenRepository("s3://"+s3test.Bucket, backup.S3Options{Endpoint: endpoint})
	must(t, err)
	assert.Fails(t, assert.Err(repo.List(ctx)), "a wrong secret lists backups")
	assert.Fails(t, assert.Err(backup.Create(ctx, repo, r.options("2026-03-01T10:00:00Z"))), "a wrong secret writes a backup")
}
