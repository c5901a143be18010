package files

import (
	"context"
	"strconv"
	"time"

	"colophon/exports"
	"colophon/worker/edge"
)

// addLastModified sets Last-Modified to the last change in the registry, the
// only time that a release has. The ledger changes independently, and immutable
// files need no date. Conditions are evaluated by entity tags only, because two
// releases may fall into one second.
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
