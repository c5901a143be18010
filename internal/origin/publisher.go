package origin

import (
	"context"
	"strings"
)

// Publisher is an account: an organization that owns sites.
type Publisher struct {
	PublisherID  string // "pub_" + site id of its first site
	LegalName    string
	ContactName  string // private
	ContactEmail string // private
	PrivateNotes string // private
	CreatedAt    string
	GroupName    string // public name that groups its sites, "" if they are not a group
}

// SiteState is the operator's decision about a site.
type SiteState string

// The states of a site. Only an approved site can be public.
const (
	Pending   SiteState = "pending"
	Approved  SiteState = "approved"
	Suspended SiteState = "suspended"
	Closed    SiteState = "closed"
)

// Site is what the catalog calls a publisher: one site of an account.
type Site struct {
	SiteID           string
	PublisherID      string
	Name             string
	SiteURL          string // canonical by service.url-key.v1
	Summary          string
	Description      string
	Categories       []string // slugs
	Languages        []string // BCP 47
	Countries        []string // ISO 3166-1 alpha-2
	Audience         string
	TechnicalDepth   string
	RAGSuitability   string
	UpdateCadence    string
	HumanPage        string
	DomainControl    string
	ControlChecked   string
	AcceptsInquiries bool
	State            SiteState
	Visibility       string // public, private
	ApprovedAt       string
	StateReason      string // private
	PrivateNotes     string // private
	CreatedAt        string
	ChangedAt        string
	GraceDays        int64 // private: days that a page may be gone before its entry is withdrawn, 0 for the default
}

// Website is one host of a site.
type Website struct {
	SiteID     string
	Host       string
	Associated bool
	Method     string
	CheckedAt  string
	ChangedAt  string
}

// Sites reads and writes sites and their accounts.
type Sites interface {
	// Sites lists every site, whatever its state, by site id.
	Sites(ctx context.Context) ([]Site, error)
	// Site returns one site or ErrNotFound.
	Site(ctx context.Context, siteID string) (Site, error)
	// PutSite adds or replaces a site.
	PutSite(ctx context.Context, s Site) error
	// Publisher returns one account or ErrNotFound.
	Publisher(ctx context.Context, publisherID string) (Publisher, error)
	// SitesOfPublisher lists the sites of an account by site id, whatever
	// their state.
	SitesOfPublisher(ctx context.Context, publisherID string) ([]Site, error)
	// Groups lists the accounts that have a group name by id.
	Groups(ctx context.Context) ([]Publisher, error)
	// PutPublisher adds or replaces an account.
	PutPublisher(ctx context.Context, p Publisher) error
	// Websites lists the hosts of a site by host.
	Websites(ctx context.Context, siteID string) ([]Website, error)
	// PutWebsite adds or replaces a host.
	PutWebsite(ctx context.Context, w Website) error
}

// Category is a subject area.
type Category struct {
	Slug        string
	Label       string
	Description string
	Parent      string
	IABIDs      []string
	ChangedAt   string
}

// NewCategory returns a category that nobody has described: its label is its
// slug in words, such as "Trade logistics".
func NewCategory(slug, changedAt string) Category {
	label := strings.ReplaceAll(slug, "-", " ")
	if label != "" {
		label = strings.ToUpper(label[:1]) + label[1:]
	}
	return Category{Slug: slug, Label: label, ChangedAt: changedAt}
}

// Categories reads and writes categories.
type Categories interface {
	// Categories lists them by slug.
	Categories(ctx context.Context) ([]Category, error)
	// PutCategory adds or replaces one.
	PutCategory(ctx context.Context, c Category) error
}
