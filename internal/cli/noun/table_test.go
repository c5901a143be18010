package noun

import (
	"strings"
	"testing"

	"colophon/internal/assert"
)

func TestTable(t *testing.T) {
	table := Table{
		Line:   "{grant_id}  {state:9}  {sites}[  until {valid_until}]  {n}",
		Within: []Within{{"keys", Table{Line: "{digest:.4}  {host}  {site_url}"}}},
	}
	for name, c := range map[string]struct {
		row  map[string]any
		want string
	}{
		"all":                       {map[string]any{"grant_id": "grt_1", "state": "active", "sites": []string{"a", "b"}, "valid_until": "2027", "n": int64(3)}, "grt_1  active     a,b  until 2027  3\n"},
		"an empty part is left out": {map[string]any{"grant_id": "grt_1", "state": "suspended", "valid_until": ""}, "grt_1  suspended\n"},
		"one line, no controls":     {map[string]any{"grant_id": "g\x1b[2J\nx", "state": "a"}, "g [2J x  a\n"},
		"within": {map[string]any{"grant_id": "g", "state": "a", "keys": []map[string]any{{"digest": "0123456789", "host": "xn--mnchen-3ya.example", "site_url": "https://xn--mnchen-3ya.example/x"}}},
			"g  a\n  0123  münchen.example  https://münchen.example/x\n"},
	} {
		var b strings.Builder
		if table.Print(&b, c.row); b.String() != c.want {
			t.Errorf("%s: %q, want %q", name, b.String(), c.want)
		}
	}
	assert.EqualSlices(t, table.Columns(), []string{"grant_id", "state", "sites", "valid_until", "n"}, "columns")
}

func TestShow(t *testing.T) {
	var b strings.Builder
	n := Description[int]{Key: "license_id"}
	n.Show(&b, map[string]any{"unit": "", "license_id": "lic_1", "title": "A\nB", "delete_hours": int64(72), "permits": []string{"rag", "training"}, "not_in": []string{}})
	const want = "license_id          lic_1\ndelete_hours        72\npermits             rag,training\ntitle               A B\n"
	assert.Equal(t, b.String(), want, "shown as")
}

func TestRowsOf(t *testing.T) {
	type kept struct {
		ID    string `json:"id"`
		Count int64  `json:"count"`
		Gone  string `json:"gone,omitempty"`
	}
	var b strings.Builder
	(&Table{Line: "{id} {count}[ {gone}]"}).Print(&b, RowsOf([]kept{{"a", 12_000_000, ""}, {"b", 2, "x"}})...)
	assert.Equal(t, b.String(), "a 12000000\nb 2 x\n", "b.String()")
}
