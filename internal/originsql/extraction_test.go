package originsql_test

import (
	"errors"
	"testing"

	"colophon/internal/assert"
	"colophon/internal/origin"
)

// TestExtractions checks that facts and reasons come back as they were, and
// which pages each listing returns.
func TestExtractions(t *testing.T) {
	ctx, s := twoSites(t)
	all := map[string]origin.Extraction{}
	for i, x := range []origin.Extraction{
		{EntryID: "ent_4", Portable: "p", Review: origin.ReviewWaiting}, {EntryID: "ent_3", Portable: "p", Review: origin.ReviewWaiting},
		{EntryID: "ent_2", Portable: "q", Review: origin.ReviewWaiting}, {EntryID: "ent_1", Portable: "p", Review: origin.ReviewAccepted},
		{EntryID: "ent_0", SiteID: "b-site", Portable: "p", Review: origin.ReviewWaiting},
	} {
		if x.SiteID == "" {
			x.SiteID = "a-site"
		}
		x.Extractor, x.Template, x.Encoding, x.Kept, x.Dropped, x.ChangedAt = "9", "d", "utf-8", "kept", "dropped", "t"
		x.Facts = []origin.Fact{{Name: "title", Value: "A \"title\"", Source: "og:title", Confidence: float64(i) / 100}, {Name: "author", Value: "É", Source: "meta", Confidence: 1}}
		x.Reasons = []origin.ReviewReason{{Code: "short", Detail: "12 words"}, {Code: "odd"}}
		must(t, s.PutExtraction(ctx, x))
		all[x.EntryID] = x
	}
	for id, x := range all {
		got, err := s.Extraction(ctx, id)
		same(t, "an extraction", got, x, err)
	}
	ids := func(list []origin.Extraction, err error) (out []string) {
		t.Helper()
		must(t, err)
		for _, x := range list {
			out = append(out, x.EntryID)
			same(t, "a listed extraction", x, all[x.EntryID], nil)
		}
		return out
	}
	for _, c := range []struct {
		what      string
		got, want []string
	}{
		{"with a text", ids(s.ExtractionsWithText(ctx, "a-site", "p", 9)), []string{"ent_1", "ent_3", "ent_4"}},
		{"two with a text", ids(s.ExtractionsWithText(ctx, "a-site", "p", 2)), []string{"ent_1", "ent_3"}},
		{"in review", ids(s.ExtractionsInReview(ctx, "a-site", origin.ReviewWaiting, "", 9)), []string{"ent_2", "ent_3", "ent_4"}},
		{"in review after one", ids(s.ExtractionsInReview(ctx, "a-site", origin.ReviewWaiting, "ent_2", 9)), []string{"ent_3", "ent_4"}},
		{"one in review", ids(s.ExtractionsInReview(ctx, "a-site", origin.ReviewWaiting, "", 1)), []string{"ent_2"}},
		{"accepted", ids(s.ExtractionsInReview(ctx, "a-site", origin.ReviewAccepted, "", 9)), []string{"ent_1"}},
	} {
		assert.EqualSlices(t, c.got, c.want, "%s", c.what)
	}
	if x, err := s.Extraction(ctx, "ent_9"); !errors.Is(err, origin.ErrNotFound) {
		t.Errorf("of no page: %+v, %v", x, err)
	}
}

// TestTemplates checks that a site has one template in force, that the one before
// is retired, and that those of another site stay.
func TestTemplates(t *testing.T) {
	ctx, s := twoSites(t)
	for _, x := range []origin.Template{
		{SiteID: "a-site", Digest: "d1", MadeAt: "1"}, {SiteID: "a-site", Digest: "d3", MadeAt: "2"}, {SiteID: "a-site", Digest: "d2", MadeAt: "2"},
		{SiteID: "b-site", Digest: "d1", MadeAt: "3", State: origin.TemplateActive},
	} {
		if x.State == "" {
			x.State = origin.TemplateProposed
		}
		x.ChangedAt = "t"
		must(t, s.PutTemplate(ctx, x))
	}
	states := func(site string) (out []string) {
		t.Helper()
		list, err := s.Templates(ctx, site)
		must(t, err)
		for _, x := range list {
			out = append(out, x.Digest+" "+x.State+" "+x.ChangedAt)
		}
		return out
	}
	if x, err := s.ActiveTemplate(ctx, "a-site"); !errors.Is(err, origin.ErrNotFound) {
		t.Errorf("in force is %+v, %v", x, err)
	}
	assert.ErrorIs(t, s.ActivateTemplate(ctx, "a-site", "d9", "4"), origin.ErrNotFound, "no such template")
	for _, c := range []struct {
		digest, at string
		want       []string
	}{
		{"d1", "4", []string{"d2 proposed t", "d3 proposed t", "d1 active 4"}},
		{"d2", "5", []string{"d2 active 5", "d3 proposed t", "d1 retired 5"}},
		{"d2", "6", []string{"d2 active 5", "d3 proposed t", "d1 retired 5"}}, // what differs only in its time is left as it is
		{"d1", "7", []string{"d2 retired 7", "d3 proposed t", "d1 active 7"}},
	} {
		must(t, s.ActivateTemplate(ctx, "a-site", c.digest, c.at))
		assert.EqualSlices(t, states("a-site"), c.want, "%s in force", c.digest)
		if x, err := s.ActiveTemplate(ctx, "a-site"); x.Digest != c.digest || err != nil {
			t.Errorf("in force is %s, %v", x.Digest, err)
		}
	}
	assert.EqualSlices(t, states("b-site"), []string{"d1 active t"}, "templates of another site")
}
