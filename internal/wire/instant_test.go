package wire

import "testing"

// TestToUTC parses the grammar of RFC 3339, section 5.6, its examples of
// section 5.8 and what programs write.
func TestToUTC(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"1985-04-12T23:20:50.52Z", "1985-04-12T23:20:50Z"},
		{"1996-12-19T16:39:57-08:00", "1996-12-20T00:39:57Z"},
		{"1990-12-31T23:59:60Z", "1991-01-01T00:00:00Z"},
		{"1990-12-31T15:59:60-08:00", "1991-01-01T00:00:00Z"},
		{"1937-01-01T12:00:27.87+00:20", "1937-01-01T11:40:27Z"},
		{"2026-11-26T10:00:00+01:00", "2026-11-26T09:00:00Z"},
		{"2026-11-26T10:00:00.123456+00:00", "2026-11-26T10:00:00Z"},
		{"2026-11-26T10:00:00-00:00", "2026-11-26T10:00:00Z"},
		{"2026-11-26t10:00:00z", "2026-11-26T10:00:00Z"},
		{"2024-02-29T23:30:00-23:59", "2024-03-01T23:29:00Z"},
		{"2026-01-01T00:30:00+05:30", "2025-12-31T19:00:00Z"},
		{"0000-01-01T00:00:00Z", "0000-01-01T00:00:00Z"},
		{"9999-12-31T23:59:59.999999999999Z", "9999-12-31T23:59:59Z"},
	} {
		if got, ok := ToUTC(c.text); !ok || got != c.want {
			t.Errorf("%q: %q %v, want %q", c.text, got, ok, c.want)
		}
	}
	for _, bad := range []string{
		"", "yesterday", "2026-11-26", "2026-11-26T10:00Z", "2026-11-26T10:00:00", "2026-11-26 10:00:00Z", "2026-11-26T10:00:00+0100", "2026-11-26T10:00:00+01",
		"2026-11-26T10:00:00.Z", "2026-11-26T10:00:00,5Z", "2026-11-26T10:00:00+24:00", "2026-11-26T10:00:00+01:60", "2026-11-26T10:00:00Zx", "2026-11-26T10:00:00 01:00",
		"2026-02-29T10:00:00Z", "2026-04-31T10:00:00Z", "2026-11-26T24:00:00Z", "2026-11-26T10:60:00Z", "2026-11-26T10:00:60Z", "2026-11-26T23:59:60Z", "2026-11-26T10:00:00\u200a01:00",
		"0000-01-01T00:00:00+00:01", "9999-12-31T23:59:59-00:01", "+2026-11-26T10:00:00Z", "2026-11-26T10:00:00+1:000", "2026-W48-4T10:00:00Z",
	} {
		if got, ok := ToUTC(bad); ok {
			t.Errorf("%q was read as %q", bad, got)
		}
	}
}

type timed struct{ At, Until string }

func (r *timed) Members(m *Members) {
	m.Time("at", &r.At)
	m.OptTime("until", &r.Until)
}

// TestTimesAreReadInUTC checks that a record has UTC instants whatever offset a
// body has.
func TestTimesAreReadInUTC(t *testing.T) {
	var r timed
	must(t, Decode([]byte(`{"at":"2026-11-26T10:00:00.5+01:00","until":"2026-11-26t10:00:00z"}`), &r, Default))
	if want := (timed{"2026-11-26T09:00:00Z", "2026-11-26T10:00:00Z"}); r != want {
		t.Errorf("%v, want %v", r, want)
	}
	if err := Decode([]byte(`{"at":"2026-11-26"}`), &r, Default); err == nil || r.At != "" {
		t.Errorf("a day was read as %v: %v", r, err)
	}
}
