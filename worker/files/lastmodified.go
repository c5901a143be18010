package files

import (
	"context"
	"strconv"
	"time"

	"colophon/exports"
	"colophon/worker/edge"
)

// addLastModified says when what the registry holds changed last: the release
// knows of no other time. The ledger changes without it, and what never changes
// under its name needs none. Conditions are judged by entity tags alone, for
// two releases may be of one second.
func (s *Service) addLastModified(ctx context.Context, resp *edge.Response, key exports.Key) {
	if exports.PolicyOf(key).Undated {
		return
	}
	r, err := s.Releases.Release(ctx)
	if err != nil {
		return
	}
	if at, ok := exports.ParseInstant(r.GeneratedAt); ok && at.Unix() > 0 {
		resp.Header.Set("last-modified", httpDate(at))
	}
}

// httpDate writes t as IMF-fixdate (RFC 9110, section 5.6.7):
// Sun, 06 Nov 1994 08:49:37 GMT.
func httpDate(t time.Time) string {
	t = t.UTC()
	two := func(n int) string { return strconv.Itoa(100 + n)[1:] }
	hour, minute, second := t.Clock()
	return t.Weekday().String()[:3] + ", " + two(t.Day()) + " " + t.Month().String()[:3] + " " + strconv.Itoa(t.Year()) + " " + two(hour) + ":" + two(minute) + ":" + two(second) + " GMT"
}
