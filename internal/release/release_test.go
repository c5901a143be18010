package release_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"colophon/exports"
	"colophon/internal/assert"
	"colophon/internal/record"
	"colophon/internal/release"
	"colophon/internal/urlkey"
)

// TestRangesByArithmetic checks the stated bounds of files for private look-ups
// at every size of a registry.
func TestRangesByArithmetic(t *testing.T) {
	for _, n := range []int64{0, 1, 999, 1000, 5000, 100_000, 1_000_000, 10_000_000, 100_000_000} {
		bits := release.RangeBits(n)
		size := release.RangeSize(n, bits)
		if bits > 0 && n>>bits < release.MinRange {
			t.Errorf("%d keys are cut by %d bits: %d in a file", n, bits, n>>bits)
		}
		if size > 96<<10 {
			t.Errorf("%d keys: a file has %d bytes", n, size)
		}
	}
	if bits := release.RangeBits(100_000_000); bits != 16 {
		t.Errorf("100,000,000 keys are cut by %d bits", bits)
	}
	if size := release.RangeSize(100_000_000, 16); size > 64<<10 {
		t.Errorf("an answer has %d bytes", size)
	}
}

// TestRangesHaveEnoughKeys divides random rows: every file must have MinRange of
// them, all must have the same size, and together they must have every row.
func TestRangesHaveEnoughKeys(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	rows := make([]release.RangeRow, 150_000)
	for i := range rows {
		binary.BigEndian.PutUint64(rows[i].Key[:], r.Uint64())
		rows[i].Vector = release.RangeVector("LDSUldsW")
	}
	slices.SortFunc(rows, func(x, y release.RangeRow) int { return bytes.Compare(x.Key[:], y.Key[:]) })
	var got []release.RangeRow
	var names []string
	w := release.NewRangeWriter(release.RangeURL, int64(len(rows)), func(key exports.Key, data []byte) error {
		part, err := release.ParseRange(data)
		names = append(names, string(key))
		if err != nil || len(part) < release.MinRange || len(data) != release.RangeSize(int64(len(rows)), release.RangeBits(int64(len(rows)))) {
			t.Errorf("%s has %d rows in %d bytes, %v", key, len(part), len(data), err)
		}
		for i := range part {
			if name := release.RangeName(release.RangeURL, urlkey.Part(part[i].Key[:], 7), 7); name != string(key) {
				t.Fatalf("%s has a row of %s", key, name)
			}
		}
		got = append(got, part...)
		return nil
	})
	for i := range rows {
		must(t, w.Add(&rows[i]))
	}
	bits, err := w.Finish()
	if err != nil || bits != 7 || len(names) != 128 || !slices.Equal(got, rows) {
		t.Errorf("%d bits, %d files, %d rows, %v", bits, len(names), len(got), err)
	}
	none := release.NewRangeWriter(release.RangeHost, 0, func(key exports.Key, data []byte) error {
		if part, err := release.ParseRange(data); err != nil || len(part) != 0 || string(key) != release.RangeName(release.RangeHost, 0, 0) {
			t.Errorf("%s has %d rows, %v", key, len(part), err)
		}
		names = nil
		return nil
	})
	if bits, err := none.Finish(); err != nil || bits != 0 || names != nil {
		t.Errorf("without rows: %d bits, %v, %v", bits, names, err)
	}
}

func TestRangeFiles(t *testing.T) {
	rows := []release.RangeRow{
		{Key: [16]byte{9}, Own: [6]byte{1}, Site: release.SiteMark("b"), Vector: [8]byte([]byte("LDSUldsW"))},
		{Key: [16]byte{1}, Own: [6]byte{2}, Site: release.SiteMark("a"), Vector: [8]byte([]byte("UUUUUUUu"))},
	}
	turned := []release.RangeRow{rows[1], rows[0]}
	data, err := release.AppendRange(slices.Clone(rows), 4096)
	if err != nil || len(data) != 4096 {
		t.Fatal(len(data), err)
	}
	if other, _ := release.AppendRange(slices.Clone(turned), 4096); !bytes.Equal(data, other) {
		t.Error("the order of what was given shows")
	}
	got, err := release.ParseRange(data)
	if err != nil || !slices.Equal(got, turned) {
		t.Errorf("%v, %v", got, err)
	}
	assert.ErrorIs(t, assert.Err(release.ParseRange(data[:60])), release.ErrDamaged, "a cut file")
	rows[0].Vector[0] = 'x'
	assert.Fails(t, assert.Err(release.AppendRange(rows, 4096)), "a vector of unknown letters was written")
}

