package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"colophon/generator/target"
)

// writeAgain writes the files of a tree from memory with two writers and syncs
// them to disk. Reading them is not counted.
func writeAgain(from, to string) cost {
	var names []string
	var data [][]byte
	check(filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		content, err := os.ReadFile(path)
		names, data = append(names, name), append(data, content)
		return err
	}))
	start, before := time.Now(), usage()
	var wg sync.WaitGroup
	for w := range 2 {
		wg.Go(func() {
			made := map[string]bool{}
			for i := w; i < len(names); i += 2 {
				path := filepath.Join(to, names[i])
				if folder := filepath.Dir(path); !made[folder] {
					check(os.MkdirAll(folder, 0o755))
					made[folder] = true
				}
				check(os.WriteFile(path, data[i], 0o644))
			}
		})
	}
	wg.Wait()
	check(target.SyncTree(to))
	return cost{time.Since(start), usage() - before, 0}
}

// usage returns the CPU time of this process.
func usage() time.Duration {
	var u syscall.Rusage
	check(syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
