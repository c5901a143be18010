package main

import (
	"context"
	"fmt"
	"net/url"
	"regexp"
	"strings"

	"colophon/internal/originsql"
	"colophon/internal/originsql/d1rest"
)

// d1Name is ACCOUNT_ID/DATABASE_ID.
var d1Name = regexp.MustCompile(`^[0-9a-f]{32}/[0-9a-f-]{36}$`)

// openD1 opens the origin in D1, which must have the schema of this program.
func (e *env) openD1(ctx context.Context) (*originsql.Store, error) {
	address, err := d1Address(e.d1)
	if err != nil {
		return nil, err
	}
	store := originsql.Over(d1rest.New(address, e.getenv("CLOUDFLARE_API_TOKEN")))
	if err := store.CheckMigrations(ctx); err != nil {
		return nil, fmt.Errorf("the origin in D1: %w", err)
	}
	return store, nil
}

// d1Address is where the API answers for a database.
func d1Address(name string) (string, error) {
	if account, database, ok := strings.Cut(name, "/"); ok && d1Name.MatchString(name) {
		return d1rest.Address(account, database), nil
	}
	u, err := url.Parse(name)
	local := err == nil && (u.Hostname() == "127.0.0.1" || u.Hostname() == "::1" || u.Hostname() == "localhost")
	if err != nil || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" || u.Scheme != "https" && !(u.Scheme == "http" && local) {
		return "", usage("--d1 %q is neither ACCOUNT_ID/DATABASE_ID nor an https address", name)
	}
	return name, nil
}
