package searchindex_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"colophon/exports"
	"colophon/internal/searchindex"
	"colophon/internal/wire"

	"pgregory.net/rapid"
)

func testID(site, url string) string { return "ent_" + site + "_" + url[max(0, len(url)-8):] }

func fullDoc() searchindex.Doc {
	return searchindex.Doc{Entry: exports.Entry{EntryID: "own-id", SiteID: "harbor-ledger", Title: "Tide \x00 tables", URL: "https://harbor-ledger.example/a", Section: "s",
		Terms: []string{"tides", ""}, ContentFormat: "code", Language: "en", WordCount: 1<<53 - 1, PublishedAt: "1970-01-01T00:00:00Z", ModifiedAt: "9999-12-31T23:59:59Z",
		RegisteredAt: "2026-02-11T09:00:00Z", RightsVector: "LDDSLDUU", Digest: strings.Repeat("0a", 32)}, Publisher: "Harbor Ledger", LicenseIDs: []string{"lic_a", "lic_b"}}
}

type fataler interface {
	Helper()
	Fatalf(string, ...any)
}

// checkStored stores a page and loads it again, which must change nothing.
func checkStored(t fataler, d searchindex.Doc) searchindex.Stored {
	t.Helper()
	s, err := d.Store(testID)
	if err != nil {
		t.Fatalf("%v: %+v", err, d)
	}
	got, err := searchindex.LoadDoc(s, testID)
	a, b := exports.FeedRecord{Entry: d.Entry, LicenseIDs: d.LicenseIDs}, exports.FeedRecord{Entry: got.Entry, LicenseIDs: got.LicenseIDs}
	if err != nil || !bytes.Equal(wire.Append(nil, &a), wire.Append(nil, &b)) || got.Publisher != d.Publisher || got.Mask != d.Mask {
		t.Fatalf("%v: %+v gives %+v", err, d, got)
	}
	if !slices.Equal(d.Terms, got.Terms) || !slices.Equal(d.LicenseIDs, got.LicenseIDs) || d.URL != got.URL || d.SiteID != got.SiteID || d.Title != got.Title || d.EntryID != got.EntryID {
		t.Fatalf("%+v gives %+v", d, got)
	}
	return s
}

// checkLoaded stores a page that came out of a damaged file again.
func checkLoaded(t fataler, d searchindex.Doc) {
	t.Helper()
	all := append([]string{d.SiteID, d.Publisher, d.Title, d.Section, d.Language, d.URL, d.RightsVector}, append(d.Terms, d.LicenseIDs...)...)
	if utf8.ValidString(strings.Join(all, " ")) {
		checkStored(t, d)
	} else if _, err := d.Store(testID); err != nil {
		t.Fatalf("%v: %+v", err, d)
	}
}

func TestDocRoundTrip(t *testing.T) {
	full, masked := fullDoc(), fullDoc()
	bare := searchindex.Doc{Entry: exports.Entry{SiteID: "x", URL: "u", RegisteredAt: "2026-02-11T09:00:00Z", EntryID: testID("x", "u")}}
	masked.LicenseIDs, masked.Mask = nil, 1<<40|3
	for _, d := range []searchindex.Doc{full, bare, masked} {
		s := checkStored(t, d)
		for name, damage := range map[string]func(*searchindex.Stored){
			"a text less":           func(s *searchindex.Stored) { s.Texts = s.Texts[1:] },
			"a text more":           func(s *searchindex.Stored) { s.Texts = append(slices.Clone(s.Texts), "") },
			"a number less":         func(s *searchindex.Stored) { s.Ints = s.Ints[1:] },
			"a number more":         func(s *searchindex.Stored) { s.Ints = append(slices.Clone(s.Ints), 0) },
			"no such format":        func(s *searchindex.Stored) { s.Ints[0] += 8 * 100 },
			"after the year 9999":   func(s *searchindex.Stored) { s.Ints[1] = 1 << 50 },
			"a site without vector": func(s *searchindex.Stored) { s.Texts[0] = "name\xfesite\xfestart" },
			"a word without a name": func(s *searchindex.Stored) { s.Texts[5] = "\x0f" },
			"a digest cut off":      func(s *searchindex.Stored) { s.Ints[0] &^= 3; s.Raw = s.Raw[:min(len(s.Raw), 31)] },
			"bytes left over":       func(s *searchindex.Stored) { s.Ints[0] |= 2; s.Ints[0] &^= 1; s.Raw = make([]byte, 33) },
		} {
			bad := searchindex.Stored{Texts: slices.Clone(s.Texts), Ints: slices.Clone(s.Ints), Raw: slices.Clone(s.Raw)}
			damage(&bad)
			if _, err := searchindex.LoadDoc(bad, testID); err != searchindex.ErrMalformed {
				t.Errorf("%s is taken: %v", name, err)
			}
		}
	}
	for name, change := range map[string]func(*searchindex.Doc){
		"digest in capitals": func(d *searchindex.Doc) { d.Digest = strings.ToUpper(d.Digest) },
		"short digest":       func(d *searchindex.Doc) { d.Digest = "00" },
		"local time":         func(d *searchindex.Doc) { d.RegisteredAt = "2026-02-11T09:00:00+01:00" },
		"fractions":          func(d *searchindex.Doc) { d.PublishedAt = "2026-02-11T09:00:00.5Z" },
		"before 1970":        func(d *searchindex.Doc) { d.PublishedAt = "1969-02-11T09:00:00Z" },
		"unknown format":     func(d *searchindex.Doc) { d.ContentFormat = "papyrus" },
		"a large mask":       func(d *searchindex.Doc) { d.Mask = 1 << 53 },
	} {
		d := full
		change(&d)
		if _, err := d.Store(testID); err == nil {
			t.Errorf("%s is stored", name)
		}
	}
}

