package originsql_test

import (
	"context"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"colophon/internal/assert"
	"colophon/internal/origin"
	"colophon/internal/originsql"
)

// withSite returns a store with one site that has proved control of its host.
func withSite(t *testing.T, id string) (context.Context, *originsql.Store) {
	t.Helper()
	ctx, s := context.Background(), open(t)
	must(t, s.PutPublisher(ctx, origin.Publisher{PublisherID: "pub_x", LegalName: "X", CreatedAt: "2026-01-01T00:00:00Z"}))
	must(t, s.PutSite(ctx, origin.Site{SiteID: id, PublisherID: "pub_x", Name: id, SiteURL: "https://" + id + ".example/", State: origin.Approved, Visibility: "public"}))
	must(t, s.PutWebsite(ctx, origin.Website{SiteID: id, Host: id + ".example", Associated: true}))
	return ctx, s
}

func TestEvidenceAndPoliciesRoundTrip(t *testing.T) {
	ctx, s := withSite(t, "a-site")
	e := fill(t, origin.Evidence{SiteID: "a-site", Since: "2026-01-02T00:00:00Z"}, "SiteID", "Since")
	later := e
	later.Since, later.Document = "2026-02-02T00:00:00Z", "{}"
	must(t, s.PutEvidence(ctx, later))
	must(t, s.PutEvidence(ctx, e))
	rows, err := s.EvidenceOf(ctx, "a-site")
	same(t, "evidence", rows, []origin.Evidence{e, later}, err)

	before, at, err := s.Changes(ctx)
	must(t, err)
	v := fill(t, origin.PolicyVersion{SiteID: "a-site", Version: 1}, "SiteID", "Version", "EffectiveUntil")
	must(t, s.AddPolicy(ctx, v))
	assert.ErrorIs(t, s.AddPolicy(ctx, v), origin.ErrConflict, "a version added twice")
	must(t, s.EndPolicy(ctx, "a-site", 1, "2026-03-01T00:00:00Z"))
	must(t, s.EndPolicy(ctx, "a-site", 1, "2026-04-01T00:00:00Z"))
	v.EffectiveUntil = "2026-03-01T00:00:00Z"
	list, err := s.Policies(ctx, "a-site")
	same(t, "policies; an end is set once", list, []origin.PolicyVersion{v}, err)
	if n, latest, _ := s.Changes(ctx); n != before || latest != at {
		t.Error("what follows from other facts counts as a change")
	}
}

func TestLookups(t *testing.T) {
	ctx, s := withSite(t, "a-site")
	for _, p := range []origin.Page{
		{EntryID: "ent_1", SiteID: "a-site", CanonicalURL: "https://a-site.example/x", State: "active", Portable: "p1", Registry: "r1"},
		{EntryID: "ent_2", SiteID: "a-site", CanonicalURL: "https://a-site.example/y", State: "active", Portable: "p1", Registry: "r2"},
		{EntryID: "ent_3", SiteID: "a-site", CanonicalURL: "https://a-site.example/z", State: "active"},
	} {
		must(t, s.PutPage(ctx, p, nil))
	}
	for _, c := range []struct {
		lookup origin.RightsLookup
		want   string
	}{
		{origin.RightsLookup{URL: "https://a-site.example/x"}, "ent_1 a-site"},
		{origin.RightsLookup{URL: "https://a-site.example/none"}, ""},
		{origin.RightsLookup{URL: "https://a-site.example/none", Host: "a-site.example"}, "a-site"},
		{origin.RightsLookup{URL: "https://a-site.example/x", Host: "other-site.example"}, "ent_1 a-site"},
		{origin.RightsLookup{URL: "https://a-site.example/none", SamePage: []string{"https://a-site.example/y", "https://a-site.example/x"}}, "ent_1 ent_2 a-site"},
		{origin.RightsLookup{URL: "https://a-site.example/y", SamePage: []string{"https://a-site.example/x"}}, "ent_2 ent_1 a-site"},
		{origin.RightsLookup{URL: "https://a-site.example/none", SamePage: []string{"https://a-site.example/nil"}, Host: "a-site.example"}, "a-site"},
		{origin.RightsLookup{URL: "https://a-site.example/x", SiteID: "a-site"}, "a-site"},
		{origin.RightsLookup{EntryID: "ent_3"}, "ent_3 a-site"},
		{origin.RightsLookup{EntryID: "ent_4"}, ""},
		{origin.RightsLookup{Fingerprint: "p1"}, "ent_1 ent_2 a-site"},
		{origin.RightsLookup{Fingerprint: "r2"}, "ent_2 a-site"},
		{origin.RightsLookup{SiteID: "a-site"}, "a-site"},
		{origin.RightsLookup{SiteID: "no-site"}, ""},
		{origin.RightsLookup{}, ""},
	} {
		l, want := c.lookup, c.want
		found, err := s.FindRights(ctx, l)
		must(t, err)
		var got []string
		for _, p := range found.Pages {
			got = append(got, p.EntryID)
		}
		for _, x := range found.Sites {
			got = append(got, x.SiteID)
			if x.Version == "" {
				t.Errorf("%+v finds %s without a version", l, x.SiteID)
			}
		}
		assert.Equal(t, strings.Join(got, " "), want, "%+v finds %q", l, got)
	}
	sitesOf := func(host string) string {
		found, err := s.FindRights(ctx, origin.RightsLookup{Host: host})
		must(t, err)
		var ids []string
		for _, x := range found.Sites {
			ids = append(ids, x.SiteID)
		}
		return strings.Join(ids, " ")
	}
	must(t, s.PutWebsite(ctx, origin.Website{SiteID: "a-site", Host: "claimed.example"}))
	for host, want := range map[string]string{"a-site.example": "a-site", "claimed.example": "", "nobody.example": ""} {
		assert.Equal(t, sitesOf(host), want, "%s belongs to", host)
	}
	site, err := s.Site(ctx, "a-site")
	must(t, err)
	suspended, private := site, site
	suspended.State = origin.Suspended
	private.Visibility = "private"
	for name, hidden := range map[string]origin.Site{"suspended": suspended, "private": private} {
		must(t, s.PutSite(ctx, hidden))
		assert.Equal(t, sitesOf("a-site.example"), "", "a %s site", name)
	}
}

