package origin

import "context"

// Preference is what a site states about one use.
type Preference struct {
	SiteID     string
	Use        string
	Inquiry    string
	Declared   string
	Conditions []string
	Note       string
	Retention  string // how long a copy may be kept, "" not said
	Since      string
	Source     string
	ChangedAt  string
}

// Passport is one version of a site's rights passport.
type Passport struct {
	SiteID        string
	Version       int64
	PassportID    string
	HolderName    string
	HolderURL     string
	HolderBasis   string
	Territories   []string
	EffectiveFrom string
	PrivateNotes  string // private
	ChangedAt     string
}

// Signal is the state of a readiness signal that is kept by the operator.
type Signal struct {
	SiteID    string
	Signal    string
	State     string
	Evidence  string
	CheckedAt string
	ChangedAt string
	Report    string // JSON of what the check saw, published beside the publisher, "" if none
}

// Preferences reads and writes what sites state.
type Preferences interface {
	// Preferences lists what a site stated, by use; at most eight.
	Preferences(ctx context.Context, siteID string) ([]Preference, error)
	// PutPreference adds or replaces one.
	PutPreference(ctx context.Context, p Preference) error
	// Passports lists the versions of a site's passport, oldest first.
	Passports(ctx context.Context, siteID string) ([]Passport, error)
	// AddPassport adds a version. It returns ErrConflict if it exists.
	AddPassport(ctx context.Context, p Passport) error
	// Signals lists the readiness signals kept for a site, by signal.
	Signals(ctx context.Context, siteID string) ([]Signal, error)
	// PutSignal adds or replaces one.
	PutSignal(ctx context.Context, s Signal) error
}