// What a record says of its address, after what the rest tells.
func TestDocSaysNothingTwice(t *testing.T) {
	for _, c := range []struct {
		name, site, title, section, url string
		wantSite, wantPath              string
	}{
		{"Harbor Ledger", "harbor-ledger", "Tides of the North Sea", "", "https://harbor-ledger.example/tides-of-the-north-sea",
			"harbor\xc1ledger\xfe\x12\xfe\x00.example/\xfe", "\x15"},
		{"Harbor Ledger", "harbor-ledger-7", "Don't Panic: a guide", "Long Reads", "https://www.harbor-ledger-7.example/long-reads/2026/05/14/dont-panic-a-guide-48113.html",
			"harbor\xc1ledger\xfe\x12-7\xfehttps://www.\x01.example/\xfe", "\x02\x03\x14\x07.html"},
		{"harbor ledger", "hl", "The tides and the sea", "News", "https://sea.example/News/2026/05/tides-and-sea/",
			" harbor ledger\xfehl\xfehttps://sea.example/\xfe", "News/\x04\x10\x12-\x11/"},
		{"Ö", "o", "Größe von Häfen", "", "https://o.example/2026/groesse-von-haefen",
			"Ö\xfeo\xfe\x00.example/\xfe", "\x05groesse-\x10\x11-haefen"},
		{"Порт", "port", "Приливы и порт", "", "https://port.example/%D0%9F%D1%80%D0%B8%D0%BB%D0%B8%D0%B2%D1%8B-%D0%B8-%D0%BF%D0%BE%D1%80%D1%82?p=4",
			"Порт\xfeport\xfe\x00.example/\xfe", "\x13?p=4"},
		{"A", "a", "A tide", "", "https://a.example/a\x11tide", "a\xfea\xfehttps://a.example/\xfe", "a\x11tide"},
	} {
		d := searchindex.Doc{Publisher: c.name, Entry: exports.Entry{SiteID: c.site, Title: c.title, Section: c.section, URL: c.url, PublishedAt: "2026-05-14T09:00:00Z", EntryID: testID(c.site, c.url)}}
		s := checkStored(t, d)
		if s.Texts[0] != c.wantSite || s.Texts[5] != c.wantPath {
			t.Errorf("%s: %q, %q, not %q, %q", c.url, s.Texts[0], s.Texts[5], c.wantSite, c.wantPath)
		}
	}
}

// drawTitle draws texts of words as titles have them, and others.
func drawTitle(t *rapid.T) string {
	word := rapid.SampledFrom([]string{"", "a", "Tide", "don't", "Größe", "東京", "2026", "1048576", "--", "\x00", "\x11", "A-B", "é", "Ü", "(x)", "/"})
	words := rapid.Custom(func(t *rapid.T) string { return strings.Join(rapid.SliceOfN(word, 0, 8).Draw(t, "words"), " ") })
	return rapid.OneOf(words, rapid.String()).Draw(t, "title")
}

