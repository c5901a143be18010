package origin

import "context"

// Partner is an approved organization.
type Partner struct {
	OrgID        string
	Name         string
	State        string   // active, suspended
	Scopes       []string // what its keys may be used for
	ContactEmail string   // private
	PrivateNotes string   // private
	CreatedAt    string
	ChangedAt    string
}

// PartnerKey is a key of a partner.
type PartnerKey struct {
	KeyID string
	OrgID string
	Credential
	Last4       string   // of the secret
	Environment string   // live, test
	Scopes      []string // a part of the partner's; empty is all of them
}

// PartnerKeys finds the holder of a key.
type PartnerKeys interface {
	// KeysByLookup lists the keys with that lookup text, usually one.
	KeysByLookup(ctx context.Context, lookup string) ([]PartnerKey, error)
	// Partner returns one organization or ErrNotFound.
	Partner(ctx context.Context, orgID string) (Partner, error)
}

// Partners reads and writes organizations and their keys.
type Partners interface {
	PartnerKeys
	// Partners lists them by id.
	Partners(ctx context.Context) ([]Partner, error)
	// PutPartner adds or replaces one.
	PutPartner(ctx context.Context, p Partner) error
	// KeysOf lists the keys of an organization by id.
	KeysOf(ctx context.Context, orgID string) ([]PartnerKey, error)
	// PartnerKey returns one key or ErrNotFound.
	PartnerKey(ctx context.Context, keyID string) (PartnerKey, error)
	// PutKey adds or replaces one.
	PutKey(ctx context.Context, k PartnerKey) error
}

// InboxLink opens the private inbox of one site, or of a group, to anyone who
// has it.
type InboxLink struct {
	LinkID     string
	SiteID     string
	Credential // always has an end; it is active or revoked

	// PublisherID is the group whose sites it opens, all of those that belong
	// to the group when it is used; "" means SiteID only.
	PublisherID string
}

// InboxLinks reads and writes inbox links.
type InboxLinks interface {
	// LinksByLookup lists the links with that lookup text, usually one.
	LinksByLookup(ctx context.Context, lookup string) ([]InboxLink, error)
	// LinksOf lists the links of a site by id.
	LinksOf(ctx context.Context, siteID string) ([]InboxLink, error)
	// LinksOfGroup lists those of a group by id.
	LinksOfGroup(ctx context.Context, publisherID string) ([]InboxLink, error)
	// PutLink adds or replaces one.
	PutLink(ctx context.Context, l InboxLink) error
	// AnswersOf lists the texts that a site keeps for its answers, by name.
	AnswersOf(ctx context.Context, siteID string) ([]Answer, error)
}

// Answer is a text that a publisher keeps for its answers. {buyer} and
// {publisher} in it are replaced by names.
type Answer struct {
	Name  string `json:"name"` // lower-case letters, digits and hyphens, unique at a site
	Act   string `json:"act"`  // form that it is for: text, question, indicative_terms
	Label string `json:"label"`
	Text  string `json:"text"`
}