// TestAuthorsOfReservations finds the reservations of a person by an address in the
// name of their author or by a name, and takes the author out of them alone.
func TestAuthorsOfReservations(t *testing.T) {
	ctx, s := withSite(t, "a-site")
	for i, r := range []origin.Reservation{
		{AuthorName: "Ada <ADA@a.example>", AuthorDisplay: "A.", PrivateNotes: "by post"}, {AuthorDisplay: " ada lovelace "}, {AuthorName: "Ada Lovelace", WithdrawnAt: "2026-02-01T00:00:00Z"},
		{AuthorName: "Ada Lovelace II", AuthorDisplay: "A.", PrivateNotes: "kept"}, {},
	} {
		r.ReservationID, r.SiteID, r.Code, r.Uses, r.Since, r.ChangedAt = "rsv_"+strconv.Itoa(i), "a-site", "c"+strconv.Itoa(i), []string{"rag"}, "2026-01-01T00:00:00Z", "2026-05-01T00:00:00Z"
		must(t, s.PutReservation(ctx, r))
	}
	for name, want := range map[string]string{"": "rsv_0", "Ada LOVELACE": "rsv_0 rsv_1 rsv_2", "Ada": "rsv_0"} {
		p, err := s.Person(ctx, "ada@A.example", name)
		must(t, err)
		var got []string
		for i := range p.Reservations {
			got = append(got, p.Reservations[i].ReservationID)
		}
		assert.Equal(t, strings.Join(got, " "), want, "%q: %q", name, got)
	}
	done, err := s.ErasePerson(ctx, "ada@a.example", "Ada Lovelace", nil, "withdrawn", "2026-04-01T00:00:00Z")
	if must(t, err); done.Reservations != 3 {
		t.Errorf("%+v", done)
	}
	all, err := s.Reservations(ctx)
	must(t, err)
	for i, r := range all {
		if anonymous := r.AuthorName+r.AuthorDisplay+r.PrivateNotes == ""; anonymous != (i != 3) || r.Code != "c"+strconv.Itoa(i) || r.ChangedAt != "2026-05-01T00:00:00Z" {
			t.Errorf("%+v", r)
		}
	}
}

