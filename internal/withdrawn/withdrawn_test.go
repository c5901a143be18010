package withdrawn

import (
	"context"
	"errors"
	"io/fs"
	"testing"
)

// published are published files in memory.
type published map[string]string

func (p published) Read(_ context.Context, key string) ([]byte, error) {
	data, found := p[key]
	if !found {
		return nil, fs.ErrNotExist
	}
	if data == "broken" {
		return nil, errors.New("broken")
	}
	return []byte(data), nil
}

// TestFiles reads what is listed as withdrawn and files with similar names.
func TestFiles(t *testing.T) {
	const list = `{"document":"withdrawn_list","entries":["ent_1","ent_2"],"erased":["ent_3"],"owners":["alpha","lic_alpha"],"schema_version":"x"}`
	for key, want := range map[string]bool{
		"v1/public/citations/ent_1.json":                        false,
		"v1/public/citations/ent_1.json.gz":                     false,
		"citations/ent_1/index.html":                            false,
		"citations/ent_1/card.0123456789.png":                   false,
		"v1/public/contentdna-provenance/ent_1.json":            false,
		"v1/public/contentdna-provenance/ent_2.json":            true, // it says itself that it is withdrawn
		"v1/public/contentdna-provenance/ent_1/v/1.json":        true, // history
		"v1/public/contentdna-provenance/ent_3.json":            false,
		"v1/public/contentdna-provenance/ent_3/v/1.json":        false,
		"v1/public/contentdna-provenance/ent_3/v/1/ledger.json": false,
		"v1/public/citations/ent_11.json":                       true,
		"v1/public/citations/ent_.json":                         true,
		"v1/public/citations/alpha.json":                        true, // an entry with the id of a publisher
		"publishers/alpha/index.html":                           false,
		"publishers/alpha/feed.rss":                             false,
		"publishers/alpha-2/index.html":                         true,
		"publishers/entries/index.html":                         true, // the name of a member of the list
		"publishers/ent_1/index.html":                           true,
		"v1/licensing-marketplace/publishers/alpha.json":        false,
		"v1/public/license-catalog/lic_alpha.json":              false,
		"v1/public/license-catalog/lic_beta.json":               true,
		"publishers/index.html":                                 true,
		"_sandbox/v1/public/contentdna-provenance/ent_1.json":   true,
		"sitemap-citations-alpha.xml":                           false,
		"sitemap-citations-beta.xml":                            true,
		Key:                                                     true,
	} {
		data := "x"
		switch key {
		case Key:
			data = list
		case "v1/public/contentdna-provenance/ent_2.json":
			data = `{"entry_id":"ent_2","status":"withdrawn"}`
		case "v1/public/contentdna-provenance/ent_1.json":
			data = `{"entry_id":"ent_1","title":"\"status\":\"withdrawn\""}`
		}
		files := Files{published{key: data, Key: list}}
		got, err := files.Read(t.Context(), key)
		if want && string(got) != data || want && err != nil || !want && !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %q, %v, want it: %v", key, got, err, want)
		}
		if _, err := (Files{published{key: data}}).Read(t.Context(), key); err != nil {
			t.Errorf("%s without a list: %v", key, err)
		}
	}
}

// TestUnreadableList checks that without a readable list no entry is answered,
// but everything else is.
func TestUnreadableList(t *testing.T) {
	files := Files{published{"v1/public/citations/ent_1.json": "{}", "index.html": "home", Key: "broken"}}
	if _, err := files.Read(t.Context(), "v1/public/citations/ent_1.json"); err == nil || errors.Is(err, fs.ErrNotExist) {
		t.Errorf("an entry: %v", err)
	}
	if data, err := files.Read(t.Context(), "index.html"); string(data) != "home" || err != nil {
		t.Errorf("a page: %q, %v", data, err)
	}
}

// atOnce counts the calls that read files in memory.
type atOnce struct {
	published
	calls *int
}

func (a atOnce) Read(ctx context.Context, key string) ([]byte, error) {
	*a.calls++
	return a.published.Read(ctx, key)
}

func (a atOnce) ReadAll(_ context.Context, keys []string) ([][]byte, error) {
	*a.calls++
	out := make([][]byte, len(keys))
	for i, key := range keys {
		out[i] = []byte(a.published[key])
	}
	return out, nil
}

// TestReadAll reads files of the index with one call, and reads the list only
// for an entry.
func TestReadAll(t *testing.T) {
	const entry = "v1/public/citations/ent_1.json"
	files := published{"_ix/a.idx": "a", "_ix/b.idx": "b", entry: "{}", Key: `{"entries":["ent_1"]}`}
	calls := 0
	source := Files{atOnce{files, &calls}}
	got, err := source.ReadAll(t.Context(), []string{"_ix/a.idx", "_ix/b.idx"})
	if err != nil || calls != 1 || string(got[0])+string(got[1]) != "ab" {
		t.Errorf("the index: %q, %v, %d calls", got, err, calls)
	}
	if _, err := source.ReadAll(t.Context(), []string{"_ix/a.idx", entry}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a withdrawn entry: %v", err)
	}
	if got, err := (Files{files}).ReadAll(t.Context(), []string{"_ix/b.idx", "_ix/a.idx"}); err != nil || string(got[0])+string(got[1]) != "ba" {
		t.Errorf("one after another: %q, %v", got, err)
	}
}
