// Package dirtest makes registries for tests.
package dirtest

import (
	"os"
	"path/filepath"
	"testing"

	"colophon/internal/origin"
	"colophon/internal/originsql"
	"colophon/internal/registrydir"
)

// SiteID is the publisher of a new registry.
const SiteID = "harbor-ledger"

// New returns the folder of a new registry with its keys, one approved publisher
// and a build.
func New(t testing.TB, baseURL string) *registrydir.Dir {
	t.Helper()
	d := &registrydir.Dir{Path: filepath.Join(t.TempDir(), "reg"), Getenv: func(string) string { return "" }}
	must(t, os.Mkdir(d.Path, registrydir.PrivateFolder))
	s := registrydir.Settings{Name: "Colophon", BaseURL: baseURL, Contact: "desk@registry.example", Out: "dist"}
	must(t, d.CreateOrigin(t.Context(), &s))
	_, err := d.FirstKeys()
	must(t, err)
	must(t, d.WriteSettings(s))
	must(t, d.WithStore(t.Context(), func(store *originsql.Store) error {
		const at = "2026-11-20T09:00:00Z"
		if err := store.PutPublisher(t.Context(), origin.Publisher{PublisherID: "pub_" + SiteID, LegalName: "Harbor Ledger B.V.", CreatedAt: at}); err != nil {
			return err
		}
		return store.PutSite(t.Context(), origin.Site{
			SiteID: SiteID, PublisherID: "pub_" + SiteID, Name: "Harbor Ledger", SiteURL: "https://harbor-ledger.example/", State: origin.Approved,
			Visibility: "public", DomainControl: "none", AcceptsInquiries: true, CreatedAt: at, ApprovedAt: at, ChangedAt: at,
		})
	}))
	Build(t, d)
	return d
}

// Build publishes a registry in its own folder.
func Build(t testing.TB, d *registrydir.Dir) {
	t.Helper()
	s, err := d.ReadSettings()
	must(t, err)
	opt, err := d.BuildOptions(s, nil)
	must(t, err)
	_, err = d.Build(t.Context(), d.OutFolder(s, ""), opt)
	must(t, err)
}

// Copy returns a copy of a registry.
func Copy(t testing.TB, d *registrydir.Dir) *registrydir.Dir {
	t.Helper()
	copied := *d
	copied.Path = filepath.Join(t.TempDir(), "copy")
	must(t, registrydir.CopyTree(d.Path, copied.Path))
	return &copied
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
