package worker_test

import (
	"context"
	"net/url"
	"strings"
	"testing"

	"colophon/exports"
	"colophon/worker/edge"
	"colophon/worker/limit"
)

func needFields() url.Values {
	return url.Values{
		"headline": {"Tide tables of the <North> Sea"}, "use_rag": {"on"}, "use_datasets": {"on"}, "categories": {"trade-logistics, energy"},
		"buyer_name": {"Ada Example"}, "buyer_email": {"ada@example-labs.example"}, "budget_band": {"5 000 to 10 000 EUR"},
	}
}

// TestNeedByForm checks that a buyer's need is held for review, whoever sends
// it, and that errors are reported without losing the input.
func TestNeedByForm(t *testing.T) {
	s, ctx := newService(t, withLimits(limit.DefaultPolicies())), context.Background()
	before, err := s.store.Demand(ctx)
	must(t, err)
	for name, c := range map[string]struct{ field, value, want string }{
		"no headline":    {"headline", " ", "it is missing"},
		"several lines":  {"headline", "a\nb", "several lines"},
		"too long":       {"volume", strings.Repeat("x", 81), "too long"},
		"no address":     {"buyer_email", "nobody", "not an e-mail address"},
		"odd subject":    {"categories", "Trade & Logistics", "Subjects are short names"},
		"the hidden one": {"website", "x", "cannot be accepted"},
	} {
		f := needFields()
		f.Set(c.field, c.value)
		limited := newService(t)
		resp := limited.join(exports.PathNeedPage, f)
		if resp.Status != 422 || !strings.Contains(string(resp.Body), c.want) || c.field != "headline" && !strings.Contains(string(resp.Body), "Tide tables of the &lt;North&gt; Sea") {
			t.Errorf("%s: %d %s", name, resp.Status, resp.Body)
		}
	}
	none := needFields()
	none.Del("use_rag")
	none.Del("use_datasets")
	if resp := newService(t).join(exports.PathNeedPage, none); resp.Status != 422 || !strings.Contains(string(resp.Body), "at least one use") {
		t.Errorf("no use: %d", resp.Status)
	}

	resp := s.join(exports.PathNeedPage, needFields())
	if resp.Status != 201 || !strings.Contains(string(resp.Body), "dem_") {
		t.Fatalf("%d %s", resp.Status, resp.Body)
	}
	after, err := s.store.Demand(ctx)
	must(t, err)
	if len(after) != len(before)+1 {
		t.Fatalf("%d needs, before %d", len(after), len(before))
	}
	for _, d := range after {
		if d.BuyerName != "Ada Example" {
			continue
		}
		if d.OptedIn || d.OptedInAt != "" || strings.Join(d.Uses, " ") != "rag datasets" || strings.Join(d.Categories, " ") != "trade-logistics energy" || d.ExpiresAt == "" || d.BuyerEmail != "ada@example-labs.example" {
			t.Errorf("kept as %+v", d)
		}
	}
	statuses := map[int]int{201: 1}
	for range 5 {
		statuses[s.join(exports.PathNeedPage, needFields()).Status]++
	}
	if statuses[201] != 5 || statuses[429] != 1 {
		t.Errorf("six needs of one address: %v", statuses)
	}
}

// TestNeedByPartner checks that a partner's key needs the intake scope, and
// that the need has the organization's name and is held too.
func TestNeedByPartner(t *testing.T) {
	s, ctx := newService(t), context.Background()
	send := func(key string) *edge.Response {
		f := needFields()
		f.Del("buyer_name")
		f.Del("buyer_email")
		return s.handle(ctx, &edge.Request{
			Method: "POST", Path: exports.PathNeedPage, Remote: "192.0.2.7", ID: "rid_need", Body: []byte(f.Encode()),
			Header: edge.Header{{Name: "content-type", Value: "application/x-www-form-urlencoded"}, {Name: "authorization", Value: "Bearer " + key}},
		})
	}
	for key, want := range map[string]int{"key_alpha": 201, "key_revoked": 403, "key_narrow": 403} {
		if resp := send(seedKeys[key]); resp.Status != want {
			t.Errorf("%s: %d %s", key, resp.Status, resp.Body)
		}
	}
	if resp := send("ptk_test_wrong"); resp.Status != 401 {
		t.Errorf("a wrong key: %d", resp.Status)
	}
	list, err := s.store.Demand(ctx)
	must(t, err)
	found := 0
	for _, d := range list {
		if strings.HasPrefix(d.PipelineStage, "sent by partner org_") {
			found++
			if d.OptedIn || d.BuyerName == "" {
				t.Errorf("kept as %+v", d)
			}
		}
	}
	if found != 1 {
		t.Errorf("%d needs of partners", found)
	}
}
