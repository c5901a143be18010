package statements

// Name names a channel in public records.
type Name string

// The channels that can be read here.
const (
	RSL               Name = "rsl"
	Robots            Name = "robots"
	AIPrefRobots      Name = "aipref_robots"
	AIPrefHeader      Name = "aipref_header"
	ContentSignal     Name = "content_signal"
	TDMRep            Name = "tdmrep"
	TDMPolicy         Name = "tdm_policy"
	AITxt             Name = "ai_txt"
	TrustTxt          Name = "trust_txt"
	HTMLMeta          Name = "html_meta"
	SchemaOrg         Name = "schema_org"
	CAWG              Name = "cawg"
	PLUS              Name = "plus_dmi"
	CoMP              Name = "comp"
	TelemetryManifest Name = "telemetry_manifest"
	PublisherFile     Name = "publisher_file"
)

// Names lists the channels in the order in which they are published.
var Names = []Name{
	RSL, Robots, AIPrefRobots, AIPrefHeader, ContentSignal, TDMRep, TDMPolicy,
	AITxt, TrustTxt, HTMLMeta, SchemaOrg, CAWG, PLUS, CoMP, TelemetryManifest, PublisherFile,
}

// Effect is the effect of a statement on a use.
type Effect uint8

// The effects. Priced is a permission that must be acquired first.
const (
	Unknown Effect = iota
	Allow
	Priced
	Disallow
)

// String returns the published word: unknown, allow, priced or disallow.
func (e Effect) String() string {
	switch e {
	case Allow:
		return "allow"
	case Priced:
		return "priced"
	case Disallow:
		return "disallow"
	}
	return "unknown"
}

// Statement is one thing that a document says, in its standard's own words.
type Statement struct {
	Channel   Name
	Layer     Layer  // where inside the standard it was said, for precedence
	Host      string // the host it is limited to, "" for the one that serves it
	Pattern   string // RFC 9309 path pattern, "" = the resource it came with
	Agent     string // product token a page or header names, "*" = every agent, "" = not said
	Word      string // see Crosswalk
	Effect    Effect
	Terms     Terms  // what a permission requires
	Group     int    // licence of an RSL file, group of a robots-like file, rule of tdmrep.json, from 1
	Locator   string // where in the document
	Text      string // the statement as it can be shown
	Retention string // how long a copy may be kept, of a statement with a RetentionWord
	Origin    string // FromCDN for a line that the publisher's CDN put in, "" = the publisher
}

// RetentionWord is the word of statements that say how long a copy may be kept,
// and nothing else. Their effect on a use is Unknown. In the publisher's file,
// where they are about one use, a space and the use follow.
const RetentionWord = "retention"

// FromCDN is the origin of statements that a CDN marks as its own in a document of the
// publisher.
const FromCDN = "cdn"

// Layer orders the places in which one standard may speak: a later layer
// overrides an earlier one.
type Layer uint8

// The layers of TDMRep; other standards use LayerFile only.
const (
	LayerFile Layer = iota
	LayerHeader
	LayerPage
)

// Terms are the conditions of a permission.
type Terms struct {
	Payment        string // RSL payment type, "" = not said
	Amount         string // decimal
	Currency       string // ISO 4217
	Custom         string // URL of the publisher's own process
	Standard       string // URI of a shared licence
	Server         string // URL of a licence server
	UserTypes      []string
	NotUserTypes   []string
	Territories    []string // ISO 3166-1 alpha-2 or EU
	NotTerritories []string
	Obligations    []string
}

// The relations of a demand of RSL for reports of use, whose links have one
// locator: its profile, whose type is that of the demand, and, if it is stated,
// where the reports go.
const (
	RelReporting         = "reporting"
	RelReportingEndpoint = "reporting-endpoint"
)

// Link is a reference from one document to another.
type Link struct {
	Rel     string // license, tdm-policy, sitemap, agentmap, acquire-license, usage-info, telemetry, reporting, terms
	URL     string
	Type    string // media type, if given; of a demand for reports, its type
	Group   int    // group of the robots file that has it, 0 = outside
	Locator string
}
