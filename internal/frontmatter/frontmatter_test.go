package frontmatter

import (
	"testing"

	"colophon/internal/assert"
)

func TestSplit(t *testing.T) {
	for _, c := range []struct{ name, file, title, body string }{
		{"YAML", "---\ntitle: Tides\n---\ntext\n", "Tides", "text\n"},
		{"YAML with a mark and line ends of Windows", "\ufeff---\r\nTitle: Tides\r\n---\r\ntext", "Tides", "text"},
		{"TOML", "+++\ntitle = \"Tides\"\n+++\ntext", "Tides", "text"},
		{"JSON", "{ \"title\": \"Tides\" }text", "Tides", "text"},
		{"nothing but front matter", "---\ntitle: Tides\n---", "Tides", ""},
		{"none", "text\n---\nmore", "", "text\n---\nmore"},
		{"a rule at the head", "---\n\ntext", "", "---\n\ntext"},
		{"a template at the head", "{{< note >}}", "", "{{< note >}}"},
	} {
		m, body, err := Split(c.file)
		if err != nil || m.Text("title") != c.title || body != c.body {
			t.Errorf("%s: title %q and text %q (%v), want %q and %q", c.name, m.Text("title"), body, err, c.title, c.body)
		}
	}
	for _, file := range []string{"---\na: [\n---\n", "+++\na\n+++\n", "{\"a\": "} {
		if _, _, err := Split(file); err == nil {
			t.Errorf("%q is read", file)
		}
	}
}

// TestFields reads values of every type that YAML, TOML and JSON have.
func TestFields(t *testing.T) {
	m, _, err := Split("---\nlist: [a, {name: b}, {title: c}, 4, true]\nday: 2026-03-04\nlines: |\n  x\n  y\nOn: Yes\nOff: 0\nblank: ' '\nin: {Deep: {er: z}}\nobjects: [{A: 1}, b]\n---\n")
	if err != nil {
		t.Fatal(err)
	}
	assert.EqualSlices(t, m.Texts("none", "blank", "list"), []string{"a", "b", "c", "4", "true"}, "list")
	assert.Equal(t, m.Text("day"), "2026-03-04T00:00:00Z", "day")
	if m.Text("lines") != "x y" || m.Block("lines") != "x\ny\n" {
		t.Errorf("lines %q, with their ends %q", m.Text("lines"), m.Block("lines"))
	}
	if !m.True("on") || m.False("on") || m.True("off") || !m.False("off") || m.True("none") || m.False("none") {
		t.Error("switches")
	}
	if m.Object("in", "deep").Text("er") != "z" || m.Object("in", "none", "er") != nil {
		t.Errorf("objects within each other: %v", m.Object("in", "deep"))
	}
	if got := m.Objects("objects"); len(got) != 1 || got[0].Text("a") != "1" {
		t.Errorf("list of objects %v", got)
	}
}
