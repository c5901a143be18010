package worker_test

import (
	"context"
	"errors"
	"net/url"
	"strings"
	"testing"

	"colophon/exports"
	"colophon/internal/assert"
	"colophon/internal/openapi/openapitest"
	"colophon/internal/origin"
	"colophon/worker"
)

// brokenBodies fails with the text of a body in its error, as a store might.
type brokenBodies struct{ worker.Origin }

func (b brokenBodies) OpenBodies(ctx context.Context, asks []origin.BodyAsk) ([]*origin.LicensedBody, error) {
	bodies, err := b.Origin.OpenBodies(ctx, asks)
	if err != nil {
		return bodies, err
	}
	return nil, errors.New("disk on fire")
}

// TestCanariesOfUngrantedPublishers checks that the bodies of publishers
// without grants, and the private data of buyers and grants, are in no answer
// to anyone, in no log and in no error.
func TestCanariesOfUngrantedPublishers(t *testing.T) {
	m := newMarket(t)
	main, none := m.buyer("byr_main", "active"), m.buyer("byr_none", "active")
	m.site("site-granted", origin.Approved)
	m.site("site-foreign", origin.Approved)
	m.site("site-closed", origin.Closed)
	m.page("site-granted", "ent_in", "/in/page", "active", 7)
	m.page("site-granted", "ent_out", "/out/page", "active", 8)
	m.page("site-granted", "ent_gone", "/in/gone", "withdrawn", 8)
	m.page("site-foreign", "ent_foreign", "/in/page", "active", 8)
	m.page("site-closed", "ent_closed", "/in/page", "active", 8)
	m.grant(origin.Grant{GrantID: "grt_main", BuyerID: "byr_main", Paths: []string{"/in/*"}}, "site-granted", "site-closed")
	m.grant(origin.Grant{GrantID: "grt_none", BuyerID: "byr_none", State: "revoked"}, "site-granted", "site-foreign")
	_, err := m.store.AddUseReports(context.Background(), []origin.UseReport{{ReporterKind: "buyer", ReporterID: "byr_none", EventKey: canaryNote, EntryID: "ent_in", SiteID: "site-granted",
		Event: "cited", Agent: canaryNote, OccurredAt: seedTime, ReportedAt: seedTime}})
	must(m, err)
	var targets []string
	for _, e := range exports.Surface {
		path := strings.NewReplacer("{site_id}", "site-foreign", "{entry_id}", "ent_foreign", "{category_slug}", "x", "{request_id}", "x", "{thread_id}", "x").Replace(e.Path)
		targets = append(targets, e.Method+" "+path)
		for _, q := range []string{"q=text", "q=BODY", "entry_id=ent_foreign", "site_id=site-foreign", "url=" + url.QueryEscape("https://site-foreign.example/in/page"),
			"source_id=site-foreign", "source_id=grt_none", "fields=meta", "format=html", "snapshot=snp_x", "since=ZGVsdGEgMCAwIA", "cursor=MXx4fHg"} {
			targets = append(targets, e.Method+" "+path+"?"+q)
		}
	}
	calls, delivered := 0, 0
	for _, credential := range []string{"", main, none, "byr_test_nobody"} {
		for _, target := range targets {
			method, path, _ := strings.Cut(target, " ")
			bodies := []string{""}
			if method == "POST" {
				bodies = []string{"", `{}`, `{"site_id":"site-foreign","entry_id":"ent_foreign"}`, `{"scope":{"source_ids":["site-foreign"]}}`}
				for _, tool := range []string{`"rights_overview","arguments":{}`, `"search_licensed_content","arguments":{"q":"text"}`, `"list_licensed_sources","arguments":{}`,
					`"read_licensed_content","arguments":{"uri":"licensed://site-foreign/ent_foreign"}`, `"read_licensed_content","arguments":{"uri":"licensed://site-granted/ent_out"}`,
					`"read_licensed_content","arguments":{"uri":"licensed://site-granted/ent_foreign"}`, `"read_licensed_content","arguments":{"uri":"licensed://site-closed/ent_closed"}`} {
					bodies = append(bodies, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":`+tool+`}}`)
				}
				bodies = append(bodies, `{"jsonrpc":"2.0","id":1,"method":"resources/list"}`, `{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"licensed://site-foreign/ent_foreign"}}`)
			}
			for _, body := range bodies {
				a := m.send(method, credential, path, body)
				calls++
				text := a.body
				for _, f := range a.header {
					text += "\n" + f.Value
				}
				if strings.Contains(text, token("ent_in", 7)) {
					delivered++
					assert.Equal(t, credential, main, "%s %s: content for somebody else", target, body)
				}
				for _, canary := range []string{"-8-END", canaryNote, canaryEmail} {
					if strings.Contains(text, canary) {
						t.Errorf("%s %s as %q: has %q: %.300s", target, body, credential, canary, a.body)
					}
				}
			}
		}
	}
	if calls < 1000 || delivered < 5 {
		t.Errorf("%d calls, %d with content: too little was tried", calls, delivered)
	}
	assert.Lacks(t, "the log has content or credentials", strings.Join(m.lines, "\n"), "BODY-", "byr_test_")
}

// TestDeliveryFailureIsCut checks that a store that fails in the middle cuts
// the answer, and that neither log nor answer has content or credentials.
func TestDeliveryFailureIsCut(t *testing.T) {
	m := newMarket(t)
	credential := m.buyer("byr_main", "active")
	m.site("site-a", origin.Approved)
	m.page("site-a", "ent_1", "/a", "active", 1)
	m.grant(origin.Grant{GrantID: "grt_1", BuyerID: "byr_main"}, "site-a")
	d := m.deps
	d.Origin = brokenBodies{m.store}
	m.handle = openapitest.Handler(t, worker.New(d))
	for _, path := range []string{exports.PathDeliveryItems, exports.PathDeliveryFeed, exports.PathDeliveryDelta} {
		a := m.get(credential, path)
		if a.cut == nil || strings.Contains(a.body, "BODY-") || strings.Contains(a.body, `"type":"end"`) || strings.Contains(a.body, `"checkpoint"`) {
			t.Errorf("%s: %v %s", path, a.cut, a.body)
		}
	}
	log := strings.Join(m.lines, "\n")
	if !strings.Contains(log, "disk on fire") || strings.Contains(log, "BODY-") || strings.Contains(log, credential) {
		t.Errorf("log: %s", log)
	}
	d.Origin = nil
	m.handle = openapitest.Handler(t, worker.New(d))
	if a := m.get(credential, exports.PathDeliveryItems); a.status != 503 {
		t.Errorf("without a store: %d %s", a.status, a.body)
	}
}
