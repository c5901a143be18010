package entryfacts

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"colophon/exports"
	"colophon/internal/citation"
	"colophon/internal/wire"
)

// factMaker invents entries; texts are often empty, long or strange.
type factMaker struct{ *rand.Rand }

func (m factMaker) text() string {
	words := []string{"", "tide", "Ålesund", "a \"quoted\" & <b>bold</b> title", "line\nbreak", "\u202egnp.exe", "100 % {x}_y\\", strings.Repeat("long ", 60)}
	return words[m.IntN(len(words))]
}

func (m factMaker) texts() []string {
	var out []string
	for range m.IntN(4) {
		out = append(out, m.text())
	}
	return out
}

func (m factMaker) instant() string {
	texts := []string{"", "2026-01-02T03:04:05Z", "1969-12-31T23:59:59Z", "2026-02-30T00:00:00Z", "0000-01-01T00:00:00Z", "9999-12-31T23:59:59Z", "soon"}
	return texts[m.IntN(len(texts))]
}

func (m factMaker) bytes(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(m.Uint32())
	}
	return b
}

func (m factMaker) digest() string {
	switch m.IntN(6) {
	case 0:
		return ""
	case 1:
		return "not a digest"
	case 2:
		return strings.ToUpper(hex.EncodeToString(m.bytes(32)))
	}
	return hex.EncodeToString(m.bytes(32))
}

func (m factMaker) entryID() string {
	if m.IntN(4) == 0 {
		return "ent_own-name"
	}
	return "ent_" + hex.EncodeToString(m.bytes(12))
}

func (m factMaker) source() exports.Source {
	return exports.Source{
		Title: m.text(), Byline: m.texts(), Section: m.text(), Language: m.text(), ContentFormat: m.text(),
		PublishedAt: m.instant(), ModifiedAt: m.instant(), WordCount: m.Int64N(5000) - 10, Extraction: m.text(),
	}
}

func (m factMaker) record(entryID string) *exports.Record {
	live := "https://colophon.example" + exports.RightsCheckPath(entryID)
	if m.IntN(5) == 0 {
		live = m.text()
	}
	return &exports.Record{
		PublisherID: m.text(), SiteID: m.text(), EntryID: entryID, CanonicalURL: "https://a.example/" + m.text(), Version: 1 + m.Int64N(5),
		Supersedes: m.digest(), Withdrawn: m.IntN(3) == 0, Source: m.source(), Portable: m.digest(), Registry: m.digest(),
		Passport: exports.Passport{
			PassportID: m.text(), Version: m.Int64N(9), HolderName: m.text(), HolderURL: m.text(), HolderBasis: m.text(), RightsVector: m.text(),
			LicenseIDs: m.texts(), Territories: m.texts(), CurrentURL: live, AsOf: m.instant(),
		},
		Proof: exports.Proof{KeyID: m.text(), Created: m.instant(), Signature: base64.RawURLEncoding.EncodeToString(m.bytes(60 + m.IntN(6)))},
	}
}

func (m factMaker) place() *exports.LedgerPlace {
	if m.IntN(6) == 0 {
		return nil
	}
	return &exports.LedgerPlace{Origin: m.text(), Index: m.Int64N(1e6)}
}

func (m factMaker) citation(e *Facts) *exports.Citation {
	like := recordOf(e)
	c := &exports.Citation{
		EntryID: e.EntryID, CanonicalURL: like.CanonicalURL, SiteID: like.SiteID, Publisher: m.text(), PublisherURL: m.text(),
		Source: exports.CitedSource{
			Title: like.Source.Title, Byline: like.Source.Byline, PublishedAt: like.Source.PublishedAt, ModifiedAt: m.instant(),
			Language: like.Source.Language, Section: m.text(),
		},
		Portable: like.Portable, Registry: m.digest(), ISCC: m.code(), Status: m.text(), RightsVector: m.text(), RightsAsOf: m.instant(),
		GeneratedAt: m.instant(),
	}
	citation.Spell(c)
	c.SetPlace(e.Place)
	return c
}

func (m factMaker) entry() *Facts {
	e := &Facts{EntryID: m.entryID(), Place: m.place()}
	switch m.IntN(6) {
	case 0: // no record
		e.Place = nil
	case 1:
		e.Version, e.Signed = 3, []byte(`{"signed":"long ago"}`)
	default:
		e.Record = m.record(e.EntryID)
		e.Version = e.Record.Version
	}
	if m.IntN(4) > 0 {
		e.Citation = m.citation(e)
		e.Terms, e.Asks, e.Card = m.texts(), m.IntN(2) == 0, m.text()
	}
	return e
}

