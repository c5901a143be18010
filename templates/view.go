package templates

import (
	"slices"
	"strings"

	"colophon/exports"
	"colophon/internal/prose"
	"colophon/templates/content"
	"colophon/templates/frame"
)

// HomePage is the first page.
type HomePage struct {
	Site       frame.SiteFrame
	Stats      exports.Stats
	Latest     []exports.PublisherSummary // newest first, about six
	Categories []exports.Category
}

// CatalogPage is the search page with the newest entries.
type CatalogPage struct {
	Site       frame.SiteFrame
	Total      int64
	Entries    []exports.FeedRecord
	Categories []exports.Category
	Uses       map[string]int64 // pages of publishers who welcome questions about a use; nil: not counted
	Signals    map[string]int64 // pages of publishers who reach a level of readiness; nil: not counted
}

// CheckPage is the page with one box.
type CheckPage struct {
	Site frame.SiteFrame
}

// CategoriesPage lists the categories.
type CategoriesPage struct {
	Site       frame.SiteFrame
	Categories []exports.Category
}

// CategoryPage is one category with one page of its publishers.
type CategoryPage struct {
	Site        frame.SiteFrame
	Category    exports.Category
	Publishers  []exports.PublisherSummary
	TopTerms    []string
	Page, Pages int
}

// PublishersPage is one page of the list of publishers.
type PublishersPage struct {
	Site        frame.SiteFrame
	Publishers  []exports.PublisherSummary
	Categories  []exports.Category
	Total       int64
	Page, Pages int
}

// PublisherPage is a publisher's page: identity, rights passport, readiness and
// offers. Categories give labels to slugs.
type PublisherPage struct {
	Site       frame.SiteFrame
	Publisher  exports.Publisher
	Map        exports.MapRecord
	Rights     exports.ResourceRights // of the whole site
	Offers     []exports.Offer
	Categories []exports.Category
	LastChange *exports.PolicyChange // nil if the policy never changed
}

// InventoryPage is one page of a publisher's registered pages.
type InventoryPage struct {
	Site        frame.SiteFrame
	Publisher   exports.Publisher
	Entries     []exports.Entry
	Page, Pages int // from 1
	PerPage     int
}

// RightsMapPage is one page of the AI rights map.
type RightsMapPage struct {
	Site        frame.SiteFrame
	Records     []exports.MapRecord
	Categories  []exports.Category
	Total       int64
	Page, Pages int
	Groups      map[string]content.GroupLine // the groups that have sites among all records, by id
}

// OffersPage is the licence catalog: its newest offers.
type OffersPage struct {
	Site       frame.SiteFrame
	Offers     []exports.Offer
	Names      map[string]string // publishers' names, by id
	Categories []exports.Category
	Total      int64
}

// MapPublisherPage is the rights-map record of one publisher.
type MapPublisherPage struct {
	Site   frame.SiteFrame
	Record exports.MapRecord
}

// LedgerPage is the provenance ledger: its state and its last events.
type LedgerPage struct {
	Site       frame.SiteFrame
	Origin     string // name of the log
	Size       int64
	Root       string // base64
	Checkpoint string // the signed note as published
	VerifyKey  string // verifier key of the log
	Witnesses  []LedgerWitness
	Quorum     int64 // cosignatures without which nothing is published
	Events     []LedgerEvent
}

// LedgerWitness is a party that is asked to cosign the log.
type LedgerWitness struct {
	Name string
	At   string // instant at which it cosigned this checkpoint, "" if it did not
}

// LedgerEvent is one leaf of the ledger; lists show the newest first.
type LedgerEvent struct {
	Index   int64
	Op      string // one of exports.LedgerEvents
	Reason  string // one of exports.LedgerReasons, "" if none
	EntryID string // "" for events that are not about an entry
	SiteID  string
	Title   string // untrusted text
	At      string
}

// DemandPage lists the needs that buyers chose to publish: the newest of Total.
type DemandPage struct {
	Site       frame.SiteFrame
	Total      int64
	Needs      []exports.Demand
	Categories []exports.Category
	Subjects   map[string]int64 // needs in each category; nil: not counted
	Uses       map[string]int64 // needs for each use; nil: not counted
}

// EditorPage is the page on which a publisher makes its file in the browser.
type EditorPage struct {
	Site            frame.SiteFrame
	Module, Runtime string // addresses of the Wasm module and of Go's runtime for it; "" if the service was built without them
	WellKnown       string // path at which the file must be served
}

// VerifyPage is the page that verifies records in the browser.
type VerifyPage struct{ Site frame.SiteFrame }

// RequestPage is the licensing-request form of a publisher.
type RequestPage struct {
	Site      frame.SiteFrame
	Publisher exports.PublisherSummary
	Uses      []exports.Preference // eight, to show what can be asked about
}

// ShortlistPage is the form that asks several publishers.
type ShortlistPage struct{ Site frame.SiteFrame }

// ConversationPage is the shell of a private conversation.
type ConversationPage struct{ Site frame.SiteFrame }

