package originsql

import (
	"context"
	"time"

	"colophon/exports"
)

// ClockSeen returns the last instant at which deadlines were processed, in Unix
// seconds, or 0 if they never were.
func (s *Store) ClockSeen(ctx context.Context) (int64, error) {
	return queryOne(ctx, s, scanInt, read("read the clock", "SELECT coalesce(max(value), 0) FROM meta WHERE name = 'clock'"))
}

// NoteClock moves the instant that ClockSeen returns forward. An earlier
// instant changes nothing.
func (s *Store) NoteClock(ctx context.Context, unix int64) error {
	const query = "INSERT INTO meta (name, value) VALUES ('clock', ?1) ON CONFLICT (name) DO UPDATE SET value = excluded.value WHERE excluded.value > meta.value"
	return s.exec(ctx, write("note the clock", query, unix))
}

// ConfirmClock sets the instant that ClockSeen returns, even to an earlier one.
func (s *Store) ConfirmClock(ctx context.Context, unix int64) error {
	before, err := s.ClockSeen(ctx)
	if err != nil {
		return err
	}
	const query = "INSERT INTO meta (name, value) VALUES ('clock', ?1) ON CONFLICT (name) DO UPDATE SET value = excluded.value"
	if err := s.exec(ctx, write("note the clock", query, unix)); err != nil {
		return err
	}
	return s.recordChange(ctx, "meta", "clock", clockPair(before), clockPair(unix))
}

// clockPair returns an instant of the clock for the audit trail, or nil for 0.
func clockPair(unix int64) []string {
	if unix == 0 {
		return nil
	}
	return []string{"seen", exports.Instant(time.Unix(unix, 0))}
}
