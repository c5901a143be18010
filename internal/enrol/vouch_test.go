package enrol_test

import (
	"testing"

	"colophon/internal/enrol"
	"colophon/internal/origin"
	"colophon/internal/originsql/origintest"
)

// TestVouch checks that what the operator says of a site's control counts for
// its home's host too, and that it can be taken back.
func TestVouch(t *testing.T) {
	ctx := t.Context()
	store, _ := origintest.Open(t)
	check(t, store.PutPublisher(ctx, origin.Publisher{PublisherID: "pub_site-example", LegalName: "Site", CreatedAt: day}))
	check(t, store.PutSite(ctx, origin.Site{SiteID: "site-example", PublisherID: "pub_site-example", Name: "Site", SiteURL: "https://www.example.com/", State: origin.Pending, Visibility: "public", DomainControl: "none", CreatedAt: day, ChangedAt: day}))
	for _, control := range []string{"operator", "none"} {
		check(t, enrol.Vouch(ctx, store, "site-example", control, day))
		s, err := store.Site(ctx, "site-example")
		check(t, err)
		hosts, err := store.Websites(ctx, "site-example")
		check(t, err)
		if s.DomainControl != control || s.ControlChecked != day || len(hosts) != 1 || hosts[0].Host != "www.example.com" || hosts[0].Method != control || hosts[0].Associated != (control == "operator") {
			t.Errorf("%s: %+v, %+v", control, s, hosts)
		}
	}
	if err := enrol.Vouch(ctx, store, "other", "operator", day); err == nil {
		t.Error("a publisher that is not there was vouched for")
	}
}
