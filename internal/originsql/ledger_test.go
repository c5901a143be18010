package originsql_test

import (
	"context"
	"fmt"
	"testing"

	"colophon/internal/assert"
	"colophon/internal/origin"
	"colophon/internal/originsql/origintest"
)

func leaves(from, to int64) (out []origin.LedgerEvent) {
	for at := from; at < to; at++ {
		out = append(out, origin.LedgerEvent{Position: at, Kind: origin.LedgerKey, Event: "key_added", KeyID: fmt.Sprint(at), At: "2026-01-01T00:00:00Z", Leaf: fmt.Sprintf(`{"n":%d}`, at)})
	}
	return out
}

func TestLedgerRoundTrips(t *testing.T) {
	ctx, s := context.Background(), open(t)
	must(t, s.PutPublisher(ctx, origin.Publisher{PublisherID: "pub_a"}))
	must(t, s.PutSite(ctx, origin.Site{SiteID: "a", PublisherID: "pub_a", State: origin.Approved}))
	page := fill(t, origin.Page{SiteID: "a", EntryID: "ent_1"}, "SiteID", "EntryID")
	must(t, s.PutPage(ctx, page, nil))
	record := fill(t, origin.Record{EntryID: "ent_1", Version: 1}, "EntryID", "Version")
	must(t, s.AddRecords(ctx, []origin.Record{record}))
	waiting, err := s.RecordsToLog(ctx, 10)
	same(t, "records to log", waiting, []origin.Record{record}, err)

	e := fill(t, origin.LedgerEvent{Kind: origin.LedgerRecord, EntryID: "ent_1", Version: 1, SiteID: "a", At: record.Created}, "Position", "Kind", "EntryID", "Version", "SiteID", "At")
	must(t, s.AppendLedger(ctx, []origin.LedgerEvent{e}))
	all, err := s.LedgerEvents(ctx, 0, 10)
	same(t, "events", all, []origin.LedgerEvent{e}, err)
	if waiting, err := s.RecordsToLog(ctx, 10); err != nil || len(waiting) != 0 {
		t.Errorf("a logged record still waits: %v, %v", waiting, err)
	}
	c := fill(t, origin.LedgerCheckpoint{Size: 1}, "Size")
	must(t, s.AddCheckpoint(ctx, c))
	must(t, s.SetCosigned(ctx, 1, "more"))
	c.Cosigned = "more"
	points, err := s.LedgerCheckpoints(ctx)
	same(t, "checkpoints", points, []origin.LedgerCheckpoint{c}, err)

	logged, err := s.LoggedRecords(ctx, "a", []string{"ent_0", "ent_1"})
	same(t, "logged records", logged, []origin.LoggedRecord{{EntryID: "ent_1", Version: 1, Position: 0}}, err)
	for site, id := range map[string]string{"a": "ent_2", "b": "ent_1"} {
		if logged, err := s.LoggedRecords(ctx, site, []string{id}); err != nil || len(logged) != 0 {
			t.Errorf("logged records of %s at %s: %v, %v", id, site, logged, err)
		}
	}

	must(t, s.AppendLedger(ctx, leaves(1, 3000)))
	if n, err := s.LedgerSize(ctx); err != nil || n != 3000 {
		t.Errorf("size %d, %v", n, err)
	}
	keys, err := s.LedgerEventsOf(ctx, origin.LedgerKey)
	if err != nil || len(keys) != 2999 || keys[2998].KeyID != "2999" {
		t.Errorf("%d key leaves, %v", len(keys), err)
	}
}

func TestLedgerPoliciesWait(t *testing.T) {
	ctx, s := context.Background(), open(t)
	must(t, s.PutPublisher(ctx, origin.Publisher{PublisherID: "pub_a"}))
	must(t, s.PutSite(ctx, origin.Site{SiteID: "a", PublisherID: "pub_a"}))
	v := fill(t, origin.PolicyVersion{SiteID: "a", Version: 1, Digest: "sha-256:0a"}, "SiteID", "Version", "Digest")
	must(t, s.AddPolicy(ctx, v))
	marks, err := s.PoliciesToLog(ctx, 10)
	same(t, "policies to log", marks, []origin.PolicyMark{{SiteID: "a", Version: 1, Digest: "0a", EffectiveFrom: v.EffectiveFrom}}, err)
	must(t, s.AppendLedger(ctx, []origin.LedgerEvent{{Kind: origin.LedgerPolicy, SiteID: "a", Version: 1, Leaf: "{}"}}))
	if marks, err := s.PoliciesToLog(ctx, 10); err != nil || len(marks) != 0 {
		t.Errorf("a logged policy still waits: %v, %v", marks, err)
	}
	must(t, s.AppendLedger(ctx, leaves(1, 2)))
	logged, err := s.LedgerEventsOf(ctx, origin.LedgerPolicy)
	if err != nil || len(logged) != 1 || logged[0].SiteID != "a" || logged[0].Version != 1 {
		t.Errorf("leaves of policies: %+v, %v", logged, err)
	}
}

