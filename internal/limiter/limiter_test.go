package limiter_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"colophon/internal/limiter"
	"colophon/worker/limit"
)

var policies = []limit.Policy{{Name: "p", Quotas: []limit.Quota{{Name: "short", Calls: 3, Window: 60}, {Name: "long", Calls: 5, Window: 3600}}}}

func TestQuotas(t *testing.T) {
	ctx, now := context.Background(), time.Unix(1000, 0)
	l := limiter.New(policies, 10, func() time.Time { return now })
	for i := range 3 {
		if over, _ := l.Allow(ctx, "p", "a"); over != nil {
			t.Fatalf("call %d is refused", i)
		}
	}
	if over, wait := l.Allow(ctx, "p", "a"); !slices.Equal(over, policies[0].Quotas[:1]) || wait != 20 {
		t.Errorf("beyond the short quota: %v, wait %d", over, wait)
	}
	if left, reset := l.Left(ctx, "p", "a", policies[0].Quotas[0]); left != 0 || reset != 60 {
		t.Errorf("left %d, whole in %d", left, reset)
	}
	if left, _ := l.Left(ctx, "p", "a", policies[0].Quotas[1]); left != 2 {
		t.Errorf("a refused call counted: %d left of the long quota", left)
	}
	if over, _ := l.Allow(ctx, "p", "b"); over != nil {
		t.Error("another caller is refused")
	}
	now = now.Add(2 * time.Minute)
	for range 2 {
		if over, _ := l.Allow(ctx, "p", "a"); over != nil {
			t.Error("refused after the window")
		}
	}
	if over, wait := l.Allow(ctx, "p", "a"); !slices.Equal(over, policies[0].Quotas[1:]) || wait < 500 || wait > 720 {
		t.Errorf("beyond the long quota: %v, wait %d", over, wait)
	}
	if over, _ := l.Allow(ctx, "unknown", "a"); over != nil {
		t.Error("a policy without quotas refuses")
	}
}

// TestNoCalls checks a quota that allows no calls.
func TestNoCalls(t *testing.T) {
	none := limit.Quota{Name: "none", Calls: 0, Window: 60}
	l := limiter.New([]limit.Policy{{Name: "p", Quotas: []limit.Quota{none, {Name: "some", Calls: 5, Window: 3600}}}}, 10, time.Now)
	if over, wait := l.Allow(context.Background(), "p", "a"); !slices.Equal(over, []limit.Quota{none}) || wait != 60 {
		t.Errorf("refused by %v, wait %d", over, wait)
	}
	if left, reset := l.Left(context.Background(), "p", "a", none); left != 0 || reset != 60 {
		t.Errorf("left %d, whole in %d", left, reset)
	}
}

func TestTheWaitIsEnough(t *testing.T) {
	ctx, now := context.Background(), time.Unix(1000, 0)
	l := limiter.New(limit.DefaultPolicies(), 10, func() time.Time { return now })
	for range 1000 {
		over, wait := l.Allow(ctx, "intake", "a")
		if over == nil {
			continue
		}
		now = now.Add(time.Duration(wait) * time.Second)
		if over, again := l.Allow(ctx, "intake", "a"); over != nil {
			t.Fatalf("after waiting %d s: wait %d more", wait, again)
		}
	}
}

func TestBoundedMemory(t *testing.T) {
	ctx := context.Background()
	l := limiter.New(policies, 100, time.Now)
	for i := range 10_000 {
		l.Allow(ctx, "p", fmt.Sprint(i))
		l.Allow(ctx, "p", "regular")
	}
	if n := l.Size(); n > 100 {
		t.Errorf("%d callers are remembered", n)
	}
	if over, _ := l.Allow(ctx, "p", "regular"); over == nil {
		t.Error("a caller that comes all the time was forgotten")
	}
}

func TestConcurrentCallsAreCountedOnce(t *testing.T) {
	ctx, now := context.Background(), time.Unix(1000, 0)
	l := limiter.New(limit.DefaultPolicies(), 10, func() time.Time { return now })
	var group sync.WaitGroup
	var mu sync.Mutex
	allowed := 0
	for range 300 {
		group.Go(func() {
			if over, _ := l.Allow(ctx, "partner", "a"); over == nil {
				mu.Lock()
				allowed++
				mu.Unlock()
			}
		})
	}
	group.Wait()
	if allowed != 120 {
		t.Errorf("%d of 300 calls were allowed, not 120", allowed)
	}
}
