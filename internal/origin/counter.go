package origin

import "context"

// Counter counts something in one window of time.
type Counter struct {
	Name     string // what is counted, for whom, in which window
	Count    int64
	ResetsAt string // end of the window
}

// Counters stores the counters that guard public requests, and the spent proofs
// of work. Names contain digests, never addresses.
type Counters interface {
	// Counts returns the counters of those names that exist.
	Counts(ctx context.Context, names []string) ([]Counter, error)
	// Bump adds one to each counter and returns the new values.
	Bump(ctx context.Context, counters []Counter) ([]Counter, error)
	// SpendProof marks a nonce as used and reports whether it was fresh.
	SpendProof(ctx context.Context, nonce, expires string) (bool, error)
	// Sweep removes expired counters and proofs.
	Sweep(ctx context.Context, now string) (int64, error)
}
