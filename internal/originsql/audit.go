package originsql

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"colophon/exports"
	"colophon/internal/origin"
	"colophon/internal/wire"
)

// ErrNotRecorded is returned if a change was made but its audit record was not
// written.
var ErrNotRecorded = errors.New("the change was made, but could not be recorded in the audit trail")

// NotRecorded wraps err in ErrNotRecorded, unless it already is one.
func NotRecorded(err error) error {
	if errors.Is(err, ErrNotRecorded) {
		return err
	}
	return errors.Join(ErrNotRecorded, err)
}

// withheld are the columns whose values are secret or personal. The audit
// trail, which is never erased, records only that they changed.
var withheld = []string{
	"secret", "hash", "lookup", "last4", "url", "private_notes", "contact_name", "contact_email", "label", "agreement", "body", "held_for", "state_reason",
	"buyer_name", "buyer_email", "author_name", "author_display", "saved_search", "document", "diff",
}

// changedValue replaces a value that is withheld.
const changedValue = "(withheld)"

// putRow adds or replaces a row. Within an act it records what differs.
func (s *Store) putRow(ctx context.Context, what string, r row) error {
	act := origin.ActOf(ctx)
	if act == nil {
		return s.upsert(ctx, what, r)
	}

	before, err := s.readCells(ctx, r)
	if err != nil {
		return err
	}
	if err := s.upsert(ctx, what, r); err != nil {
		return err
	}
	after, err := s.readCells(ctx, r)
	if err != nil {
		return NotRecorded(err)
	}

	was, is, differ := diffCells(r.table, before, after)
	if !differ {
		return nil
	}
	return s.recordAct(ctx, act, r.name, targetID(r.cells[:r.keys]), was, is)
}

// recordChange records, within an act, what a statement other than putRow
// changed. before and after are alternating names and values, empty if the row
// did not exist or no longer does.
func (s *Store) recordChange(ctx context.Context, kind, targetID string, before, after []string) error {
	act := origin.ActOf(ctx)
	if act == nil {
		return nil
	}
	return s.recordAct(ctx, act, kind, targetID, appendPairs(before), appendPairs(after))
}

// recordIf is recordChange for a conditional statement that reports whether it
// changed anything.
func (s *Store) recordIf(ctx context.Context, changed bool, err error, kind, targetID string, before, after []string) (bool, error) {
	if err != nil || !changed {
		return changed, err
	}
	return true, s.recordChange(ctx, kind, targetID, before, after)
}

func appendPairs(pairs []string) string {
	if len(pairs) == 0 {
		return ""
	}
	c := &columns{}
	for pair := range slices.Chunk(pairs, 2) {
		c.names = append(c.names, pair[0])
		c.values = append(c.values, pair[1])
	}
	return string(wire.Append(nil, c))
}

// RecordAct records an act as a whole: one that changed nothing in the store
// by itself, or too much to list.
func (s *Store) RecordAct(ctx context.Context, act *origin.Act, target string) error {
	return s.recordAct(ctx, act, "", target, "", "")
}

func (s *Store) recordAct(ctx context.Context, act *origin.Act, kind, target, before, after string) error {
	query := "INSERT INTO audit_log (" + auditTable.columnList() + ") SELECT coalesce(max(seq), 0) + 1, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9 FROM audit_log"
	err := s.exec(ctx, write("write the audit trail", query, exports.Instant(time.Now()), act.ActID, act.Actor, act.Role, act.Action, kind, target, before, after).locking(Lock{Key: "audit_log"}))
	if err != nil {
		return NotRecorded(err)
	}
	act.Recorded.Add(1)
	return nil
}

// AuditRecords lists the audit trail, newest first.
func (s *Store) AuditRecords(ctx context.Context, f origin.AuditFilter) ([]origin.AuditRecord, error) {
	rest := `WHERE (?1 = '' OR actor = ?1) AND (?2 = '' OR action = ?2 OR substr(action, 1, length(?2) + 1) = ?2 || ' ') AND (?3 = '' OR kind = ?3)
		AND (?4 = '' OR target_id = ?4) AND at >= ?5 AND (?6 = '' OR at < ?6) AND (?7 = 0 OR seq < ?7) ORDER BY seq DESC LIMIT ?8`
	return auditTable.list(ctx, s, "read the audit trail", rest,
		f.Actor, f.Action, f.Kind, f.TargetID, f.Since, f.Until, f.Before, int64(f.Limit))
}

var auditTable = recordsOf("audit_log", 1, func(a *origin.AuditRecord) []column {
	return []column{
		{"seq", &a.Seq}, {"at", &a.At}, {"act_id", &a.ActID}, {"actor", &a.Actor}, {"role", &a.Role}, {"action", &a.Action}, {"kind", &a.Kind},
		{"target_id", &a.TargetID}, {"before", &a.Before}, {"after", &a.After},
	}
})

// targetID returns a key as text, its parts separated by "/".
func targetID(key []any) string {
	var parts []string
	for _, k := range key {
		switch k := k.(type) {
		case string:
			parts = append(parts, k)
		case int64:
			parts = append(parts, strconv.FormatInt(k, 10))
		}
	}
	return strings.Join(parts, "/")
}

// cell is a column of any type, as text.
type cell struct{ text string }

// Scan reads the column.
func (c *cell) Scan(src any) error {
	switch v := src.(type) {
	case int64:
		c.text = strconv.FormatInt(v, 10)
	case float64:
		c.text = strconv.FormatInt(int64(v), 10) // D1 gives all numbers so; the store keeps integers only
	default:
		c.text = textOf(src)
	}
	return nil
}

// readCells reads the row with the key of r, or nil if there is none.
func (s *Store) readCells(ctx context.Context, r row) ([]cell, error) {
	var conds []string
	for i, name := range r.cols[:r.keys] {
		conds = append(conds, name+" = ?"+strconv.Itoa(i+1))
	}
	scan := func(found scanner) ([]cell, error) {
		cells := make([]cell, len(r.cols))
		dest := make([]any, len(cells))
		for i := range cells {
			dest[i] = &cells[i]
		}
		err := found.Scan(dest...)
		return cells, err
	}
	rows, err := queryAll(ctx, s, scan, read("read what is to change", r.selectWhere("WHERE "+strings.Join(conds, " AND ")), r.cells[:r.keys]...))
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	return rows[0], nil
}

// diffCells returns the columns that differ between two states of a row, as two
// JSON objects; a missing row gives "". differ is false if no column differs.
func diffCells(t table, before, after []cell) (was, is string, differ bool) {
	var names, old, fresh []string
	for i, name := range t.cols {
		b, a := cellAt(before, i), cellAt(after, i)
		if b == a || i < t.keys || name == "changed_at" {
			continue
		}
		if slices.Contains(withheld, name) {
			b, a = withholdSecret(b), withholdSecret(a)
		}
		names = append(names, name)
		old = append(old, b)
		fresh = append(fresh, a)
	}
	if before != nil {
		was = string(wire.Append(nil, &columns{names, old}))
	}
	if after != nil {
		is = string(wire.Append(nil, &columns{names, fresh}))
	}
	return was, is, len(names) > 0
}

func cellAt(cells []cell, i int) string {
	if cells == nil {
		return ""
	}
	return cells[i].text
}

func withholdSecret(value string) string {
	if value == "" {
		return ""
	}
	return changedValue
}

// columns is a JSON object of texts.
type columns struct{ names, values []string }

func (c *columns) Members(m *wire.Members) {
	for i := range c.names {
		m.String(c.names[i], &c.values[i])
	}
}
