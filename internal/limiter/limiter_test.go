package limiter_test

import (
	"context"
	"fmt"
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
		if ok, _ := l.Allow(ctx, "p", "a"); !ok {
			t.Fatalf("call %d is refused", i)
		}
	}
	if ok, wait := l.Allow(ctx, "p", "a"); ok || wait != 20 {
		t.Errorf("beyond the short quota: %v, wait %d", ok, wait)
	}
	if left, reset := l.Left(ctx, "p", "a", policies[0].Quotas[0]); left != 0 || reset != 60 {
		t.Errorf("left %d, whole in %d", left, reset)
	}
	if left, _ := l.Left(ctx, "p", "a", policies[0].Quotas[1]); left != 2 {
		t.Errorf("a refused call counted: %d left of the long quota", left)
	}
	if ok, _ := l.Allow(ctx, "p", "b"); !ok {
		t.Error("another caller is refused")
	}
	now = now.Add(2 * time.Minute)
	for range 2 {
		if ok, _ := l.Allow(ctx, "p", "a"); !ok {
			t.Error("refused after the window")
		}
	}
	if ok, wait := l.Allow(ctx, "p", "a"); ok || wait < 500 || wait > 720 {
		t.Errorf("beyond the long quota: %v, wait %d", ok, wait)
	}
	if ok, _ := l.Allow(ctx, "unknown", "a"); !ok {
		t.Error("a policy without quotas refuses")
	}
}

func TestTheWaitIsEnough(t *testing.T) {
	ctx, now := context.Background(), time.Unix(1000, 0)
	l := limiter.New(limit.DefaultPolicies(), 10, func() time.Time { return now })
	for range 1000 {
		ok, wait := l.Allow(ctx, "intake", "a")
		if ok {
			continue
		}
		now = now.Add(time.Duration(wait) * time.Second)
		if ok, again := l.Allow(ctx, "intake", "a"); !ok {
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
	if ok, _ := l.Allow(ctx, "p", "regular"); ok {
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
			if ok, _ := l.Allow(ctx, "partner", "a"); ok {
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
