package target

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
)

// fewFiles is the number of files up to which each file is synced by itself. For
// more files it is faster to sync the whole file system, although that also
// waits for the writes of other programs.
const fewFiles = 4096

// syncStage syncs the staged files to disk.
func (f *Folder) syncStage(c Changes) error {
	var paths []string
	for _, list := range c.written() {
		for i := range list {
			paths = append(paths, f.stagedPath(list[i].Key))
		}
	}
	if len(paths) > fewFiles {
		return SyncTree(f.Stage())
	}
	return syncPaths(paths)
}

// syncMoved syncs the folders that the moves of a journal changed.
func (f *Folder) syncMoved(j journal) error {
	if len(j.Put)+len(j.Remove) > fewFiles {
		return SyncTree(f.dir)
	}
	seen := map[string]bool{}
	var folders []string
	for _, list := range [][]string{j.Put, j.Remove} {
		for _, key := range list {
			if folder := filepath.Dir(f.publishedPath(key)); !seen[folder] {
				seen[folder] = true
				folders = append(folders, folder)
			}
		}
	}
	return syncPaths(folders)
}

// syncWorkers is the number of files that are synced at the same time, so that
// the disk can combine the writes.
const syncWorkers = 8

// syncPaths syncs files and folders. It ignores those that no longer exist.
func syncPaths(paths []string) error {
	errs := make([]error, syncWorkers)
	var wg sync.WaitGroup
	for w := range syncWorkers {
		wg.Go(func() {
			for i := w; i < len(paths) && errs[w] == nil; i += syncWorkers {
				errs[w] = syncPath(paths[i])
			}
		})
	}
	wg.Wait()
	return errors.Join(errs...)
}

func syncPath(path string) error {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
