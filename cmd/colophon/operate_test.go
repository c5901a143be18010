package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"colophon/internal/assert"
	"colophon/internal/cli"
	"colophon/internal/originsql"
	"colophon/internal/registrydir"
)

// articleText returns a text long enough for a fingerprint.
func articleText(about string) string {
	return strings.Repeat("The "+about+" is written down at each berth, read twice and kept for those who come after. ", 6)
}

// importPages registers pages of harbor-ledger with invented texts.
func (o operator) importPages(names ...string) {
	o.Helper()
	var lines []string
	for _, name := range names {
		line, err := json.Marshal(map[string]string{"url": "https://harbor-ledger.example/" + name, "title": "About " + name, "text": articleText(name)})
		if err != nil {
			o.Fatal(err)
		}
		lines = append(lines, string(line))
	}
	path := filepath.Join(o.TempDir(), "pages.ndjson")
	if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
		o.Fatal(err)
	}
	o.ok("import", path, "--site", "harbor-ledger")
}

// published returns the files of the build that contain a text.
func (o operator) published(text string) []string {
	o.Helper()
	var out []string
	root := filepath.Join(o.dir, "dist")
	err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasSuffix(path, ".gz") {
			return err
		}
		data, err := os.ReadFile(path)
		if err == nil && strings.Contains(string(data), text) {
			name, _ := filepath.Rel(root, path)
			out = append(out, name)
		}
		return err
	})
	if err != nil {
		o.Fatal(err)
	}
	return out
}

// file reads a published file.
func (o operator) file(name string, v any) {
	o.Helper()
	data, err := os.ReadFile(filepath.Join(o.dir, "dist", name))
	if err != nil {
		o.Fatal(err)
	}
	if err := json.Unmarshal(data, v); err != nil {
		o.Fatal(err)
	}
}

// ledgerOps returns the operations of the leaves about an entry, or of all
// leaves for "".
func (o operator) ledgerOps(entryID string) []string {
	o.Helper()
	var ops []string
	o.withLeaves(func(leaf string) {
		var l struct {
			Op      string `json:"op"`
			EntryID string `json:"entry_id"`
		}
		if json.Unmarshal([]byte(leaf), &l) == nil && l.Op != "" && (entryID == "" || l.EntryID == entryID) {
			ops = append(ops, l.Op)
		}
	})
	return ops
}

func TestOfferCommands(t *testing.T) {
	t.Parallel()
	o := newOperator(t)
	add := []string{"offer", "add", "harbor-ledger", "grounding", "--title", "Grounded answers", "--permits", "rag,summarization", "--payment-model", "use"}
	o.no(2, "--currency is needed", append(add, "--amount", "0.015")...)
	o.no(2, "--currency \"EUX\" is not a currency code", append(add, "--amount", "0.015", "--currency", "EUX")...)
	o.no(2, "--amount \"1,5\" is not a decimal", append(add, "--amount", "1,5", "--currency", "EUR")...)
	o.no(2, "--user-types \"everybody\" is not one of commercial", append(add, "--user-types", "everybody")...)
	o.no(2, "--prohibits holds \"rag\"", append(add, "--prohibits", "rag")...)
	o.no(2, "--valid-until \"tomorrow\" is no instant", append(add, "--valid-until", "tomorrow")...)
	o.no(2, "--valid-until \"2020-01-01T00:00:00Z\" is not after", append(add, "--valid-until", "2020-01-01T00:00:00Z")...)
	o.no(2, "--paths holds", append(add, "--paths", "shipping")...)
	for _, territory := range []string{"nl", "Nl", "nL", "N", "NLD", "N1", "[A"} {
		o.no(2, "--territories holds \""+territory+"\"", append(add, "--territories", territory)...)
	}
	o.no(2, "--terms-sha256", append(add, "--terms-url", "https://harbor-ledger.example/terms", "--terms-sha256", "abc")...)
	o.no(2, "--supersedes names no offer", append(add, "--supersedes", "older")...)
	o.no(2, "--title is needed; --payment-model is needed; --permits names no use", "offer", "add", "harbor-ledger", "grounding")
	o.no(2, "is not like grounded-answers", "offer", "add", "harbor-ledger", "Grounded Answers")
	o.no(1, "there is no publisher", "offer", "add", "nobody", "grounding", "--title", "x")
	o.no(1, "has no offer", "offer", "set", "harbor-ledger", "grounding", "--title", "x")
	var rows []struct{ Slug, Status, Title, Amount, License_ID string }
	if o.data(&rows, "offer", "list"); len(rows) != 0 {
		t.Fatalf("a refused call wrote %+v", rows)
	}

	terms := filepath.Join(t.TempDir(), "terms.txt")
	must(t, os.WriteFile(terms, []byte("abc"), 0o600))
	o.ok(append(add, "--amount", "0.015", "--currency", "EUR", "--notes", "floor 0.011", "--terms-url", "https://harbor-ledger.example/terms", "--terms-file", terms)...)
	o.no(1, "already", add...)
	o.ok("build")
	var catalog struct {
		Items []struct {
			Status  string
			Payment struct{ Amount, Currency, Model string }
			Terms   struct{ SHA256 string }
		} `json:"data"`
	}
	o.file("v1/public/license-catalog.json", &catalog)
	if len(catalog.Items) != 1 {
		t.Fatalf("the catalog lists %+v", catalog)
	}
	// The digest of "abc" is an example of FIPS 180-2.
	got := catalog.Items[0]
	if got.Payment.Amount != "0.015" || got.Payment.Currency != "EUR" || got.Terms.SHA256 != "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" {
		t.Errorf("the catalog says %+v", got)
	}
	if found := o.published("floor 0.011"); len(found) > 0 {
		t.Errorf("private notes are published in %v", found)
	}

	o.ok("offer", "set", "harbor-ledger", "grounding", "--amount", "0.02")
	o.ok("offer", "pause", "harbor-ledger", "grounding")
	if o.data(&rows, "offer", "list", "--site", "harbor-ledger"); len(rows) != 1 || rows[0].Status != "paused" || rows[0].Amount != "0.02" || rows[0].Title != "Grounded answers" {
		t.Errorf("after set and pause: %+v", rows)
	}
	o.ok("build")
	if o.file("v1/public/license-catalog.json", &catalog); len(catalog.Items) != 0 {
		t.Errorf("a paused offer is in the list of what can be asked for: %+v", catalog)
	}
	o.ok("offer", "set", "harbor-ledger", "grounding", "--status", "offered")
	o.ok("build")
	if o.file("v1/public/license-catalog.json", &catalog); len(catalog.Items) != 1 {
		t.Errorf("taken up again, the list is %+v", catalog)
	}
	o.ok("offer", "withdraw", "harbor-ledger", "grounding")
	o.ok("build")
	if o.file("v1/public/license-catalog.json", &catalog); len(catalog.Items) != 0 {
		t.Errorf("a withdrawn offer is in the list: %+v", catalog)
	}
}

