package origin

import "testing"

func TestNewCategory(t *testing.T) {
	for slug, want := range map[string]string{"trade-logistics": "Trade logistics", "news": "News", "a-b-c": "A b c", "": ""} {
		if c := NewCategory(slug, "2026-11-01T12:00:00Z"); c.Label != want || c.Slug != slug || c.ChangedAt != "2026-11-01T12:00:00Z" {
			t.Errorf("%q became %+v, want the label %q", slug, c, want)
		}
	}
}
