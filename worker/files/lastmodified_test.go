package files

import (
	"net/http"
	"testing"
	"time"
)

func TestHTTPDate(t *testing.T) {
	for _, at := range []time.Time{
		time.Date(1994, 11, 6, 8, 49, 37, 0, time.UTC), time.Date(2026, 11, 27, 0, 50, 8, 0, time.UTC), time.Date(2024, 2, 29, 23, 59, 59, 0, time.FixedZone("", -3600)), time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC),
		time.Date(2026, 5, 3, 12, 0, 0, 999, time.UTC), time.Date(2026, 9, 30, 1, 2, 3, 0, time.FixedZone("", 7200)), time.Unix(1, 0), time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC),
	} {
		if got, want := httpDate(at), at.UTC().Format(http.TimeFormat); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}
