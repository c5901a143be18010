package generator

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// smallDisk mounts a file system of its own and returns its folder. It skips
// the test if it cannot mount, which only root may do.
func smallDisk(t *testing.T, options string, flags uintptr) string {
	t.Helper()
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", flags, options); err != nil {
		t.Skipf("SKIPPED: cannot mount a small file system here (%v); run as root", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return dir
}

func TestFullDisk(t *testing.T) {
	t.Parallel()
	disk := smallDisk(t, "size=900k", 0)
	store := newStore(t)
	addSite(t, store, "alpha")
	dir := filepath.Join(disk, "dist")
	for n := range 400 {
		addPage(t, store, "alpha", n)
	}
	_, err := Build(context.Background(), store, dir, testOptions(t, 2))
	if !errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), "cannot") {
		t.Fatalf("a full disk: %v", err)
	}
	if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("half a build was left: %v", err)
	}
	if left, _ := os.ReadDir(disk); len(left) > 1 { // the lock file stays
		t.Errorf("left behind: %v", left)
	}
}

// diskSpace returns the bytes that a folder takes on a disk with blocks of
// 4 KiB. It is measured, because a build that includes the module of the editor
// is several times larger than one without.
func diskSpace(t *testing.T, dir string) (total int64) {
	t.Helper()
	const block = 4096
	must(t, filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		total += (info.Size() + block - 1) / block * block
		return nil
	}))
	return total
}

// TestFullDiskInPlace fills the disk while a change is staged: the published
// build must stay as it is, and the next build must continue.
func TestFullDiskInPlace(t *testing.T) {
	t.Parallel()
	store := newStore(t)
	addSite(t, store, "alpha")
	addPage(t, store, "alpha", 1)
	elsewhere := t.TempDir()
	build1(t, store, filepath.Join(elsewhere, "dist"), 2)

	disk := smallDisk(t, fmt.Sprintf("size=%d", diskSpace(t, elsewhere)+3<<20), 0)
	dir := filepath.Join(disk, "dist")
	build1(t, store, dir, 2)
	before := readTree(t, dir)
	for n := range 400 {
		addPage(t, store, "alpha", 10+n)
	}
	_, err := Build(context.Background(), store, dir, testOptions(t, 2))
	if !errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), "cannot") {
		t.Fatalf("a full disk: %v", err)
	}
	after := readTree(t, dir)
	for name, data := range before {
		if !bytes.Equal(after[name], data) {
			t.Errorf("%s is not as it was published", name)
		}
	}
	if len(after) != len(before) {
		t.Errorf("%d files, before %d", len(after), len(before))
	}
	must(t, syscall.Mount("tmpfs", disk, "tmpfs", syscall.MS_REMOUNT, "size=100m"))
	build1(t, store, dir, 2)
	wantSound(t, dir)
}

func TestReadOnlyOutput(t *testing.T) {
	t.Parallel()
	disk := smallDisk(t, "size=900k", syscall.MS_RDONLY)
	store := newStore(t)
	addSite(t, store, "alpha")
	_, err := Build(context.Background(), store, filepath.Join(disk, "dist"), testOptions(t, 2))
	if !errors.Is(err, syscall.EROFS) {
		t.Fatalf("a read-only output: %v", err)
	}
}
