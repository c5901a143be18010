package lookup_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"colophon/exports"
	"colophon/internal/assert"
	"colophon/internal/lookup"
)

var must = assert.NoError

func candidates() []exports.Candidate {
	base := exports.Candidate{EntryID: "ent_000000000000111111111111", SiteID: "a-site", Publisher: `A "quoted" name`, CanonicalURL: "https://a.example/x", Title: "Title\nof <two> lines",
		Portable: strings.Repeat("ab", 32), Registry: strings.Repeat("cd", 32), RecordSHA256: strings.Repeat("ef", 32), ISCC: testCode, RecordVersion: 3, LedgerIndex: 9, RightsVector: "UUUUUUUU", PublishedAt: "2026-01-01T00:00:00Z"}
	other := base
	other.EntryID, other.SiteID, other.Withdrawn, other.LedgerIndex, other.Registry, other.ISCC = "old-id", "b-site", true, -1, "", ""
	return []exports.Candidate{base, other}
}

func testBucket(t testing.TB, kind string) []byte {
	t.Helper()
	k := lookup.Bucket{Kind: kind, Bits: 3, N: 5}
	for _, c := range candidates() {
		tags := []string{lookup.TagURL, lookup.TagEntry}
		if kind == lookup.LookupFingerprint {
			tags = []string{lookup.TagPortable, lookup.TagRegistry}
		}
		for _, tag := range tags {
			line, err := lookup.AppendFacts(lookup.AppendTag(nil, tag), &c)
			must(t, err)
			k.Lines = append(k.Lines, line)
		}
	}
	return k.Append(nil)
}

// TestBucketRefers checks that a reference is found only by its digest, and is
// not a candidate.
func TestBucketRefers(t *testing.T) {
	a, b := strings.Repeat("ab", 32), strings.Repeat("cd", 32)
	k := lookup.Bucket{Kind: lookup.LookupFingerprint, Bits: 3, N: 5}
	for _, x := range [][3]string{{lookup.TagPortableOf, a, "ent_000000000000111111111111"}, {lookup.TagRegistryOf, a, "old-id"}, {lookup.TagPortableOf, b, "other"}} {
		line, err := lookup.AppendReference(nil, x[0], x[1], x[2])
		must(t, err)
		k.Lines = append(k.Lines, line)
	}
	if want := "P q6urq6urq6urq6urq6urq6urq6urq6urq6urq6urq6s ent_000000000000111111111111"; string(k.Lines[0]) != want {
		t.Errorf("%q, want %q", k.Lines[0], want)
	}
	got, err := lookup.DecodeBucket(k.Append(nil), lookup.LookupFingerprint, 3, 5)
	must(t, err)
	refs, err := got.References(a)
	if want := []lookup.Reference{{Tag: "P", EntryID: "ent_000000000000111111111111"}, {Tag: "R", EntryID: "old-id"}}; err != nil || !slices.Equal(refs, want) {
		t.Errorf("%v: %v", err, refs)
	}
	if found, err := got.Find(a, lookup.TagPortable, lookup.TagRegistry); err != nil || len(found) != 0 {
		t.Errorf("%v: %v", err, found)
	}
	for _, digest := range []string{"", "ab", a[:62], a + "ab"} {
		assert.Fails(t, assert.Err(lookup.AppendReference(nil, lookup.TagPortableOf, digest, "x")), "the digest %q is taken", digest)
	}
	got.Lines[1] = got.Lines[1][:len(got.Lines[1])-len(" old-id")]
	assert.Fails(t, assert.Err(got.References(a)), "a reference without an entry is taken")
}

func TestBucketFindsAllCandidates(t *testing.T) {
	file := testBucket(t, lookup.LookupPrimary)
	k, err := lookup.DecodeBucket(file, lookup.LookupPrimary, 3, 5)
	must(t, err)
	for _, c := range []struct {
		value string
		tags  []string
		want  []string
	}{
		{"https://a.example/x", []string{lookup.TagURL}, []string{"ent_000000000000111111111111", "old-id"}},
		{"old-id", []string{lookup.TagEntry}, []string{"old-id"}},
		{"a-site", []string{lookup.TagURL, lookup.TagEntry}, nil},
		{"https://a.example/", []string{lookup.TagURL}, nil},
	} {
		got, err := k.Find(c.value, c.tags...)
		var ids []string
		for i := range got {
			ids = append(ids, got[i].EntryID)
		}
		if err != nil || !slices.Equal(ids, c.want) {
			t.Errorf("%q: %v, %q", c.value, err, ids)
		}
	}
	f, err := lookup.DecodeBucket(testBucket(t, lookup.LookupFingerprint), lookup.LookupFingerprint, 3, 5)
	must(t, err)
	got, err := f.Find(strings.Repeat("cd", 32), lookup.TagPortable, lookup.TagRegistry)
	if want := candidates()[0]; err != nil || len(got) != 1 || got[0].Basis != exports.BasisRegistry || got[0].Title != want.Title || got[0].RecordSHA256 != want.RecordSHA256 || got[0].ISCC != testCode {
		t.Errorf("%v: %+v", err, got)
	}
	assert.Fails(t, assert.Err(lookup.DecodeBucket(file, lookup.LookupPrimary, 3, 4)), "another bucket is taken")
	assert.Fails(t, assert.Err(lookup.DecodeBucket(file, lookup.LookupFingerprint, 3, 5)), "a bucket of the other index is taken")
	for i := range file {
		if _, err := lookup.DecodeBucket(file[:i], lookup.LookupPrimary, 3, 5); err == nil {
			t.Fatalf("a bucket cut at %d is taken", i)
		}
	}
}

// testCode is the similarity code of "Hello World" (ISO 24138's conformance cases).
const testCode = "ISCC:EADSKDNZNYGUUF5AMFEJLZ5P66CP5YKCOA3X7F36RWE4CIRCBTUWXYY"

func TestCandidateWithAnotherCodeIsRefused(t *testing.T) {
	for _, code := range []string{"ISCC:EAASKDNZNYGUUF5A", "EADSKDNZNYGUUF5AMFEJLZ5P66CP5YKCOA3X7F36RWE4CIRCBTUWXYY", "x"} {
		c := candidates()[0]
		c.ISCC = code
		assert.Fails(t, assert.Err(lookup.AppendFacts(nil, &c)), "%q was filed", code)
	}
}

// FuzzBucket checks that any bytes are refused or are the encoding of the
// bucket that they give.
func FuzzBucket(f *testing.F) {
	f.Add(testBucket(f, lookup.LookupPrimary))
	f.Fuzz(func(t *testing.T, b []byte) {
		k, err := lookup.DecodeBucket(b, lookup.LookupPrimary, 3, 5)
		if err != nil {
			return
		}
		_, _ = k.Find("https://a.example/x", lookup.TagURL)
		_, _ = k.References(strings.Repeat("ab", 32))
		if !bytes.Equal(k.Append(nil), b) {
			t.Fatal("a bucket does not survive")
		}
	})
}
