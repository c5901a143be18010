package originsql

import "context"

// ClockSeen returns the last instant at which the deadlines were kept, in Unix
// seconds; 0 says that they never were.
func (s *Store) ClockSeen(ctx context.Context) (int64, error) {
	return one(ctx, s.db, "read the clock", scanInt, "SELECT coalesce(max(value), 0) FROM meta WHERE name = 'clock'")
}

// NoteClock moves the instant that ClockSeen returns forward. An earlier
// instant changes nothing.
func (s *Store) NoteClock(ctx context.Context, unix int64) error {
	const query = "INSERT INTO meta (name, value) VALUES ('clock', ?1) ON CONFLICT (name) DO UPDATE SET value = max(value, excluded.value)"
	return s.exec(ctx, "note the clock", query, unix)
}

// ConfirmClock sets the instant that ClockSeen returns, backwards too.
func (s *Store) ConfirmClock(ctx context.Context, unix int64) error {
	const query = "INSERT INTO meta (name, value) VALUES ('clock', ?1) ON CONFLICT (name) DO UPDATE SET value = excluded.value"
	return s.exec(ctx, "note the clock", query, unix)
}
