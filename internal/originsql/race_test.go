package originsql_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"

	"colophon/internal/assert"
	"colophon/internal/origin"
)

// writers is the number of concurrent writers in the races; each writes
// rounds() times. SQLite runs one write after another; the tests are for stores
// that do not.
const writers = 8

// rounds returns 10, or the number in COLOPHON_ROUNDS.
func rounds() int {
	if n, err := strconv.Atoi(os.Getenv("COLOPHON_ROUNDS")); err == nil {
		return n
	}
	return 10
}

// race runs the rounds of all writers concurrently.
func race(t *testing.T, do func(writer, round int) error) {
	t.Helper()
	var start, done sync.WaitGroup
	start.Add(1)
	for w := range writers {
		done.Go(func() {
			start.Wait()
			for i := range rounds() {
				if err := do(w, i); err != nil {
					t.Errorf("writer %d, round %d: %v", w, i, err)
					return
				}
			}
		})
	}
	start.Done()
	done.Wait()
}

// isGapless reports whether numbers are first, first+1, … in any order.
func isGapless(numbers []int64, first int64) bool {
	slices.Sort(numbers)
	for i, n := range numbers {
		if n != first+int64(i) {
			return false
		}
	}
	return true
}

func raceRequest(id, dedupe string) origin.Request {
	return origin.Request{
		RequestID: "req_" + id, ThreadID: "thr_" + id, MessageID: "msg_" + id, SiteID: "a-site", State: "open", Moves: 1, Dedupe: dedupe, CreatedAt: "2026",
	}
}

// TestRaceOfMessages has all writers post to one conversation: no message may
// be lost, and their numbers must have no gap.
func TestRaceOfMessages(t *testing.T) {
	ctx, s := context.Background(), inquiries(t)
	added, err := s.AddRequest(ctx, raceRequest("1", ""), "")
	if err != nil || !added {
		t.Fatal(added, err)
	}
	race(t, func(w, i int) error {
		m := origin.Message{MessageID: fmt.Sprintf("msg_%d_%d", w, i), ThreadID: "thr_1", AuthorRole: "requester", Kind: "text", FromState: "open"}
		added, err := s.AddMessage(ctx, m)
		if err == nil && !added {
			err = errors.New("the message was not added")
		}
		return err
	})
	list, err := s.MessagesOf(ctx, "thr_1", 0, 10_000)
	must(t, err)
	var numbers []int64
	for _, m := range list {
		numbers = append(numbers, m.Seq)
	}
	if len(list) != writers*rounds()+1 || !isGapless(numbers, 1) {
		t.Errorf("%d messages, of %d: %v", len(list), writers*rounds()+1, numbers)
	}
}

// TestRaceForAQuota has all writers count two names in different orders: each
// must get a different number, so that a quota admits exactly as many calls as
// it says.
func TestRaceForAQuota(t *testing.T) {
	ctx, s := context.Background(), inquiries(t)
	var mu sync.Mutex
	told := map[string][]int64{}
	race(t, func(w, _ int) error {
		counters := []origin.Counter{{Name: "inquiries", ResetsAt: "2027"}, {Name: "address", ResetsAt: "2027"}}
		if w%2 == 1 {
			slices.Reverse(counters)
		}
		now, err := s.Bump(ctx, counters)
		mu.Lock()
		defer mu.Unlock()
		for _, c := range now {
			told[c.Name] = append(told[c.Name], c.Count)
		}
		return err
	})
	for name, counts := range told {
		if len(counts) != writers*rounds() || !isGapless(counts, 1) {
			t.Errorf("%s: %d counts %v", name, len(counts), counts)
		}
	}
}

