package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"colophon/internal/assert"
	"colophon/internal/cli"
	"colophon/internal/origin"
	"colophon/internal/originsql"
	"colophon/internal/registrydir"
)

// secretsOf are one person's texts, which must be nowhere after an erasure.
var secretsOf = []string{
	"ada@reader.example", "Ada@Reader.Example", "Ada Lovelace", "Analytical Engines Ltd", "a ledger of tides only Ada asks for", "only Ada wrote this first",
	"only Ada wrote this second", "what Ada searches", "Ada's display name", "Ada Contact", "A. Lovelace", "what Ada sent by post",
}

// fillPerson writes a person into every place that holds e-mail addresses, and
// another person beside.
func fillPerson(t *testing.T, o operator) {
	t.Helper()
	e := &cli.Env{Dir: registrydir.Dir{Path: o.dir}, Quiet: true}
	err := e.WithStore(t.Context(), func(store *originsql.Store) error {
		for i, email := range []string{"ada@reader.example", "Ada@Reader.Example ", "other@reader.example"} {
			r := origin.Request{SiteID: "harbor-ledger", Channel: "public", BuyerName: "Ada Lovelace", BuyerCompany: "Analytical Engines Ltd", BuyerEmail: email,
				IntendedUse: "a ledger of tides only Ada asks for", RequestedScope: "/x/*", Message: "only Ada wrote this first", BudgetCents: -1, TermMonths: -1, TokenHash: strings.Repeat("x", i+1)}
			if i == 2 {
				r.BuyerName, r.BuyerCompany, r.IntendedUse, r.Message = "Other", "Other", "other use", "other words"
			}
			r, _, err := cli.NewInquiryService(store).Submit(t.Context(), r)
			if err != nil {
				return err
			}
			if err := cli.NewInquiryService(store).Deliver(t.Context(), r); err != nil {
				return err
			}
			if i == 0 {
				if _, err := store.AddMessage(t.Context(), origin.Message{MessageID: "msg_second", ThreadID: r.ThreadID, At: "2026-11-22T10:00:00Z", AuthorRole: "requester", AuthorKind: "human", Kind: "text", Body: "only Ada wrote this second", FromState: "delivered"}); err != nil {
					return err
				}
			}
		}
		if err := store.PutDemand(t.Context(), origin.Demand{DemandID: "dem_ada", Headline: "Tide tables wanted", BuyerDisplay: "Ada's display name", OptedIn: true, OptedInAt: "2026-01-01T00:00:00Z",
			BuyerName: "Ada Lovelace", BuyerEmail: "ada@reader.example", SavedSearch: "what Ada searches", ChangedAt: "2026-01-01T00:00:00Z"}); err != nil {
			return err
		}
		return nil
	})
	must(t, err)
	o.ok("partner", "add", "Example Answers", "--email", "ada@reader.example")
	o.ok("partner", "add", "Other Answers", "--email", "other@reader.example")
	o.ok("buyer", "add", "Example Buyer", "--email", "ada@reader.example")
	const codes = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcde"
	o.ok("reservation", "add", "harbor-ledger", codes+"0", "--uses", "rag", "--author-name", "Augusta <ada@Reader.example>", "--author-display", "A. Lovelace", "--notes", "what Ada sent by post")
	o.ok("reservation", "add", "harbor-ledger", codes+"1", "--uses", "rag", "--author-name", "Ada Lovelace")
	o.ok("reservation", "add", "harbor-ledger", codes+"2", "--uses", "rag", "--author-name", "Lovelace the younger", "--author-display", "The younger")
	o.sql("UPDATE publishers SET contact_email = 'ada@reader.example', contact_name = 'Ada Contact' WHERE publisher_id = (SELECT publisher_id FROM sites WHERE site_id = 'harbor-ledger')")
}

// rawBytes returns the bytes of the store, its write-ahead log and its index.
func rawBytes(t *testing.T, dir string) []byte {
	t.Helper()
	var out []byte
	for _, suffix := range []string{"", "-wal", "-shm"} {
		data, err := os.ReadFile(filepath.Join(dir, registrydir.OriginFile+suffix))
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		out = append(out, data...)
	}
	return out
}

