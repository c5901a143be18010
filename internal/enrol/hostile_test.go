package enrol_test

import (
	"context"
	"crypto/x509"
	"database/sql"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	_ "modernc.org/sqlite"

	"colophon/internal/enrol"
	"colophon/internal/intake"
	"colophon/internal/origin"
	"colophon/internal/originsql"
	"colophon/internal/originsql/local"
)

const (
	day  = "2026-11-20T09:00:00Z"
	good = `{
  "colophon_publisher": "1",
  "name": "Site of Example",
  "preferences": [{"use": "rag", "declared": "allow", "retention": "P30D"}],
  "offers": [{"slug": "a", "title": "Answers", "uses": ["rag"],
    "payment": {"model": "subscription", "amount": "1200", "currency": "EUR"}, "obligations": {"retention": "P90D"}}]
}`
)

// hostile makes one of a thousand hostile files.
func hostile(n int) io.Reader {
	r := rand.New(rand.NewPCG(19, uint64(n)))
	replaced := func(old, new string) io.Reader { return strings.NewReader(strings.Replace(good, old, new, 1)) }
	pick := func(list ...string) string { return list[r.IntN(len(list))] }
	switch n % 10 {
	case 0: // truncated
		return strings.NewReader(good[:r.IntN(len(good)-1)])
	case 1: // 100 MB
		return io.MultiReader(strings.NewReader(`{"x":"`), io.LimitReader(zeros{}, 100<<20), strings.NewReader(`"}`))
	case 2: // deep
		return strings.NewReader(strings.Repeat(pick("[", `{"a":`), 1000+r.IntN(30000)))
	case 3: // a repeated member
		return replaced(`"name"`, fmt.Sprintf(`"name": "n%d", "name"`, n))
	case 4: // more hosts than can be named
		return replaced(`"name"`, `"hosts": ["`+pick("127.0.0.1", "localhost", "*", "[::1]", "a.example:8443", "a..example")+`"], "name"`)
	case 5: // time bombs
		return replaced(`"slug"`, `"valid_until": "`+pick("9999-12-31T23:59:59Z", "1969-12-31T23:59:59Z", "2026-02-30T00:00:00Z")+`", "slug"`)
	case 6: // text with a bidirectional override
		return replaced("Site of", "Site "+pick("\u202e", "\u2066", "\u202a")+" of")
	case 7: // absurd amounts
		return replaced(`"1200"`, `"`+pick("1e400", "-5", "0", "NaN", "99999999999", "1.23456", "+1")+`"`)
	case 8: // absurd retentions
		return replaced(pick(`"P30D"`, `"P90D"`), pick(`"P-1D"`, `"P0D"`, `"P99999999999D"`, `"none P30D"`, `"unknown"`, `30`, `-30`, `true`, `["none"]`, `{"days":30}`))
	}
	return replaced("Example", "Exa\xffmple")
}

// zeros is a body without an end.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = '0'
	}
	return len(p), nil
}

// records returns everything in a store that a file can change.
func records(t *testing.T, store *originsql.Store) []any {
	t.Helper()
	ctx := context.Background()
	sites, err := store.Sites(ctx)
	check(t, err)
	offers, err := store.OffersOf(ctx, "site-example")
	check(t, err)
	stated, err := store.Preferences(ctx, "site-example")
	check(t, err)
	hosts, err := store.Websites(ctx, "site-example")
	check(t, err)
	holders, err := store.Passports(ctx, "site-example")
	check(t, err)
	return []any{sites, offers, stated, hosts, holders}
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestThousandHostileFiles fetches each hostile file over HTTPS from the
// publisher's host. Each must be refused with a position, what was taken over
// from the good file must stay, and the memory in use must stay below 64 MB.
func TestThousandHostileFiles(t *testing.T) {
	ctx := context.Background()
	var number atomic.Int64 // number of the file that is served; 0 is the good one, -1 another good one
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/.well-known/colophon-publisher.json" {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		var body io.Reader = strings.NewReader(good)
		switch n := number.Load(); {
		case n > 0:
			body = hostile(int(n) - 1)
		case n < 0:
			body = strings.NewReader(strings.NewReplacer("P30D", "P7D", "P90D", "none").Replace(good))
		}
		io.Copy(w, body) //nolint:errcheck // the reader may leave, which is what is tested
	}))
	defer server.Close()
	roots := x509.NewCertPool()
	roots.AddCert(server.Certificate())
	p, err := intake.NewProver(intake.Options{
		Registry: "https://registry.example", AllowPrivate: true, Roots: roots, Resolver: &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) {
			return nil, net.ErrClosed
		}},
		ConnectTo: map[string]string{"www.example.com:443": server.Listener.Addr().String()}, // the name in the certificate of httptest is example.com
	})
	check(t, err)
	defer p.Close()

	db, err := sql.Open("sqlite", local.Address(filepath.Join(t.TempDir(), "origin.db")))
	check(t, err)
	defer db.Close()
	check(t, originsql.Migrate(ctx, db))
	store := originsql.New(db)
	check(t, store.PutPublisher(ctx, origin.Publisher{PublisherID: "pub_site-example", LegalName: "Site", CreatedAt: day}))
	check(t, store.PutSite(ctx, origin.Site{SiteID: "site-example", PublisherID: "pub_site-example", Name: "Site", SiteURL: "https://www.example.com/", State: origin.Pending, Visibility: "public", DomainControl: "none", CreatedAt: day, ChangedAt: day}))
	look := func() enrol.Report {
		seen, err := enrol.Look(ctx, store, p, "site-example")
		check(t, err)
		r, err := enrol.Take(ctx, store, "site-example", seen, day)
		check(t, err)
		return r
	}
	if r := look(); r.File != "read" || len(r.Offers) != 1 {
		t.Fatalf("the good file: %+v", r)
	}
	before := records(t, store)

	positioned := regexp.MustCompile(`^\d+:\d+ `)
	var most uint64
	var m runtime.MemStats
	for n := range 1000 {
		number.Store(int64(n) + 1)
		r := look()
		if r.File != "refused" || !positioned.MatchString(r.Problem) {
			t.Fatalf("file %d is %s: %q", n, r.File, r.Problem)
		}
		runtime.ReadMemStats(&m)
		most = max(most, m.HeapInuse)
	}
	if after := records(t, store); !reflect.DeepEqual(before, after) {
		t.Errorf("a hostile file changed\n%+v\nto\n%+v", before, after)
	}
	if most > 64<<20 {
		t.Errorf("%d MB were in use", most>>20)
	}
	t.Logf("at most %d MB in use", most>>20)

	number.Store(-1)
	if r := look(); r.File != "read" {
		t.Fatalf("the file with other retentions: %+v", r)
	}
	stated, err := store.Preferences(ctx, "site-example")
	check(t, err)
	offers, err := store.OffersOf(ctx, "site-example")
	check(t, err)
	if stated[0].Retention != "P7D" || offers[0].Retention != "none" {
		t.Errorf("only retentions changed: %q is stated, and %q offered", stated[0].Retention, offers[0].Retention)
	}
}
