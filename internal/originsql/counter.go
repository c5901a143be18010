package originsql

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"colophon/internal/origin"
)

var scanCounter = into(func(c *origin.Counter) []any { return []any{&c.Name, &c.Count, &c.ResetsAt} })

// Counts returns the counters that exist.
func (s *Store) Counts(ctx context.Context, names []string) ([]origin.Counter, error) {
	const query = "SELECT name, n, resets_at FROM counters WHERE name IN (SELECT value FROM json_each(?1) AS j) ORDER BY name"
	return queryAll(ctx, s, scanCounter, read("read counters", query, joinList(names)))
}

// Bump adds one to each counter. It does not wait for the disk: after a loss of
// power a caller may have a few calls more.
func (s *Store) Bump(ctx context.Context, counters []origin.Counter) ([]origin.Counter, error) {
	rows, args := []string(nil), []any(nil)
	for _, c := range sortedByName(counters) {
		rows = append(rows, "(?"+strconv.Itoa(len(args)+1)+", 1, ?"+strconv.Itoa(len(args)+2)+")")
		args = append(args, c.Name, c.ResetsAt)
	}
	query := "INSERT INTO counters (name, n, resets_at) VALUES " + strings.Join(rows, ", ") +
		" ON CONFLICT (name) DO UPDATE SET n = counters.n + 1 RETURNING name, n, resets_at"
	return queryAll(ctx, s.lazy(), scanCounter, write("count", query, args...))
}

// sortedByName returns a copy sorted by name: two calls that count the same
// names in different orders would wait for each other where rows are locked one
// by one.
func sortedByName(counters []origin.Counter) []origin.Counter {
	sorted := slices.Clone(counters)
	slices.SortFunc(sorted, func(a, b origin.Counter) int { return strings.Compare(a.Name, b.Name) })
	return sorted
}

// SpendProof marks a nonce as used.
func (s *Store) SpendProof(ctx context.Context, nonce, expires string) (bool, error) {
	const query = "INSERT INTO proofs (nonce, expires_at) VALUES (?1, ?2) ON CONFLICT (nonce) DO NOTHING RETURNING nonce"
	return s.execChanged(ctx, write("spend a proof", query, nonce, expires))
}

// Sweep removes expired counters and proofs.
func (s *Store) Sweep(ctx context.Context, now string) (int64, error) {
	n, err := s.execCount(ctx, write("sweep counters", "DELETE FROM counters WHERE resets_at <= ?1 RETURNING name", now))
	if err != nil {
		return n, err
	}
	m, err := s.execCount(ctx, write("sweep proofs", "DELETE FROM proofs WHERE expires_at <= ?1 RETURNING nonce", now))
	return n + m, err
}
