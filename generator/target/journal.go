package target

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// ErrJournal is returned if the journal of an interrupted publication is
// damaged, so that the publication cannot be finished.
var ErrJournal = errors.New("the journal of an interrupted build is damaged")

// journal lists the moves of one publication in their order: first the staged
// files to move into the folder, then the files to remove from it.
type journal struct {
	Put    []string
	Remove []string
}

// The words before the keys in the lines of a journal. The last line is
// wordEnd; it says that the journal is complete.
const (
	wordPut    = "put "
	wordRemove = "remove "
	wordEnd    = "end"
)

// writeFile writes the journal to disk atomically.
func (j journal) writeFile(path string) error {
	var b bytes.Buffer
	for _, key := range j.Put {
		fmt.Fprintln(&b, wordPut+key)
	}
	for _, key := range j.Remove {
		fmt.Fprintln(&b, wordRemove+key)
	}
	fmt.Fprintln(&b, wordEnd)
	return writeAtomic(path, b.Bytes())
}

// readJournal reads a journal. It returns fs.ErrNotExist if there is none.
func readJournal(path string) (journal, error) {
	var j journal
	data, err := os.ReadFile(path)
	if err != nil {
		return j, err
	}
	lines := bufio.NewScanner(bytes.NewReader(data))
	for lines.Scan() {
		line := lines.Text()
		if line == wordEnd {
			return j, nil
		}
		key, isPut := strings.CutPrefix(line, wordPut)
		if !isPut {
			var isRemove bool
			if key, isRemove = strings.CutPrefix(line, wordRemove); !isRemove {
				return j, ErrJournal
			}
		}
		if !fs.ValidPath(key) {
			return j, ErrJournal
		}
		if isPut {
			j.Put = append(j.Put, key)
		} else {
			j.Remove = append(j.Remove, key)
		}
	}
	return j, ErrJournal
}

// writeAtomic writes a file under a temporary name, syncs it and renames it.
func writeAtomic(path string, data []byte) error {
	temp := path + ".tmp"
	f, err := os.Create(temp)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	err = errors.Join(err, f.Sync(), f.Close())
	if err != nil {
		os.Remove(temp)
		return err
	}
	return os.Rename(temp, path)
}

// Recover finishes a publication into dir that was interrupted after its
// journal was written. It does nothing if there is no journal, or if another
// build is running. It returns an error if the journal is damaged or the disk
// fails, and can then be called again.
func Recover(dir string) error {
	dir = filepath.Clean(dir)
	if !needsRecovery(dir) {
		return nil
	}
	lock, err := lockFile(PathBeside(dir, "lock"))
	if errors.Is(err, ErrBusy) {
		return nil
	}
	if err != nil {
		return err
	}
	defer unlockFile(lock)
	return (&Folder{dir: dir}).finishJournal()
}

func needsRecovery(dir string) bool {
	_, err := os.Lstat((&Folder{dir: dir}).journalPath())
	return err == nil
}

// finishJournal finishes an interrupted publication, if there is one. The
// caller must hold the lock.
func (f *Folder) finishJournal() error {
	j, err := readJournal(f.journalPath())
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if err := f.applyJournal(j); err != nil {
		return fmt.Errorf("cannot finish the interrupted build of %q: %w", f.dir, err)
	}
	return nil
}
