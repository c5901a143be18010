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
// none when some refuse, which it returns; then wait is how many seconds they will.
func (l *Buckets) Allow(_ context.Context, policy, key string) (over []limit.Quota, wait int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	b, now := l.bucketOf(policy, key), l.now()
	for i, r := range b.rates {
		if t := r.TokensAt(now); t < 1 {
			over, wait = append(over, b.quotas[i]), max(wait, b.secondsFor(i, 1-t))
		}
	}
	if over != nil {
		return over, wait
	}
	for _, r := range b.rates {
		r.AllowN(now, 1)
	}
	return nil, 0
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
			return int64(t), b.secondsFor(i, float64(q.Calls)-t)
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

// secondsFor returns in how many seconds quota i has room for more calls, rounded up
// but for what floating point adds. A quota that allows no calls, which never has,
// gives its window.
func (b *bucket) secondsFor(i int, calls float64) int64 {
	q := b.quotas[i]
	if q.Calls == 0 {
		return q.Window
	}
	return int64(math.Ceil(calls*float64(q.Window)/float64(q.Calls) - 1e-9))
}
