package originsql

import (
	"context"
	"errors"
	"strings"
)

// UnfinishedCopy is listed among the migrations of a D1 database while a copy
// into it is under way, so that no program mistakes its content for a store.
const UnfinishedCopy = "~copy-unfinished"

// ErrUnfinishedCopy is returned for a database with that mark.
var ErrUnfinishedCopy = errors.New("a copy into it did not finish; run \"colophon origin copy\" again")

// CheckMigrations returns an error unless a D1 database has the schema of this
// program, according to the table in which wrangler records applied migrations.
func (s *Store) CheckMigrations(ctx context.Context) error {
	const advice = "; run \"wrangler d1 migrations apply\""
	names, err := migrationNames()
	if err != nil {
		return err
	}
	have, err := queryAll(ctx, s, scanText, read("read the migrations", "SELECT name FROM d1_migrations ORDER BY name"))
	switch {
	case err != nil && strings.Contains(err.Error(), "no such table"):
		return errors.New("it has no schema" + advice)
	case err != nil:
		return err
	case len(have) > 0 && have[len(have)-1] == UnfinishedCopy:
		return ErrUnfinishedCopy
	case len(have) > len(names):
		return errors.New("its schema " + have[len(have)-1] + " is newer than this program's")
	}
	for i, name := range names {
		if i >= len(have) || have[i] != name {
			return errors.New("its schema lacks " + name + advice)
		}
	}
	return nil
}
