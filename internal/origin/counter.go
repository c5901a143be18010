package origin

import "context"

// Counter counts something in one window of time.
type Counter struct {
	Name     string // what is counted, for whom, in which window
	Count    int64
	ResetsAt string // end of the window
}

// Counters keeps the numbers that guard public requests, and remembers which
// proofs of work were spent. Names carry digests, never addresses.
type Counters interface {
	// Counts returns the counters of those names that exist.
	Counts(ctx context.Context, names []string) ([]Counter, error)
	// Bump adds one to each and returns what they are then.
	Bump(ctx context.Context, counters []Counter) ([]Counter, error)
	// SpendProof marks a nonce as used and reports whether it was fresh.
	SpendProof(ctx context.Context, nonce, expires string) (bool, error)
	// Sweep removes counters and proofs whose time is over.
	Sweep(ctx context.Context, now string) (int64, error)
}
