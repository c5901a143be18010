package target

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
)

// fewFiles is up to how many files are brought to disk one by one. More are
// cheaper with the whole file system, which has to wait for what other programs
// wrote.
const fewFiles = 4096

// syncStage brings the content of the staged files to disk.
func (f *Folder) syncStage(j journal) error {
	if len(j.Put) > fewFiles {
		return SyncTree(f.Stage())
	}
	paths := make([]string, len(j.Put))
	for i, key := range j.Put {
		paths[i] = f.stagedPath(key)
	}
	return syncPaths(paths)
}

// syncMoved brings the moves of a journal to disk: the folders that they
// changed.
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

// syncWorkers is how many files are brought to disk at once: the disk writes
// them together.
const syncWorkers = 8

// syncPaths brings files and folders to disk. One that is no longer there
// needs nothing.
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
