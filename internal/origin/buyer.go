package origin

import "context"

// Buyer is an organization to which content can be delivered.
type Buyer struct {
	BuyerID      string
	Name         string
	State        string // active, suspended
	ContactEmail string // private
	PrivateNotes string // private
	CreatedAt    string
	ChangedAt    string
}

// BuyerCredential identifies a buyer, and permits nothing.
type BuyerCredential struct {
	CredentialID string
	BuyerID      string
	Credential
	Last4       string // of the secret
	Environment string // live, test
}

// Grant is a licence that a buyer holds.
type Grant struct {
	GrantID         string
	BuyerID         string
	Kind            string // direct, enterprise
	Title           string
	LicenseID       string // offer it came from, "" if none
	Uses            []string
	Paths           []string // path patterns; empty is all
	Excludes        []string
	ContentFormats  []string // empty is all
	PublishedAfter  string   // "" all
	PublishedBefore string   // "" all
	ValidFrom       string
	ValidUntil      string // "" open
	State           string // active, suspended, revoked
	StateAt         string // since when
	StateReason     string // private
	Attribution     string // link, name, "" if none
	DisplayLimit    int64  // characters, 0 no limit
	DeleteHours     int64  // to delete after the right has ended
	Reporting       string // address, "" if none
	Retention       string // how long a copy may be kept, "" as long as the grant holds
	Agreement       string // private: reference to the contract
	PrivateNotes    string // private
	Version         int64  // counts every change; kept by the store
	CreatedAt       string
	ChangedAt       string
	Sites           []string // sites covered now, by id; see SetGrantSite
}

// Access is a credential with everything that decisions depend on: its buyer,
// and that buyer's grants by id, whatever their state.
type Access struct {
	Credential BuyerCredential
	Buyer      Buyer
	Grants     []Grant
}

// BuyerReader finds the buyer of a credential and what that buyer holds.
type BuyerReader interface {
	// Access returns a credential with its buyer and all grants of that
	// buyer, read in one statement, or ErrNotFound.
	Access(ctx context.Context, credentialID string) (Access, error)
	// AccessByLookup is Access for all credentials with that lookup text,
	// usually one.
	AccessByLookup(ctx context.Context, lookup string) ([]Access, error)
	// Credential returns one or ErrNotFound.
	Credential(ctx context.Context, credentialID string) (BuyerCredential, error)
	// Buyer returns one buyer or ErrNotFound.
	Buyer(ctx context.Context, buyerID string) (Buyer, error)
	// GrantsOf lists the grants of a buyer by id, whatever their state.
	GrantsOf(ctx context.Context, buyerID string) ([]Grant, error)
}

// Buyers reads and writes buyers, their credentials and grants.
type Buyers interface {
	BuyerReader
	// Buyers lists them by id.
	Buyers(ctx context.Context) ([]Buyer, error)
	// PutBuyer adds or replaces one.
	PutBuyer(ctx context.Context, b Buyer) error
	// CredentialsOf lists the credentials of a buyer by id.
	CredentialsOf(ctx context.Context, buyerID string) ([]BuyerCredential, error)
	// PutCredential adds or replaces one.
	PutCredential(ctx context.Context, c BuyerCredential) error
	// Grant returns one or ErrNotFound.
	Grant(ctx context.Context, grantID string) (Grant, error)
	// PutGrant adds or replaces one, all but its sites and version.
	PutGrant(ctx context.Context, g Grant) error
	// SetGrantSite adds a site to a grant, or removes it.
	SetGrantSite(ctx context.Context, grantID, siteID string, covered bool, at string) error
}