// TestRaceForATokenUsedOnce has all writers use the same proofs and tokens.
func TestRaceForATokenUsedOnce(t *testing.T) {
	ctx, s := context.Background(), inquiries(t)
	r := raceRequest("1", "")
	r.TokenHash = "token 0"
	must(t, assert.Err(s.AddRequest(ctx, r, "")))
	var proofs, tokens atomic.Int64
	race(t, func(w, i int) error {
		won, err := s.SpendProof(ctx, fmt.Sprintf("nonce %d", i), "2027")
		if err != nil {
			return err
		}
		if won {
			proofs.Add(1)
		}
		won, err = s.ReplaceToken(ctx, "thr_1", fmt.Sprintf("token %d", i), fmt.Sprintf("token %d", i+1), "2027")
		if won {
			tokens.Add(1)
		}
		return err
	})
	if proofs.Load() != int64(rounds()) || tokens.Load() > int64(rounds()) || tokens.Load() == 0 {
		t.Errorf("%d proofs of %d were spent, %d tokens replaced", proofs.Load(), rounds(), tokens.Load())
	}
}

// TestRaceOfTwins has all writers send the same requests: each must be added
// once, whether it is recognised by its key or by its content.
func TestRaceOfTwins(t *testing.T) {
	ctx, s := context.Background(), inquiries(t)
	var twins, keyed atomic.Int64
	race(t, func(w, i int) error {
		id := fmt.Sprintf("%d_%d", w, i)
		added, err := s.AddRequest(ctx, raceRequest("t"+id, fmt.Sprintf("digest %d", i)), "2025")
		if err != nil {
			return err
		}
		if added {
			twins.Add(1)
		}
		r := raceRequest("k"+id, "")
		r.KeyScope, r.Key = "scope", fmt.Sprintf("key %d", i)
		added, err = s.AddRequest(ctx, r, "")
		if added {
			keyed.Add(1)
		}
		return err
	})
	if want := int64(rounds()); twins.Load() != want || keyed.Load() != want {
		t.Errorf("%d requests by what they say and %d by their key were added, not %d", twins.Load(), keyed.Load(), want)
	}
}

// TestRaceOfEvents has all writers post to separate conversations, which notify
// two webhooks: events must be numbered without a gap, and those of a
// conversation in its order.
func TestRaceOfEvents(t *testing.T) {
	ctx, s := context.Background(), inquiries(t)
	for w := range writers {
		must(t, assert.Err(s.AddRequest(ctx, raceRequest(strconv.Itoa(w), ""), "")))
	}
	for _, id := range []string{"whk_1", "whk_2"} {
		must(t, s.PutWebhook(ctx, origin.Webhook{WebhookID: id, State: "active", CreatedAt: "t", ChangedAt: "t"}))
	}
	race(t, func(w, i int) error {
		m := origin.Message{MessageID: fmt.Sprintf("msg_%d_%03d", w, i), ThreadID: fmt.Sprintf("thr_%d", w), AuthorRole: "requester", FromState: "open"}
		_, err := s.AddMessage(ctx, m)
		return err
	})
	events, err := s.Events(ctx, origin.EventFilter{Limit: 10_000})
	must(t, err)
	slices.Reverse(events)
	var numbers []int64
	last := map[string]string{}
	for _, e := range events {
		numbers = append(numbers, e.Seq)
		key := e.ReceiverID + e.RequestID
		if e.EventID <= last[key] {
			t.Errorf("%s of %s comes after %s", e.EventID, key, last[key])
		}
		last[key] = e.EventID
	}
	if len(events) != 2*writers*rounds() || !isGapless(numbers, 1) {
		t.Errorf("%d events, of %d", len(events), 2*writers*rounds())
	}

	// Each event is leased once.
	var leases atomic.Int64
	race(t, func(_, i int) error {
		won, err := s.LeaseEvent(ctx, int64(i+1), "2026", "2027")
		if won {
			leases.Add(1)
		}
		return err
	})
	if leases.Load() != int64(rounds()) {
		t.Errorf("%d leases of %d events", leases.Load(), rounds())
	}
}

