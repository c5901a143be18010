package searchindex_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"colophon/exports"
	"colophon/internal/assert"
	"colophon/internal/searchindex"
	"colophon/internal/staticindex"
	"colophon/internal/wire"

	"pgregory.net/rapid"
)

func fullDoc() searchindex.Doc {
	return searchindex.Doc{Entry: exports.Entry{EntryID: "own-id", SiteID: "harbor-ledger", Title: "Tide \x00\n tables", URL: "https://harbor-ledger.example/a", Section: "s",
		Terms: []string{"tides", ""}, ContentFormat: "code", Language: "en", WordCount: 1<<53 - 1, PublishedAt: "1970-01-01T00:00:00Z", ModifiedAt: "9999-12-31T23:59:59Z",
		RegisteredAt: "2026-02-11T09:00:00Z", RightsVector: "LDDSLDUU", Digest: strings.Repeat("0a", 32)}, Publisher: "Harbor Ledger", LicenseIDs: []string{"lic_a", "lic_b"}}
}

// bytesOfFeed returns a page as the licensing feed shows it.
func bytesOfFeed(d searchindex.Doc) []byte {
	record := d.Feed()
	return wire.Append(nil, &record)
}

// TestAnyDocRoundTrip checks that pages with any texts come out of a block as
// answers show them, and that no other bytes are accepted as the block.
func TestAnyDocRoundTrip(t *testing.T) {
	text := rapid.OneOf(rapid.String(), rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) }))
	at := rapid.SampledFrom([]string{"1970-01-01T00:00:00Z", "2026-05-14T09:00:00Z", "9999-12-31T23:59:59Z"})
	z := deflater()
	rapid.Check(t, func(t *rapid.T) {
		docs := make([]searchindex.Doc, rapid.IntRange(1, 4).Draw(t, "pages"))
		var block staticindex.Block
		for i := range docs {
			d := fullDoc()
			d.Title = text.Draw(t, "title")
			d.URL = text.Draw(t, "url")
			d.Publisher = text.Draw(t, "publisher")
			d.Terms = rapid.SliceOfN(text, 0, 3).Draw(t, "terms")
			d.LicenseIDs = rapid.SliceOfN(text, 0, 3).Draw(t, "licences")
			d.ContentFormat = rapid.SampledFrom(exports.ContentFormats).Draw(t, "format")
			d.WordCount = rapid.Int64Range(0, 1<<53-1).Draw(t, "words")
			d.RegisteredAt = at.Draw(t, "registered")
			d.Digest = rapid.SampledFrom([]string{"", d.Digest}).Draw(t, "digest")
			docs[i] = d
			block = append(block, wire.Append(nil, &d))
		}
		file := block.Append(nil, 2, 3, z)
		got, err := staticindex.DecodeBlock(file, 2, 3)
		if err != nil || len(got) != len(docs) {
			t.Fatalf("%v: %d records of %d", err, len(got), len(docs))
		}
		for i := range docs {
			d, err := searchindex.LoadDoc(got[i])
			if err != nil || !bytes.Equal(bytesOfFeed(d), bytesOfFeed(docs[i])) {
				t.Fatalf("%v: %+v gives %+v", err, docs[i], d)
			}
		}
		for _, other := range [][2]int{{2, 4}, {1, 3}} {
			if _, err := staticindex.DecodeBlock(file, other[0], other[1]); err == nil {
				t.Fatal("another block is taken")
			}
		}
		if _, err := staticindex.DecodeBlock(append(file, 0), 2, 3); err == nil {
			t.Fatal("a byte more is taken")
		}
		for i := range file {
			if _, err := staticindex.DecodeBlock(file[:i], 2, 3); err == nil {
				t.Fatalf("a block cut at %d is taken", i)
			}
		}
	})
}

// TestFormerBlock checks that a block of the previous format is refused.
func TestFormerBlock(t *testing.T) {
	file := staticindex.Block{[]byte("{}")}.Append(nil, 0, 0, deflater())
	former := append([]byte("CBL3"), file[4:]...)
	assert.Equal(t, assert.Err(staticindex.DecodeBlock(former, 0, 0)), staticindex.ErrMalformed, "err")
}

// TestRecordsMustBeAsMany checks that a block must have as many lines as it
// says, each with its line end.
func TestRecordsMustBeAsMany(t *testing.T) {
	for name, text := range map[string]string{
		"a record less":        "{}\n",
		"a record more":        "{}\n{}\n{}\n",
		"the last without end": "{}\n{}",
	} {
		file := append([]byte("CBL4\x00\x00\x02"), byte(len(text)), 0)
		assert.Equal(t, assert.Err(staticindex.DecodeBlock(append(file, text...), 0, 0)), staticindex.ErrMalformed, "%s", name)
	}
}

func TestLoadDocRefuses(t *testing.T) {
	d := fullDoc()
	record := wire.Append(nil, &d)
	if !slices.Contains(strings.Split(string(record), ","), `"section":"s"`) {
		t.Errorf("%s", record)
	}
	for _, bad := range []string{"", "[]", "{}", string(record[:len(record)-1]), strings.Replace(string(record), `"code"`, `"papyrus"`, 1)} {
		assert.Equal(t, assert.Err(searchindex.LoadDoc([]byte(bad))), staticindex.ErrMalformed, "%q is taken", bad)
	}
}

func TestPublicForm(t *testing.T) {
	for name, change := range map[string]func(*searchindex.Doc){
		"digest in capitals": func(d *searchindex.Doc) { d.Digest = strings.ToUpper(d.Digest) },
		"short digest":       func(d *searchindex.Doc) { d.Digest = "00" },
		"local time":         func(d *searchindex.Doc) { d.RegisteredAt = "2026-02-11T09:00:00+01:00" },
		"fractions":          func(d *searchindex.Doc) { d.PublishedAt = "2026-02-11T09:00:00.5Z" },
		"unknown format":     func(d *searchindex.Doc) { d.ContentFormat = "papyrus" },
	} {
		d := fullDoc()
		if !d.IsPublic() {
			t.Fatal("a page in full is refused")
		}
		change(&d)
		if d.IsPublic() {
			t.Errorf("%s is taken", name)
		}
	}
	if bare := (searchindex.Doc{}); !bare.IsPublic() {
		t.Error("a page without times, digest and format is refused")
	}
}

// TestDamagedBlocks checks that, whichever byte is changed, a block is refused
// or has the same number of records, and a record is refused or can be shown.
func TestDamagedBlocks(t *testing.T) {
	d := fullDoc()
	record := wire.Append(nil, &d)
	file := staticindex.Block{record, record}.Append(nil, 0, 0, deflater())
	for i := range file {
		for x := range 256 {
			b := bytes.Clone(file)
			b[i] ^= byte(x)
			k, err := staticindex.DecodeBlock(b, 0, 0)
			if err != nil {
				continue
			}
			for _, r := range k {
				if d, err := searchindex.LoadDoc(r); err == nil {
					bytesOfFeed(d)
				}
			}
		}
	}
}
