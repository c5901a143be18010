package registrydir

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strings"

	"colophon/internal/originsql"
	"colophon/internal/originsql/d1rest"
	"colophon/internal/usage"
)

// d1Name is ACCOUNT_ID/DATABASE_ID.
var d1Name = regexp.MustCompile(`^[0-9a-f]{32}/[0-9a-f-]{36}$`)

// openD1 opens the origin in D1, which must have the schema of this program.
func (d *Dir) openD1(ctx context.Context) (*originsql.Store, error) {
	database, err := d.d1Database(ctx)
	if err != nil {
		return nil, err
	}
	return originsql.Over(database), nil
}

// d1CopyTarget returns a database that a copy goes into. Unfinished: one broke
// off there.
func (d *Dir) d1CopyTarget(ctx context.Context, name string) (database *d1rest.Database, unfinished bool, err error) {
	address, err := d1Address(name)
	if err != nil {
		return nil, false, err
	}
	database = d1rest.New(address, d.Getenv("CLOUDFLARE_API_TOKEN"))
	err = originsql.Over(database).CheckMigrations(ctx)
	if errors.Is(err, originsql.ErrUnfinishedCopy) {
		return database, true, nil
	}
	if err != nil {
		return nil, false, fmt.Errorf("the target: %w", err)
	}
	return database, false, nil
}

// d1Database returns the D1 database that --origin names, with the schema of
// this program.
func (d *Dir) d1Database(ctx context.Context) (*d1rest.Database, error) {
	address, err := d1Address(d.D1)
	if err != nil {
		return nil, err
	}
	database := d1rest.New(address, d.Getenv("CLOUDFLARE_API_TOKEN"))
	if err := originsql.Over(database).CheckMigrations(ctx); err != nil {
		return nil, fmt.Errorf("the origin in D1: %w", err)
	}
	return database, nil
}

// d1Address returns where the API answers for a database.
func d1Address(name string) (string, error) {
	if account, database, ok := strings.Cut(name, "/"); ok && d1Name.MatchString(name) {
		return d1rest.Address(account, database), nil
	}
	u, err := url.Parse(name)
	local := err == nil && (u.Hostname() == "127.0.0.1" || u.Hostname() == "::1" || u.Hostname() == "localhost")
	if err != nil || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" || u.Scheme != "https" && !(u.Scheme == "http" && local) {
		return "", usage.Errorf("%s%q is neither ACCOUNT_ID/DATABASE_ID nor an https address", d1Prefix, name)
	}
	return name, nil
}