// TestReservationLookups finds the reservations of public sites by their codes, one
// and many at once.
func TestReservationLookups(t *testing.T) {
	ctx, s := withSite(t, "a-site")
	site, err := s.Site(ctx, "a-site")
	must(t, err)
	other, hidden, suspended := site, site, site
	other.SiteID, hidden.SiteID, suspended.SiteID = "b-site", "c-site", "d-site"
	hidden.Visibility, suspended.State = "private", origin.Suspended
	for _, x := range []origin.Site{other, hidden, suspended} {
		must(t, s.PutSite(ctx, x))
	}
	for i, r := range []origin.Reservation{
		{SiteID: "b-site", Code: "p1"}, {SiteID: "a-site", Code: "p1"}, {SiteID: "c-site", Code: "p1"}, {SiteID: "d-site", Code: "p1"},
		{SiteID: "a-site", Code: "ISCC:X"}, {SiteID: "b-site", Code: "ISCC:X", WithdrawnAt: "2026-02-01T00:00:00Z"}, {SiteID: "a-site", Code: "p2"},
	} {
		r.ReservationID, r.Since, r.Uses = "rsv_"+strconv.Itoa(i), "2026-01-01T00:00:00Z", []string{"training"}
		must(t, s.PutReservation(ctx, r))
		got, err := s.Reservation(ctx, r.ReservationID)
		same(t, "a reservation", got, r, err)
	}
	for _, c := range []struct {
		codes string
		past  bool
		want  string
	}{
		{"p1", false, "rsv_1 rsv_0"}, {"p2", false, "rsv_6"}, {"p3", false, ""}, {"ISCC:X", false, "rsv_4"}, {"ISCC:X", true, "rsv_4 rsv_5"},
		{"p1 ISCC:X p3", false, "rsv_4 rsv_1 rsv_0"}, {"", false, ""},
	} {
		found, err := s.ReservationsByCode(ctx, strings.Fields(c.codes), c.past)
		must(t, err)
		var got []string
		for i := range found {
			got = append(got, found[i].ReservationID)
			if x := found[i].Site; x.SiteID != found[i].SiteID || x.Name != site.Name || x.State != origin.Approved || x.Visibility != "public" {
				t.Errorf("the site of %s is %+v", found[i].ReservationID, x)
			}
		}
		assert.Equal(t, strings.Join(got, " "), c.want, "%q, past %v: %q", c.codes, c.past, got)
	}
	for code, want := range map[string]bool{"p1": true, "p2": true, "p3": false} {
		if found, err := s.FindRights(ctx, origin.RightsLookup{Fingerprint: code}); err != nil || found.Reserved != want || len(found.Pages)+len(found.Sites) > 0 {
			t.Errorf("%s: %+v, %v", code, found, err)
		}
	}
}

// TestBatchLookups checks that a batch finds the same as single lookups of its
// keys.
func TestBatchLookups(t *testing.T) {
	ctx, s := withSite(t, "a-site")
	for _, p := range []origin.Page{
		{EntryID: "ent_1", SiteID: "a-site", CanonicalURL: "https://a-site.example/x", State: "active", Portable: "p1", Registry: "r1"},
		{EntryID: "ent_2", SiteID: "a-site", CanonicalURL: "https://a-site.example/y", State: "active", Portable: "p1", Registry: "r2"},
		{EntryID: "ent_3", SiteID: "a-site", CanonicalURL: "https://a-site.example/z", State: "active"},
	} {
		must(t, s.PutPage(ctx, p, nil))
	}
	must(t, s.PutWebsite(ctx, origin.Website{SiteID: "a-site", Host: "claimed.example"}))
	for id, state := range map[string]origin.SiteState{"closed": "closed", "hidden": origin.Approved} {
		visibility := map[string]string{"closed": "public", "hidden": "hidden"}[id]
		must(t, s.PutSite(ctx, origin.Site{SiteID: id, PublisherID: "pub_x", Name: id, SiteURL: "https://" + id + ".example/", State: state, Visibility: visibility, CreatedAt: "t", ChangedAt: "t"}))
		must(t, s.PutWebsite(ctx, origin.Website{SiteID: id, Host: id + ".example", Associated: true}))
	}
	must(t, s.PutPreference(ctx, origin.Preference{SiteID: "a-site", Use: "rag", Inquiry: "welcome", Declared: "allow", Conditions: []string{"attribution"}, Source: "publisher"}))

	for _, c := range []struct {
		keys        origin.RightsKeys
		pages, host string
	}{
		{origin.RightsKeys{URLs: []string{"https://a-site.example/x", "https://a-site.example/none", "https://a-site.example/z"}}, "ent_1 ent_3", ""},
		{origin.RightsKeys{URLs: []string{"https://a-site.example/y"}, EntryIDs: []string{"ent_1", "ent_2", "ent_4"}}, "ent_1 ent_2", ""},
		{origin.RightsKeys{Fingerprints: []string{"p1", "r2", ""}}, "ent_1 ent_2", ""},
		{origin.RightsKeys{Hosts: []string{"a-site.example", "claimed.example", "nobody.example", "closed.example", "hidden.example"}}, "", "a-site.example a-site"},
		{origin.RightsKeys{}, "", ""},
	} {
		found, err := s.RightsPages(ctx, c.keys)
		must(t, err)
		var pages, hosts []string
		for _, p := range found.Pages {
			pages = append(pages, p.EntryID)
		}
		for _, h := range found.Hosts {
			hosts = append(hosts, h.Host+" "+h.SiteID)
		}
		slices.Sort(pages)
		if strings.Join(pages, " ") != c.pages || strings.Join(hosts, " ") != c.host {
			t.Errorf("%+v finds %q and %q", c.keys, pages, hosts)
		}
	}

	single, err := s.FindRights(ctx, origin.RightsLookup{SiteID: "a-site"})
	must(t, err)
	many, err := s.RightsOfSites(ctx, []string{"no-site", "a-site"}, "", false)
	must(t, err)
	if len(many) != 1 || len(many[0].Preferences) != 1 || many[0].Version != single.Sites[0].Version {
		t.Errorf("the rights of sites are\n%+v\nof %+v", many, single.Sites)
	}
	found, err := s.RightsPages(ctx, origin.RightsKeys{EntryIDs: []string{"ent_1", "ent_2"}, Hosts: []string{"a-site.example"}})
	must(t, err)
	if !reflect.DeepEqual(found.Versions, single.Sites) {
		t.Errorf("the versions of a batch are %v, want %v", found.Versions, single.Sites)
	}
	found, err = s.RightsPages(ctx, origin.RightsKeys{Hosts: []string{"a-site.example"}})
	must(t, err)
	if !reflect.DeepEqual(found.Versions, single.Sites) {
		t.Errorf("the versions of hosts are %v, want %v", found.Versions, single.Sites)
	}
	for i, site := range []string{"closed", "a-site", "closed"} { // whose versions come once, in the order of sites
		must(t, s.PutPage(ctx, origin.Page{EntryID: "ent_more" + strconv.Itoa(i), SiteID: site, CanonicalURL: "https://" + site + ".example/" + strconv.Itoa(i), State: "active"}, nil))
	}
	found, err = s.RightsPages(ctx, origin.RightsKeys{EntryIDs: []string{"ent_more0", "ent_more1", "ent_more2"}})
	must(t, err)
	if v := found.Versions; len(v) != 2 || v[0] != single.Sites[0] || v[1].SiteID != "closed" || len(found.Pages) != 3 {
		t.Errorf("the versions of pages are %v", found.Versions)
	}
}

