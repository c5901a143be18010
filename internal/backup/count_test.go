package backup

import (
	"bytes"
	"context"
	"io"
	"strings"
	"testing"
)

// keptArchive is a repository of one backup whose archive has 5 bytes.
type keptArchive struct {
	Repository
	stored bytes.Buffer
}

func (r *keptArchive) Put(_ context.Context, _ string, write func(io.Writer) ([]byte, error)) error {
	_, err := write(&r.stored)
	return err
}

func (r *keptArchive) Manifest(context.Context, string) ([]byte, error) {
	return nil, ErrNoBackup
}

// TestCountedRepository checks that everything written to an archive is counted
// and arrives, and that nothing is read without a manifest.
func TestCountedRepository(t *testing.T) {
	var told []int64
	kept := &keptArchive{}
	r := &countedRepository{kept, func(done, total int64) { told = append(told, done, total) }}
	err := r.Put(context.Background(), "", func(w io.Writer) ([]byte, error) {
		_, err := io.Copy(w, strings.NewReader("bytes"))
		return nil, err
	})
	if err != nil || kept.stored.String() != "bytes" || len(told) != 2 || told[0] != 5 || told[1] != 0 {
		t.Errorf("stored %q, told %v, %v", kept.stored.String(), told, err)
	}
	if _, err := r.Archive(context.Background(), "none"); err == nil {
		t.Error("an archive without a manifest was opened")
	}
}
