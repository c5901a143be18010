package origin

import "context"

// States of a template.
const (
	TemplateProposed = "proposed" // it waits for the operator
	TemplateActive   = "active"   // texts are made with it; one of a site
	TemplateRetired  = "retired"  // texts were made with it
)

// Template is a document that separates the text of a site's pages from its
// surroundings. Only its state ever changes.
type Template struct {
	SiteID    string
	Digest    string // hex SHA-256 of Document
	State     string
	Document  string // private: JSON
	Diff      string // private: what it changes, JSON; "" if unknown
	MadeAt    string
	ChangedAt string
}

// States of the review of a page.
const (
	ReviewNone     = ""         // there is no doubt about its text
	ReviewWaiting  = "waiting"  // for the operator; it has no fingerprint
	ReviewAccepted = "accepted" // by the operator
	ReviewRejected = "rejected" // by the operator; it gets no fingerprint
)

// Extraction describes how the text of a page was extracted from it.
type Extraction struct {
	EntryID   string
	SiteID    string
	Extractor string // version of the rules
	Template  string // digest, "" if none
	Encoding  string
	Facts     []Fact         // private
	Portable  string         // private: fingerprint of the text, in review too
	Review    string         // ReviewNone, …
	Reasons   []ReviewReason // private
	Kept      string         // private: excerpt of the text, for pages with reasons
	Dropped   string         // private: excerpt of what is not in the text, for the same pages
	ChangedAt string
}

// ReviewReason says why a page is in review.
type ReviewReason struct {
	Code   string
	Detail string
}

// Extractions reads and writes how texts were made.
type Extractions interface {
	// Extraction returns that of a page or ErrNotFound.
	Extraction(ctx context.Context, entryID string) (Extraction, error)
	// ExtractionsWithText lists those of a site whose text has a
	// fingerprint, by entry id, at most limit.
	ExtractionsWithText(ctx context.Context, siteID, portable string, limit int) ([]Extraction, error)
	// ExtractionsInReview lists those of a site in a state of review, by
	// entry id, those after the given id, at most limit.
	ExtractionsInReview(ctx context.Context, siteID, state, after string, limit int) ([]Extraction, error)
	// PutExtraction adds or replaces one.
	PutExtraction(ctx context.Context, x Extraction) error

	// Templates lists the templates of a site, the newest first.
	Templates(ctx context.Context, siteID string) ([]Template, error)
	// ActiveTemplate returns the one in force or ErrNotFound.
	ActiveTemplate(ctx context.Context, siteID string) (Template, error)
	// PutTemplate adds a template, or replaces its state.
	PutTemplate(ctx context.Context, t Template) error
	// ActivateTemplate retires the active template of a site and puts another
	// one in force. It returns ErrNotFound if the site has no such template.
	ActivateTemplate(ctx context.Context, siteID, digest, now string) error
}
