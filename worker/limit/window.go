package limit

import (
	"context"
	"strconv"
	"time"

	"colophon/exports"
	"colophon/internal/origin"
	"colophon/worker/edge"
)

// Window is one quota of one caller in the present window.
type Window struct {
	Quota   Quota
	Counter origin.Counter
	Left    int64 // seconds until the window ends
}

// Windows returns the windows of quotas at a time. Counters have the same names
// in all programs, which therefore count together.
func Windows(quotas []Quota, key string, at time.Time) []Window {
	out := make([]Window, len(quotas))
	now := at.Unix()
	for i, q := range quotas {
		start := now - now%q.Window
		out[i] = Window{q, origin.Counter{
			Name:     q.Name + " " + key + " " + strconv.FormatInt(start, 10),
			ResetsAt: exports.Instant(time.Unix(start+q.Window, 0)),
		}, start + q.Window - now}
	}
	return out
}

// Read sets the counts of windows.
func Read(ctx context.Context, store origin.Counters, windows []Window) error {
	names := make([]string, len(windows))
	for i := range windows {
		names[i] = windows[i].Counter.Name
	}
	counts, err := store.Counts(ctx, names)
	takeCounts(windows, counts)
	return err
}

// Bump adds one to each window and sets its count.
func Bump(ctx context.Context, store origin.Counters, windows []Window) error {
	counters := make([]origin.Counter, len(windows))
	for i := range windows {
		counters[i] = windows[i].Counter
	}
	counts, err := store.Bump(ctx, counters)
	takeCounts(windows, counts)
	return err
}

func takeCounts(windows []Window, counts []origin.Counter) {
	for _, n := range counts {
		for i := range windows {
			if windows[i].Counter.Name == n.Name {
				windows[i].Counter.Count = n.Count
			}
		}
	}
}

// Exceeded returns an error if a window has no room for room more calls. It
// writes the headers in any case.
func Exceeded(windows []Window, header *edge.Header, room int64) error {
	*header = nil
	for _, w := range windows {
		joinHeader(header, "ratelimit-policy", policyHeader([]Quota{w.Quota}))
		joinHeader(header, "ratelimit", rateLimit(w.Quota, w.Quota.Calls-w.Counter.Count, w.Left))
	}
	over, wait := fullWindows(windows, room)
	if over == nil {
		return nil
	}
	return tooMany(nil, over, wait)
}

// fullWindows returns the quotas that have no room for room more calls, and in how
// many seconds all of them have.
func fullWindows(windows []Window, room int64) (over []Quota, wait int64) {
	for _, w := range windows {
		if w.Counter.Count+room > w.Quota.Calls {
			over, wait = append(over, w.Quota), max(wait, w.Left)
		}
	}
	return over, wait
}
