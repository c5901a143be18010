package schematest

import (
	"context"
	"database/sql"

	"colophon/internal/origin"
)

// RawBody reads the body of a page from a store in SQLite. It returns
// sql.ErrNoRows if there is none.
func RawBody(ctx context.Context, db *sql.DB, entryID string) (origin.Body, error) {
	b := origin.Body{EntryID: entryID}
	row := db.QueryRowContext(ctx, "SELECT text, markdown, html, sha256, changed_at FROM bodies WHERE entry_id = ?1", entryID)
	err := row.Scan(&b.Text, &b.Markdown, &b.HTML, &b.SHA256, &b.ChangedAt)
	return b, err
}
