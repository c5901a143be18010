// Package replica makes a working copy of an origin in D1, for the duration of
// one command that reads nearly all of it. Over Cloudflare's API every
// statement costs a request, and only 1,200 are allowed in five minutes. So the
// tables are read in large pages into a temporary SQLite database, reads are
// answered from there, and writes go to both D1 and the copy.
//
// A write is in D1 when it returns, except for lazy ones (see
// originsql.Store.Bulk): they are sent together, in their order, before the
// next one that is not lazy.
package replica

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"colophon/internal/originsql"
	"colophon/internal/originsql/d1rest"
	"colophon/internal/originsql/local"
	"colophon/internal/originsql/tables"
)

const (
	batchStatements = 100
	batchBytes      = 1 << 20
	maxTries        = 3
)

// ErrUnsettled is returned if the origin changed each time while it was read.
var ErrUnsettled = errors.New("the origin in D1 changes all the time: it could not be read as of one moment")

// private tables are not needed for what is published, and stay in D1. The copy
// lacks them, so that reading one fails.
var private = []string{
	"bodies", "requests", "request_history", "messages", "partners", "partner_keys", "inbox_links", "counters", "proofs", "webhooks", "outbox",
	"receiver_health", "buyers", "buyer_credentials", "grants", "grant_sites", "holdings", "feeds", "snapshots", "snapshot_items", "fetches",
	"extractions", "templates", "audit_log", "joins", "answers",
}

// privateTriggers are those of other tables that write into a private one. They do so
// in D1, where each write arrives too.
var privateTriggers = []string{"policies_changed"}

// Copy is a working copy.
type Copy struct {
	remote *d1rest.Database
	local  *sql.DB
	folder string // of the copy

	mu           sync.Mutex         // held by a write
	waiting      []d1rest.Statement // lazy writes that D1 does not have yet
	waitingBytes int
}

var _ originsql.Backend = (*Copy)(nil)

// Open reads what a build needs of a store in D1. Its schema must be that of
// this program.
func Open(ctx context.Context, remote *d1rest.Database) (*Copy, error) {
	for range maxTries {
		r, settled, err := openOnce(ctx, remote)
		if err != nil {
			return nil, err
		}
		if settled {
			return r, nil
		}
		r.dropTables()
	}
	return nil, ErrUnsettled
}

// openOnce reads the store once, and reports whether it stayed unchanged
// meanwhile.
func openOnce(ctx context.Context, remote *d1rest.Database) (r *Copy, settled bool, err error) {
	folder, err := os.MkdirTemp("", "colophon-d1-") // accessible to its owner only
	if err != nil {
		return nil, false, err
	}
	// Everything that the copy loses in a crash is in D1.
	copied, err := sql.Open("sqlite", local.Address(filepath.Join(folder, "origin.db"))+"&_pragma=synchronous(OFF)")
	if err != nil {
		os.RemoveAll(folder)
		return nil, false, err
	}
	r = &Copy{remote: remote, local: copied, folder: folder}
	if settled, err = r.fillTables(ctx); err != nil {
		r.dropTables()
		return nil, false, fmt.Errorf("cannot read the origin in D1: %w", err)
	}
	return r, settled, nil
}

func (r *Copy) dropTables() error {
	return errors.Join(r.local.Close(), os.RemoveAll(r.folder))
}

// Store returns the store over the copy.
func (r *Copy) Store() *originsql.Store { return originsql.OverBackend(r) }

// Close sends the waiting writes and removes the copy.
func (r *Copy) Close(ctx context.Context) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return errors.Join(r.flushWaiting(ctx), r.dropTables())
}

// fillTables reads all tables; each request reads a page of every table that
// has rows left.
func (r *Copy) fillTables(ctx context.Context) (settled bool, err error) {
	if err := originsql.Migrate(ctx, r.local); err != nil {
		return false, err
	}
	wanted, err := r.wantedTables(ctx)
	if err != nil {
		return false, err
	}
	load, err := tables.BeginLoad(ctx, r.local, wanted)
	if err != nil {
		return false, err
	}
	defer load.Rollback()

	requests, before := 0, any(nil)
	for cursors := cursorsOf(wanted); len(cursors) > 0; requests++ {
		changes, err := r.readRound(ctx, cursors, load)
		if err != nil {
			return false, err
		}
		if requests == 0 {
			before = changes
		}
		settled = changes == before
		cursors = slices.DeleteFunc(cursors, func(c *tables.Cursor) bool { return c.Done })
	}
	if err := load.Commit(ctx); err != nil {
		return false, err
	}
	return settled, r.dropPrivate(ctx)
}

