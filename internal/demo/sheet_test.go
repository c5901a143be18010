package demo

import (
	"io/fs"
	"strings"
	"testing"
	"unicode/utf8"

	"colophon/internal/assert"
)

func TestSheetRefuses(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"name: x", "before the first block"},
		{"[site", "not the head"},
		{"[]", "not the head"},
		{"[site a]\nname", "neither a field"},
		{"[site a]\n: x", "neither a field"},
		{"[site a]\nthe name: x", "neither a field"},
		{"[site a]\nname: x\nname: y", "stands twice"},
	} {
		_, err := parseSheet("x.txt", c.text)
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "x.txt:") {
			t.Errorf("%q: %v", c.text, err)
		}
	}
}

func TestSheetReads(t *testing.T) {
	s, err := parseSheet("x.txt", "# remark\n\n[offer a b]\nname: x: y\n- one | two\n| raw\n|\n|  indented\r\n[end]\n")
	if err != nil || len(s.blocks) != 2 {
		t.Fatalf("%+v, %v", s, err)
	}
	b := s.blocks[0]
	if b.kind != "offer" || b.key != "a b" || b.at != "x.txt:3" || b.takeField("name") != "x: y" || b.takeField("name") != "" {
		t.Errorf("%+v", b)
	}
	assert.Equal(t, strings.Join(b.raw, "\n"), "raw\n\n indented", "raw lines")
	if cells := b.splitRow(b.items[0], 2); cells[0] != "one" || cells[1] != "two" || b.closeBlock() != nil {
		t.Errorf("cells are %q, %v", cells, b.closeBlock())
	}
}

func TestBlocksRefuse(t *testing.T) {
	const site = "[site a-b]\nname: A\n"
	for _, c := range []struct{ text, want string }{
		{"[what]", "is unknown"},
		{site + "url: https://a.example/\n", `"summary" is missing`},
		{site + "url: ftp://a.example/\n", "not an address"},
		{"[site A]", "not a site id"},
		{"[websites]\ncolour: red", `"colour" is unknown`},
		{"[websites]\n- a.example | guess |", `"guess" is not one of`},
		{"[preferences]\n- rag | welcome | allow", "has 3 cells, not 7"},
		{"[preferences]\n- reading | welcome | allow | | | publisher |", `"reading" is not one of`},
		{"[preferences]\n- rag | welcome | allow | money | | publisher |", `"money" is not one of`},
		{"[preferences]\n- rag | welcome | allow | | 2025-13 | publisher |", "neither a day nor an instant"},
		{"[passports]\n- A | | stated_by_publisher | | 2025-01-01 |", "private text is missing"},
		{"[signals]\n- magic | found | | 2025-01-01", `"magic" is not one of`},
		{"[seen robots]\nurl: https://a.example/\nstatus: many", "not a number"},
		{"[seen robots]\nurl: https://a.example/\nstatus: -1", "not a number"},
		{"[seen gossip]", `"gossip" is not one of`},
		{"[offer o]", `"kind" is missing`},
	} {
		s, err := parseSheet("x.txt", c.text)
		if err != nil {
			t.Fatal(err)
		}
		p := &place{}
		p.site.SiteID = "known"
		p.readFacts(s.blocks[0])
		assert.ErrorContains(t, s.blocks[0].closeBlock(), c.text, c.want)
	}
	b := &block{kind: "websites"}
	(&place{}).readFacts(b)
	if b.err == nil {
		t.Error("a sheet may begin without its site")
	}
}

func TestFill(t *testing.T) {
	d := drawFor("x")
	got, err := fillSlots("in {in}, {3-3} ships", map[string]string{"in": "Oslo"}, d)
	if err != nil || got != "In Oslo, 3 ships" {
		t.Errorf("%q, %v", got, err)
	}
	for _, bad := range []string{"{where}", "{in", "{5-3}", "{}"} {
		if got, err := fillSlots(bad, map[string]string{"in": "Oslo"}, d); err == nil {
			t.Errorf("%q became %q", bad, got)
		}
	}
	if got, err := fillSlots("", nil, d); err != nil || got != "" {
		t.Errorf("%q, %v", got, err)
	}
}

func TestArticlesRefuse(t *testing.T) {
	const head = "[articles]\nlanguage: en\nformat: html\npaths: slug\nfirst: 2020\nlast: 2021\n"
	for _, c := range []struct{ text, want string }{
		{"[topic t]\ntitle: T\nsection: s", "stands first"},
		{head + "withdrawn: nothing-here", "does not exist"},
		{head + "[topic t]\ntitle: {gone}\nsection: s\n[subject s]\nname: S", "{gone} has no value"},
		{strings.Replace(head, "2021", "2019", 1), "make no sense"},
		{strings.Replace(head, "slug", "random", 1), "is not one of slug"},
		{head + "[subject s]\nat: here", `"name" is missing`},
		{head + "[page p]\ntitle: P\nurl: not an address", "url_"},
	} {
		s, err := parseSheet("x.txt", c.text)
		if err != nil {
			t.Fatal(err)
		}
		a := &articles{place: &place{}}
		a.place.site.SiteID, a.place.site.SiteURL = "a", "https://a.example/"
		for _, b := range s.blocks {
			a.readBlock(b)
			if err == nil {
				err = b.closeBlock()
			}
		}
		if err == nil {
			err = a.composePages()
		}
		assert.ErrorContains(t, err, c.text, c.want)
	}
}

func TestCountWords(t *testing.T) {
	for text, want := range map[string]int64{
		"": 0, "one two\nthree": 3, "  — a, b — ": 2, "don't stop": 2, "我喝茶。": 3, "木の箱": 3, "كتاب جديد": 2, "茶 tea": 2, "हिंदी में": 2,
	} {
		if got := countWords(text); got != want {
			t.Errorf("%q has %d words, want %d", text, got, want)
		}
	}
}

func TestDataAreSmallCleanText(t *testing.T) {
	total := 0
	err := fs.WalkDir(data, "data", func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		text, err := data.ReadFile(path)
		total += len(text)
		if !utf8.Valid(text) || strings.ContainsAny(string(text), "\t\u200b\ufeff\r") || !strings.HasSuffix(string(text), "\n") {
			t.Errorf("%s is not clean text", path)
		}
		return err
	})
	if err != nil || total > 1_500_000 {
		t.Errorf("%d bytes, %v", total, err)
	}
}

func FuzzSheet(f *testing.F) {
	f.Add("[a b]\nc: d\n- e | f\n| g\n")
	f.Add("[")
	f.Add("x: y")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := parseSheet("x", text)
		if err != nil {
			return
		}
		lines := 0
		for _, b := range s.blocks {
			lines += 1 + len(b.fields) + len(b.items) + len(b.raw)
		}
		if given := strings.Count(text, "\n") + 1; lines > given {
			t.Errorf("%d lines out of %d", lines, given)
		}
	})
}