// TestRaceOfAFeed has all writers send one buyer different items.
func TestRaceOfAFeed(t *testing.T) {
	ctx, s := context.Background(), licensed(t)
	must(t, assert.Err(s.Feed(ctx, "byr_1")))
	race(t, func(w, i int) error {
		var events []origin.Holding
		for k := range 3 {
			events = append(events, origin.Holding{EntryID: fmt.Sprintf("ent_%d_%d_%d", w, i, k), SiteID: "a-site", State: "held", Told: -1, At: "t"})
		}
		n, err := s.AppendEvents(ctx, "byr_1", events)
		if err == nil && n != 3 {
			err = fmt.Errorf("%d of 3 events were written", n)
		}
		return err
	})
	_, events, _, err := s.FeedSince(ctx, "byr_1", 0, 10_000)
	must(t, err)
	var numbers []int64
	for _, e := range events {
		numbers = append(numbers, e.Sequence)
	}
	if len(events) != 3*writers*rounds() || !isGapless(numbers, 1) {
		t.Errorf("%d events, of %d: %v", len(events), 3*writers*rounds(), numbers)
	}
	feed, err := s.Feed(ctx, "byr_1")
	if err != nil || feed.Sequence != int64(len(events)) {
		t.Errorf("the feed is at %d, not %d: %v", feed.Sequence, len(events), err)
	}
}

// TestRaceOfRevocation opens a body repeatedly while its grant is revoked and
// restored: once a revocation is acknowledged, no later request may be
// answered.
func TestRaceOfRevocation(t *testing.T) {
	ctx, s := context.Background(), licensed(t)
	grant := origin.Grant{GrantID: "grt_1", BuyerID: "byr_1", Kind: "direct", ValidFrom: "2026", State: "active", StateAt: "t", CreatedAt: "t", ChangedAt: "t"}
	must(t, s.PutGrant(ctx, grant))
	must(t, s.SetGrantSite(ctx, "grt_1", "a-site", true, "t"))
	must(t, s.PutCredential(ctx, origin.BuyerCredential{CredentialID: "crd_1", BuyerID: "byr_1", Credential: origin.Credential{State: "active"}}))

	open := func() (origin.LicensedBody, error) {
		now, err := s.Grant(ctx, "grt_1")
		if err != nil {
			return origin.LicensedBody{}, err
		}
		return openOne(ctx, s, origin.BodyAsk{BuyerID: "byr_1", CredentialID: "crd_1", EntryID: "ent_1", SiteID: "a-site", GrantID: "grt_1",
			GrantVersion: now.Version, CanonicalURL: "https://a/1", ContentFormat: "html", At: "2027", Form: "text"})
	}
	var epoch, opened atomic.Int64 // the epoch is odd while the grant is revoked
	race(t, func(w, i int) error {
		if w == 0 {
			g := grant
			g.State = "revoked"
			if err := s.PutGrant(ctx, g); err != nil {
				return err
			}
			epoch.Add(1)
			if _, err := s.Grant(ctx, "grt_1"); err != nil { // takes a little time
				return err
			}
			epoch.Add(1)
			if err := s.PutGrant(ctx, grant); err != nil {
				return err
			}
			// Nobody else changes the grant now, so this request is answered,
			// and the others have time to be answered too.
			if _, err := open(); err != nil {
				return fmt.Errorf("after the grant was restored: %w", err)
			}
			return nil
		}
		before := epoch.Load()
		body, err := open()
		if errors.Is(err, origin.ErrNotFound) {
			return nil
		}
		opened.Add(1)
		if err == nil && before%2 == 1 && epoch.Load() == before {
			return fmt.Errorf("%q was opened under a grant that is revoked", body.Text)
		}
		return err
	})
	t.Logf("%d bodies were opened", opened.Load())
	if got, err := s.Grant(ctx, "grt_1"); err != nil || got.Version != 2+int64(2*rounds()) {
		t.Errorf("the grant has version %d after %d changes: %v", got.Version, 2*rounds(), err)
	}
}

