package originsql_test

import (
	"context"
	"reflect"
	"strings"
	"testing"

	"colophon/internal/origin"
)

// idsOf returns a field of each record, and fails the test on an error.
func idsOf[T any](t *testing.T, field string) func(list []T, err error) string {
	return func(list []T, err error) string {
		t.Helper()
		must(t, err)
		var ids []string
		for _, x := range list {
			ids = append(ids, reflect.ValueOf(x).FieldByName(field).String())
		}
		return strings.Join(ids, " ")
	}
}

// TestSmallListings checks which rows the listings of small tables return, and in
// which order.
func TestSmallListings(t *testing.T) {
	ctx, s := context.Background(), licensed(t)
	must(t, s.PutPublisher(ctx, origin.Publisher{PublisherID: "q", LegalName: "Q", CreatedAt: "t", GroupName: "Group"}))
	must(t, s.PutSite(ctx, origin.Site{SiteID: "c-site", PublisherID: "q", Name: "C", SiteURL: "u", State: origin.Approved, CreatedAt: "t", ChangedAt: "t"}))
	for _, id := range []string{"org_2", "org_1"} {
		must(t, s.PutPartner(ctx, origin.Partner{OrgID: id, Name: "O", State: "active"}))
	}
	for _, k := range [][3]string{{"key_3", "org_1", "x"}, {"key_2", "org_1", "y"}, {"key_1", "org_2", "x"}} {
		must(t, s.PutKey(ctx, origin.PartnerKey{KeyID: k[0], OrgID: k[1], Credential: origin.Credential{Lookup: k[2]}}))
	}
	for _, l := range [][4]string{{"lnk_4", "a-site", "", "x"}, {"lnk_3", "c-site", "q", "y"}, {"lnk_2", "b-site", "", "x"}, {"lnk_1", "a-site", "", "z"}, {"lnk_0", "b-site", "p", "z"}} {
		must(t, s.PutLink(ctx, origin.InboxLink{LinkID: l[0], SiteID: l[1], PublisherID: l[2], Credential: origin.Credential{Lookup: l[3]}}))
	}
	for _, j := range [][5]string{{"jn_4", "a.example", "waiting", "x", "1"}, {"jn_3", "b.example", "waiting", "x", "2"}, {"jn_2", "a.example", "done", "y", "2"}, {"jn_1", "a.example", "waiting", "z", "2"}} {
		must(t, s.PutJoin(ctx, origin.Join{JoinID: j[0], Host: j[1], State: j[2], Lookup: j[3], CreatedAt: j[4]}))
	}
	for _, p := range [][2]string{{"b-site", "x.example"}, {"a-site", "y.example"}, {"a-site", "x.example"}} {
		must(t, s.PutHostProof(ctx, origin.HostProof{SiteID: p[0], Host: p[1], Method: "dns"}))
		must(t, s.PutWebsite(ctx, origin.Website{SiteID: p[0], Host: p[1]}))
	}
	for _, a := range [][3]string{{"a-site", "two", "b"}, {"a-site", "one", "b"}, {"a-site", "none", ""}, {"b-site", "three", "b"}} {
		must(t, s.PutAnswer(ctx, a[0], origin.Answer{Name: a[1], Text: a[2]}, "t"))
	}
	for _, u := range [][2]string{{"a-site", "training"}, {"b-site", "rag"}, {"a-site", "rag"}} {
		must(t, s.PutPreference(ctx, origin.Preference{SiteID: u[0], Use: u[1], Inquiry: "welcome"}))
		must(t, s.PutSignal(ctx, origin.Signal{SiteID: u[0], Signal: u[1]}))
		must(t, s.PutOffer(ctx, origin.Offer{SiteID: u[0], LicenseID: u[0] + u[1], Slug: u[0] + u[1]}))
		must(t, s.AddPassport(ctx, origin.Passport{SiteID: u[0], Version: int64(len(u[1])), PassportID: u[0] + u[1]}))
		must(t, s.PutObservation(ctx, origin.Observation{SiteID: u[0], Channel: u[1], URL: "u"}))
		must(t, s.PutEvidence(ctx, origin.Evidence{SiteID: u[0], Channel: u[1], URL: "u", Since: "1"}))
		must(t, s.AddPolicy(ctx, origin.PolicyVersion{SiteID: u[0], Version: int64(len(u[1])), EffectiveFrom: u[1], Digest: "sha-256:" + u[0] + u[1]}))
	}
	must(t, s.EndPolicy(ctx, "a-site", 3, "5"))
	must(t, s.EndPolicy(ctx, "a-site", 3, "6")) // it has ended
	keys, links, joins, proofs := idsOf[origin.PartnerKey](t, "KeyID"), idsOf[origin.InboxLink](t, "LinkID"), idsOf[origin.Join](t, "JoinID"), idsOf[origin.HostProof](t, "Host")
	for _, c := range []struct{ what, got, want string }{
		{"partners", idsOf[origin.Partner](t, "OrgID")(s.Partners(ctx)), "org_1 org_2"},
		{"buyers", idsOf[origin.Buyer](t, "BuyerID")(s.Buyers(ctx)), "byr_1"},
		{"groups", idsOf[origin.Publisher](t, "PublisherID")(s.Groups(ctx)), "q"},
		{"sites", idsOf[origin.Site](t, "SiteID")(s.Sites(ctx)), "a-site b-site c-site"},
		{"sites of a publisher", idsOf[origin.Site](t, "SiteID")(s.SitesOfPublisher(ctx, "p")), "a-site b-site"},
		{"hosts of a site", idsOf[origin.Website](t, "Host")(s.Websites(ctx, "a-site")), "x.example y.example"},
		{"keys by lookup", keys(s.KeysByLookup(ctx, "x")), "key_1 key_3"},
		{"keys of a partner", keys(s.KeysOf(ctx, "org_1")), "key_2 key_3"},
		{"links by lookup", links(s.LinksByLookup(ctx, "x")), "lnk_2 lnk_4"},
		{"links of a site", links(s.LinksOf(ctx, "a-site")), "lnk_1 lnk_4"},
		{"links of a group", links(s.LinksOfGroup(ctx, "q")), "lnk_3"},
		{"joins by lookup", joins(s.JoinsByLookup(ctx, "x")), "jn_3 jn_4"},
		{"joins", joins(s.JoinsOf(ctx, "", 9)), "jn_4 jn_1 jn_2 jn_3"},
		{"the first joins", joins(s.JoinsOf(ctx, "", 2)), "jn_4 jn_1"},
		{"joins that wait", joins(s.JoinsOf(ctx, "waiting", 9)), "jn_4 jn_1 jn_3"},
		{"the first that waits", joins(s.JoinsOf(ctx, "waiting", 1)), "jn_4"},
		{"joins of a host", joins(s.JoinsOfHost(ctx, "a.example")), "jn_1 jn_2 jn_4"},
		{"proofs of a site", proofs(s.ProofsOfSite(ctx, "a-site")), "x.example y.example"},
		{"proofs of a host", idsOf[origin.HostProof](t, "SiteID")(s.ProofsOfHost(ctx, "x.example")), "a-site b-site"},
		{"answers", idsOf[origin.Answer](t, "Name")(s.AnswersOf(ctx, "a-site")), "one two"},
		{"preferences", idsOf[origin.Preference](t, "Use")(s.Preferences(ctx, "a-site")), "rag training"},
		{"signals", idsOf[origin.Signal](t, "Signal")(s.Signals(ctx, "a-site")), "rag training"},
		{"offers", idsOf[origin.Offer](t, "LicenseID")(s.OffersOf(ctx, "a-site")), "a-siterag a-sitetraining"},
		{"passports", idsOf[origin.Passport](t, "PassportID")(s.Passports(ctx, "a-site")), "a-siterag a-sitetraining"},
		{"observations", idsOf[origin.Observation](t, "Channel")(s.Observations(ctx, "a-site")), "rag training"},
		{"evidence", idsOf[origin.Evidence](t, "Channel")(s.EvidenceOf(ctx, "a-site")), "rag training"},
		{"policies", idsOf[origin.PolicyVersion](t, "EffectiveFrom")(s.Policies(ctx, "a-site")), "rag training"},
		{"ends of policies", idsOf[origin.PolicyVersion](t, "EffectiveUntil")(s.Policies(ctx, "a-site")), "5 "},
		{"ends of policies elsewhere", idsOf[origin.PolicyVersion](t, "EffectiveUntil")(s.Policies(ctx, "b-site")), ""},
	} {
		if c.got != c.want {
			t.Errorf("%s: %q, want %q", c.what, c.got, c.want)
		}
	}
	for id, want := range map[string]string{"p": "", "q": "Group"} {
		if name, err := s.GroupName(ctx, id); name != want || err != nil {
			t.Errorf("the group %s has the name %q, %v", id, name, err)
		}
	}
	for _, id := range []string{"key_2", "key_3"} {
		if k, err := s.PartnerKey(ctx, id); k.KeyID != id || err != nil {
			t.Errorf("the key %s is %s, %v", id, k.KeyID, err)
		}
	}
	for _, id := range []string{"jn_2", "jn_3"} {
		if j, err := s.Join(ctx, id); j.JoinID != id || err != nil {
			t.Errorf("the request %s to join is %s, %v", id, j.JoinID, err)
		}
	}
}

// TestClock checks that the clock of deadlines moves forward only, unless an
// operator confirms an earlier instant.
func TestClock(t *testing.T) {
	ctx, s := context.Background(), open(t)
	for _, c := range []struct {
		note    func(context.Context, int64) error
		at, now int64
	}{{s.NoteClock, 0, 0}, {s.NoteClock, 5, 5}, {s.NoteClock, 4, 5}, {s.NoteClock, 6, 6}, {s.ConfirmClock, 3, 3}, {s.NoteClock, 4, 4}, {s.ConfirmClock, 9, 9}} {
		must(t, c.note(ctx, c.at))
		if now, err := s.ClockSeen(ctx); now != c.now || err != nil {
			t.Errorf("at %d: %d, %v, want %d", c.at, now, err, c.now)
		}
	}
}
