package originsql_test

import (
	"context"
	"testing"

	"colophon/internal/origin"
	"colophon/internal/originsql"
)

// TestDeadlines checks of each deadline which requests it concerns, how many at
// once, and that of those it changes what it should and nothing else.
func TestDeadlines(t *testing.T) {
	ctx := context.Background()
	states := []string{"delivered", "in_review"}
	for _, c := range []struct {
		what   string
		done   func(r *origin.Request) // what makes a request one that was dealt with
		happen func(s *originsql.Store) (int64, error)
		change func(r *origin.Request)
	}{
		{"remind", func(r *origin.Request) { r.Reminders = 2 },
			func(s *originsql.Store) (int64, error) { return s.Remind(ctx, states, "5", 2, "9", 1) },
			func(r *origin.Request) { r.Reminders, r.RemindedAt = 2, "9" }},
		{"expire", nil,
			func(s *originsql.Store) (int64, error) { return s.Expire(ctx, states, "5", "expired", "9", 1) },
			func(r *origin.Request) {
				r.State, r.StateSince, r.UpdatedAt, r.Moves, r.MovedBy, r.MoveReason = "expired", "9", "9", r.Moves+1, "system", ""
			}},
		{"erase", func(r *origin.Request) { r.ErasedAt = "1" },
			func(s *originsql.Store) (int64, error) { return s.Erase(ctx, states, "5", "9", 1) },
			func(r *origin.Request) { *r = erased(*r, "9") }},
	} {
		s := inquiries(t)
		quiet := func(state, since string) func(r *origin.Request) {
			return func(r *origin.Request) {
				r.State, r.StateSince, r.PublisherAt, r.CreatedAt, r.Reminders = state, since, since, since, 1
			}
		}
		left := []origin.Request{ask(t, s, "1", quiet("held", "1")), ask(t, s, "2", quiet("delivered", "6"))}
		if c.done != nil {
			left = append(left, ask(t, s, "3", func(r *origin.Request) {
				quiet("in_review", "2")(r)
				c.done(r)
			}))
		}
		due := []origin.Request{ask(t, s, "4", quiet("delivered", "5")), ask(t, s, "5", quiet("in_review", "4"))}
		for _, want := range []int64{1, 1, 0} {
			if n, err := c.happen(s); n != want || err != nil {
				t.Errorf("%s: %d, %v, want %d", c.what, n, err, want)
			}
		}
		for _, r := range left {
			same(t, c.what+", of which none is due", request(t, s, r.RequestID), r, nil)
		}
		for _, r := range due {
			c.change(&r)
			same(t, c.what, request(t, s, r.RequestID), r, nil)
		}
	}
}

// TestForgetKeys checks that keys are freed from the oldest requests on, and
// that those waiting are listed by id up to a limit.
func TestForgetKeys(t *testing.T) {
	ctx, s := context.Background(), inquiries(t)
	at := func(since string) func(r *origin.Request) {
		return func(r *origin.Request) { r.State, r.StateSince, r.CreatedAt = "held", since, since }
	}
	young := ask(t, s, "1", at("6"))
	none := ask(t, s, "2", func(r *origin.Request) {
		at("1")(r)
		r.KeyScope, r.Key = "", ""
	})
	old := []origin.Request{ask(t, s, "3", at("5")), ask(t, s, "4", at("4"))}
	for limit, want := range map[int]int{1: 1, 2: 2, 9: 3} {
		if list, err := s.Waiting(ctx, "held", "6", limit); len(list) != want || list[0].RequestID != "req_2" || err != nil {
			t.Errorf("%d waiting of at most %d, %v", len(list), limit, err)
		}
	}
	if list, err := s.Waiting(ctx, "delivered", "6", 9); len(list) != 0 || err != nil {
		t.Errorf("waiting in another state: %+v, %v", list, err)
	}
	for _, want := range []int64{1, 1, 0} {
		if n, err := s.ForgetKeys(ctx, "5", 1); n != want || err != nil {
			t.Errorf("%d keys freed, %v, want %d", n, err, want)
		}
	}
	for _, r := range old {
		r.KeyScope, r.Key = "", ""
		same(t, "a freed key", request(t, s, r.RequestID), r, nil)
	}
	same(t, "a young request", request(t, s, "req_1"), young, nil)
	same(t, "a request without a key", request(t, s, "req_2"), none, nil)
}
