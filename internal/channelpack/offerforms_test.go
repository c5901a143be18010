package channelpack

import (
	"errors"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"colophon/exports"
	"colophon/internal/assert"
	"colophon/internal/channel"
	"colophon/internal/channel/statements"
	"colophon/internal/wire"
)

var must = assert.NoError

func drawOffer(t *rapid.T) exports.Offer {
	pick := func(name string, list []string) []string {
		var out []string
		for _, w := range list {
			if rapid.Bool().Draw(t, name+" "+w) {
				out = append(out, w)
			}
		}
		return out
	}
	o := exports.Offer{
		LicenseID: "lic_1", SiteID: "harbor", Kind: "custom", Status: rapid.SampledFrom(exports.OfferStatuses).Draw(t, "status"), Title: "An offer",
		Scope: exports.OfferScope{Type: "section", Paths: []string{"/shipping/*"}}, Permits: pick("permits", exports.UseWords()),
		UserTypes: pick("users", exports.UserTypes), Territories: pick("in", []string{"EU", "GB", "US"}),
		Payment:     exports.Payment{Model: rapid.SampledFrom(exports.PaymentModels).Draw(t, "payment"), Amount: "0.01", Currency: "EUR"},
		Obligations: exports.Obligations{Attribution: rapid.SampledFrom([]string{"", "link"}).Draw(t, "attribution")},
	}
	for _, u := range pick("prohibits", exports.UseWords()) {
		if !slices.Contains(o.Permits, u) {
			o.Prohibits = append(o.Prohibits, u)
		}
	}
	return o
}

// TestOfferForms checks that no form of an offer, read back by our own parsers,
// allows a use without asking or offers what the offer does not permit.
func TestOfferForms(t *testing.T) {
	p := Policy{SiteID: "harbor", Name: "Harbor", SiteURL: "https://harbor.example/", RequestURL: "https://svc.example/publishers/harbor/license/", ServiceURL: "https://svc.example"}
	expressed := map[string]int{}
	property := func(t *rapid.T) {
		o := drawOffer(t)
		rsl, err := p.OfferRSL(&o)
		if errors.Is(err, ErrPolicy) {
			return // RSL has no word for what it permits
		}
		must(t, err)
		for name, r := range map[string]channel.Result{
			"rsl":  channel.ParseRSL(channel.Input{URL: "https://harbor.example/license.xml", Body: rsl}),
			"odrl": channel.ParseODRL(channel.Input{URL: "https://svc.example/v1/public/license-catalog/lic_1.odrl.jsonld", Body: p.OfferODRL(&o, "https://svc.example/v1/public/license-catalog/lic_1")}),
			"comp": channel.ParseCoMP(channel.Input{URL: "https://svc.example/v1/public/license-catalog/lic_1.comp.json", Body: p.OfferCoMP(&o)}),
		} {
			if r.State != channel.Valid {
				t.Fatalf("%s: %s %+v", name, r.State, r.Warnings)
			}
			for _, s := range r.Statements {
				for _, u := range exports.Uses {
					effect, _ := s.Reads(u)
					permitted := slices.Contains(o.Permits, string(u))
					if effect == statements.Allow && name != "rsl" {
						t.Errorf("%s allows %s without asking: %+v", name, u, s)
					}
					if (effect == statements.Priced || effect == statements.Allow) && !permitted {
						t.Errorf("%s offers %s, which the offer does not permit: %+v", name, u, s)
					}
					if effect == statements.Priced {
						expressed[name+" "+string(u)]++
					}
					if effect == statements.Allow && o.Payment.Model != "free" && o.Payment.Model != "attribution" && o.Payment.Model != "contribution" {
						t.Errorf("%s gives %s away though it is paid by %s", name, u, o.Payment.Model)
					}
				}
			}
		}
	}
	for range 5 { // each use must be drawn, also in the short test
		rapid.Check(t, property)
	}
	for _, k := range []string{"rsl rag", "rsl training", "odrl rag", "odrl training", "odrl search_indexing", "odrl syndication", "comp rag", "comp training", "comp search_indexing"} {
		if expressed[k] == 0 {
			t.Errorf("%s was never expressed", k)
		}
	}
}

// TestPackageOfOffer checks what a CoMP package says of an offer besides its uses.
func TestPackageOfOffer(t *testing.T) {
	p := Policy{SiteURL: "https://harbor.example/", RequestURL: "https://svc.example/ask/"}
	for kind, want := range map[string]int64{"site": 0, "section": 1, "collection": 5} {
		o := exports.Offer{LicenseID: "lic_1", Title: "An offer", Scope: exports.OfferScope{Type: kind}}
		o.Obligations.Attribution = map[string]string{"section": "link"}[kind]
		v, err := wire.Parse(p.OfferCoMP(&o), wire.Trusted)
		must(t, err)
		scope, _ := v.Get("package").Get("scope").Get("scope").Int()
		citation, _ := v.Get("package").Get("citation").Int()
		id, _ := v.Get("package").Get("id").Str()
		title, _ := v.Get("package").Get("title").Str()
		if scope != want || citation == 1 != (kind == "section") || id != "lic_1" || title != "An offer" {
			t.Errorf("%s: scope %d, citation %d, id %q, title %q", kind, scope, citation, id, title)
		}
	}
}
