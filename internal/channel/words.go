package channel

import "colophon/internal/channel/said"

// The words in which a document speaks are those of package said, which
// combines them.
type (
	// Name names a channel.
	Name = said.Name
	// Effect is what a statement does to a use.
	Effect = said.Effect
	// Statement is one thing that a document says.
	Statement = said.Statement
	// Layer orders the places in which one standard may speak.
	Layer = said.Layer
	// Terms are the conditions of a permission.
	Terms = said.Terms
	// Link is a reference from one document to another.
	Link = said.Link
	// Answer is what one channel says about one use of one resource.
	Answer = said.Answer
	// Option is one permission: free or to be acquired.
	Option = said.Option
)

// WhyRefined is said of a reservation that its policy refines.
const WhyRefined = said.WhyRefined

// The channels that can be read here.
const (
	RSL               = said.RSL
	Robots            = said.Robots
	AIPrefRobots      = said.AIPrefRobots
	AIPrefHeader      = said.AIPrefHeader
	ContentSignal     = said.ContentSignal
	TDMRep            = said.TDMRep
	TDMPolicy         = said.TDMPolicy
	PublisherFile     = said.PublisherFile
	AITxt             = said.AITxt
	TrustTxt          = said.TrustTxt
	HTMLMeta          = said.HTMLMeta
	SchemaOrg         = said.SchemaOrg
	CAWG              = said.CAWG
	PLUS              = said.PLUS
	CoMP              = said.CoMP
	TelemetryManifest = said.TelemetryManifest
)

// The effects of a statement, and the layers of TDMRep.
const (
	Unknown  = said.Unknown
	Allow    = said.Allow
	Priced   = said.Priced
	Disallow = said.Disallow

	LayerFile   = said.LayerFile
	LayerHeader = said.LayerHeader
	LayerPage   = said.LayerPage
)

// Combine is said.Combine on results.
func Combine(results []Result, resource, agent string) []Answer {
	return said.Combine(Documents(results), resource, agent)
}

// Answers is said.Answers on results.
func Answers(results []Result, resource string) []Answer {
	return said.Answers(Documents(results), resource)
}

// wordCovers gives how a word covers the eight uses.
func wordCovers(name Name, word string) [8]said.Cover { return said.Covers(name, word) }
