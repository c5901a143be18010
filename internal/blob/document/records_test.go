package document

import (
	"errors"
	"io/fs"
	"testing"

	"colophon/internal/blob"
	"colophon/internal/blob/entryfacts"
)

// TestRecordsOfAList reads lists of records whose values have ids, records, or
// nothing, and one that names an entry without a record.
func TestRecordsOfAList(t *testing.T) {
	const key = "v1/public/sites/alpha/contentdna-provenance.json"
	for value, want := range map[string]string{
		`{"catalog":{"a":1},"data":["ent_b","ent_a"],"page":{"data":[]}}`: `{"catalog":{"a":1},"data":[ent_b 1,ent_a 2],"page":{"data":[]}}`,
		`{"data":["ent_a"]}`:                  `{"data":[ent_a 2]}`,
		`{"data":[{"terms":["ent_a"]}]}`:      `{"data":[{"terms":["ent_a"]}]}`,
		`{"data":[]}`:                         `{"data":[]}`,
		`{"data":["ent_a","ent_none"],"x":1}`: "",
		`{"data":["ent_c"]}`:                  "",
		`{"data":["ent_a"`:                    "",
	} {
		f := &files{data: map[string][]byte{}}
		c := signed("ent_c", 1)
		c.Signed = nil
		values := map[string][]byte{FileKey(key): []byte(value), FileKey("v1/public/sites/alpha/rights.json"): []byte(`{"data":["ent_a"]}`)}
		for _, e := range []*entryfacts.Facts{signed("ent_a", 2), signed("ent_b", 1), c} {
			values[FactsKey("alpha", e.EntryID)] = entryfacts.Append(nil, e)
		}
		publishValues(t, f, values)
		got, err := Files{Source: f}.Read(t.Context(), key)
		if string(got) != want || (want == "") != errors.Is(err, blob.ErrDamaged) {
			t.Errorf("%s: %q, %v; want %q", value, got, err, want)
		}
		if got, err := (Files{Source: f}).Read(t.Context(), "v1/public/sites/alpha/rights.json"); err != nil || string(got) != `{"data":["ent_a"]}` {
			t.Errorf("another file: %q, %v", got, err)
		}
	}
	f := &files{data: map[string][]byte{}}
	publishValues(t, f, map[string][]byte{FileKey("v1/public/sites/beta/rights.json"): []byte("{}")})
	if got, err := (Files{Source: f}).Read(t.Context(), key); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a list that is missing: %q, %v", got, err)
	}
}

// TestListsReadEachBlobOnce reads a list of entries that share a blob: the root,
// which has the only page, and two blobs are read.
func TestListsReadEachBlobOnce(t *testing.T) {
	const key = "v1/public/sites/alpha/contentdna-provenance.json"
	f := &files{data: map[string][]byte{}}
	publishValues(t, f, map[string][]byte{
		FileKey(key): []byte(`{"data":["ent_a","ent_a","ent_a"]}`), FactsKey("alpha", "ent_a"): entryfacts.Append(nil, signed("ent_a", 1)),
	})
	remembered := &Memory{}
	remembered.setPacked(true)
	if _, err := (Files{Source: f, Memory: remembered}).Read(t.Context(), key); err != nil || f.reads != 3 {
		t.Errorf("%d reads, %v", f.reads, err)
	}
}
