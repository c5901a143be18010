package web

import (
	"reflect"
	"testing"

	"colophon/internal/searchindex/query"
	"colophon/templates/content"
)

// TestCountsOf checks that the choice of a level counts that level and those above
// it, and that counts stand under the names that fields have in the forms.
func TestCountsOf(t *testing.T) {
	got := countsOf([]query.Facet{{Name: "user", Counts: map[string]int64{"education": 2}}, {Name: "readiness", Counts: map[string]int64{"none": 1, "declared": 3, "enforced": 5}}})
	want := content.Counts{
		"user_type": {"education": 2},
		"readiness": {"none": 1, "declared": 3, "enforced": 5, "min:none": 9, "min:listed": 8, "min:declared": 8, "min:attested": 5, "min:enforced": 5},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%v\nwant\n%v", got, want)
	}
	if got := countsOf(nil); len(got) != 0 {
		t.Errorf("counts of nothing: %v", got)
	}
}
