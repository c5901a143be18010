// Package transfer copies a whole origin store from one database to another,
// between any two of SQLite, D1 and Postgres. It reads the copy back and
// compares the number of rows and a digest of each table. SQLite and Postgres
// keep all of a copy or nothing; D1, which has no transactions across requests,
// is marked while a copy is under way, and every command refuses a marked
// database.
package transfer

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"strconv"
	"strings"

	"colophon/internal/originsql/tables"
)

var (
	// ErrNotEmpty is returned if the target already holds a store.
	ErrNotEmpty = errors.New("the target holds a store already")
	// ErrDiffers is returned if what arrived is not what was sent.
	ErrDiffers = errors.New("what arrived differs from what was sent")
	// ErrChanged is returned if the source was written to meanwhile.
	ErrChanged = errors.New("the source was changed while it was copied")
	// ErrTextsElsewhere is returned if the source has only the digests of
	// texts, because those are in an object store.
	ErrTextsElsewhere = errors.New("texts of the source are in an object store, and would be missing")
)

// Reader runs statements that read, with marks ?1, ?2, ….
type Reader interface {
	Read(ctx context.Context, query string, args []any) ([][]any, error)
}

// Source is a store as of one moment.
type Source interface {
	Reader
	// Settled reports whether all reads see one moment. If not, the store is
	// read again after the copy.
	Settled() bool
	Close() error
}

// Target accepts the rows of a store and replaces its own with them.
type Target interface {
	Reader
	// Begin prepares the target for rows, and deletes those that it has.
	Begin(ctx context.Context) error
	// Insert adds rows of a table, after those of the tables that it refers to.
	Insert(ctx context.Context, t *tables.Table, rows [][]any) error
	// Commit keeps what was inserted.
	Commit(ctx context.Context) error
	// Close leaves the target as it was, or marked, unless Commit succeeded.
	Close() error
}

// Options control a copy.
type Options struct {
	Tables       []tables.Table
	Replace      bool // rows of the target may be deleted
	DryRun       bool // the target is not written to
	WithoutTexts bool // texts that are in an object store may be missing

	Progress func(rows int64) // called after each page; may be nil
}

// Result describes the copy of one table.
type Result struct {
	Table  string `json:"table"`
	Rows   int64  `json:"rows"`
	Digest string `json:"digest"` // SHA-256 over all rows in the order of the key, hex
}

// Copy copies all tables.
func Copy(ctx context.Context, from Source, to Target, opt Options) ([]Result, error) {
	if _, broken := to.(emptied); !opt.Replace && !broken {
		if err := checkEmpty(ctx, to, opt.Tables); err != nil {
			return nil, err
		}
	}
	if opt.DryRun {
		return readAll(ctx, from, opt, nil)
	}

	if err := to.Begin(ctx); err != nil {
		return nil, fmt.Errorf("begin: %w", err)
	}
	sent, err := readAll(ctx, from, opt, to.Insert)
	if err != nil {
		return nil, err
	}
	quiet := opt
	quiet.Progress = nil
	quiet.WithoutTexts = true
	arrived, err := readAll(ctx, to, quiet, nil)
	if err != nil {
		return nil, fmt.Errorf("read what arrived: %w", err)
	}
	if err := compareResults(sent, arrived, ErrDiffers); err != nil {
		return nil, err
	}
	if !from.Settled() {
		now, err := readAll(ctx, from, quiet, nil)
		if err != nil {
			return nil, fmt.Errorf("read the source again: %w", err)
		}
		if err := compareResults(sent, now, ErrChanged); err != nil {
			return nil, err
		}
	}
	if err := to.Commit(ctx); err != nil {
		return nil, fmt.Errorf("commit: %w", err)
	}
	return sent, nil
}

// checkEmpty looks for rows. Every schema has some in the table of counters.
func checkEmpty(ctx context.Context, db Reader, list []tables.Table) error {
	var names, exist []string
	for _, t := range list {
		if t.Name != "meta" {
			names = append(names, t.Name)
			exist = append(exist, "EXISTS (SELECT 1 FROM "+tables.Quote(t.Name)+")")
		}
	}
	rows, err := db.Read(ctx, "SELECT "+strings.Join(exist, ", "), nil)
	if err != nil {
		return fmt.Errorf("look into the target: %w", err)
	}
	for i, name := range names {
		if rows[0][i] != int64(0) {
			return fmt.Errorf("%w: %s has rows", ErrNotEmpty, name)
		}
	}
	return nil
}

// readAll reads all tables and passes their rows to take.
func readAll(ctx context.Context, db Reader, opt Options, take func(context.Context, *tables.Table, [][]any) error) ([]Result, error) {
	var results []Result
	total := int64(0)
	for _, t := range opt.Tables {
		cursor := tables.NewCursor(t)
		sum := newDigest()
		for !cursor.Done {
			query, args := cursor.Next()
			rows, err := db.Read(ctx, query, args)
			if err != nil {
				return nil, fmt.Errorf("read %s: %w", t.Name, err)
			}
			if err := cursor.Take(rows); err != nil {
				return nil, err
			}
			if !opt.WithoutTexts {
				if err := checkTexts(&t, rows); err != nil {
					return nil, err
				}
			}
			sum.addRows(rows)
			if take != nil && len(rows) > 0 {
				if err := take(ctx, &t, rows); err != nil {
					return nil, fmt.Errorf("write %s: %w", t.Name, err)
				}
			}
			total += int64(len(rows))
			if opt.Progress != nil {
				opt.Progress(total)
			}
		}
		results = append(results, Result{t.Name, sum.rows, hex.EncodeToString(sum.hash.Sum(nil))})
	}
	return results, nil
}

// checkTexts returns an error for a body whose text is in an object store: the
// text is empty here, but its digest is not that of an empty text.
func checkTexts(t *tables.Table, rows [][]any) error {
	if t.Name != "bodies" {
		return nil
	}
	nothing := sha256.Sum256(nil)
	text, digest := columnOf(t, "text"), columnOf(t, "sha256")
	for _, row := range rows {
		if row[text] == "" && row[digest] != "" && row[digest] != hex.EncodeToString(nothing[:]) {
			return ErrTextsElsewhere
		}
	}
	return nil
}

func columnOf(t *tables.Table, name string) int {
	for i, c := range t.Columns {
		if c.Name == name {
			return i
		}
	}
	return 0 // the schema has it
}

func compareResults(want, got []Result, kind error) error {
	for i, w := range want {
		if got[i] != w {
			return fmt.Errorf("%w: %s has %d rows (%.12s), not %d (%.12s)", kind, w.Table, got[i].Rows, got[i].Digest, w.Rows, w.Digest)
		}
	}
	return nil
}

// digest is a digest over rows, the same in every database.
type digest struct {
	hash hash.Hash
	rows int64
}

func newDigest() *digest { return &digest{hash: sha256.New()} }

func (d *digest) addRows(rows [][]any) {
	d.rows += int64(len(rows))
	for _, row := range rows {
		for _, cell := range row {
			d.addCell(cell)
		}
	}
}

// addCell writes the type of a cell, its length and its bytes.
func (d *digest) addCell(cell any) {
	kind, data := byte('0'), []byte(nil)
	switch v := cell.(type) {
	case string:
		kind, data = 't', []byte(v)
	case int64:
		kind, data = 'i', strconv.AppendInt(nil, v, 10)
	case []byte:
		kind, data = 'b', v
	}
	d.hash.Write(binary.BigEndian.AppendUint64([]byte{kind}, uint64(len(data))))
	d.hash.Write(data)
}