// TestWhatTheLedgerLacks lists what has to be logged, the earliest first, and
// parts of the ledger, each up to a limit.
func TestWhatTheLedgerLacks(t *testing.T) {
	ctx, s := twoSites(t)
	for _, r := range []origin.Record{
		{EntryID: "ent_2", Version: 1, Created: "3"}, {EntryID: "ent_3", Version: 1, Created: "2"}, {EntryID: "ent_3", Version: 2, Created: "2"},
		{EntryID: "ent_1", Version: 1, Created: "2"}, {EntryID: "ent_4", Version: 1, Created: "1"},
	} {
		r.JSON = "{}"
		must(t, s.AddRecords(ctx, []origin.Record{r}))
	}
	for i, v := range []origin.PolicyVersion{{SiteID: "b-site", Version: 1, EffectiveFrom: "2"}, {SiteID: "b-site", Version: 2, EffectiveFrom: "2"}, {SiteID: "a-site", Version: 1, EffectiveFrom: "1"}} {
		v.Digest = fmt.Sprint("sha-256:0", i)
		must(t, s.AddPolicy(ctx, v))
	}
	records := func(limit int) (out string) {
		list, err := s.RecordsToLog(ctx, limit)
		must(t, err)
		for _, r := range list {
			out += fmt.Sprint(" ", r.EntryID, ".", r.Version)
		}
		return out
	}
	policies := func(limit int) (out string) {
		list, err := s.PoliciesToLog(ctx, limit)
		must(t, err)
		for _, p := range list {
			out += fmt.Sprint(" ", p.SiteID, ".", p.Version)
		}
		return out
	}
	events := func(from int64, limit int) (out string) {
		list, err := s.LedgerEvents(ctx, from, limit)
		must(t, err)
		for _, e := range list {
			out += fmt.Sprint(" ", e.Position)
		}
		return out
	}
	wants := func(what, got, want string) {
		t.Helper()
		assert.Equal(t, got, want, "%s", what)
	}
	wants("records", records(9), " ent_4.1 ent_1.1 ent_3.1 ent_3.2 ent_2.1")
	wants("two records", records(2), " ent_4.1 ent_1.1")
	wants("policies", policies(9), " a-site.1 b-site.1 b-site.2")
	wants("two policies", policies(2), " a-site.1 b-site.1")
	must(t, s.AppendLedger(ctx, []origin.LedgerEvent{
		{Position: 0, Kind: origin.LedgerRecord, EntryID: "ent_3", Version: 1, SiteID: "a-site", At: "2", Leaf: "{}"},
		{Position: 1, Kind: origin.LedgerPolicy, SiteID: "b-site", Version: 1, Leaf: "{}"},
		{Position: 2, Kind: origin.LedgerKey, KeyID: "k", Leaf: "{}"},
	}))
	wants("records, without one", records(9), " ent_4.1 ent_1.1 ent_3.2 ent_2.1")
	wants("policies, without one", policies(9), " a-site.1 b-site.2")
	wants("leaves", events(0, 9), " 0 1 2")
	wants("leaves from one on", events(1, 1), " 1")
	for kind, want := range map[string]int{origin.LedgerKey: 1, origin.LedgerPolicy: 1, origin.LedgerRecord: 0, "none": 0} {
		if list, err := s.LedgerEventsOf(ctx, kind); len(list) != want || err != nil {
			t.Errorf("%d leaves of the kind %s, %v", len(list), kind, err)
		}
	}
	for _, size := range []int64{1, 3} {
		must(t, s.AddCheckpoint(ctx, origin.LedgerCheckpoint{Size: size, Cosigned: "first"}))
	}
	must(t, s.SetCosigned(ctx, 1, "second"))
	if list, err := s.LedgerCheckpoints(ctx); len(list) != 2 || list[0].Cosigned != "second" || list[1].Cosigned != "first" || err != nil {
		t.Errorf("checkpoints %+v, %v", list, err)
	}
}

// TestLedgerNeverChanges checks that the store itself refuses gaps,
// repetitions, changes and a second root for a size.
func TestLedgerNeverChanges(t *testing.T) {
	ctx := context.Background()
	s, run := origintest.Open(t)
	must(t, s.AppendLedger(ctx, leaves(0, 5)))
	for what, batch := range map[string][]origin.LedgerEvent{"a repeat": leaves(4, 5), "a gap": leaves(6, 7), "a batch that begins too early": leaves(3, 9)} {
		assert.ErrorIs(t, s.AppendLedger(ctx, batch), origin.ErrConflict, "%s", what)
	}
	if n, _ := s.LedgerSize(ctx); n != 5 {
		t.Errorf("refused batches left %d leaves", n)
	}
	must(t, s.AddCheckpoint(ctx, origin.LedgerCheckpoint{Size: 5, Root: "one"}))
	assert.ErrorIs(t, s.AddCheckpoint(ctx, origin.LedgerCheckpoint{Size: 5, Root: "two"}), origin.ErrConflict, "a second root")
	for _, query := range []string{
		"UPDATE ledger_events SET leaf = 'x' WHERE position = 2", "DELETE FROM ledger_events WHERE position = 4",
		"UPDATE ledger_checkpoints SET root = 'two'", "DELETE FROM ledger_checkpoints",
	} {
		assert.Fails(t, run(query), "done: %s", query)
	}
}
