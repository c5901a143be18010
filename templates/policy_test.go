package templates

import (
	"slices"
	"testing"
)

func TestPolicyChanges(t *testing.T) {
	v := PolicyVersion{Before: "LDDLLDUU", Vector: "LdDSLDUW"}
	want := []string{"Training: Declined, and channels disagree now", "Search indexing: Ask first before, Signals allow from then on", "Research: Unknown before, Withdrawn from then on"}
	if got := v.changes(); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	if got := (PolicyVersion{Vector: "LDDSLDUU"}).changes(); got != nil {
		t.Errorf("the first version: %q", got)
	}
}