// TestTiles checks that a change affects one tile, and that the list can be
// read back.
func TestTiles(t *testing.T) {
	files := make([]release.File, 12000)
	for i := range files {
		files[i] = release.File{Name: fmt.Sprintf("a/%05d.json", i), Size: int64(i), SHA256: sha256.Sum256([]byte{byte(i), byte(i >> 8)})}
	}
	tiles, texts := release.CutTiles(files, release.TileFiles)
	read := 0
	for i := range texts {
		got, err := release.ParseFiles(texts[i])
		if err != nil || int64(len(got)) != tiles[i].Count {
			t.Fatalf("tile %d: %d files, %v", i, len(got), err)
		}
		read += len(got)
	}
	if read != len(files) || len(tiles) != 8 { // of 1,500 files each, on average
		t.Errorf("%d files in %d tiles", read, len(tiles))
	}
	if large, _ := release.CutTiles(files, release.LargeTileFiles); len(large) != 1 {
		t.Errorf("%d large tiles", len(large))
	}
	files[77].Size++
	after, _ := release.CutTiles(files, release.TileFiles)
	differ := 0
	for i := range tiles {
		if tiles[i] != after[i] {
			differ++
		}
	}
	if differ != 1 {
		t.Errorf("one change costs %d tiles", differ)
	}
	for _, text := range []string{"x", strings.Repeat("a", 64) + " 1 ../x\n", strings.Repeat("a", 64) + " -1 x\n", strings.Repeat("a", 64) + " 1 b\n" + strings.Repeat("a", 64) + " 1 a\n"} {
		assert.ErrorIs(t, assert.Err(release.ParseFiles([]byte(text))), release.ErrDamaged, "%q", text)
	}
}

func TestListsAreSigned(t *testing.T) {
	signer, err := record.NewSigner(make([]byte, 32))
	must(t, err)
	key := record.Key{ID: signer.KeyID(), Public: signer.Public(), NotBefore: 1_700_000_000, NotAfter: 1 << 40}
	keys, err := record.NewKeySet(key)
	must(t, err)
	sign := func(created string) []byte {
		l := release.List{BaseURL: "https://registry.example"}
		l.Catalog.GeneratedAt, l.Proof.Created = "2026-11-23T00:00:00Z", created
		data, err := l.Sign(signer)
		must(t, err)
		return data
	}
	data := sign("2026-11-23T00:00:00Z")
	if _, err := release.ParseList(data, keys); err != nil {
		t.Error(err)
	}
	for name, bad := range map[string][]byte{
		"changed":        bytes.Replace(data, []byte("registry.example"), []byte("registry.exampl0"), 1),
		"before the key": sign("2020-01-01T00:00:00Z"),
	} {
		assert.Equal(t, assert.Err(release.ParseList(bad, keys)), release.ErrSignature, "%s", name)
	}
	assert.Equal(t, assert.Err(release.ParseList(data, record.KeySet{})), release.ErrSignature, "without keys")
}

// TestTablesAreTheSameTwice checks the bytes of a table, and what is read back.
func TestTablesAreTheSameTwice(t *testing.T) {
	rows := make([]release.Entry, 40_000)
	for i := range rows {
		e := &rows[i]
		binary.BigEndian.PutUint32(e.URLSHA256[:], uint32(i))
		e.URL, e.Site, e.Title, e.RightsVector, e.LedgerIndex = fmt.Sprintf("https://a.example/%d", i), "a", "t", "UUUUUUUU", int64(i)-1
		if i%2 == 0 {
			e.Portable, e.ISCC, e.PublishedAt = bytes.Repeat([]byte{byte(i)}, 32), bytes.Repeat([]byte{byte(i >> 8)}, 32), int64(i)
		}
	}
	a, err := release.Write(rows, "url_sha256", "entry_own")
	must(t, err)
	if b, _ := release.Write(rows, "url_sha256", "entry_own"); !bytes.Equal(a, b) {
		t.Error("the same rows give other bytes")
	}
	at := 0
	err = release.Read(bytes.NewReader(a), int64(len(a)), func(got []release.Entry) error {
		for i := range got {
			if want := &rows[at]; got[i].URLSHA256 != want.URLSHA256 || got[i].URL != want.URL || !bytes.Equal(got[i].ISCC, want.ISCC) || got[i].PublishedAt != want.PublishedAt || got[i].LedgerIndex != want.LedgerIndex {
				t.Fatalf("row %d is %+v, want %+v", at, got[i], *want)
			}
			at++
		}
		return nil
	})
	if err != nil || at != len(rows) {
		t.Errorf("%d rows, %v", at, err)
	}
	for _, n := range []int{0, 3, 100, len(a) / 2, len(a) - 9} {
		err := release.Read(bytes.NewReader(a[:n]), int64(n), func([]release.Entry) error { return nil })
		assert.ErrorIs(t, err, release.ErrDamaged, "cut at %d", n)
	}
}
