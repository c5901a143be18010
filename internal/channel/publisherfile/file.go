package publisherfile

import (
	"slices"
	"strings"

	"colophon/exports"
	"colophon/internal/wire"
)

// Version is the value of the member "colophon_publisher".
const Version = "1"

// WellKnown is where a site keeps its file.
const WellKnown = "/.well-known/colophon-publisher.json"

// Rel is the relation of links that name the address of a file, in an HTTP
// Link field or an HTML link element, and the name of the HTML meta element
// and the beginning of the DNS TXT record that do the same.
const Rel = "colophon-publisher"

// Bounds of a file.
const (
	MaxBytes       = 256 << 10 // bytes of the whole file
	MaxHosts       = 1000
	MaxPreferences = 256
	MaxOffers      = 64
	MaxWithdrawn   = 1000 // paths of withdrawn pages
	MaxReserved    = 500  // reservations of content
	MaxPaths       = 32   // path patterns of one preference or offer
	MaxWords       = 64   // entries of any other list
	maxName        = 120
	maxSummary     = 400
	maxDescription = 2000
	maxAddress     = 2000
)

// File is what a publisher says about itself. Texts are untrusted; Read has
// checked that they contain neither control characters nor directional marks.
type File struct {
	Registries     []string // base addresses of registries that it speaks to, empty = all
	Name           string
	LegalName      string
	Summary        string
	Description    string
	Languages      []string // BCP 47
	Countries      []string // ISO 3166-1 alpha-2
	Categories     []string // slugs
	Audience       string   // of exports.Audiences
	TechnicalDepth string   // of exports.TechnicalDepths
	Hosts          []string // further hosts that it claims to speak for
	PolicyOf       string   // address of the file of the house whose policy applies
	Preferences    []Preference
	Holder         *Holder
	Offers         []Offer
	Reservations   []Reservation // statements of authors about content, for which it vouches
	Inquiries      *Inquiries
	Feeds          []string
	Sitemaps       []string
	SyndicatedTo   []string // hosts at which its own articles have their canonical addresses
	NoIndex        string   // skip, keep: what happens to pages that ask search engines to leave them out
	Withdrawn      []string // paths of pages that registries take out: "/page" that page, "/section/*" all below
	Listing        string   // open, closed: closed takes the whole site out, "" means open
}

func (f *File) Members(m *wire.Members) {
	m.OptEnum("audience", &f.Audience, exports.Audiences...)
	m.OptStrings("categories", &f.Categories)
	m.Const("colophon_publisher", Version)
	m.OptStrings("countries", &f.Countries)
	m.OptText("description", &f.Description, wire.Bounds{Max: maxDescription})
	m.OptStrings("feeds", &f.Feeds)
	m.OptStrings("hosts", &f.Hosts)
	wire.Opt(m, "inquiries", &f.Inquiries)
	m.OptStrings("languages", &f.Languages)
	m.OptText("legal_name", &f.LegalName, wire.Bounds{Max: maxName})
	m.OptEnum("listing", &f.Listing, "closed", "open")
	m.Text("name", &f.Name, wire.Bounds{Min: 1, Max: maxName})
	m.OptEnum("noindex", &f.NoIndex, "keep", "skip")
	wire.OptList(m, "offers", &f.Offers)
	m.OptText("policy_of", &f.PolicyOf, wire.Bounds{Max: maxAddress})
	wire.OptList(m, "preferences", &f.Preferences)
	m.OptStrings("registries", &f.Registries)
	wire.OptList(m, "reservations", &f.Reservations)
	wire.Opt(m, "rights_holder", &f.Holder)
	m.OptStrings("sitemaps", &f.Sitemaps)
	m.OptText("summary", &f.Summary, wire.Bounds{Max: maxSummary})
	m.OptStrings("syndicated_to", &f.SyndicatedTo)
	m.OptEnum("technical_depth", &f.TechnicalDepth, exports.TechnicalDepths...)
	m.OptStrings("withdrawn", &f.Withdrawn)
}

// Withdraws reports whether the file withdraws the page at a canonical address:
// its path with the query is on the list, or begins with a path on it that ends
// with "*".
func (f *File) Withdraws(address string) bool {
	_, rest, _ := strings.Cut(address, "://")
	at := max(strings.IndexByte(rest, '/'), 0)
	path := exports.NormalPattern(rest[at:])
	return slices.ContainsFunc(f.Withdrawn, func(pattern string) bool {
		prefix, below := strings.CutSuffix(pattern, "*")
		return path == prefix || below && strings.HasPrefix(path, prefix)
	})
}

// Preference is what the publisher says about one use, on the whole site or
// below some paths.
type Preference struct {
	Use        string
	Declared   string   // allow, disallow, "" not said
	Inquiry    string   // of exports.Inquiries, "" not said
	Conditions []string // of exports.Conditions
	Note       string
	Retention  string   // how long a copy may be kept, "" not said
	Paths      []string // RFC 9309 path patterns, empty = the whole site
}

func (p *Preference) Members(m *wire.Members) {
	m.OptWords("conditions", &p.Conditions, exports.Conditions...)
	m.OptEnum("declared", &p.Declared, "allow", "disallow")
	m.OptEnum("inquiry", &p.Inquiry, exports.Inquiries...)
	m.OptText("note", &p.Note, wire.Bounds{Max: maxSummary})
	m.OptStrings("paths", &p.Paths)
	exports.RetentionMember(m, &p.Retention, "not said")
	m.Enum("use", &p.Use, exports.UseWords()...)
}

