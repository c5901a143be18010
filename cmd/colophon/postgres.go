package main

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"colophon/internal/origin"
	"colophon/internal/originsql"
	"colophon/internal/originsql/postgres"
)

// d1Prefix begins a value of --origin that names a D1 database.
const d1Prefix = "d1:"

// chooseOrigin finds out where the origin is: what --origin or --d1 says, else
// the setting "origin", else the folder.
func (e *env) chooseOrigin() error {
	if e.origin == "" && e.d1 == "" {
		configured, err := e.configuredOrigin()
		if err != nil {
			return err
		}
		e.origin = configured
	}
	if e.origin != "" && e.d1 != "" {
		return usage("give --origin or --d1 ($COLOPHON_ORIGIN or $COLOPHON_D1), not both")
	}
	if name, ok := strings.CutPrefix(e.origin, d1Prefix); ok {
		e.d1 = name
		e.origin = ""
	}
	if e.origin != "" && !postgres.IsAddress(e.origin) {
		return usage("--origin is neither postgres://… nor d1:…; without it the origin is in --dir")
	}
	return nil
}

// configuredOrigin is the setting "origin", "" when there is none or no
// settings. What else they hold is for readSettings.
func (e *env) configuredOrigin() (string, error) {
	data, err := os.ReadFile(e.registryPath(settingsFile))
	if err != nil {
		return "", nil // who needs the settings says so
	}
	var s struct {
		Origin string `toml:"origin"`
	}
	if err := toml.Unmarshal(data, &s); err != nil {
		return "", nil
	}
	if hasPassword(s.Origin) {
		return "", fmt.Errorf("%s holds a password in \"origin\": keep it in $PGPASSFILE or $COLOPHON_ORIGIN", e.registryPath(settingsFile))
	}
	return s.Origin, nil
}

func hasPassword(address string) bool {
	u, err := url.Parse(address)
	if err != nil {
		return true // nobody knows
	}
	_, has := u.User.Password()
	return has || u.Query().Has("password")
}

// isRemote reports whether the origin is not the file in the folder.
func (e *env) isRemote() bool { return e.d1 != "" || e.origin != "" }

// originName names the origin, for people.
func (e *env) originName() string {
	switch {
	case e.d1 != "":
		return "the origin in D1"
	case e.origin != "":
		return "the origin in Postgres"
	}
	return fmt.Sprintf("the origin store in %q", e.dir)
}

// openPostgres opens the origin in Postgres and brings its schema up to date.
func (e *env) openPostgres(ctx context.Context) (*originsql.Store, func(), error) {
	db, err := e.connectPostgres(ctx)
	if err != nil {
		return nil, nil, err
	}
	return db.Store(), db.Close, nil
}

func (e *env) connectPostgres(ctx context.Context) (*postgres.Database, error) {
	db, err := postgres.Open(ctx, e.origin)
	if err != nil {
		return nil, usageError{err}
	}
	if err := db.Migrate(ctx); err != nil {
		db.Close()
		return nil, fmt.Errorf("the origin in Postgres: %w", err)
	}
	return db, nil
}

// openServingPostgres opens the origin in Postgres for a server. Where it does
// not answer, what needs the origin is answered with 503 until it does.
func (e *env) openServingPostgres(ctx context.Context) (*originsql.Store, func(), error) {
	store, done, err := e.openPostgres(ctx)
	if err == nil || !errors.Is(err, origin.ErrUnavailable) {
		return store, done, err
	}
	e.printWarning("%v; serving published files only, what needs the origin answers 503", err)
	db, err := postgres.Open(ctx, e.origin)
	if err != nil {
		return nil, nil, usageError{err}
	}
	return db.Store(), db.Close, nil
}