// TestFactsSpellTheSameDocuments packs invented entries and compares every
// document with the one rendered from the original.
func TestFactsSpellTheSameDocuments(t *testing.T) {
	m := factMaker{rand.New(rand.NewPCG(11, 12))}
	for i := range 2000 {
		e := m.entry()
		got, err := Parse(e.EntryID, Append(nil, e))
		if err != nil {
			t.Fatalf("entry %d: %v", i, err)
		}
		for name, pair := range map[string][2][]byte{
			"record":        {got.Spell(DocRecord, 0), e.signedRecord()},
			"version":       {got.Spell(DocVersion, e.Version), e.signedRecord()},
			"other version": {got.Spell(DocVersion, e.Version+1), nil},
			"citation":      {got.Spell(DocCitation, 0), citationBytes(e)},
			"place":         {got.Spell(DocPlace, e.Version), placeBytes(e)},
		} {
			if !bytes.Equal(pair[0], pair[1]) {
				t.Fatalf("entry %d: the %s is\n%s\nwant\n%s", i, name, pair[0], pair[1])
			}
		}
		if got.EntryID != e.EntryID {
			t.Fatalf("the id is %q, want %q", got.EntryID, e.EntryID)
		}
		if !slices.Equal(got.Terms, e.Terms) || got.Asks != e.Asks || got.Card != e.Card {
			t.Fatalf("entry %d: the page has %q %v %q, want %q %v %q", i, got.Terms, got.Asks, got.Card, e.Terms, e.Asks, e.Card)
		}
	}
}

func citationBytes(e *Facts) []byte {
	if e.Citation == nil {
		return nil
	}
	return wire.Append(nil, e.Citation)
}

func placeBytes(e *Facts) []byte {
	if e.Citation != nil || e.Place == nil {
		return nil
	}
	return wire.Append(nil, e.Place)
}

// TestNeighboursCompress checks what makes facts small: what entries of a site
// share takes little space in a blob of eight.
func TestNeighboursCompress(t *testing.T) {
	m := factMaker{rand.New(rand.NewPCG(5, 6))}
	record := m.record("ent_0123456789abcdef01234567")
	var text bytes.Buffer
	z, err := flate.NewWriter(&text, 5)
	if err != nil {
		t.Fatal(err)
	}
	one := 0
	for i := range 8 {
		e := &Facts{EntryID: "ent_" + hex.EncodeToString(m.bytes(12)), Version: 1}
		r := *record
		r.EntryID, r.Source.Title, r.Version = e.EntryID, fmt.Sprint("Title ", i), 1
		r.Passport.CurrentURL = "https://colophon.example" + exports.RightsCheckPath(e.EntryID)
		e.Record = &r
		e.Place = &exports.LedgerPlace{Origin: "colophon.example/ledger", Index: int64(i)}
		z.Write(Append(nil, e))
		z.Flush()
		if i == 0 {
			one = text.Len()
		}
	}
	if more := (text.Len() - one) / 7; more > 100 || more > one/3 {
		t.Errorf("the first entry takes %d bytes, each of the others %d", one, more)
	}
}

// TestHostileFacts changes every byte of packed facts, and reads fields that
// are longer, earlier or more than possible.
func TestHostileFacts(t *testing.T) {
	m := factMaker{rand.New(rand.NewPCG(8, 9))}
	for range 6 {
		sound := Append(nil, m.entry())
		for at := range sound {
			for _, b := range []byte{0, 0x7f, 0x80, 0xff} {
				harmed := bytes.Clone(sound)
				harmed[at] = b
				Parse("ent_1", harmed)      //nolint:errcheck // it must only end
				Parse("ent_1", harmed[:at]) //nolint:errcheck
			}
		}
	}

	endless := binary.AppendUvarint(nil, 1<<63)
	r := readFields(endless)
	if r.readTexts(nil); !r.Failed() {
		t.Error("a list of 2^63 texts was read")
	}
	r = readFields(endless)
	if r.readText(""); !r.Failed() {
		t.Error("a text of 2^63 bytes was read")
	}
	for _, at := range []int64{firstSecond - 1, lastSecond + 1, -1 << 63} {
		w := fieldWriter{}
		w.putUint(fieldPacked)
		w.putInt(at)
		r = readFields(w.b)
		if text := r.readInstant(""); !r.Failed() {
			t.Errorf("second %d was read as %q", at, text)
		}
	}
}

func FuzzFacts(f *testing.F) {
	m := factMaker{rand.New(rand.NewPCG(1, 2))}
	for range 20 {
		f.Add(Append(nil, m.entry()))
	}
	f.Fuzz(func(t *testing.T, facts []byte) {
		e, err := Parse("ent_1", facts)
		if err != nil {
			return
		}
		for _, kind := range []Kind{DocRecord, DocVersion, DocPlace, DocCitation} {
			e.Spell(kind, e.Version)
		}
	})
}

// code returns "", a similarity code, or a text that is not one.
func (m factMaker) code() string {
	return []string{"", "ISCC:EADSKDNZNYGUUF5AMFEJLZ5P66CP5YKCOA3X7F36RWE4CIRCBTUWXYY", "not a code"}[m.IntN(3)]
}