// TestRightsFactsOfThePast checks that facts which ended before the instant of
// a question are read only for questions about the past. The exception is the
// first policy, which says since when there is one.
func TestRightsFactsOfThePast(t *testing.T) {
	ctx, s := withSite(t, "a-site")
	const first, second, third, now = "2026-01-01T00:00:00Z", "2026-02-01T00:00:00Z", "2026-03-01T00:00:00Z", "2026-04-01T00:00:00Z"
	for _, e := range []origin.Evidence{
		{SiteID: "a-site", Channel: "robots", URL: "https://a-site.example/robots.txt", Since: first, State: "absent", LookedAt: first, ReplacedAt: second},
		{SiteID: "a-site", Channel: "robots", URL: "https://a-site.example/robots.txt", Since: second, State: "absent", LookedAt: second},
	} {
		must(t, s.PutEvidence(ctx, e))
	}
	for i, v := range []origin.PolicyVersion{
		{SiteID: "a-site", Version: 1, EffectiveFrom: first, EffectiveUntil: second},
		{SiteID: "a-site", Version: 2, EffectiveFrom: second, EffectiveUntil: third},
		{SiteID: "a-site", Version: 3, EffectiveFrom: third},
	} {
		v.Digest = "sha-256:" + strings.Repeat(string(rune('a'+i)), 64)
		must(t, s.AddPolicy(ctx, v))
	}

	for _, c := range []struct {
		at       string
		past     bool
		evidence []string
		policies []int64
	}{
		{now, false, []string{second}, []int64{1, 3}},
		{now, true, []string{first, second}, []int64{1, 2, 3}},
		{first, false, []string{first, second}, []int64{1, 2, 3}},
		{second, false, []string{second}, []int64{1, 2, 3}},
		{third, false, []string{second}, []int64{1, 3}},
	} {
		found, err := s.RightsOfSites(ctx, []string{"a-site"}, c.at, c.past)
		must(t, err)
		var evidence []string
		var policies []int64
		for _, e := range found[0].Evidence {
			evidence = append(evidence, e.Since)
		}
		for _, v := range found[0].Policies {
			policies = append(policies, v.Version)
		}
		if !slices.Equal(evidence, c.evidence) || !slices.Equal(policies, c.policies) {
			t.Errorf("at %s, past %v: evidence since %v and policies %v, want %v and %v", c.at, c.past, evidence, policies, c.evidence, c.policies)
		}
	}
}