func (r *Copy) wantedTables(ctx context.Context) ([]tables.Table, error) {
	all, err := tables.Of(ctx, r.local)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(all, func(t tables.Table) bool { return slices.Contains(private, t.Name) }), nil
}

func cursorsOf(list []tables.Table) []*tables.Cursor {
	var out []*tables.Cursor
	for _, t := range list {
		out = append(out, tables.NewCursor(t))
	}
	return out
}

// readRound reads the next page of each table, and the number of changes.
func (r *Copy) readRound(ctx context.Context, cursors []*tables.Cursor, load *tables.Load) (changes any, err error) {
	batch := []d1rest.Statement{{SQL: "SELECT value FROM meta WHERE name = 'changes'"}}
	for _, c := range cursors {
		query, args := c.Next()
		batch = append(batch, d1rest.Statement{SQL: query, Args: args})
	}
	answers, err := r.remote.Batch(ctx, batch)
	if err != nil {
		return nil, err
	}
	if len(answers[0]) != 1 {
		return nil, errors.New("it does not count its changes")
	}
	for i, c := range cursors {
		rows := answers[i+1]
		if err := c.Take(rows); err != nil {
			return nil, err
		}
		if err := load.Insert(ctx, &c.Table, rows); err != nil {
			return nil, err
		}
	}
	return answers[0][0][0], nil
}

// dropPrivate removes the tables that were not read, and what writes into them.
func (r *Copy) dropPrivate(ctx context.Context) error {
	conn, err := r.local.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	if _, err := conn.ExecContext(ctx, "PRAGMA foreign_keys = OFF"); err != nil {
		return err
	}
	for _, name := range privateTriggers {
		if _, err := conn.ExecContext(ctx, "DROP TRIGGER "+tables.Quote(name)); err != nil {
			return err
		}
	}
	for _, name := range private {
		if _, err := conn.ExecContext(ctx, "DROP TABLE "+tables.Quote(name)); err != nil {
			return err
		}
	}
	return nil
}

// Run reads from the copy, and writes to D1 first.
func (r *Copy) Run(ctx context.Context, s originsql.Statement) (originsql.Rows, error) {
	if !s.Writes {
		return r.runLocal(ctx, s)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	next := d1rest.Statement{SQL: s.Text, Args: s.Args}
	if s.Lazy && !strings.Contains(s.Text, "RETURNING") {
		if err := r.keepForLater(ctx, next); err != nil {
			return nil, err
		}
		return r.runLocal(ctx, s)
	}

	if err := r.flushWaiting(ctx); err != nil {
		return nil, err
	}
	answers, err := r.remote.Batch(ctx, []d1rest.Statement{next})
	if err != nil {
		return nil, err
	}
	if _, err := r.runLocal(ctx, s); err != nil {
		return nil, fmt.Errorf("the working copy of the origin differs from it: %w", err)
	}
	return originsql.NewRows(answers[0]), nil
}

func (r *Copy) runLocal(ctx context.Context, s originsql.Statement) (originsql.Rows, error) {
	found, err := r.local.QueryContext(ctx, s.Text, s.Args...)
	if err != nil {
		return nil, err
	}
	cells, err := originsql.ReadCells(found)
	if err != nil {
		return nil, err
	}
	return originsql.NewRows(cells), nil
}

// keepForLater keeps a lazy write for later.
func (r *Copy) keepForLater(ctx context.Context, s d1rest.Statement) error {
	r.waiting = append(r.waiting, s)
	r.waitingBytes += len(s.SQL) + tables.Size(s.Args)
	if len(r.waiting) < batchStatements && r.waitingBytes < batchBytes {
		return nil
	}
	return r.flushWaiting(ctx)
}

// flushWaiting sends the waiting statements. If D1 refuses one, it is lost and the
// command fails.
func (r *Copy) flushWaiting(ctx context.Context) error {
	if len(r.waiting) == 0 {
		return nil
	}
	batch := r.waiting
	r.waiting = nil
	r.waitingBytes = 0
	_, err := r.remote.Batch(ctx, batch)
	return originsql.Wrap("write to D1", err)
}
