package frame

import (
	"strings"
	"testing"
)

func TestCleanEnds(t *testing.T) {
	for _, tc := range []struct {
		text  string
		limit int
		want  string
	}{
		{"Short", 10, "Short"},
		{" exactly  ten", 11, "exactly ten"},
		{"The ferry and other ways over the water near Drenthe", 36, "The ferry and other way… Drenthe"},
		{"The ferry and other ways over the water near the Betuwe", 36, "The ferry and other way… the Betuwe"},
		{strings.Repeat("x", 100), 30, "xxxxxxxxxxxxxxxxxxx… xxxxxxxxx"},
		{"", 5, ""},
	} {
		got := CleanEnds(tc.text, tc.limit)
		if got != tc.want || len([]rune(got)) > tc.limit {
			t.Errorf("%q within %d is %q, want %q", tc.text, tc.limit, got, tc.want)
		}
	}
}

// TestHeadTitle checks that pages whose titles differ only at the end have
// different titles, within the limit, in result lists and tabs.
func TestHeadTitle(t *testing.T) {
	seen := map[string]bool{}
	for _, place := range []string{"Drenthe", "Waterland", "het Heuvelland", "de Kempen"} {
		title := SiteFrame{Name: "Colophon", Title: "De pont en andere manieren om het water over te steken bij " + place}.headTitle()
		if n := len([]rune(title)); n > TitleLimit || seen[title] || !strings.HasSuffix(title, " · Colophon") {
			t.Errorf("%q has %d characters", title, n)
		}
		seen[title] = true
	}
}
