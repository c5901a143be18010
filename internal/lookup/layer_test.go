package lookup

import (
	"slices"
	"testing"
)

func TestSupersededMustRise(t *testing.T) {
	for _, ids := range [][]string{{}, {"ent_1"}, {"ent_1", "ent_2", "ent_3"}} {
		back, err := decodeSuperseded(AppendSuperseded(nil, "base", ids), "base")
		if err != nil || !slices.Equal(back, ids) {
			t.Errorf("%v comes back as %v, %v", ids, back, err)
		}
	}
	for _, ids := range [][]string{{"ent_2", "ent_1"}, {"ent_1", "ent_1"}, {"ent_1", "ent_3", "ent_2"}} {
		if back, err := decodeSuperseded(AppendSuperseded(nil, "base", ids), "base"); err == nil {
			t.Errorf("%v is read as %v", ids, back)
		}
	}
	if _, err := decodeSuperseded(AppendSuperseded(nil, "base", nil), "other"); err == nil {
		t.Error("the list of another base is read")
	}
}