// drawDoc draws a page whose address repeats its title, or does not.
func drawDoc(t *rapid.T) searchindex.Doc {
	var d searchindex.Doc
	d.Title, d.Publisher, d.Section = drawTitle(t), drawTitle(t), drawTitle(t)
	site := rapid.SampledFrom([]string{"harbor-ledger", "", "x", strings.ToLower(strings.ReplaceAll(d.Publisher, " ", "-")), "https:"})
	d.SiteID = rapid.OneOf(site, rapid.String()).Draw(t, "site")
	at := rapid.SampledFrom([]string{"", "1970-01-01T00:00:00Z", "2026-05-14T09:00:00Z", "2026-05-15T09:00:00Z", "9999-12-31T23:59:59Z"})
	d.PublishedAt, d.ModifiedAt, d.RegisteredAt = at.Draw(t, "published"), at.Draw(t, "modified"), at.Draw(t, "registered")
	piece := rapid.OneOf(rapid.SampledFrom([]string{
		"https://", d.SiteID, ".example/", "/", "-", "www.", d.Section, strings.ToLower(strings.ReplaceAll(d.Title, " ", "-")), strings.ToLower(d.Title), strings.ToUpper(d.Title),
		"2026/", "2026/05/14/", "12345", "007", "123456789", "\x00", "\x05", "\x11", "\x1f", "%D0%9F", "a-tide-2026",
	}), rapid.String())
	d.URL = strings.Join(rapid.SliceOfN(piece, 0, 10).Draw(t, "pieces"), "")
	d.Terms = rapid.SliceOfN(rapid.String(), 0, 3).Draw(t, "terms")
	d.LicenseIDs = rapid.SliceOfN(rapid.String(), 0, 3).Draw(t, "licences")
	if len(d.LicenseIDs) == 0 {
		d.Mask = rapid.Uint64Range(0, 1<<53-1).Draw(t, "mask")
	}
	d.ContentFormat = rapid.SampledFrom(append([]string{""}, exports.ContentFormats...)).Draw(t, "format")
	d.Language, d.RightsVector = rapid.String().Draw(t, "language"), rapid.String().Draw(t, "vector")
	d.WordCount = rapid.Int64Range(0, 1<<53-1).Draw(t, "words")
	d.Digest = rapid.SampledFrom([]string{"", strings.Repeat("0a", 32)}).Draw(t, "digest")
	d.EntryID = rapid.SampledFrom([]string{"", "own-id", testID(d.SiteID, d.URL)}).Draw(t, "id")
	return d
}

func TestAnyDocRoundTrip(t *testing.T) {
	z := deflater()
	rapid.Check(t, func(t *rapid.T) {
		var k searchindex.Block
		for range rapid.IntRange(1, 4).Draw(t, "pages") {
			k = append(k, checkStored(t, drawDoc(t)))
		}
		got, err := searchindex.DecodeBlock(k.Append(nil, 1, z), 1)
		if err != nil || !slices.EqualFunc(got, k, sameStored) {
			t.Fatal("a block of pages does not survive", err)
		}
	})
}

// Bytes that are not UTF-8 are stored as answers show them.
func TestDocThatIsNotUTF8(t *testing.T) {
	d := fullDoc()
	d.Title, d.Publisher, d.Terms, d.URL = "a\xffb\xc1c", "\xfe", []string{"\xfe", "\xc3"}, "https://a.example/\xff\x80"
	s, err := d.Store(testID)
	if err != nil {
		t.Fatal(err)
	}
	got, err := searchindex.LoadDoc(s, testID)
	if err != nil || got.Title != "a\ufffdb\ufffdc" || got.Publisher != "\ufffd" || !slices.Equal(got.Terms, []string{"\ufffd", "\ufffd"}) || got.URL != "https://a.example/\ufffd\ufffd" {
		t.Errorf("%v: %+v", err, got)
	}
	a, b := exports.FeedRecord{Entry: d.Entry, LicenseIDs: d.LicenseIDs}, exports.FeedRecord{Entry: got.Entry, LicenseIDs: got.LicenseIDs}
	if !bytes.Equal(wire.Append(nil, &a), wire.Append(nil, &b)) {
		t.Error("an answer changes")
	}
}

// A record can't grow beyond what a page may be.
func TestLongAddressesAreLiteral(t *testing.T) {
	d := fullDoc()
	d.Section = strings.Repeat("s", 1000)
	d.URL = "https://a.example/" + strings.Repeat(d.Section+"/", 100)
	s := checkStored(t, d)
	if !strings.Contains(s.Texts[5], d.Section) {
		t.Error("a long address is shortened")
	}
	s.Texts[5], s.Ints[0] = strings.Repeat("\x02", 1<<20), s.Ints[0]&^4
	if _, err := searchindex.LoadDoc(s, testID); err != searchindex.ErrMalformed {
		t.Error("a record of a gigabyte is taken", err)
	}
}
