package packcheck

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"colophon/exports"
	"colophon/internal/channelpack"
)

func formsOf(t interface{ Fatal(...any) }, p *channelpack.Policy, o *exports.Offer) OfferForms {
	rsl, err := p.OfferRSL(o)
	if err != nil {
		t.Fatal(err)
	}
	return OfferForms{RSL: rsl, ODRL: p.OfferODRL(o, "https://svc.example/o"), CoMP: p.OfferCoMP(o)}
}

// limitedOffer returns an offer for education in Germany only.
func limitedOffer() exports.Offer {
	return exports.Offer{
		LicenseID: "lic_a", Status: "offered", Permits: []string{"rag", "training"}, Prohibits: []string{"search_indexing"},
		UserTypes: []string{"education"}, Territories: []string{"DE"}, Payment: exports.Payment{Model: "use"},
		Scope: exports.OfferScope{Type: "section", Paths: []string{"/a/*"}},
	}
}

// TestFreerFormsOfAnOfferAreFound changes each form of an offer so that it
// permits more than the offer, and expects CheckOffer to find it.
func TestFreerFormsOfAnOfferAreFound(t *testing.T) {
	o := limitedOffer()
	nothingElse := []exports.Preference{{Use: "search_indexing", Declared: "disallow", Inquiry: "not_offered"}}
	p := policy(nothingElse, o)
	good := formsOf(t, p, &o)
	if found := CheckOffer(p, &o, good); len(found) > 0 {
		t.Fatal(found)
	}

	replace := func(body []byte, old, new string) []byte {
		if !strings.Contains(string(body), old) {
			t.Fatalf("%q is not in %s", old, body)
		}
		return []byte(strings.Replace(string(body), old, new, 1))
	}
	for name, forms := range map[string]OfferForms{
		"RSL drops the users":            {replace(good.RSL, `<permits type="user">education</permits>`, ""), good.ODRL, good.CoMP},
		"RSL drops the territory":        {replace(good.RSL, `<permits type="geo">DE</permits>`, ""), good.ODRL, good.CoMP},
		"RSL adds a territory":           {replace(good.RSL, `type="geo">DE`, `type="geo">DE US`), good.ODRL, good.CoMP},
		"RSL is free":                    {replace(good.RSL, `type="use"`, `type="free"`), good.ODRL, good.CoMP},
		"RSL offers what is not offered": {replace(good.RSL, `<permits type="usage">ai-train`, `<permits type="usage">search ai-train`), good.ODRL, good.CoMP},
		"ODRL drops the consent":         {good.RSL, replace(good.ODRL, `"obtainConsent"`, `"inform"`), good.CoMP},
		"ODRL drops the users":           {good.RSL, replace(good.ODRL, `"recipient"`, `"other"`), good.CoMP},
		"ODRL drops the territory":       {good.RSL, replace(good.ODRL, `"spatial"`, `"other"`), good.CoMP},
		"ODRL offers another use":        {good.RSL, replace(good.ODRL, `"ai-training"`, `"index"`), good.CoMP},
		"CoMP drops the users":           {good.RSL, good.ODRL, replace(good.CoMP, `"ause":[2]`, `"ause":[]`)},
		"CoMP drops the territory":       {good.RSL, good.ODRL, replace(good.CoMP, `"country":["DE"]`, `"country":[]`)},
		"CoMP offers another use":        {good.RSL, good.ODRL, replace(good.CoMP, `"function":[2,3]`, `"function":[2,3,5]`)},
		"a broken form":                  {good.RSL, good.ODRL, []byte("{")},
	} {
		if len(CheckOffer(p, &o, forms)) == 0 {
			t.Errorf("%s, and nothing was found", name)
		}
	}

	notIn := limitedOffer()
	notIn.NotIn = []string{"DE"}
	p = policy(nothingElse, notIn)
	if len(CheckOffer(p, &notIn, formsOf(t, p, &notIn))) == 0 {
		t.Error("CoMP has no word for a territory that is left out, and nothing was found")
	}
}

// TestFormsOfOffersAreNeverFreer checks the forms of random offers.
func TestFormsOfOffersAreNeverFreer(t *testing.T) {
	checked := 0
	property := func(t *rapid.T) {
		p := somePolicy(t)
		for i := range p.Offers {
			o := &p.Offers[i]
			o.UserTypes = rapid.SliceOfNDistinct(rapid.SampledFrom(exports.UserTypes), 0, 2, rapid.ID[string]).Draw(t, "users")
			o.Territories = rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"EU", "US", "DE"}), 0, 2, rapid.ID[string]).Draw(t, "places")
			alone := *p
			rsl, err := alone.OfferRSL(o)
			if err != nil || o.Status != "offered" || len(o.Scope.Excludes) > 0 {
				continue
			}
			forms := OfferForms{RSL: rsl, ODRL: p.OfferODRL(o, "https://svc.example/o"), CoMP: p.OfferCoMP(o)}
			found := CheckOffer(p, o, forms)
			refused := slices.ContainsFunc(p.Preferences, func(q exports.Preference) bool { return q.Inquiry == "not_offered" })
			if len(found) > 0 && !refused {
				t.Fatalf("%v\n%s\n%s\n%s", found[0], forms.RSL, forms.ODRL, forms.CoMP)
			}
			checked++
		}
	}
	for round := 0; checked < 5 && round < 50; round++ { // offers are drawn at random
		rapid.Check(t, property)
	}
	if checked < 5 {
		t.Errorf("only %d offers had forms", checked)
	}
}
