package templates

import (
	"slices"
	"strings"
	"testing"

	"colophon/exports"
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

// TestChannelChangeWords checks that a change is attributed to the publisher or
// its CDN only if everything that differs is known to be theirs.
func TestChannelChangeWords(t *testing.T) {
	for by, want := range map[string]string{
		"publisher": "by the publisher", "cdn": "by the publisher’s CDN", "cdn publisher": "by the publisher and its CDN",
		"unknown": "by whom is unknown", "cdn unknown": "by whom is unknown",
	} {
		got := channelChangeWords(exports.ChannelChange{Change: "changed", By: strings.Fields(by)})
		if got != "changed, "+want {
			t.Errorf("%s: %q", by, got)
		}
	}
}
