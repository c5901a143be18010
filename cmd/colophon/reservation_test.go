package main

import (
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"colophon/exports"
	"colophon/internal/assert"
	"colophon/internal/canonicaltext"
	"colophon/internal/iscc"
	"colophon/internal/registrydir"
	"colophon/internal/rights"
	"colophon/worker/edge"
	"colophon/worker/edgehttp"
)

// poem is a text that nobody registered.
var poem = strings.TrimSpace(strings.Repeat("The tide took the mooring lines one by one, and the harbour counted what was left of the winter. ", 6) +
	"Nobody wrote that down until the ferry came back with the lamps lit, and the children of the quay sang against the wind.")

// TestReservationCommands adds, changes, lists, shows and withdraws reservations.
func TestReservationCommands(t *testing.T) {
	t.Parallel()
	o := newOperator(t)
	const picture = "ISCC:EED4GQZQTY6J5DTHQ2DWCPDZHQOM6QZQTY6J5DTFZ2DWCPDZHQOMXDI"
	add := []string{"reservation", "add", "harbor-ledger", strings.ToLower(picture)}
	o.no(2, "--uses names no use", add...)
	o.no(2, "CODE \"ISCC:HELLO\" is neither a portable fingerprint", "reservation", "add", "harbor-ledger", "ISCC:HELLO", "--uses", "rag")
	o.no(2, "is neither a portable", "reservation", "add", "harbor-ledger", "ISCC:AAAZXZ6OU74YAZIM", "--uses", "rag") // a Meta-Code
	o.no(2, "is neither a portable", "reservation", "add", "harbor-ledger", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", "--uses", "rag")
	o.no(1, "there is no publisher", "reservation", "add", "nobody", picture, "--uses", "rag")
	o.no(2, "--since \"2099-01-01T00:00:00Z\" is in the future", append(add, "--uses", "rag", "--since", "2099-01-01T00:00:00Z")...)
	o.no(2, "--uses \"everything\" is not one of", append(add, "--uses", "everything")...)
	o.no(2, "--author-display", append(add, "--uses", "rag", "--author-display", strings.Repeat("x", exports.MaxReservationAuthor+1))...)
	var rows []struct{ Reservation_ID, Publisher, Code, State, Author_Display, Since, Withdrawn_At string }
	if o.data(&rows, "reservation", "list"); len(rows) != 0 {
		t.Fatalf("a refused call wrote %+v", rows)
	}
	o.ok(append(add, "--uses", "training,rag", "--author-display", "M. Visser", "--author-name", "Maria Visser")...)
	o.data(&rows, "reservation", "list", "--site", "harbor-ledger")
	if len(rows) != 1 || rows[0].Code != picture || rows[0].State != "active" || rows[0].Since == "" {
		t.Fatalf("%+v", rows)
	}
	id := rows[0].Reservation_ID
	o.ok(append(add, "--uses", "training")...) // changes it
	if o.data(&rows, "reservation", "list"); len(rows) != 1 || rows[0].Author_Display != "M. Visser" {
		t.Errorf("%+v", rows)
	}
	o.ok("reservation", "withdraw", id)
	o.no(1, "was withdrawn at", "reservation", "withdraw", id)
	o.no(1, "there is no reservation", "reservation", "show", "rsv_none")
	var row struct{ State, Withdrawn_At string }
	if o.data(&row, "reservation", "show", id); row.State != "withdrawn" || row.Withdrawn_At == "" {
		t.Errorf("%+v", row)
	}
	o.ok(append(add, "--uses", "training")...)
	if o.data(&row, "reservation", "show", id); row.State != "active" || row.Withdrawn_At != "" {
		t.Errorf("%+v", row)
	}

	to := filepath.Join(t.TempDir(), "registry.json")
	o.ok("export", "--to", to)
	text, err := os.ReadFile(to)
	if err != nil || !strings.Contains(string(text), picture) {
		t.Errorf("%v, the export lacks the reservation", err)
	}
	var applied struct{ Changes []any }
	if o.data(&applied, "apply", to); len(applied.Changes) != 0 {
		t.Errorf("applied to the same registry it changes %v", applied.Changes)
	}
}

// TestManyReservationsApplied applies as many reservations of one publisher as it
// may have, and not one more.
func TestManyReservationsApplied(t *testing.T) {
	t.Parallel()
	o := newOperator(t)
	document := func(from, to int) string {
		var items []string
		for i := from; i < to; i++ {
			items = append(items, fmt.Sprintf(`{"publisher":"harbor-ledger","code":"%064x","uses":["training"]}`, i+1))
		}
		return `{"format":"colophon.registry.v1","reservations":[` + strings.Join(items, ",") + `]}`
	}
	path := filepath.Join(t.TempDir(), "many.json")
	write := func(text string) {
		must(t, os.WriteFile(path, []byte(text), 0o600))
	}
	write(document(0, exports.MaxReservations))
	o.ok("apply", path)
	var applied struct{ Changes []any }
	if o.data(&applied, "apply", path); len(applied.Changes) != 0 {
		t.Errorf("applied again it changes %d", len(applied.Changes))
	}
	write(document(exports.MaxReservations, exports.MaxReservations+1))
	o.no(2, "vouches for more than 10000 reservations", "apply", path)
	write(`{"format":"colophon.registry.v1","reservations":[{"publisher":"nobody","code":"abc"}]}`)
	o.no(2, "there is no publisher", "apply", path)
}

// TestReservationsAreFound registers reservations, publishes them in both forms, and
// finds them by their content: by rights checks, the resolver and screening.
func TestReservationsAreFound(t *testing.T) {
	t.Parallel()
	f := newScreenFixture(t)
	db, err := registrydir.OpenPlain(filepath.Join(f.dir, "origin.db"))
	must(t, err)
	var page, text string
	row := db.QueryRowContext(t.Context(), `SELECT p.canonical_url, b.text FROM pages p JOIN bodies b ON b.entry_id = p.entry_id
		WHERE p.state = 'active' AND p.portable <> '' AND p.site_id = 'harbor-ledger' ORDER BY p.entry_id LIMIT 1`)
	must(t, row.Scan(&page, &text))
	db.Close()
	canonical, err := canonicaltext.CanonicalText(poem)
	must(t, err)
	var coder iscc.Coder
	code, _ := coder.Sum(canonical)
	near := code
	near[0] ^= 0xff
	known, err := canonicaltext.CanonicalText(text)
	must(t, err)
	digest := canonicaltext.PortableDigest([]byte(known))
	run := func(args ...string) {
		t.Helper()
		if exit, _, stderr := call(append(args, "--dir", f.dir)...); exit != 0 {
			t.Fatalf("%q: %s", args, stderr)
		}
	}
	run("reservation", "add", "alpenwarte", digest, "--uses", "research", "--author-display", "=An Author", "--author-name", "CANARY name")
	run("reservation", "add", "nisiotika", digest, "--uses", "research,syndication", "--notes", "CANARY notes")
	run("reservation", "add", "alpenwarte", code.String(), "--uses", "training", "--note", "For the poem.")
	packs := filepath.Join(t.TempDir(), "packs")
	run("build")
	run("build", "--form", "packs", "--out", packs)
	if exit, _, stderr := call("verify", packs); exit != 0 {
		t.Error(stderr)
	}

	ask := func(service edge.Handler, path, query string) (int, string) {
		resp := service(t.Context(), &edge.Request{Method: "GET", Path: path, Query: query})
		return resp.Status, string(resp.Body)
	}
	for form, dir := range map[string]string{"files": f.dist, "packs": packs} {
		service := serviceOver(dir)
		for _, c := range []struct {
			path, query string
			status      int
			want        []string
		}{
			{exports.PathRightsCheck, "fingerprint=" + digest, 200, []string{`"status":"multiple"`, `"site_id":"alpenwarte"`, `"site_id":"nisiotika"`, "content_reserved", `"author":"=An Author"`, `"author":null`}},
			{exports.PathRightsCheck, "iscc=" + code.String(), 200, []string{`"basis":"content"`, `"status":"single"`, `"note":"For the poem."`, `"verdict":"declined"`}},
			{exports.PathRightsCheck, "iscc=ISCC:EEDUMQZQTY6J5DTHQ2DWCPDZHQOM6QZQTY6J5DTFZ2DWCPDZHQOMXDI", 200, []string{`"status":"none"`}},
			{exports.PathRightsCheck, "iscc=ISCC:HELLO", 400, []string{"invalid_parameter", "is not an ISCC of content"}},
			{exports.PathRightsCheck, "iscc=" + code.String() + "&fingerprint=" + digest, 400, []string{"lookup_key_required"}},
			{exports.PathResolve, "fingerprint=" + digest, 200, []string{`"reservations":[{"author":"=An Author"`, "association_only"}},
			{exports.PathSimilar, "iscc=" + code.String(), 200, []string{`"identical_code":true`, `"reservation_id":"rsv_`}},
			{exports.PathCheckPage, "q=" + code.String(), 200, []string{"Reserved for this content: Training", "vouches for this statement since", "For the poem.", "statement and no proof"}},
			{exports.PathCheckPage, "q=" + digest, 200, []string{"<bdi>=An Author</bdi> states that", "It is stated that", "Alpenwarte", "found by its fingerprint"}},
			{exports.PathCheckPage, "text=1&q=" + strings.Repeat("0", 64) + "&iscc=" + code.String(), 200, []string{"Reserved for this content: Training", "No registered page has this text"}},
			{exports.PathCheckPage, "text=1&q=" + strings.Repeat("0", 64) + "&iscc=" + near.String(), 200, []string{"Reservations for similar content", "of the wording is the same"}},
			{exports.PathCheckPage, "q=" + near.String(), 200, []string{"Reservations for similar content"}},
			{exports.PathCheckPage, "q=ISCC:AAAZXZ6OU74YAZIM", 200, []string{"This kind of ISCC is not indexed here"}},
		} {
			status, body := ask(service, c.path, c.query)
			for _, part := range c.want {
				if status != c.status || !strings.Contains(body, part) {
					t.Errorf("%s, %s?%s: %d, no %s in %s", form, c.path, c.query, status, part, body)
				}
			}
			if strings.Contains(body, "CANARY") || regexp.MustCompile(`(?i)rights.?holder|\bowner(s|ed)?\b`).MatchString(body) {
				t.Errorf("%s?%s: %s", c.path, c.query, body)
			}
		}
	}

	server, ofPacks := httptest.NewServer(edgehttp.New(serviceOver(f.dist), edgehttp.Options{})), httptest.NewServer(edgehttp.New(serviceOver(packs), edgehttp.Options{}))
	defer server.Close()
	defer ofPacks.Close()
	changed := strings.Replace(poem, "Nobody wrote", "Somebody wrote", 1)
	in := filepath.Join(t.TempDir(), "rows.jsonl")
	var rows []byte
	for _, r := range []corpusRow{{URL: page, Text: text}, {Text: text}, {Text: poem}, {Text: changed}, {URL: page, Text: poem}, {URL: "https://nobody.example/", Text: "too short"}} {
		line, _ := json.Marshal(r)
		rows = append(append(rows, line...), '\n')
	}
	must(t, os.WriteFile(in, rows, 0o600))
	for _, how := range [][]string{{"--release", f.dist}, {"--release", ofPacks.URL}, {"--release", server.URL, "--private"}} {
		to := filepath.Join(t.TempDir(), "out.csv")
		args := append([]string{"screen", in, "--out", to, "--use", "training", "--use", "research", "--use", "syndication"}, how...)
		if exit, _, stderr := call(args...); exit != 0 {
			t.Fatal(stderr)
		}
		got := readCSV(t, to)
		last := func(i int) string { return strings.Join(strings.Fields(got[i]["verdict"])[1:], " ") }
		for i, want := range []struct {
			by, sites    string
			reservations int
			similar      int
		}{
			{"url", "harbor-ledger alpenwarte nisiotika", 2, 0}, {"fingerprint", "harbor-ledger alpenwarte nisiotika", 2, 0}, {"content", "alpenwarte", 1, 0},
			{"nothing", "", 0, 1}, {"url", "harbor-ledger alpenwarte", 1, 0}, {"nothing", "", 0, 0},
		} {
			r := got[i]
			if r["matched_by"] != want.by || r["site"] != want.sites || len(strings.Fields(r["reservations"])) != want.reservations || len(strings.Fields(r["similar_reservations"])) != want.similar {
				t.Errorf("%v, row %d: %v, want %+v", how, i+1, r, want)
			}
		}
		if last(0) != "declined declined" || last(1) != "declined declined" || !strings.HasPrefix(got[2]["verdict"], "declined unknown") ||
			!strings.HasPrefix(got[4]["verdict"], "declined") || got[3]["verdict"] != "unknown unknown unknown" {
			t.Errorf("%v: %v", how, got)
		}
		if !strings.HasPrefix(got[2]["reason"], "content_reserved no_statement") {
			t.Errorf("%v", got[2])
		}
	}

	// A withdrawal is answered before the next build.
	var list struct {
		Data []struct{ Reservation_ID, Code string }
	}
	_, out, _ := call("reservation", "list", "--dir", f.dir, "--json")
	if err := json.Unmarshal([]byte(out), &list); err != nil || len(list.Data) != 3 {
		t.Fatalf("%v, %s", err, out)
	}
	for _, r := range list.Data {
		if r.Code == code.String() {
			run("reservation", "withdraw", r.Reservation_ID)
		}
	}
	if exit, told, _ := call("build", "--withdrawals", "--dir", f.dir); exit != 0 || told != "no entry and no publisher that was withdrawn is published; the list is up to date\n" {
		t.Errorf("build --withdrawals tells %q", told)
	}
	for _, path := range []string{exports.PathRightsCheck, exports.PathSimilar} {
		if _, body := ask(serviceOver(f.dist), path, "iscc="+code.String()); strings.Contains(body, "rsv_") {
			t.Errorf("after the withdrawal: %s", body)
		}
	}
	run("build")
	service := serviceOver(f.dist)
	if _, body := ask(service, exports.PathRightsCheck, "iscc="+code.String()); strings.Contains(body, "rsv_") {
		t.Errorf("after the build: %s", body)
	}
	if _, body := ask(service, exports.PathRightsCheck, "fingerprint="+digest); !strings.Contains(body, "nisiotika") {
		t.Errorf("after the build: %s", body)
	}
}

// TestReservationsOfFile reads reservations from a publisher's own file: they begin,
// change and end with it, and stay when it is gone or has a mistake.
func TestReservationsOfFile(t *testing.T) {
	t.Parallel()
	w := newWebWorld(t)
	file := func(list string) {
		w.put(ownFile, `{"colophon_publisher":"1","name":"Authors","reservations":[`+list+`]}`)
	}
	const (
		text    = `{"code":"ABCD567890abcdef1234567890abcdef1234567890abcdef1234567890abcdef","uses":["training"],"author":"M. Visser"}`
		song    = `{"code":"iscc:eiduJUFCEZZOJYVDHJHIRB3KQSQCM2REUITDUTVAQNRGJIRENCCCULY","uses":["training","rag"],"note":"The song.","since":"2026-01-02T00:00:00Z"}`
		changed = `{"code":"ABCD567890abcdef1234567890abcdef1234567890abcdef1234567890abcdef","uses":["rag"]}`
	)
	state := func() string {
		store, done := w.store()
		defer done()
		list, err := store.ReservationsOf(t.Context(), "site-example")
		must(t, err)
		var out []string
		for _, r := range list {
			held := "holds"
			if r.WithdrawnAt != "" {
				held = "withdrawn"
			}
			out = append(out, fmt.Sprintf("%.9s %s %s %s %s %v", r.Code, strings.Join(r.Uses, "+"), r.AuthorDisplay, held, r.Source, r.Since == "2026-01-02T00:00:00Z"))
		}
		slices.Sort(out)
		return strings.Join(out, "; ")
	}
	step := func(what, want string) {
		t.Helper()
		assert.Equal(t, state(), want, "%s", what)
	}
	file(text + "," + song)
	if out := w.must("publisher", "add", "https://site.example/"); strings.Count(out, "  reservation  rsv_") != 2 {
		t.Errorf("it is not told:\n%s", out)
	}
	const both = "ISCC:EIDU training+rag  holds file true; abcd56789 training M. Visser holds file false"
	step("added", both)
	w.must("refresh", "site-example")
	step("read again", both)
	file(`{"code":"ISCC:HELLO","uses":["rag"]}`)
	if out, ok := w.run("refresh", "site-example"); ok || !strings.Contains(out, "/reservations/0/code code_invalid") {
		t.Errorf("refresh: %v %s", ok, out)
	}
	step("with a mistake", both)
	if out, _ := w.run("lint", "https://site.example/"); !strings.Contains(out, "/reservations/0/code") {
		t.Errorf("lint: %s", out)
	}
	w.remove(ownFile)
	w.must("refresh", "site-example")
	step("gone", both)
	file(changed)
	w.must("refresh", "site-example")
	step("changed", "ISCC:EIDU training+rag  withdrawn file true; abcd56789 rag  holds file false")
	file(changed + "," + song)
	w.must("refresh", "site-example")
	step("back again", "ISCC:EIDU training+rag  holds file true; abcd56789 rag  holds file false")

	id := rights.ReservationID("site-example", "abcd567890abcdef1234567890abcdef1234567890abcdef1234567890abcdef")
	if out, ok := w.run("reservation", "add", "site-example", "abcd567890abcdef1234567890abcdef1234567890abcdef1234567890abcdef", "--uses", "research"); ok || !strings.Contains(out, "it is changed there") {
		t.Errorf("a reservation of the file is changed: %v %s", ok, out)
	}
	w.must("reservation", "withdraw", id)
	assert.Contains(t, "it is not told", w.must("refresh", "site-example"), "is the operator's and was left alone")
	step("withdrawn by the operator", "ISCC:EIDU training+rag  holds file true; abcd56789 rag  withdrawn  false")
}
