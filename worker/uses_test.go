package worker_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"colophon/internal/assert"
	"colophon/internal/credential"
	"colophon/internal/origin"
	"colophon/worker/edge"
)

// TestUsesOfAGroup shows the reports of all sites of a group, those of no other
// publisher, the most used pages first and no more than 50, and says when there
// are more figures than are read.
func TestUsesOfAGroup(t *testing.T) {
	ctx, s := context.Background(), newService(t)
	const secret = "ibx_group-000000000000000000000000000000000000000000"
	hash := credential.Digest(secret)
	link := origin.InboxLink{LinkID: "inbox_group", SiteID: "harbor-ledger", PublisherID: "pub_all", Credential: origin.Credential{State: "active", ExpiresAt: "2099-01-01T00:00:00Z"}}
	link.Hash, link.Lookup, link.CreatedAt, link.ChangedAt = hash, credential.LookupOf(hash), seedTime, seedTime
	must(t, s.store.PutLink(ctx, link))
	var list []origin.UseReport
	add := func(site, entry, event string, n int) {
		for range n {
			list = append(list, origin.UseReport{ReporterKind: "buyer", ReporterID: "byr_gone", EventKey: fmt.Sprint(len(list)), EntryID: entry, SiteID: site,
				Event: event, Agent: "bot", OccurredAt: "2026-10-01T00:00:00Z", ReportedAt: seedTime})
		}
	}
	add("harbor-ledger", "ent_tides", "cited", 2)
	add("quay-times", "ent_quay", "grounded", 3)
	add("nobodys-site", "ent_strange", "cited", 9)
	for i := range 60 {
		add("quay-times", fmt.Sprintf("ent_gone%02d", i), "engaged", 1)
	}
	_, err := s.store.AddUseReports(ctx, list)
	must(t, err)
	get := func() string {
		resp := s.handle(ctx, &edge.Request{Method: "GET", Path: "/inbox/" + secret + "/uses", ID: "rid_x"})
		if resp.Status != 200 {
			t.Fatalf("%d %s", resp.Status, resp.Body)
		}
		return string(resp.Body)
	}
	body := get()
	quay, tides := strings.Index(body, `<th scope="row">https://quay-times.example/quay</th><td>0</td><td>3</td>`), strings.Index(body, `<th scope="row">https://harbor-ledger.example/shipping/tides</th>`)
	if quay < 0 || tides < quay || strings.Index(body, "ent_gone00") < tides {
		t.Error("the pages are not sorted by their uses")
	}
	for _, part := range []string{"By page (the 50 most used)", `<th scope="row">ent_gone47</th>`, `<th scope="row">byr_gone (buyer), agent bot</th>`, `<th scope="row">All</th><td>0</td><td>3</td><td>0</td><td>2</td><td>0</td><td>60</td><td>65</td>`} {
		assert.Contains(t, "the page lacks", body, part)
	}
	for _, part := range []string{"ent_strange", "ent_gone48", "are left out"} {
		assert.Lacks(t, "the page has", body, part)
	}
	list = nil
	for i := range 5000 {
		add("harbor-ledger", fmt.Sprintf("ent_x%d", i), "cited", 1)
		list[i].EventKey += "x"
	}
	_, err = s.store.AddUseReports(ctx, list)
	must(t, err)
	assert.Contains(t, "the page does not say that figures are left out", get(), "the oldest are left out")
}
