package lookup_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"colophon/exports"
	"colophon/internal/catalog"
	"colophon/internal/catalog/catalogtest"
	"colophon/internal/demo/corpus"
	"colophon/internal/indexbuild"
	"colophon/internal/iscc"
	"colophon/internal/lookup"
	"colophon/internal/withdrawn"
)

// reservation returns a reservation of a site.
func reservation(n int, siteID, code string, uses ...string) exports.Reservation {
	return exports.Reservation{
		ReservationID: fmt.Sprintf("rsv_%026d", n), SiteID: siteID, Publisher: "Publisher \"" + siteID + "\"\n", Author: "An author", Code: code,
		Uses: uses, Note: "a note with " + strings.Repeat("f", 64), Since: "2026-11-01T00:00:00Z", Source: "https://a.example/file",
	}
}

// TestReservations finds reservations by the code of their content, beside
// entries or alone, and by nothing else.
func TestReservations(t *testing.T) {
	ctx := context.Background()
	r := rand.New(rand.NewPCG(5, 6))
	text, far := randomCode(r), randomCode(r)
	near := text
	near[0] ^= 0xff // 8 of 64 minima differ
	few, many, free := strings.Repeat("1a", 32), strings.Repeat("2b", 32), strings.Repeat("3c", 32)
	const picture = "ISCC:EED4GQZQTY6J5DTHQ2DWCPDZHQOM6QZQTY6J5DTFZ2DWCPDZHQOMXDI"
	list := []exports.Reservation{
		reservation(1, "one", few, "training"), reservation(2, "one", many, "rag"), reservation(3, "one", picture, "datasets"),
		reservation(4, "one", text.String(), "training"), reservation(5, "two", text.String(), "rag", "training"), reservation(6, "two", few, "research"),
	}
	list[5].Author, list[5].Note, list[5].Source = "", "", ""
	entry := func(n int, digest string, code iscc.Code) indexbuild.Entry {
		e := indexbuild.Entry{LedgerIndex: -1, Withdrawn: true}
		e.EntryID, e.SiteID, e.URL = entryNumber(n), "three", fmt.Sprintf("https://a.example/%d", n)
		e.RightsVector, e.Digest, e.ISCC = "SSSSSSSS", digest, code.String()
		return e
	}
	published := catalogtest.Files{}
	catalogtest.Build(t, published, corpus.Source{
		Release: exports.Release{Name: "r", GeneratedAt: "2026-11-23T00:00:00Z"}, Source: indexbuild.Source{Reservations: list},
		Entries: func(yield func(indexbuild.Entry, error) bool) {
			yield(entry(0, few, near), nil)
			for i := range lookup.MaxReferences + 1 {
				yield(entry(1+i, many, far), nil)
			}
		},
	})
	c := catalog.New(published, time.Now)

	for _, x := range []struct {
		query   lookup.Query
		entries int
		want    []exports.Reservation
	}{
		{lookup.Query{Fingerprint: few}, 1, []exports.Reservation{list[0], list[5]}},
		{lookup.Query{Fingerprint: strings.ToUpper(many)}, lookup.MaxReferences + 1, list[1:2]},
		{lookup.Query{Fingerprint: free}, 0, nil},
		{lookup.Query{Fingerprint: strings.Repeat("f", 64)}, 0, nil}, // stands in notes
		{lookup.Query{ISCC: strings.ToLower(picture)}, 0, list[2:3]},
		{lookup.Query{ISCC: text.String()}, 0, list[3:5]},
		{lookup.Query{ISCC: near.String()}, 0, nil},
		{lookup.Query{EntryID: entryNumber(0)}, 1, nil},
		{lookup.Query{URL: "https://a.example/0"}, 1, nil},
	} {
		found, err := c.Find(ctx, x.query)
		if err != nil {
			t.Errorf("%+v: %v", x.query, err)
			continue
		}
		if len(found.Candidates) != x.entries || len(found.Reservations)+len(x.want) > 0 && !reflect.DeepEqual(found.Reservations, x.want) {
			t.Errorf("%+v: %d entries, %+v, want %d, %+v", x.query, len(found.Candidates), found.Reservations, x.entries, x.want)
		}
	}
	for _, query := range []lookup.Query{{ISCC: "ISCC:HELLO"}, {ISCC: picture, Fingerprint: few}} {
		if _, err := c.Find(ctx, query); err == nil {
			t.Errorf("%+v is taken", query)
		}
	}

	alone, err := c.Resolve(ctx, lookup.Query{ISCC: picture})
	if err != nil || alone.Basis != exports.BasisContent || len(alone.Reservations) != 1 {
		t.Errorf("%+v, %v", alone, err)
	}
	beside, err := c.Resolve(ctx, lookup.Query{Fingerprint: few})
	if err != nil || beside.Basis != exports.BasisPortable || len(beside.Reservations) != 2 {
		t.Errorf("%+v, %v", beside, err)
	}

	similar, err := c.Similar(ctx, near, 700)
	if err != nil || len(similar.Candidates) != 1 || len(similar.Reservations) != 2 || similar.Reservations[0].Equal == exports.CodeMinima {
		t.Errorf("%+v, %v", similar, err)
	}
	same, err := c.Similar(ctx, text, 1000)
	if err != nil || len(same.Candidates) != 0 || len(same.Reservations) != 2 || same.Reservations[1].Equal != exports.CodeMinima || same.Reservations[1].Reservation.SiteID != "two" {
		t.Errorf("%+v, %v", same, err)
	}

	published[withdrawn.Key] = []byte(`{"entries":[],"erased":[],"owners":["` + list[0].ReservationID + `","two"]}`)
	for _, query := range []lookup.Query{{Fingerprint: few}, {ISCC: text.String()}} {
		found, err := c.Find(ctx, query)
		if err != nil || len(found.Reservations) > 1 || len(found.Reservations) == 1 && found.Reservations[0].ReservationID != list[3].ReservationID {
			t.Errorf("after the withdrawal %+v: %+v, %v", query, found.Reservations, err)
		}
	}
	if similar, err := c.Similar(ctx, near, 700); err != nil || len(similar.Reservations) != 1 || similar.Reservations[0].Reservation.SiteID != "one" {
		t.Errorf("after the withdrawal: %+v, %v", similar, err)
	}
}

