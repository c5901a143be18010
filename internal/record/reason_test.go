package record

import "testing"

func TestSupersedeReason(t *testing.T) {
	for _, c := range []struct{ before, after, want string }{
		{"service.main-text.v2", "service.main-text.v3", "extraction_improved"},
		{"service.main-text.v9", "service.main-text.v10", "extraction_improved"},
		{"service.main-text.v3", "service.main-text.v3", ""},
		{"service.main-text.v3", "service.main-text.v2", ""}, // an older program is not an improvement
		{"publisher-supplied-text", "service.main-text.v3", ""},
		{"service.main-text.v3", "publisher-supplied-text", ""},
		{"service.html-text.v1", "service.main-text.v3", ""}, // another method
		{"written", "written", ""},
		{"", "service.main-text.v3", ""},
		{"", "", ""},
		{"service.main-text.vx", "service.main-text.v3", ""},
		{"service.main-text.v-1", "service.main-text.v3", ""},
	} {
		if got := SupersedeReason(c.before, c.after); got != c.want {
			t.Errorf("%s after %s: %q, want %q", c.after, c.before, got, c.want)
		}
	}
}