// WholeSite reports whether a preference is about every path.
func (p *Preference) WholeSite() bool {
	return len(p.Paths) == 0 || len(p.Paths) == 1 && (p.Paths[0] == "/*" || p.Paths[0] == "/")
}

// Reservation is the statement that uses of a content are reserved, wherever copies
// of it are.
type Reservation struct {
	Author string // name or handle of whoever states it, "" not said
	Code   string // portable fingerprint of a text, or ISCC
	Uses   []string
	Note   string
	Since  string // RFC 3339 in UTC with seconds, "" = when it was first read
}

func (r *Reservation) Members(m *wire.Members) {
	m.OptText("author", &r.Author, wire.Bounds{Max: exports.MaxReservationAuthor})
	m.Text("code", &r.Code, wire.Bounds{Min: 1, Max: 120})
	m.OptText("note", &r.Note, wire.Bounds{Max: exports.MaxReservationNote})
	m.OptTime("since", &r.Since)
	m.Words("uses", &r.Uses, exports.UseWords()...)
}

// Holder is who holds the rights, and where.
type Holder struct {
	Name        string
	URL         string
	Territories []string // ISO 3166-1 alpha-2 or EU, empty = everywhere
}

func (h *Holder) Members(m *wire.Members) {
	m.Text("name", &h.Name, wire.Bounds{Min: 1, Max: maxName})
	m.OptStrings("territories", &h.Territories)
	m.OptText("url", &h.URL, wire.Bounds{Max: maxAddress})
}

// Inquiries says whether a licence may be asked for, and where.
type Inquiries struct {
	Closed bool
	Email  string // an address that the publisher wants public
	Page   string
}

func (i *Inquiries) Members(m *wire.Members) {
	m.OptBool("closed", &i.Closed)
	m.OptText("email", &i.Email, wire.Bounds{Max: 254})
	m.OptText("page", &i.Page, wire.Bounds{Max: maxAddress})
}

// Offer is what may be asked for. It grants nothing.
type Offer struct {
	Slug        string // name inside the file; the same slug is the same offer
	Title       string
	Status      string   // of exports.OfferStatuses, "" = offered
	Uses        []string // offered
	Prohibits   []string // uses excluded
	UserTypes   []string
	Territories []string // ISO 3166-1 alpha-2 or EU, empty = everywhere
	NotIn       []string
	Paths       []string // plain prefixes such as /section/*, empty = the whole site
	Excludes    []string
	Payment     Payment
	Obligations *Obligations
	Terms       *Terms
	ValidFrom   string // RFC 3339 in UTC with seconds, "" = when it was first read
	ValidUntil  string
}

func (o *Offer) Members(m *wire.Members) {
	m.OptStrings("excludes", &o.Excludes)
	m.OptStrings("not_in", &o.NotIn)
	wire.Opt(m, "obligations", &o.Obligations)
	m.OptStrings("paths", &o.Paths)
	m.Object("payment", &o.Payment)
	m.OptWords("prohibits", &o.Prohibits, exports.UseWords()...)
	m.Text("slug", &o.Slug, wire.Bounds{Min: 1, Max: 64})
	m.OptEnum("status", &o.Status, exports.OfferStatuses...)
	wire.Opt(m, "terms", &o.Terms)
	m.OptStrings("territories", &o.Territories)
	m.Text("title", &o.Title, wire.Bounds{Min: 1, Max: maxName})
	m.OptWords("user_types", &o.UserTypes, exports.UserTypes...)
	m.Words("uses", &o.Uses, exports.UseWords()...)
	m.OptTime("valid_from", &o.ValidFrom)
	m.OptTime("valid_until", &o.ValidUntil)
}

// Payment is an amount with its currency, or on request. Both missing is a
// model that needs no money.
type Payment struct {
	Model     string // of exports.PaymentModels
	Amount    string // decimal text such as 1200 or 0.05
	Currency  string // ISO 4217
	Unit      string // what the amount is for: year, page, 1000 tokens
	OnRequest bool
}

func (p *Payment) Members(m *wire.Members) {
	m.OptText("amount", &p.Amount, wire.Bounds{Max: 14})
	m.OptText("currency", &p.Currency, wire.Bounds{Max: 3})
	m.Enum("model", &p.Model, exports.PaymentModels...)
	m.OptBool("on_request", &p.OnRequest)
	m.OptText("unit", &p.Unit, wire.Bounds{Max: 40})
}

// Obligations come with an offer.
type Obligations struct {
	Attribution  string // link, name
	DisplayChars int64
	DeleteHours  int64
	Reporting    string // address of a reporting profile
	Retention    string // how long a copy may be kept, "" not said
}

func (o *Obligations) Members(m *wire.Members) {
	m.OptEnum("attribution", &o.Attribution, "link", "name")
	m.OptInt("delete_on_revocation_hours", &o.DeleteHours)
	m.OptInt("display_limit_chars", &o.DisplayChars)
	m.OptText("reporting_profile", &o.Reporting, wire.Bounds{Max: maxAddress})
	exports.RetentionMember(m, &o.Retention, "not said")
}

// Terms is the text that would be agreed on, by address and digest.
type Terms struct {
	URL       string
	SHA256    string // 64 lower-case hex digits
	Version   string
	MediaType string
}

func (t *Terms) Members(m *wire.Members) {
	m.OptText("media_type", &t.MediaType, wire.Bounds{Max: 80})
	m.OptText("sha256", &t.SHA256, wire.Bounds{Max: 64})
	m.Text("url", &t.URL, wire.Bounds{Min: 1, Max: maxAddress})
	m.OptText("version", &t.Version, wire.Bounds{Max: 40})
}
