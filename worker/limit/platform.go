package limit

import (
	"context"
	"time"

	"colophon/internal/origin"
)

// Platform is the Limiter of a platform that counts short windows itself,
// quickly and roughly, such as the Rate Limiting binding of Workers. Longer
// windows are counted exactly, in the origin. It does not know what is left, so
// it is not a Meter.
type Platform struct {
	Short    func(ctx context.Context, policy, key string, q Quota) (bool, error)
	Long     origin.Counters // nil: long windows are not counted
	Policies []Policy        // nil: DefaultPolicies
	Now      func() time.Time
}

// ShortWindow is the longest window, in seconds, that the platform counts.
const ShortWindow = 60

// Allow counts one call. It fails open, because a broken counter must not stop
// the service.
func (l *Platform) Allow(ctx context.Context, policy, key string) (over []Quota, wait int64) {
	policies := l.Policies
	if policies == nil {
		policies = DefaultPolicies()
	}
	var long []Quota
	for _, q := range QuotasOf(policies, policy) {
		if q.Window > ShortWindow {
			long = append(long, q)
			continue
		}
		if ok, err := l.Short(ctx, policy, key, q); err == nil && !ok {
			over, wait = append(over, q), max(wait, q.Window)
		}
	}
	if over != nil || l.Long == nil || len(long) == 0 {
		return over, wait
	}
	windows := Windows(long, key, l.Now())
	if Bump(ctx, l.Long, windows) != nil {
		return nil, 0
	}
	return fullWindows(windows, 0)
}