func TestDemandCommands(t *testing.T) {
	t.Parallel()
	o := newOperator(t)
	board := func() int {
		t.Helper()
		o.ok("build")
		var list struct {
			Items []struct{ Headline string } `json:"data"`
		}
		o.file("v1/public/buyer-demand.json", &list)
		return len(list.Items)
	}
	o.no(2, "--headline is needed; --uses names no use", "demand", "add", "tides")
	o.no(2, "--buyer-email \"x\" is not an e-mail address", "demand", "add", "tides", "--headline", "Tides", "--uses", "rag", "--buyer-email", "x")
	o.ok("demand", "add", "tides", "--headline", "Tides of the North Sea", "--uses", "rag", "--buyer-name", "Secret Buyer", "--buyer-email", "secret@example.org")
	assert.Equal(t, board(), 0, "a need that is held is public")
	o.no(1, "there is no need", "demand", "approve", "other")
	o.ok("demand", "approve", "tides")
	assert.Equal(t, board(), 1, "an approved need")
	for _, private := range []string{"Secret Buyer", "secret@example.org"} {
		if found := o.published(private); len(found) > 0 {
			t.Errorf("%q is published in %v", private, found)
		}
	}
	o.ok("demand", "close", "tides")
	assert.Equal(t, board(), 0, "a closed need is public")
	var rows []struct{ State string }
	if o.data(&rows, "demand", "list"); len(rows) != 1 || rows[0].State != "closed" {
		t.Errorf("%+v", rows)
	}
	o.ok("demand", "add", "late", "--headline", "Late", "--uses", "rag", "--expires-at", "2020-01-01T00:00:00Z")
	o.no(1, "expired", "demand", "approve", "late")
}

