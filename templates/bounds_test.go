package templates

import (
	"bytes"
	"context"
	"regexp"
	"strings"
	"testing"
)

var (
	paragraph = regexp.MustCompile(`(?s)<p>.*?</p>`)
	bound     = regexp.MustCompile(`(minlength|maxlength)="(\d+)"`)
	markup    = regexp.MustCompile(`<[^>]*>`)
)

// TestBoundsAreStated checks that the text around a field states each of its
// bounds, so that a person reads it before the browser or the service refuses
// the input.
func TestBoundsAreStated(t *testing.T) {
	n := sampleNames[0]
	var page bytes.Buffer
	must(t, Request(RequestPage{sampleSite, sampleSummary(n), samplePreferences(n)}).Render(context.Background(), &page))
	found := 0
	for _, p := range paragraph.FindAllString(page.String(), -1) {
		text := strings.ReplaceAll(markup.ReplaceAllString(p, ""), ",", "")
		for _, m := range bound.FindAllStringSubmatch(p, -1) {
			found++
			if !strings.Contains(text, m[2]) {
				t.Errorf("%s is stated nowhere: %s", m[0], p)
			}
		}
	}
	if found < 9 {
		t.Errorf("only %d bounds", found)
	}
}