// TestRaceOfChanges has all writers change what is published: each change must
// be counted, and the records of the audit trail numbered without a gap.
func TestRaceOfChanges(t *testing.T) {
	s := inquiries(t)
	before, _, err := s.Changes(context.Background())
	must(t, err)
	act := newAct("race")
	ctx := origin.WithAct(context.Background(), act)
	race(t, func(w, i int) error {
		slug := fmt.Sprintf("c%d", w)
		return s.PutCategory(ctx, origin.Category{Slug: slug, Label: fmt.Sprint(i), ChangedAt: "t"})
	})
	after, _, err := s.Changes(ctx)
	if err != nil || after-before != int64(writers*rounds()) {
		t.Errorf("%d changes were counted, of %d: %v", after-before, writers*rounds(), err)
	}
	records, err := s.AuditRecords(ctx, origin.AuditFilter{Limit: 10_000})
	must(t, err)
	var numbers []int64
	for _, r := range records {
		numbers = append(numbers, r.Seq)
	}
	if len(records) != writers*rounds() || !isGapless(numbers, 1) {
		t.Errorf("%d records, of %d", len(records), writers*rounds())
	}
}

// TestRaceOfBuilds has all writers append to what they take for the end of the
// ledger: one must win each place, and the others get an error.
func TestRaceOfBuilds(t *testing.T) {
	ctx, s := context.Background(), inquiries(t)
	var appended atomic.Int64
	race(t, func(w, i int) error {
		size, err := s.LedgerSize(ctx)
		if err != nil {
			return err
		}
		var events []origin.LedgerEvent
		for k := range int64(3) {
			events = append(events, origin.LedgerEvent{Position: size + k, Kind: "key", At: "t", Leaf: fmt.Sprintf("%d %d", w, i)})
		}
		err = s.AppendLedger(ctx, events)
		if errors.Is(err, origin.ErrConflict) {
			return nil
		}
		appended.Add(1)
		return err
	})
	events, err := s.LedgerEvents(ctx, 0, 10_000)
	must(t, err)
	var numbers []int64
	for i, e := range events {
		numbers = append(numbers, e.Position)
		if e.Leaf != events[i-i%3].Leaf {
			t.Fatalf("the leaves of two builds are mixed at %d", e.Position)
		}
	}
	if int64(len(events)) != 3*appended.Load() || !isGapless(numbers, 0) {
		t.Errorf("%d leaves of %d appends: %v", len(events), appended.Load(), numbers)
	}
}

// TestRaceOfTheSequence reads what changed, as builds do, while all writers
// write pages: when a page becomes visible, its number must not be lower than
// one that was already read.
func TestRaceOfTheSequence(t *testing.T) {
	ctx, s := context.Background(), inquiries(t)
	seen := map[string]bool{}
	since := int64(0)
	look := func() {
		now, err := s.Sequence(ctx)
		if err != nil {
			t.Error(err)
			return
		}
		changed, err := s.PagesChanged(ctx, origin.PageChange{Sequence: since + 1}, 10_000)
		if err != nil {
			t.Error(err)
		}
		for _, change := range changed {
			seen[change.EntryID] = true
		}
		since = now
	}

	var written atomic.Bool
	var build sync.WaitGroup
	build.Go(func() {
		for !written.Load() {
			look()
		}
	})
	race(t, func(w, i int) error {
		id := fmt.Sprintf("ent_%d_%d", w, i)
		return s.PutPage(ctx, origin.Page{EntryID: id, SiteID: "a-site", CanonicalURL: "https://a/" + id, ChangedAt: "t"}, nil)
	})
	written.Store(true)
	build.Wait()
	look()
	if len(seen) != writers*rounds() {
		t.Errorf("builds saw %d pages, of %d", len(seen), writers*rounds())
	}
	if n, err := s.Sequence(ctx); err != nil || n < int64(writers*rounds()) {
		t.Errorf("the sequence is %d after %d pages: %v", n, writers*rounds(), err)
	}
}
