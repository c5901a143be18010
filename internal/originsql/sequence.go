package originsql

import (
	"context"

	"colophon/internal/origin"
)

// keptBuilds is how many builds the origin remembers. A build older than all of
// them is followed by a full one.
const keptBuilds = 64

// Sequence returns the number of the last write that a build would show.
func (s *Store) Sequence(ctx context.Context) (int64, error) {
	return queryOne(ctx, s, scanInt, read("read the change sequence", "SELECT value FROM meta WHERE name = 'sequence'"))
}

// PagesChanged lists changes of pages by number, and reads only the part of the
// index that it returns.
func (s *Store) PagesChanged(ctx context.Context, after origin.PageChange, limit int) ([]origin.PageChange, error) {
	const query = "SELECT sequence, entry_id FROM page_changes WHERE (sequence, entry_id) > (?1, ?2) ORDER BY sequence, entry_id LIMIT ?3"
	return queryAll(ctx, s, scanPageChange, read("list changed pages", query, after.Sequence, after.EntryID, int64(limit)))
}

var scanPageChange = into(func(c *origin.PageChange) []any { return []any{&c.Sequence, &c.EntryID} })

// PutBuild records a build, once, and forgets those long before it.
func (s *Store) PutBuild(ctx context.Context, token string, sequence int64) error {
	if err := s.exec(ctx, write("note a build", "INSERT INTO builds (token, sequence) VALUES (?1, ?2) ON CONFLICT (token) DO NOTHING", token, sequence)); err != nil {
		return err
	}
	const forget = `DELETE FROM builds WHERE sequence < (SELECT min(sequence) FROM
		(SELECT sequence FROM builds ORDER BY sequence DESC LIMIT ?1) AS newest)`
	return s.exec(ctx, write("forget old builds", forget, int64(keptBuilds)))
}

// BuildSequence returns the number that a build recorded, or
// origin.ErrNotFound.
func (s *Store) BuildSequence(ctx context.Context, token string) (int64, error) {
	return queryOne(ctx, s, scanInt, read("read a build", "SELECT sequence FROM builds WHERE token = ?1", token))
}
