package exports

import "colophon/internal/wire"

// MapRecord is one publisher on the AI rights map: which public infrastructure
// signals can be found, what its channels say, and whether they agree.
// Readiness is not an opinion, a ranking, a finding of ownership or a licence.
type MapRecord struct {
	SiteID            string
	Name              string
	SiteURL           string
	Categories        []string
	Readiness         string
	Signals           []ReadinessSignal // always all of ReadinessSignals
	RightsVector      string
	RightsAsOf        string       // instant at which the vector was judged
	Preferences       []Preference // always eight
	Channels          []ChannelState
	Conflicts         []Conflict
	Doubts            []StatementDoubt // statements of the publisher that its channels do not confirm
	RegisteredPages   int64
	Offers            int64
	ProvenanceRecords int64
	AcceptsInquiries  bool
	Policy            *PolicyRef
	DomainControl     string // of DomainControls
	ControlChecked    string
	UpdatedAt         string
	Group             *GroupRef // nil if it belongs to no group
	Agents            []AgentGroup
	AgentWarnings     []AgentWarning
}

func (r *MapRecord) Members(m *wire.Members) {
	wire.List(m, "agent_warnings", &r.AgentWarnings)
	wire.List(m, "agents", &r.Agents)
	m.Strings("categories", &r.Categories)
	wire.List(m, "channels", &r.Channels)
	m.Nested("consistency", func(m *wire.Members) {
		wire.List(m, "conflicts", &r.Conflicts)
		DerivedLink(m, "state", r.Consistency())
		wire.List(m, "statements", &r.Doubts)
	})
	m.Flag("grants_rights", false)
	wire.Opt(m, "group", &r.Group)
	m.Nested("inquiry", func(m *wire.Members) {
		m.Bool("accepts", &r.AcceptsInquiries)
		DerivedLink(m, "href", PathPrepare)
	})
	m.Nested("links", func(m *wire.Members) {
		DerivedLink(m, "page", PublisherPage(r.SiteID))
		DerivedLink(m, "publisher", PublisherPath(r.SiteID))
		DerivedLink(m, "self", MapPublisherPath(r.SiteID))
	})
	m.String("name", &r.Name)
	m.Int("offers", &r.Offers)
	wire.OrNull(m, "policy", &r.Policy)
	wire.List(m, "preference_signals", &r.Preferences)
	m.Int("provenance_records", &r.ProvenanceRecords)
	m.Enum("readiness", &r.Readiness, ReadinessLevels...)
	wire.List(m, "readiness_signals", &r.Signals)
	m.Int("registered_pages", &r.RegisteredPages)
	m.OptTime("rights_as_of", &r.RightsAsOf)
	m.String("rights_vector", &r.RightsVector)
	m.String("site_id", &r.SiteID)
	m.String("site_url", &r.SiteURL)
	m.Time("updated_at", &r.UpdatedAt)
	m.Object("verification", &verification{&r.ControlChecked, &r.DomainControl})
}

// Consistency returns whether a publisher's channels and its own statements
// agree: "conflicts", "unconfirmed" or "consistent".
func (r *MapRecord) Consistency() string {
	switch {
	case len(r.Conflicts) > 0:
		return "conflicts"
	case len(r.Doubts) > 0:
		return "unconfirmed"
	}
	return "consistent"
}

// ReadinessSignal is one infrastructure signal and whether it was found.
type ReadinessSignal struct {
	Signal    string // one of ReadinessSignals
	State     string // one of SignalStates
	Evidence  string // URL or path, "" if none
	CheckedAt string
}

func (s *ReadinessSignal) Members(m *wire.Members) {
	m.NullTime("checked_at", &s.CheckedAt)
	m.NullString("evidence", &s.Evidence)
	m.Enum("signal", &s.Signal, ReadinessSignals...)
	m.Enum("state", &s.State, SignalStates...)
}

// ChannelState is what was found in one channel of a publisher.
type ChannelState struct {
	Channel    string // one of Channels
	URL        string
	State      string // one of ChannelStates
	Reading    string // one of Readings, "" when there is no document
	Statements int64
	Warnings   []string
	CheckedAt  string
	Reporting  []Reporting // demands for reports of use, of RSL
}

func (c *ChannelState) Members(m *wire.Members) {
	m.Enum("channel", &c.Channel, Channels...)
	m.NullTime("checked_at", &c.CheckedAt)
	m.OptEnum("reading", &c.Reading, Readings...)
	wire.OptList(m, "reporting", &c.Reporting)
	m.Enum("state", &c.State, ChannelStates...)
	m.Int("statements", &c.Statements)
	m.NullString("url", &c.URL)
	m.Strings("warnings", &c.Warnings)
}

// Reporting is a publisher's demand that whoever uses its pages reports it. All of
// it is untrusted text.
type Reporting struct {
	Type     string // telemetry, provenance or audit in RSL 1.0
	Profile  string // URI of the rules of the reports
	Endpoint string // where they go, "" if it is not stated
}

// Members describes the JSON form.
func (r *Reporting) Members(m *wire.Members) {
	m.NullString("endpoint", &r.Endpoint)
	m.String("profile", &r.Profile)
	m.String("type", &r.Type)
}

// Conflict is a use on which channels disagree, with the effect that was
// chosen: always the most restrictive.
type Conflict struct {
	Use     string
	Between []string
	Values  []string
	Taken   string
}

func (c *Conflict) Members(m *wire.Members) {
	m.Strings("between", &c.Between)
	m.String("taken", &c.Taken)
	m.Enum("use", &c.Use, UseWords()...)
	m.Strings("values", &c.Values)
}

// The reasons to doubt a publisher's own statement about a use: a channel of
// the same publisher says the opposite, or may do so but was not read
// completely.
const (
	Contradicted = "contradicted"
	Unconfirmed  = "unconfirmed"
)

// StatementDoubt names a use about which a publisher states something that its
// channels do not confirm.
type StatementDoubt struct {
	Use          string
	Confirmation string // of Confirmations
}

func (d *StatementDoubt) Members(m *wire.Members) {
	m.Enum("confirmation", &d.Confirmation, Confirmations...)
	m.Enum("use", &d.Use, UseWords()...)
}

// ReadinessNote is part of every answer of the map.
const ReadinessNote = "Readiness tells which public infrastructure can be discovered. It is not a legal opinion, a quality ranking, an ownership finding or a licence."

// Readiness derives the level from the states of the signals: each level
// needs the one below it.
//
//	listed    registered_inventory, marketplace_discovery
//	declared  website_association, and rsl or rights_passport
//	attested  rights_passport, provenance_record, provenance_ledger, and signed_receipts or urvp
//	enforced  edge_access_control, and adapter or integration_hub
func Readiness(signals []ReadinessSignal) string {
	found := func(name string) bool {
		for _, s := range signals {
			if s.Signal == name {
				return s.State == "found"
			}
		}
		return false
	}
	switch {
	case !found("registered_inventory") || !found("marketplace_discovery"):
		return "none"
	case !found("website_association") || !found("rsl") && !found("rights_passport"):
		return "listed"
	case !found("rights_passport") || !found("provenance_record") || !found("provenance_ledger") || !found("signed_receipts") && !found("urvp"):
		return "declared"
	case !found("edge_access_control") || !found("adapter") && !found("integration_hub"):
		return "attested"
	}
	return "enforced"
}
