// Package limiter counts calls natively: one token bucket (golang.org/x/time)
// for each quota of each caller, in a map of bounded size. It is the Limiter
// and the Meter of the worker for "colophon serve" and tests; in the Workers
// runtime the platform counts.
package limiter

import (
	"container/list"
	"context"
	"math"
	"sync"
	"time"

	"colophon/worker/limit"

	"golang.org/x/time/rate"
)

// Buckets holds the buckets of the callers seen last.
type Buckets struct {
	policies []limit.Policy
	most     int
	now      func() time.Time

	mu      sync.Mutex
	buckets map[string]*list.Element
	recent  *list.List // of *bucket, the latest in front
}

type bucket struct {
	key    string
	quotas []limit.Quota
	rates  []*rate.Limiter
}

// New returns a limiter that remembers most callers. One that is forgotten
// begins again with full quotas.
func New(policies []limit.Policy, most int, now func() time.Time) *Buckets {
	return &Buckets{policies: policies, most: max(most, 1), now: now, buckets: map[string]*list.Element{}, recent: list.New()}
}

// Allow counts one call of key against every quota of a policy, or against
// none when one of them refuses; then wait is how many seconds it will.
func (l *Buckets) Allow(_ context.Context, policy, key string) (ok bool, wait int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	b, now := l.bucketOf(policy, key), l.now()
	for _, r := range b.rates {
		if t := r.TokensAt(now); t < 1 {
			wait = max(wait, ceilSeconds((1-t)/float64(r.Limit())))
		}
	}
	if wait > 0 {
		return false, wait
	}
	for _, r := range b.rates {
		r.AllowN(now, 1)
	}
	return true, 0
}

// Left returns how many calls a quota has left and in how many seconds it is
// whole again.
func (l *Buckets) Left(_ context.Context, policy, key string, q limit.Quota) (calls, reset int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	b, now := l.bucketOf(policy, key), l.now()
	for i, r := range b.rates {
		if b.quotas[i].Name == q.Name {
			t := max(r.TokensAt(now), 0)
			return int64(t), ceilSeconds((float64(q.Calls) - t) / float64(r.Limit()))
		}
	}
	return q.Calls, 0
}

// Size returns how many callers are remembered.
func (l *Buckets) Size() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.buckets)
}

func (l *Buckets) bucketOf(policy, key string) *bucket {
	name := policy + " " + key
	if e, ok := l.buckets[name]; ok {
		l.recent.MoveToFront(e)
		return e.Value.(*bucket)
	}
	if len(l.buckets) >= l.most {
		last := l.recent.Back()
		l.recent.Remove(last)
		delete(l.buckets, last.Value.(*bucket).key)
	}
	b := &bucket{key: name, quotas: limit.QuotasOf(l.policies, policy)}
	for _, q := range b.quotas {
		b.rates = append(b.rates, rate.NewLimiter(rate.Limit(float64(q.Calls)/float64(q.Window)), int(q.Calls)))
	}
	l.buckets[name] = l.recent.PushFront(b)
	return b
}

// ceilSeconds rounds up, forgiving what floating point adds.
func ceilSeconds(s float64) int64 { return int64(math.Ceil(s - 1e-9)) }
