package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"colophon/internal/assert"
)

func writeDocument(t testing.TB, path, text string) string {
	t.Helper()
	must(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

const quay = `{"format": "colophon.registry.v1", "publishers": [{"site_id": "quay-times", "summary": "News of the quay.", "offers": [
{"slug": "wire", "title": "Wire", "permits": ["syndication"], "payment_model": "subscription", "amount": "480", "currency": "EUR"}]}]}`

// TestApplyCommand checks that a document is applied completely or not at all,
// that a dry run shows the changes, and that applying it twice changes nothing.
func TestApplyCommand(t *testing.T) {
	t.Parallel()
	o := newOperator(t)
	folder := t.TempDir()
	good := writeDocument(t, filepath.Join(folder, "a.json"), quay)
	bad := writeDocument(t, filepath.Join(folder, "b.json"), "{\"format\": \"colophon.registry.v1\",\n\"demand\": [{\"id\": \"Tides\", \"headline\": \"x\", \"uses\": [\"rag\"]}]}")

	before := o.origin()
	code, out, errs := o.run("apply", good, "--dry-run")
	want := "~ publisher quay-times\n  + summary: \"News of the quay.\"\n+ offer quay-times/wire\n"
	if code != 0 || !strings.HasPrefix(out, want) || !strings.Contains(out, "would change 2 records of 1 publishers") {
		t.Errorf("a dry run: %d, %s%s", code, out, errs)
	}
	o.no(2, bad+":2: /demand/0/id: \"Tides\" is not a slug", "apply", folder)
	o.no(1, "holds no document", "apply", o.TempDir())
	o.no(2, "takes PATH", "apply")
	o.no(1, "no such file", "apply", filepath.Join(folder, "none.json"))
	o.no(2, "json_syntax", "apply", "-") // the standard input of tests is not JSON
	if after := o.origin(); !maps.Equal(before, after) {
		t.Error("a dry run or a refused document changed the store")
	}

	var told struct {
		Changes []struct{ Op, Kind, ID string }
	}
	o.data(&told, "apply", good)
	assert.Equal(t, fmt.Sprint(told.Changes), "[{change publisher quay-times} {add offer quay-times/wire}]", "%+v", told)
	if records := o.trail("--action", "apply", "--kind", "offers"); len(records) != 1 {
		t.Errorf("recorded as %+v", records)
	}
	before = o.origin()
	o.data(&told, "apply", good)
	if after := o.origin(); len(told.Changes) != 0 || !maps.Equal(before, after) {
		for row := range after {
			if before[row] == "" {
				t.Errorf("a second time it writes %s", row)
			}
		}
		t.Errorf("a second time it changes %+v", told)
	}

	path := filepath.Join(o.TempDir(), "registry.json")
	o.ok("export", "--to", path)
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("what is private is written to %v, %v", info, err)
	}
	o.data(&told, "apply", path)
	assert.Equal(t, len(told.Changes), 0, "what was exported changes %+v", told)
	o.ok("build")
	var schema map[string]any
	if o.file("schemas/registry.v1.json", &schema); schema["$id"] != "https://registry.example/schemas/registry.v1.json" {
		t.Errorf("the published schema is %v", schema["$id"])
	}
}

// origin returns digests of the store's rows by table, without the audit trail.
func (o operator) origin() map[string]string {
	o.Helper()
	code, out, errs := o.run("origin", "dump")
	if code != 0 {
		o.Fatal(errs)
	}
	rows := map[string]string{}
	for _, line := range strings.Split(out, "\n") {
		if !strings.Contains(line, "'act_") {
			rows[line] = line
		}
	}
	return rows
}

// BenchmarkApply400 applies a house of 400 sites to an empty registry.
func BenchmarkApply400(b *testing.B) {
	var publishers []map[string]any
	for i := range 400 {
		publishers = append(publishers, map[string]any{
			"site_id": fmt.Sprintf("house-%03d", i), "organization": "pub_house", "name": fmt.Sprintf("House %d", i), "state": "approved",
			"site_url": fmt.Sprintf("https://s%03d.house.example/", i), "categories": []string{"trade-logistics"}, "offers": []map[string]any{
				{"slug": "grounding", "title": "Grounded answers", "permits": []string{"rag"}, "payment_model": "use", "amount": "0.01", "currency": "EUR"},
				{"slug": "wire", "title": "Wire", "permits": []string{"syndication"}, "payment_model": "subscription"},
			},
		})
	}
	var preferences []map[string]any
	for _, use := range []string{"rag", "training", "fine_tuning", "search_indexing", "summarization", "datasets", "syndication", "research"} {
		preferences = append(preferences, map[string]any{"use": use, "inquiry": "welcome", "declared": "disallow"})
	}
	text, err := json.Marshal(map[string]any{
		"format": "colophon.registry.v1", "publishers": publishers,
		"organizations": []map[string]any{{"id": "pub_house", "legal_name": "House Media B.V.", "preferences": preferences}},
	})
	must(b, err)
	path := writeDocument(b, filepath.Join(b.TempDir(), "house.json"), string(text))
	for b.Loop() {
		b.StopTimer()
		dir := filepath.Join(b.TempDir(), fmt.Sprint(b.N), "reg")
		if code, _, errs := call("init", "--dir", dir, "--base-url", "https://registry.example"); code != 0 {
			b.Fatal(errs)
		}
		b.StartTimer()
		if code, _, errs := call("apply", path, "--dir", dir); code != 0 {
			b.Fatal(errs)
		}
		b.StopTimer()
		os.RemoveAll(dir)
		b.StartTimer()
	}
}