// TestManyReservations finds each of 10,000 reservations of one publisher.
func TestManyReservations(t *testing.T) {
	ctx := context.Background()
	r := rand.New(rand.NewPCG(9, 10))
	var list []exports.Reservation
	for i := range 10_000 {
		code := fmt.Sprintf("%064x", uint64(i)*0x9e3779b97f4a7c15)
		if i%2 == 1 {
			code = randomCode(r).String()
		}
		list = append(list, reservation(i, "one", code, "training"))
	}
	published := catalogtest.Files{}
	catalogtest.Build(t, published, corpus.Source{Release: exports.Release{Name: "r", GeneratedAt: "2026-11-23T00:00:00Z"}, Source: indexbuild.Source{Reservations: list}})
	c := catalog.New(published, time.Now)
	for i := 0; i < len(list); i += 97 {
		query := lookup.Query{Fingerprint: list[i].Code}
		if exports.CodeKind(list[i].Code) == exports.CodeISCC {
			query = lookup.Query{ISCC: list[i].Code}
		}
		if found, err := c.Find(ctx, query); err != nil || !reflect.DeepEqual(found.Reservations, list[i:i+1]) {
			t.Errorf("%+v: %+v, %v", query, found, err)
		}
	}
	code, _ := iscc.Parse(list[4321].Code)
	if similar, err := c.Similar(ctx, code, 800); err != nil || len(similar.Reservations) != 1 || similar.Reservations[0].Reservation.ReservationID != list[4321].ReservationID {
		t.Errorf("%+v, %v", similar, err)
	}
}
