package originsql

import "context"

// keptBuilds is how many builds the origin remembers. One that is older than
// all of them builds anew.
const keptBuilds = 64

// Sequence returns the number of the last write that a build would show.
func (s *Store) Sequence(ctx context.Context) (int64, error) {
	return queryOne(ctx, s.db, "read the change sequence", scanInt, "SELECT value FROM meta WHERE name = 'sequence'")
}

// PagesChanged lists pages written after a number.
func (s *Store) PagesChanged(ctx context.Context, since int64, after string, limit int) ([]string, error) {
	const query = "SELECT entry_id FROM page_changes WHERE sequence > ?1 AND entry_id > ?2 ORDER BY entry_id LIMIT ?3"
	return queryAll(ctx, s.db, "list changed pages", scanText, query, since, after, int64(limit))
}

// PutBuild notes a build, once, and forgets those long before it.
func (s *Store) PutBuild(ctx context.Context, token string, sequence int64) error {
	if err := s.exec(ctx, "note a build", "INSERT INTO builds (token, sequence) VALUES (?1, ?2) ON CONFLICT (token) DO NOTHING", token, sequence); err != nil {
		return err
	}
	const forget = `DELETE FROM builds WHERE sequence < (SELECT min(sequence) FROM
		(SELECT sequence FROM builds ORDER BY sequence DESC LIMIT ?1) AS newest)`
	return s.exec(ctx, "forget old builds", forget, int64(keptBuilds))
}

// BuildSequence returns the number that a build noted, or origin.ErrNotFound.
func (s *Store) BuildSequence(ctx context.Context, token string) (int64, error) {
	return queryOne(ctx, s.db, "read a build", scanInt, "SELECT sequence FROM builds WHERE token = ?1", token)
}
