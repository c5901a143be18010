package wire_test

import (
	"testing"

	"colophon/internal/wire"
)

type statuses struct{ list []int64 }

func (s *statuses) Members(m *wire.Members) { m.Ints("statuses", &s.list) }

func TestInts(t *testing.T) {
	for text, want := range map[string]string{
		`{"statuses":[]}`:            "",
		`{"statuses":[401,-1]}`:      "",
		`{"statuses":[401,"402",4]}`: "type_mismatch /statuses/1",
		`{"statuses":401}`:           "type_mismatch /statuses",
		`{}`:                         "required /statuses",
	} {
		var s statuses
		err := wire.Decode([]byte(text), &s, wire.Default)
		if want == "" {
			if got := string(wire.Append(nil, &s)); err != nil || got != text {
				t.Errorf("%s is read and written as %s, %v", text, got, err)
			}
			continue
		}
		invalid, ok := err.(*wire.Invalid)
		if !ok || invalid.Fields[0].Code+" "+invalid.Fields[0].Pointer != want {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
	v := wire.Schema(&statuses{}, false)
	schema := string(v.Append(nil))
	if schema != `{"additionalProperties":false,"properties":{"statuses":{"items":{"type":"integer"},"type":"array"}},"required":["statuses"],"type":"object"}` {
		t.Error(schema)
	}
}
