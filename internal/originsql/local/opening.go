package local

import (
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"time"
)

// The rules for reading a whole database before it is used.
const (
	// CheckedAlways is the size of a file, in bytes, up to which it is checked at
	// each opening.
	CheckedAlways = 32 << 20
	// CheckedFor is how long a check of a larger file is valid at most.
	CheckedFor = 24 * time.Hour
)

// NoteSuffix is appended to the path of a database to name the note of its last
// check, as "-wal" is to name its log.
const NoteSuffix = "-checked"

// Opening is one opening of a database by a program, from before its first
// connection until after its last. It decides whether the database must be read
// completely before it is used, and keeps the note of the last such check. The
// note counts only if all of this holds:
//
//   - the file is the one that was noted, by its number, its size and its instants
//     of change, which no copy and no restored file shares;
//   - no log was left behind by a crash: there is none that holds anything, or
//     another opening is under way, as the lock on the note tells;
//   - the check is not older than CheckedFor.
//
// Anything else makes a check due, including a note that cannot be read,
// written or locked.
type Opening struct {
	path string
	note *os.File // with a shared lock; nil if no note can be kept
	due  bool
	now  time.Time
}

// BeginOpening looks at the database at path and at its note. A missing file and a
// folder that cannot be written are not errors here; opening the database reports
// them.
func BeginOpening(path string, now time.Time) *Opening {
	o := &Opening{path: path, due: true, now: now}
	file, known := readState(path)
	if !known || file.Size <= CheckedAlways {
		return o
	}
	note, err := os.OpenFile(path+NoteSuffix, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return o
	}
	o.note = note
	if !o.lockNote() {
		o.due = true
		o.releaseNote()
	}
	return o
}

// lockNote takes a shared lock and evaluates the note. It returns false if
// another program holds the lock.
func (o *Opening) lockNote() bool {
	for range lockTries {
		if tryLock(o.note, exclusive) {
			o.judgeNote(true) // while no other program can read it
			if tryLock(o.note, shared) {
				return true
			}
			continue // another program came between the two locks
		}
		if tryLock(o.note, shared) {
			o.judgeNote(false)
			return true
		}
		time.Sleep(time.Millisecond)
	}
	return false
}

const lockTries = 50

// judgeNote decides whether a check is due. alone means that no other opening
// is under way.
func (o *Opening) judgeNote(alone bool) {
	n, err := readNote(o.note)
	file, known := readState(o.path)
	o.due = err != nil || !known || n.File != file || !n.isFresh(o.now) || alone && hasLog(o.path)
	if o.due {
		o.RequireCheck()
	}
}

// CheckDue reports whether the database must be read whole before it is used.
func (o *Opening) CheckDue() bool { return o.due }

// RequireCheck makes a check due. It removes the note, so that until a check
// succeeds no other opening trusts the previous one.
func (o *Opening) RequireCheck() {
	o.due = true
	if o.note != nil {
		_ = o.note.Truncate(0) // if it fails, this opening checks all the same
	}
}

// Check runs check, which reads the whole database, and records in the note
// that it passed if it returns nil. The note describes the file as it was
// before, because pages that another program writes meanwhile may not have been
// read.
func (o *Opening) Check(check func() error) error {
	file, known := readState(o.path)
	if err := check(); err != nil {
		return err
	}
	o.due = false
	if known {
		o.writeNote(checkNote{Format: noteFormat, CheckedAt: o.now.UTC().Format(time.RFC3339), File: file})
	}
	return nil
}

// Close ends the opening, after the last connection was closed. Because the
// file was checked, and everything since was written by SQLite, the note is
// updated to the file as it is now. The instant of the check is kept.
func (o *Opening) Close() {
	if o.note == nil {
		return
	}
	n, err := readNote(o.note)
	file, known := readState(o.path)
	if err == nil && known && !o.due && n.File != file {
		n.File = file
		o.writeNote(n)
	}
	o.releaseNote()
}

// releaseNote gives up the note with its lock.
func (o *Opening) releaseNote() {
	unlock(o.note)
	o.note.Close()
	o.note = nil
}

// writeNote replaces the note. A note that cannot be written completely is
// removed.
func (o *Opening) writeNote(n checkNote) {
	if o.note == nil {
		return
	}
	text, err := json.Marshal(n)
	if err == nil {
		err = o.note.Truncate(0)
	}
	if err == nil {
		_, err = o.note.WriteAt(append(text, '\n'), 0)
	}
	if err != nil {
		_ = o.note.Truncate(0) // a partial note is not valid either
	}
}

// ForgetCheck makes the next opening of the database at path check it, because
// reading it failed.
func ForgetCheck(path string) error {
	err := os.Truncate(path+NoteSuffix, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// hasLog reports whether a log beside the database is not empty: that of a
// program that has it open, or of one that did not close it.
func hasLog(path string) bool {
	for _, suffix := range []string{"-wal", "-journal"} {
		info, err := os.Stat(path + suffix)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil || info.Size() > 0 {
			return true
		}
	}
	return false
}

// checkNote is the content of a note, a line of JSON.
type checkNote struct {
	Format    string    `json:"format"`
	CheckedAt string    `json:"checked_at"`
	File      fileState `json:"file"`
}

const noteFormat = "colophon.checked.v1"

// fileState distinguishes a file from every other one, and from itself at
// another time.
type fileState struct {
	Device   uint64 `json:"device"`
	Number   uint64 `json:"number"` // inode
	Size     int64  `json:"size"`
	Modified int64  `json:"modified"` // nanoseconds since 1970
	Changed  int64  `json:"changed"`  // likewise, of content and names: no program can set it
}

// isFresh reports whether a check is still valid. One in the future is not,
// because the clock was set back.
func (n *checkNote) isFresh(now time.Time) bool {
	at, err := time.Parse(time.RFC3339, n.CheckedAt)
	return err == nil && !at.After(now) && now.Sub(at) < CheckedFor
}

// readNote reads a note. It returns an error if the note is torn or not ours.
func readNote(f *os.File) (n checkNote, err error) {
	text, err := io.ReadAll(io.NewSectionReader(f, 0, 4096))
	if err != nil {
		return n, err
	}
	if err := json.Unmarshal(text, &n); err != nil {
		return n, err
	}
	if n.Format != noteFormat {
		return n, errors.New("not a note of this form")
	}
	return n, nil
}
