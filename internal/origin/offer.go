package origin

import "context"

// Offer is what a site offers to license.
type Offer struct {
	LicenseID         string
	SiteID            string
	Slug              string
	Kind              string
	Status            string
	Title             string
	ScopeType         string
	Paths             []string
	Excludes          []string
	ContentFormats    []string
	PublishedAfter    string
	Permits           []string
	Prohibits         []string
	UserTypes         []string
	Territories       []string
	NotIn             []string
	PaymentModel      string
	Amount            string
	Currency          string
	Unit              string
	Attribution       string
	DisplayLimit      int64
	DeleteHours       int64
	Reporting         string
	Retention         string // how long a copy may be kept, "" not said
	TermsURL          string
	TermsVersion      string
	TermsSHA256       string
	TermsMedia        string
	ValidFrom         string
	ValidUntil        string
	Supersedes        string
	PrivateNotes      string // private
	MinimumTermMonths int64  // not published; 0 any
	Source            string // of exports.OfferSources, "" if an operator entered it
	EvidenceURL       string // where it was read, "" if an operator entered it
	EvidenceSHA256    string // hex digest of what was read
	EvidenceAt        string // when it was first read in this form
	ChangedAt         string
}

// Demand is an acquisition need of a buyer.
type Demand struct {
	DemandID       string   `json:"demand_id"`
	Headline       string   `json:"headline"`
	Uses           []string `json:"uses"`
	Categories     []string `json:"categories"`
	ContentFormats []string `json:"content_formats"`
	Languages      []string `json:"languages"`
	Territories    []string `json:"territories"`
	UserType       string   `json:"user_type"`
	Volume         string   `json:"volume"`
	BudgetBand     string   `json:"budget_band"`
	Timeline       string   `json:"timeline"`
	BuyerDisplay   string   `json:"buyer_display"`
	OptedIn        bool     `json:"opted_in"`
	OptedInAt      string   `json:"opted_in_at"`
	ExpiresAt      string   `json:"expires_at"`
	BuyerName      string   `json:"buyer_name"`     // private
	BuyerEmail     string   `json:"buyer_email"`    // private
	SavedSearch    string   `json:"saved_search"`   // private
	PipelineStage  string   `json:"pipeline_stage"` // private
	PrivateNotes   string   `json:"private_notes"`  // private
	ChangedAt      string   `json:"changed_at"`
}

// Market reads and writes offers and demand.
type Market interface {
	// OffersOf lists the offers of a site by license id.
	OffersOf(ctx context.Context, siteID string) ([]Offer, error)
	// PutOffer adds or replaces one.
	PutOffer(ctx context.Context, o Offer) error
	// Demand lists every buyer's request by id, opted in or not.
	Demand(ctx context.Context) ([]Demand, error)
	// PutDemand adds or replaces one.
	PutDemand(ctx context.Context, d Demand) error
}

// Changes reports the state of the whole store.
type Changes interface {
	// Changes returns how many changes of publishable facts were made, and
	// the instant of the latest, "" when there is none.
	Changes(ctx context.Context) (count int64, latest string, err error)
}

// PageChange is the last change of a page.
type PageChange struct {
	Sequence int64
	EntryID  string
}

// Sequence numbers the writes that a build would show, so that a build reads
// only what changed since the one before.
type Sequence interface {
	// Sequence returns the number of the last such write. It never falls.
	Sequence(ctx context.Context) (int64, error)
	// PagesChanged lists the last changes of pages, those after the given one,
	// by number and id, at most limit. Deleted pages are among them. The zero
	// id of a number comes before all its changes.
	PagesChanged(ctx context.Context, after PageChange, limit int) ([]PageChange, error)
	// PutBuild records that a build read everything up to a number. Recording
	// it again changes nothing.
	PutBuild(ctx context.Context, token string, sequence int64) error
	// BuildSequence returns the number that a build recorded, or ErrNotFound if
	// this origin knows no such build.
	BuildSequence(ctx context.Context, token string) (int64, error)
}

// Catalog is everything that a build reads and an import writes. It may be called from
// several goroutines at once.
type Catalog interface {
	Sites
	Categories
	Preferences
	Pages
	Records
	Fetches
	Observations
	SiteBatches
	Market
	Reservations
	Policies
	Ledger
	Changes
	Sequence
}
