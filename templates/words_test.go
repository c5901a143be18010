package templates

import (
	"strings"
	"testing"

	"colophon/exports"
	"colophon/internal/assert"
	"colophon/templates/content"
)

func TestWhyWords(t *testing.T) {
	s := sampleRights()
	for use, want := range map[string]string{
		"rag":         "There is an offer for it. Read in: Offer in this catalog.",
		"training":    "The publisher’s signals reserve it. Read in: robots.txt, TDM reservation.",
		"research":    "No valid statement found about it.",
		"syndication": "",
	} {
		assert.Equal(t, whyWords(&s, use), want, "%s", use)
	}
}

// TestCopiesWords checks that copies are mentioned for the uses of which
// something is stated, and for no other.
func TestCopiesWords(t *testing.T) {
	rights := exports.ResourceRights{Uses: []exports.UseVerdict{
		{Use: "rag", Retention: "P30D"}, {Use: "training", Retention: exports.RetentionNone}, {Use: "research", Retention: exports.RetentionUnknown},
	}}
	for use, want := range map[string]string{"rag": "at most 30 days", "training": "none beyond the use at hand", "research": "", "datasets": ""} {
		assert.Equal(t, copiesWords(&rights, use), want, "%s", use)
	}
}

// TestCopiesOfOffer checks that an offer mentions copies if it states something
// about them, or when they must be deleted.
func TestCopiesOfOffer(t *testing.T) {
	for duties, want := range map[exports.Obligations]string{
		{}:                            "",
		{DeleteOnRevocationHours: 24}: "<dt>Copies</dt><dd>while the right lasts</dd>",
		{DeleteOnRevocationHours: 24, Retention: "P30D"}: "<dt>Copies</dt><dd>at most 30 days</dd>",
	} {
		page := string(render(t, content.Offer(&exports.Offer{Obligations: duties}, "", false)))
		if !strings.Contains(page, want) || strings.Contains(page, "Copies") != (want != "") {
			t.Errorf("%+v: %s", duties, page)
		}
	}
}

// TestDemandsForReports shows what a channel demands to be reported as text.
func TestDemandsForReports(t *testing.T) {
	page := string(render(t, channels(exports.MapRecord{Channels: []exports.ChannelState{{Channel: "rsl", State: "valid", Reporting: []exports.Reporting{
		{Type: "telemetry", Profile: "https://p.example/", Endpoint: "https://t.example/v1"}, {Type: "audit", Profile: "urn:<x>"},
	}}}})))
	assert.Contains(t, "the page", page,
		"Demands that uses are reported (telemetry) under <bdi>https://p.example/</bdi> to <bdi>https://t.example/v1</bdi></small>", "(audit) under <bdi>urn:&lt;x&gt;</bdi> </small>",
	)
}
