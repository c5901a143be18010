package origin

import "context"

// SiteFacts is what the origin holds about one site, besides the site itself, its
// pages and its observations.
type SiteFacts struct {
	SiteID      string
	Websites    []Website       // by host
	Preferences []Preference    // by use
	Passports   []Passport      // oldest first
	Signals     []Signal        // by signal
	Offers      []Offer         // by license id
	Evidence    []Evidence      // by channel, address and since
	Policies    []PolicyVersion // oldest first
}

// SiteBatches reads about many sites at once, with one statement for each
// table.
type SiteBatches interface {
	// FactsOfSites returns the facts of sites in the order of their ids, which must
	// be distinct. A site that does not exist has empty facts; that is not an
	// error.
	FactsOfSites(ctx context.Context, siteIDs []string) ([]SiteFacts, error)
	// ObservationsOfSites lists what was observed of sites, by site id, each list
	// by channel and address.
	ObservationsOfSites(ctx context.Context, siteIDs []string) (map[string][]Observation, error)
}