// NeedPage is the form for what a buyer looks for.
type NeedPage struct{ Site frame.SiteFrame }

// JoinPage is the form with which a site asks to be listed.
type JoinPage struct{ Site frame.SiteFrame }

// DocPage is one page of the documentation. HTML is trusted: it comes from
// package site.
type DocPage struct {
	Site        frame.SiteFrame
	Slug        string
	Title       string
	Description string
	HTML        string
	Nav         []DocLink
}

// DocLink is one page in the documentation's navigation.
type DocLink struct{ Slug, Title string }

// ReferencePage lists every endpoint. Answers has the shape of each operation's
// answer, Samples an address of this site with a sample answer, and Calls a
// recorded call.
type ReferencePage struct {
	Site      frame.SiteFrame
	Endpoints []exports.Endpoint
	Nav       []DocLink
	Shapes    []Shape
	Answers   map[string]string
	Samples   map[string]string
	Calls     map[string]Call
}

// ReferenceGroupPage describes the endpoints of one group, or with GroupShapes the
// bodies and answers.
type ReferenceGroupPage struct {
	ReferencePage
	Group string
}

// Call is an example of an endpoint: the command for a shell, and an answer
// that the service really gave.
type Call struct {
	Curl, Status, Answer string
	Cut                  bool // Answer is shortened
}

// Shape is a body or an answer: the members of an object.
type Shape struct {
	Name    string
	Members []ShapeMember
}

// ShapeMember is one member; the name of a nested member is its path.
type ShapeMember struct {
	Name, Kind string
	Ref        string // name of another shape, "" if none
	Required   bool
}

// ProblemsPage lists the error codes.
type ProblemsPage struct {
	Site  frame.SiteFrame
	Kinds []exports.ProblemKind
}

// ProblemPage explains one error code.
type ProblemPage struct {
	Site frame.SiteFrame
	Kind exports.ProblemKind
}

// NotFoundPage is the answer for an address that does not exist.
type NotFoundPage struct{ Site frame.SiteFrame }

// ShellPage is an empty page with slots for an answer made at the edge: the
// worker replaces each exports.SlotTitle by escaped text, and the one
// exports.SlotMain by its own markup. A shell contains no text of a publisher.
type ShellPage struct{ Site frame.SiteFrame }

// OwnPage is a text by the operator. HTML is trusted: it comes from Markdown
// without raw HTML.
type OwnPage struct {
	Site        frame.SiteFrame
	Title, Path string
	HTML        string
}

// headed reports whether the text has its own heading.
func (v OwnPage) headed() bool { return strings.Contains(v.HTML, "<h1") }

// StatusPage is the state of the service: what was published when.
type StatusPage struct {
	Site  frame.SiteFrame
	Stats exports.Stats
}

// PolicyPage is the history of a publisher's statements, newest first.
type PolicyPage struct {
	Site         frame.SiteFrame
	SiteID, Name string
	Versions     []PolicyVersion
}

// PolicyVersion is what a publisher stated from an instant on.
type PolicyVersion struct {
	Version        int64
	From, Until    string // instants; Until is "" for the current version
	Vector, Before string // rights vectors of this version and the previous one, which is "" for the first
	LedgerIndex    int64  // below 0: not logged
	Channels       []exports.ChannelChange
}

// useChangeWords describes how the verdict on a use changed.
func useChangeWords(c exports.UseChange) string {
	return prose.UseName(c.Use) + ": " + letterChange(prose.VerdictLetter(c.Before), prose.VerdictLetter(c.After))
}

// channelChangeWords describes how a document changed, and by whom.
func channelChangeWords(c exports.ChannelChange) string {
	words := map[string]string{
		"added": "appeared", "changed": "changed", "rewritten": "was rewritten and says the same about uses", "removed": "is gone",
	}[c.Change]
	switch {
	case slices.Contains(c.By, "unknown"):
		return words + ", by whom is unknown"
	case len(c.By) > 1:
		return words + ", by the publisher and its CDN"
	case slices.Contains(c.By, "cdn"):
		return words + ", by the publisher’s CDN"
	}
	return words + ", by the publisher"
}

// changes describes the uses whose verdict differs from the previous version's.
func (v PolicyVersion) changes() []string {
	var out []string
	for i, u := range exports.Uses {
		was, is := prose.LetterAt(v.Before, i), prose.LetterAt(v.Vector, i)
		if v.Before != "" && was != is {
			out = append(out, prose.UseName(string(u))+": "+letterChange(was, is))
		}
	}
	return out
}

// letterChange describes how a letter changed. A lower-case letter means only
// that channels disagree.
func letterChange(was, is byte) string {
	if was&^0x20 == is&^0x20 {
		if is >= 'a' {
			return prose.LetterWord(is) + ", and channels disagree now"
		}
		return prose.LetterWord(is) + ", and channels agree now"
	}
	return prose.LetterWord(was) + " before, " + prose.LetterWord(is) + " from then on"
}
