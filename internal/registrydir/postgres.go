package registrydir

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
	"colophon/internal/usage"
)

// d1Prefix begins a value of --origin that names a D1 database.
const d1Prefix = "d1:"

// ChooseOrigin determines where the origin is: as --origin says, else as the
// setting "origin" says, else in the folder.
func (d *Dir) ChooseOrigin() error {
	if d.Origin == "" {
		configured, err := d.configuredOrigin()
		if err != nil {
			return err
		}
		d.Origin = configured
	}
	if name, ok := strings.CutPrefix(d.Origin, d1Prefix); ok {
		d.D1 = name
		d.Origin = ""
	}
	if d.Origin != "" && !postgres.IsAddress(d.Origin) {
		return usage.Errorf("--origin is neither postgres://… nor d1:…; without it the origin is in --dir")
	}
	return nil
}

// configuredOrigin returns the setting "origin", "" without it or without a
// file of settings. readSettings reads the others.
func (d *Dir) configuredOrigin() (string, error) {
	data, err := os.ReadFile(d.File(SettingsFile))
	if err != nil {
		return "", nil // who needs the settings says so
	}
	var s struct {
		Origin string `toml:"origin"`
	}
	if err := toml.Unmarshal(data, &s); err != nil {
		return "", nil
	}
	if HasPassword(s.Origin) {
		return "", fmt.Errorf("%s holds a password in \"origin\": keep it in $PGPASSFILE or $COLOPHON_ORIGIN", d.File(SettingsFile))
	}
	return s.Origin, nil
}

func HasPassword(address string) bool {
	u, err := url.Parse(address)
	if err != nil {
		return true // unknown
	}
	_, has := u.User.Password()
	return has || u.Query().Has("password")
}

// IsRemote reports whether the origin is not the file in the folder.
func (d *Dir) IsRemote() bool { return d.D1 != "" || d.Origin != "" }

// OriginName returns the origin's name, for people.
func (d *Dir) OriginName() string {
	switch {
	case d.D1 != "":
		return "the origin in D1"
	case d.Origin != "":
		return "the origin in Postgres"
	}
	return fmt.Sprintf("the origin store in %q", d.Path)
}

// openPostgres opens the origin in Postgres and updates its schema.
func (d *Dir) openPostgres(ctx context.Context) (*originsql.Store, func(), error) {
	db, err := d.connectPostgres(ctx)
	if err != nil {
		return nil, nil, err
	}
	return db.Store(), db.Close, nil
}

func (d *Dir) connectPostgres(ctx context.Context) (*postgres.Database, error) {
	db, err := postgres.Open(ctx, d.Origin)
	if err != nil {
		return nil, usage.Wrap(err)
	}
	if err := db.Migrate(ctx); err != nil {
		db.Close()
		return nil, fmt.Errorf("the origin in Postgres: %w", err)
	}
	return db, nil
}

// openServingPostgres opens the origin in Postgres for a server. While it does
// not answer, requests that need the origin are answered with 503.
func (d *Dir) openServingPostgres(ctx context.Context) (*originsql.Store, func(), error) {
	store, done, err := d.openPostgres(ctx)
	if err == nil || !errors.Is(err, origin.ErrUnavailable) {
		return store, done, err
	}
	d.warn("%v; serving published files only, what needs the origin answers 503", err)
	db, err := postgres.Open(ctx, d.Origin)
	if err != nil {
		return nil, nil, usage.Wrap(err)
	}
	return db.Store(), db.Close, nil
}
