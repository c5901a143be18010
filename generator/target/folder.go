package target

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Folder publishes into a local folder. New content is staged beside it, and a
// journal lists what to move in. Once the journal is written, the publication is
// certain: the next OpenFolder completes an interrupted one. Before that, staged
// content is discarded.
//
// A Folder holds a lock from OpenFolder to Close. It is for one goroutine.
type Folder struct {
	Now func() time.Time // clock for the grace period, by default time.Now

	dir  string
	lock *os.File
}

// OpenFolder locks a folder for publishing, finishes an interrupted publication
// and clears the stage. The folder need not exist yet. It returns ErrBusy if
// another process holds the lock.
func OpenFolder(dir string) (*Folder, error) {
	dir = filepath.Clean(dir)
	parent := filepath.Dir(dir)
	if err := os.MkdirAll(parent, 0o755); err != nil {
		return nil, fmt.Errorf("cannot make the folder %q for the build: %w", parent, err)
	}
	f := &Folder{Now: time.Now, dir: dir}
	lock, err := lockFile(f.pathBeside("lock"))
	if err != nil {
		return nil, err
	}
	f.lock = lock
	for _, step := range []func() error{f.finishJournal, f.beginStage} {
		if err := step(); err != nil {
			f.Close()
			return nil, err
		}
	}
	return f, nil
}

// clearStage removes what was staged, unless there is a journal that publishes
// it.
func (f *Folder) clearStage() error {
	if _, err := os.Stat(f.journalPath()); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.RemoveAll(f.Stage()); err != nil {
		return fmt.Errorf("cannot clear the rest of an earlier build: %w", err)
	}
	return nil
}

// beginStage makes an empty stage.
func (f *Folder) beginStage() error {
	if err := os.RemoveAll(f.Stage()); err != nil {
		return fmt.Errorf("cannot clear the rest of an earlier build: %w", err)
	}
	if err := os.Mkdir(f.Stage(), 0o755); err != nil {
		return fmt.Errorf("cannot write beside %q: %w", f.dir, err)
	}
	return nil
}

// Close removes what was staged and not published, and releases the lock.
func (f *Folder) Close() {
	f.clearStage() //nolint:errcheck // on failure, the next run clears it
	unlockFile(f.lock)
}

// Dir returns the folder that readers see.
func (f *Folder) Dir() string { return f.dir }

// Stage returns the folder into which new content is written before Publish,
// each file under its key. It is on the same file system as the published
// folder.
func (f *Folder) Stage() string { return f.pathBeside("next") }

func (f *Folder) journalPath() string { return f.pathBeside("journal") }

func (f *Folder) pathBeside(what string) string { return PathBeside(f.dir, what) }

// PathBeside returns the path ".<folder>.<what>" beside a published folder, for
// files that belong to it but are not published. It is on the same file system,
// so that files can be moved in.
func PathBeside(dir, what string) string {
	dir = filepath.Clean(dir)
	return filepath.Join(filepath.Dir(dir), "."+filepath.Base(dir)+"."+what)
}

func (f *Folder) stagedPath(key string) string {
	return filepath.Join(f.Stage(), filepath.FromSlash(key))
}

func (f *Folder) publishedPath(key string) string {
	return filepath.Join(f.dir, filepath.FromSlash(key))
}

// Publish moves the staged changes into the folder. Removed files are deleted
// now or by a later call, see Wait.
//
// It returns an error if a key is not a file name, an object is not staged, ctx
// ends or the disk fails. Until the journal is written, the folder keeps its
// files and at most gains new folders. After that, Recover completes the
// publication.
func (f *Folder) Publish(ctx context.Context, c Changes) error {
	due, err := f.replaceWaiting(&c)
	if err != nil {
		return err
	}
	for _, list := range c.written() {
		for i := range list {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := f.checkStaged(&list[i]); err != nil {
				return err
			}
		}
	}
	j := journal{Remove: due}
	for _, list := range c.written() {
		for i := range list {
			j.Put = append(j.Put, list[i].Key)
		}
	}
	if err := f.prepareFolders(j); err != nil {
		return err
	}
	if err := f.syncStage(c); err != nil {
		return fmt.Errorf("cannot write the build to disk: %w", err)
	}
	reached("staged")
	if err := j.writeFile(f.journalPath()); err != nil {
		return fmt.Errorf("cannot write the journal of the build: %w", err)
	}
	reached("journal")
	if err := f.applyJournal(j); err != nil {
		return fmt.Errorf("cannot put the build in place (the next run finishes it): %w", err)
	}
	return f.beginStage()
}

// checkStaged returns an error unless the new content of an object is in the
// stage.
func (f *Folder) checkStaged(o *Object) error {
	if !fs.ValidPath(o.Key) || strings.ContainsAny(o.Key, "\r\n") { // the journal has one key a line
		return fmt.Errorf("%q cannot be the name of a published file", o.Key)
	}
	if info, err := os.Stat(f.stagedPath(o.Key)); err != nil || info.Size() != o.Size {
		return fmt.Errorf("the file %q was not staged", o.Key)
	}
	return nil
}

// prepareFolders makes the folders of the new files. It returns an error if the
// folder is not writable, before the publication begins.
func (f *Folder) prepareFolders(j journal) error {
	if err := os.MkdirAll(f.dir, 0o755); err != nil {
		return fmt.Errorf("cannot write to %q: %w", f.dir, err)
	}
	probe := filepath.Join(f.dir, probeFile)
	if err := os.WriteFile(probe, nil, 0o644); err != nil {
		return fmt.Errorf("cannot write to %q: %w", f.dir, err)
	}
	if err := os.Remove(probe); err != nil {
		return fmt.Errorf("cannot write to %q: %w", f.dir, err)
	}
	for _, key := range j.Put {
		if err := os.MkdirAll(filepath.Dir(f.publishedPath(key)), 0o755); err != nil {
			return fmt.Errorf("cannot make a folder for the build: %w", err)
		}
	}
	return nil
}

// applyJournal makes the moves in a journal. It can be called again after a
// failure.
func (f *Folder) applyJournal(j journal) error {
	for _, key := range j.Put {
		if err := f.moveFile(key); err != nil {
			return err
		}
		reached("put " + key)
	}
	for _, key := range j.Remove {
		if err := f.removeFile(key); err != nil {
			return err
		}
		reached("remove " + key)
	}
	if err := f.syncMoved(j); err != nil {
		return err
	}
	return os.Remove(f.journalPath())
}

// moveFile moves a staged file to its place. If it is not staged, it was moved
// before an interruption.
func (f *Folder) moveFile(key string) error {
	to := f.publishedPath(key)
	err := os.Rename(f.stagedPath(key), to)
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if _, err := os.Stat(f.stagedPath(key)); err == nil {
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return err
		}
		return os.Rename(f.stagedPath(key), to)
	}
	_, err = os.Stat(to)
	return err
}

// removeFile deletes one file, and the folders that become empty.
func (f *Folder) removeFile(key string) error {
	path := f.publishedPath(key)
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for path = filepath.Dir(path); path != f.dir; path = filepath.Dir(path) {
		if os.Remove(path) != nil { // not empty
			return nil
		}
	}
	return nil
}

// reached is called after each step at which a kill must do no harm. Tests set
// it.
var reached = func(step string) {}
