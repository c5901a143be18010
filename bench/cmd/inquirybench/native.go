package main

import (
	"context"
	"crypto/rand"
	"database/sql"
	"io/fs"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"time"

	_ "modernc.org/sqlite" // the store that is measured

	"colophon/exports"
	"colophon/internal/credential"
	"colophon/internal/limiter"
	"colophon/internal/origin"
	"colophon/internal/originsql"
	"colophon/internal/originsql/local"
	"colophon/worker"
	"colophon/worker/edgehttp"
	"colophon/worker/limit"
)

// nothing is a folder without published files: partner requests do not read
// any.
type nothing struct{}

func (nothing) Read(context.Context, string) ([]byte, error) { return nil, fs.ErrNotExist }

// connections is the number of connections to the store, as in "colophon
// serve".
const connections = 8

// serveNatively serves a fresh store on loopback, with quotas that are counted
// but never reached.
func serveNatively(o *options) (stop func(), err error) {
	dir, err := os.MkdirTemp("", "inquirybench-*")
	if err != nil {
		return nil, err
	}
	db, err := sql.Open("sqlite", local.Address(filepath.Join(dir, "origin.db")))
	if err != nil {
		return nil, err
	}
	db.SetMaxIdleConns(connections)
	clean := func() {
		db.Close()
		os.RemoveAll(dir) //nolint:errcheck // a temporary folder
	}
	store := originsql.New(db)
	if err := prepare(context.Background(), db, store, o); err != nil {
		clean()
		return nil, err
	}
	limits := limit.DefaultPolicies()
	for i := range limits {
		for j := range limits[i].Quotas {
			limits[i].Quotas[j].Calls = 1 << 40
		}
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		clean()
		return nil, err
	}
	o.url = "http://" + listener.Addr().String()
	deps := worker.Deps{
		BaseURL: o.url, Assets: nothing{}, Now: time.Now, Rand: rand.Reader, Secret: make([]byte, 32),
		Limits: limit.Limits{Policies: limits, Limiter: limiter.New(limits, 1000, time.Now)}, Origin: store,
	}
	server := &http.Server{Handler: edgehttp.New(worker.New(deps), edgehttp.Options{}), ReadHeaderTimeout: 10 * time.Second}
	go server.Serve(listener) //nolint:errcheck // closed below
	return func() {
		server.Close()
		clean()
	}, nil
}

// prepare fills the store with one publisher, one partner and its key.
func prepare(ctx context.Context, db *sql.DB, store *originsql.Store, o *options) error {
	if err := originsql.Migrate(ctx, db); err != nil {
		return err
	}
	now := exports.Instant(time.Now())
	credential, secret, err := credential.PartnerKey.Issue(rand.Reader, "", time.Now(), 0)
	if err != nil {
		return err
	}
	o.key = secret
	if err := store.PutPublisher(ctx, origin.Publisher{PublisherID: "pub_bench", LegalName: "Bench", CreatedAt: now}); err != nil {
		return err
	}
	site := origin.Site{SiteID: o.site, PublisherID: "pub_bench", Name: "Bench", SiteURL: "https://bench.example/", State: origin.Approved, Visibility: "public", AcceptsInquiries: true, CreatedAt: now, ChangedAt: now}
	if err := store.PutSite(ctx, site); err != nil {
		return err
	}
	if err := store.PutPartner(ctx, origin.Partner{OrgID: "org_bench", Name: "Bench", State: "active", Scopes: exports.PartnerScopes, CreatedAt: now, ChangedAt: now}); err != nil {
		return err
	}
	return store.PutKey(ctx, origin.PartnerKey{KeyID: "key_bench", OrgID: "org_bench", Credential: credential, Environment: "live"})
}
