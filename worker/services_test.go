package worker

import (
	"slices"
	"testing"

	"colophon/exports"
)

// TestEveryEndpointIsServed checks that each operation and page has a handler or
// a published file.
func TestEveryEndpointIsServed(t *testing.T) {
	handlers := (&services{}).handlers()
	for _, e := range slices.Concat(exports.Surface, exports.Pages) {
		if e.Made != exports.FromFile && handlers[e.ID] == nil {
			t.Errorf("%s is not served", e.ID)
		}
	}
}