// TestEntryIsWithdrawnAndRestored checks that a withdrawn entry leaves
// everything published, that its ledger says so, and that it returns with its
// history.
func TestEntryIsWithdrawnAndRestored(t *testing.T) {
	t.Parallel()
	o := newOperator(t)
	o.importPages("kept", "leaving")
	o.ok("build")
	var list []struct {
		EntryID string `json:"entry_id"`
		URL     string `json:"canonical_url"`
		State   string
	}
	o.data(&list, "entry", "list", "--site", "harbor-ledger")
	if len(list) != 2 {
		t.Fatalf("%+v", list)
	}
	id := list[0].EntryID
	if list[1].URL == "https://harbor-ledger.example/leaving" {
		id = list[1].EntryID
	}
	if found := o.published("About leaving"); len(found) < 3 {
		t.Fatalf("before it leaves it is in %v", found)
	}

	o.no(1, "there is no entry", "entry", "withdraw", "https://harbor-ledger.example/leaving", "https://harbor-ledger.example/unknown")
	if o.data(&list, "entry", "list", "--site", "harbor-ledger", "--state", "withdrawn"); len(list) != 0 {
		t.Errorf("one bad name, and yet %+v is withdrawn", list)
	}
	o.ok("entry", "withdraw", "https://harbor-ledger.example/leaving")
	o.importPages("kept", "leaving") // an import does not restore it
	o.ok("build")
	for _, name := range o.published("About leaving") {
		// Look-ups by address and fingerprint, the table of entries and the
		// list of the site's records have tombstones.
		if strings.HasPrefix(name, "v1/public/release/entries/") {
			continue
		}
		if !strings.Contains(name, id) && !strings.HasPrefix(name, "_ix/") && name != "v1/public/sites/harbor-ledger/contentdna-provenance.json" {
			t.Errorf("the withdrawn entry is still in %s", name)
		}
	}
	for _, name := range o.published("harbor-ledger.example/leaving") {
		if strings.Contains(name, "sitemap") || strings.Contains(name, "feed") || strings.HasPrefix(name, "catalog") {
			t.Errorf("the address of the withdrawn entry is still in %s", name)
		}
	}
	var record struct {
		Status     string
		Supersedes string
	}
	o.file("v1/public/contentdna-provenance/"+id+".json", &record)
	if record.Status != "withdrawn" || record.Supersedes == "" {
		t.Errorf("its record is %+v", record)
	}
	if ops := o.ledgerOps(id); fmt.Sprint(ops) != "[issue withdraw]" {
		t.Errorf("the ledger holds %v", ops)
	}

	o.ok("entry", "restore", id)
	o.ok("build")
	o.ok("verify", filepath.Join(o.dir, "dist"))
	if ops := o.ledgerOps(id); fmt.Sprint(ops) != "[issue withdraw supersede]" {
		t.Errorf("restored, the ledger holds %v", ops)
	}
	var shown struct{ Records []struct{ Version int } }
	if o.data(&shown, "entry", "show", id); len(shown.Records) != 3 {
		t.Errorf("its history is %+v", shown)
	}
	if found := o.published("About leaving"); len(found) < 3 {
		t.Errorf("restored, it is in %v", found)
	}
}

// TestPublisherIsClosedAndReopened checks that a closed publisher leaves
// everything published, with a tombstone for each entry in the ledger, and
// returns with its history.
func TestPublisherIsClosedAndReopened(t *testing.T) {
	t.Parallel()
	o := newOperator(t)
	o.importPages("first", "second")
	o.ok("build")
	o.no(1, "not closed", "publisher", "reopen", "harbor-ledger")
	o.ok("publisher", "close", "harbor-ledger")
	o.ok("build")
	for _, name := range o.published("About first") {
		if !strings.HasPrefix(name, "_ix/") { // the previous build's index, for readers who have begun
			t.Errorf("closed, it is in %s", name)
		}
	}
	if ops := o.ledgerOps(""); strings.Count(fmt.Sprint(ops), "withdraw") != 2 {
		t.Errorf("the ledger holds %v", ops)
	}
	before := len(o.ledgerOps(""))
	o.ok("build", "--whole")
	if n := len(o.ledgerOps("")); n != before {
		t.Errorf("another build logged %d leaves more", n-before)
	}
	o.ok("verify", filepath.Join(o.dir, "dist"))

	o.ok("publisher", "reopen", "harbor-ledger")
	o.ok("build")
	o.ok("verify", filepath.Join(o.dir, "dist"))
	if found := o.published("About first"); len(found) < 3 {
		t.Errorf("reopened, it is in %v", found)
	}
	if ops := o.ledgerOps(""); strings.Count(fmt.Sprint(ops), "supersede") != 2 {
		t.Errorf("reopened, the ledger holds %v", ops)
	}
}

// withLeaves calls visit with the leaves of the ledger in order.
func (o operator) withLeaves(visit func(leaf string)) {
	o.Helper()
	e := &cli.Env{Dir: registrydir.Dir{Path: o.dir}}
	err := e.WithStore(context.Background(), func(store *originsql.Store) error {
		events, err := store.LedgerEvents(context.Background(), 0, 10_000)
		for _, event := range events {
			visit(event.Leaf)
		}
		return err
	})
	if err != nil {
		o.Fatal(err)
	}
}