func TestErasedBytesAreGone(t *testing.T) {
	t.Parallel()
	o := newOperator(t)
	// These rows were freed before erased rows were overwritten.
	db, err := registrydir.OpenPlain(filepath.Join(o.dir, registrydir.OriginFile))
	must(t, err)
	for _, s := range []string{"PRAGMA secure_delete = 0", "CREATE TABLE old (x TEXT)", "INSERT INTO old SELECT 'Ada Lovelace' || hex(randomblob(4000)) FROM categories", "INSERT INTO old VALUES ('Ada Lovelace' || hex(randomblob(9000)))", "DROP TABLE old"} {
		must(t, assert.Err(db.Exec(s)))
	}
	fillPerson(t, o)
	// A server has the store open meanwhile.
	e := &cli.Env{Dir: registrydir.Dir{Path: o.dir}, Quiet: true}
	server, done, err := e.OpenFile(t.Context())
	must(t, err)
	defer done()
	before := rawBytes(t, o.dir)
	for _, secret := range secretsOf {
		if !bytes.Contains(before, []byte(secret)) {
			t.Fatalf("the store does not hold %q, so that nothing can be erased", secret)
		}
	}
	must(t, db.Close())
	must(t, assert.Err(server.Sites(t.Context())))

	assert.Equal(t, o.ok("person", "erase", "ADA@reader.example", "--name", " ada lovelace", "--dry-run"), "would erase 2 inquiries, 1 needs and 3 contacts with ADA@reader.example, and the author of 2 reservations", "dry run")
	assert.Equal(t, o.ok("person", "erase", "ADA@reader.example", "--name", " ada lovelace"), "erased 2 inquiries, 1 needs and 3 contacts with ADA@reader.example, and the author of 2 reservations", "erase")
	after := rawBytes(t, o.dir)
	for _, secret := range secretsOf {
		if bytes.Contains(after, []byte(secret)) {
			t.Errorf("the bytes of %q are still in the store", secret)
		}
	}
	for _, kept := range []string{"other@reader.example", "other words", "the younger"} {
		if !bytes.Contains(after, []byte(kept)) {
			t.Errorf("%q is gone too", kept)
		}
	}
	assert.Equal(t, o.ok("person", "erase", "ada@reader.example"), "erased 0 inquiries, 0 needs and 0 contacts with ada@reader.example, and the author of 0 reservations", "a second time")
}

// TestErasureKeepsTheHistory checks that identifiers, states and times stay, to
// which rights and history refer.
func TestErasureKeepsTheHistory(t *testing.T) {
	t.Parallel()
	o := newOperator(t)
	fillPerson(t, o)
	o.ok("person", "erase", "ada@reader.example")
	e := &cli.Env{Dir: registrydir.Dir{Path: o.dir}, Quiet: true}
	err := e.WithStore(t.Context(), func(store *originsql.Store) error {
		var states []string
		rows, err := store.DB().Query("SELECT r.state || ' ' || (erased_at <> '') || ' ' || count(h.seq) || ' ' || (SELECT count(*) FROM messages m WHERE m.request_id = r.request_id) FROM requests r JOIN request_history h USING (request_id) GROUP BY r.request_id ORDER BY 1")
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var s string
			if err := rows.Scan(&s); err != nil {
				return err
			}
			states = append(states, s)
		}
		if got, want := strings.Join(states, ", "), "delivered 0 2 1, withdrawn 1 3 0, withdrawn 1 3 0"; got != want {
			t.Errorf("requests (state, erased, moves, messages): %s, not %s", got, want)
		}
		partners, err := store.Partners(t.Context())
		if err != nil || len(partners) != 2 {
			t.Errorf("%d partners: %v", len(partners), err)
		}
		demand, err := store.Demand(t.Context())
		if err != nil || len(demand) != 1 || demand[0].OptedIn || demand[0].Headline == "" {
			t.Errorf("demand %+v: %v", demand, err)
		}
		return rows.Err()
	})
	must(t, err)
}

func TestPersonExport(t *testing.T) {
	t.Parallel()
	o := newOperator(t)
	fillPerson(t, o)
	code, out, errs := o.run("person", "export", "ada@reader.example")
	if code != 0 || !json.Valid([]byte(out)) {
		t.Fatalf("exit code %d: %s", code, errs)
	}
	for _, secret := range secretsOf {
		if !strings.Contains(out, strings.TrimSpace(secret)) {
			t.Errorf("the export lacks %q", secret)
		}
	}
	assert.Lacks(t, "the export holds somebody else", out, "other words")
	for name, want := range map[string]int{"": 1, "ADA LOVELACE": 2, "Lovelace": 1, "younger": 1, "lovelace the younger": 2} {
		var p originsql.Person
		o.data(&p, "person", "export", "ada@reader.example", "--name", name)
		assert.Equal(t, len(p.Reservations), want, "reservations of %q: %+v", name, p.Reservations)
	}
	var p originsql.Person
	o.data(&p, "person", "export", "nobody@reader.example")
	assert.Equal(t, len(p.Inquiries)+len(p.Demand)+len(p.Contacts)+len(p.Mentions)+len(p.Reservations), 0, "nobody has %+v", p)
	o.no(2, "is not like reader@example.org", "person", "export", "Ada")
	o.no(2, "is not like reader@example.org", "person", "erase", "@reader.example")
}

// TestMentionsAreNamed checks that an address in another person's words is
// reported, not erased.
func TestMentionsAreNamed(t *testing.T) {
	t.Parallel()
	o := newOperator(t)
	fillPerson(t, o)
	o.sql("UPDATE messages SET body = 'please write to Ada@reader.example' WHERE body = 'other words'")
	_, out, _ := o.run("person", "erase", "ada@reader.example")
	assert.Contains(t, "erase", out, "it stands in messages.body of 1 rows")
}
