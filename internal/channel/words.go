package channel

import "colophon/internal/channel/statements"

// The types for the words of a document are those of package statements, which
// combines them.
type (
	// Name names a channel.
	Name = statements.Name
	// Effect is what a statement does to a use.
	Effect = statements.Effect
	// Statement is one thing that a document says.
	Statement = statements.Statement
	// Layer orders the places in which one standard may speak.
	Layer = statements.Layer
	// Terms are the conditions of a permission.
	Terms = statements.Terms
	// Link is a reference from one document to another.
	Link = statements.Link
	// Answer is what one channel says about one use of one resource.
	Answer = statements.Answer
	// Option is one permission: free or to be acquired.
	Option = statements.Option
)

// The channels that can be read here.
const (
	RSL               = statements.RSL
	Robots            = statements.Robots
	AIPrefRobots      = statements.AIPrefRobots
	AIPrefHeader      = statements.AIPrefHeader
	ContentSignal     = statements.ContentSignal
	TDMRep            = statements.TDMRep
	TDMPolicy         = statements.TDMPolicy
	PublisherFile     = statements.PublisherFile
	AITxt             = statements.AITxt
	TrustTxt          = statements.TrustTxt
	HTMLMeta          = statements.HTMLMeta
	SchemaOrg         = statements.SchemaOrg
	CAWG              = statements.CAWG
	PLUS              = statements.PLUS
	CoMP              = statements.CoMP
	TelemetryManifest = statements.TelemetryManifest
)

// The effects of a statement, and the layers of TDMRep.
const (
	Unknown  = statements.Unknown
	Allow    = statements.Allow
	Priced   = statements.Priced
	Disallow = statements.Disallow

	LayerFile   = statements.LayerFile
	LayerHeader = statements.LayerHeader
	LayerPage   = statements.LayerPage
)
