package exports

import "colophon/internal/wire"

// RightsAnswer is the answer of the rights check: what is known about the uses of
// a page, a fingerprint or a site, from which statements, and until when. It
// grants nothing.
type RightsAnswer struct {
	Query       RightsQuery
	Basis       string // how it was found: a Basis word, "website", "site_id" or "none"; BasisContent if only reservations were
	Candidates  []ResourceRights
	Website     *ResourceRights // for an unregistered address of a known site
	Policy      *PolicyRef      // of the single publisher concerned
	EvaluatedAt string
	ValidUntil  string
	AnsweredBy  string // origin, static
	Receipt     *Receipt
}

func (a *RightsAnswer) Members(m *wire.Members) {
	m.Enum("answered_by", &a.AnsweredBy, "origin", "static")
	wire.List(m, "candidates", &a.Candidates)
	m.Time("evaluated_at", &a.EvaluatedAt)
	m.Flag("grants_rights", false)
	m.Nested("match", func(m *wire.Members) {
		m.String("basis", &a.Basis)
		count := int64(len(a.Candidates))
		m.Int("count", &count)
		matchStatus(m, count)
	})
	wire.OrNull(m, "policy", &a.Policy)
	m.Object("query", &a.Query)
	wire.OrNull(m, "receipt", &a.Receipt)
	if len(a.Candidates) == 0 {
		uses := unknownUses(a.Query.Uses)
		if a.Website != nil {
			uses = a.Website.Uses
		}
		wire.OptList(m, "uses", &uses)
	}
	m.Time("valid_until", &a.ValidUntil)
	wire.OrNull(m, "website", &a.Website)
}

// unknownUses returns a verdict for each use that says that nothing is known
// about it.
func unknownUses(uses []string) []UseVerdict {
	out := make([]UseVerdict, 0, len(uses))
	for _, u := range uses {
		out = append(out, UseVerdict{Use: u, Verdict: "unknown", Reason: "no_statement", SignalsAgree: true, Retention: RetentionUnknown})
	}
	return out
}

// RightsQuery is the question as it was understood.
type RightsQuery struct {
	Key        string // url, entry_id, fingerprint, iscc, site_id
	Value      string // as given
	Normalized string
	Uses       []string
	From       []Alias // uses that were given under another name
	UserType   string
	Territory  string
	Agent      string
	At         string
}

func (q *RightsQuery) Members(m *wire.Members) {
	m.NullString("agent", &q.Agent)
	m.Time("at", &q.At)
	m.String("key", &q.Key)
	m.String("normalized", &q.Normalized)
	wire.OptList(m, "normalized_from", &q.From)
	m.NullString("territory", &q.Territory)
	m.NullString("user_type", &q.UserType)
	m.Words("uses", &q.Uses, UseWords()...)
	m.String("value", &q.Value)
}

// Alias is a use given under another name.
type Alias struct{ Given, Use string }

func (a *Alias) Members(m *wire.Members) {
	m.String("given", &a.Given)
	m.Enum("use", &a.Use, UseWords()...)
}

// ResourceRights is the answer for one candidate.
type ResourceRights struct {
	EntryID      string // "" for a whole site
	SiteID       string
	URL          string // canonical address of the page, or home of the site; "" for a reservation
	RightsVector string
	Policy       *PolicyRef // of the publisher, at the instant asked about
	Uses         []UseVerdict
	Evidence     []Evidence
	Conflicts    []Conflict
	NotApplied   []NotApplied
	Successor    string // entry id of the page at the address it moved to, "" if none
	SuccessorURL string // canonical address of that page

	Reservation *Reservation // that was found by content; the other members are then what it says
}

func (c *ResourceRights) Members(m *wire.Members) {
	m.NullString("canonical_url", &c.URL)
	wire.List(m, "conflicts", &c.Conflicts)
	m.NullString("entry_id", &c.EntryID)
	wire.List(m, "evidence", &c.Evidence)
	wire.List(m, "not_applied", &c.NotApplied)
	passport := ""
	if c.EntryID != "" {
		passport = RecordPath(c.EntryID) + "#rights_passport"
	}
	m.OptString("passport", &passport)
	wire.OrNull(m, "policy", &c.Policy)
	wire.Opt(m, "reservation", &c.Reservation)
	m.String("rights_vector", &c.RightsVector)
	m.String("site_id", &c.SiteID)
	optSuccessor(m, &c.Successor, &c.SuccessorURL)
	wire.List(m, "uses", &c.Uses)
}

// UseVerdict is the verdict on one use.
type UseVerdict struct {
	Use          string
	Verdict      string // of Verdicts
	Reason       string // of ReasonCodes
	SignalsAgree bool
	LicenseIDs   []string
	Obligations  []string
	Retention    string            // how long a copy may be kept, RetentionUnknown when nothing is said
	Basis        []string          // evidence ids
	DependsOn    []string          // agent, territory, user_type
	Audiences    []AudienceVerdict // who gets what, when it depends
	Grant        string            // the state of the buyer's grants, "" for anyone else
	GrantIDs     []string
	Resource     string // what an inquiry would be about; "" when there is nothing to ask
}

func (u *UseVerdict) Members(m *wire.Members) {
	wire.OptList(m, "audiences", &u.Audiences)
	m.Strings("basis", &u.Basis)
	m.OptStrings("depends_on", &u.DependsOn)
	m.OptString("grant", &u.Grant)
	m.OptStrings("grant_ids", &u.GrantIDs)
	m.Strings("license_ids", &u.LicenseIDs)
	m.Object("next", u.nextStep())
	m.Strings("obligations", &u.Obligations)
	m.Enum("reason", &u.Reason, ReasonCodes...)
	verdictRetention(m, &u.Retention)
	m.Bool("signals_agree", &u.SignalsAgree)
	m.Enum("use", &u.Use, UseWords()...)
	m.Enum("verdict", &u.Verdict, Verdicts...)
}

// AudienceVerdict is the verdict for some audiences. An absent list means that
// the verdict does not depend on it; "other" is everything that no statement
// names, "EU_other" the member states of the EU that none names.
type AudienceVerdict struct {
	Agents      []string // robots product tokens
	Territories []string // ISO 3166-1 alpha-2, EU, EU_other, other
	UserTypes   []string
	Verdict     string
	Reason      string
	LicenseIDs  []string
}

func (a *AudienceVerdict) Members(m *wire.Members) {
	m.OptStrings("agents", &a.Agents)
	m.OptStrings("license_ids", &a.LicenseIDs)
	m.Enum("reason", &a.Reason, ReasonCodes...)
	m.OptStrings("territories", &a.Territories)
	m.OptWords("user_types", &a.UserTypes, UserTypes...)
	m.Enum("verdict", &a.Verdict, Verdicts...)
}

// nextStep is what a caller can do about a use.
type nextStep struct {
	action, href, method string
	body                 *intentBody
}

func (u *UseVerdict) nextStep() *nextStep {
	switch {
	case u.Verdict == "licensed":
		return &nextStep{action: "read", href: "/mcp/gateway", method: "POST"}
	case u.Resource != "":
		return &nextStep{action: "prepare_intent", href: PathPrepare, method: "POST", body: &intentBody{u.Use, u.Resource}}
	}
	return &nextStep{action: "none"}
}

func (s *nextStep) Members(m *wire.Members) {
	m.Enum("action", &s.action, "none", "prepare_intent", "read")
	wire.Opt(m, "body", &s.body)
	m.OptString("href", &s.href)
	m.OptEnum("method", &s.method, "POST")
}

type intentBody struct{ use, resource string }

func (b *intentBody) Members(m *wire.Members) {
	m.String("requested_use", &b.use)
	m.String("resource", &b.resource)
}

// Evidence is one statement that a verdict rests on.
type Evidence struct {
	ID         string
	Channel    string // of Channels
	URL        string
	Locator    string
	Statement  string // in the channel's own words, untrusted text
	CheckedAt  string
	ValidUntil string
	SHA256     string // of the document it stands in
	Origin     string // of Origins, "" if the publisher wrote it

	Confirmation string // of Confirmations: the doubt about a publisher's own statement, "" if none
}

func (e *Evidence) Members(m *wire.Members) {
	m.Enum("channel", &e.Channel, Channels...)
	m.NullTime("checked_at", &e.CheckedAt)
	m.OptEnum("confirmation", &e.Confirmation, Confirmations...)
	m.String("id", &e.ID)
	m.OptString("locator", &e.Locator)
	m.OptEnum("origin", &e.Origin, Origins...)
	m.NullString("sha256", &e.SHA256)
	m.String("statement", &e.Statement)
	m.String("url", &e.URL)
	m.NullTime("valid_until", &e.ValidUntil)
}

// NotApplied is a statement that was found but did not count.
type NotApplied struct {
	Use     string
	Channel string
	Value   string // untrusted text
	Why     string
}

func (n *NotApplied) Members(m *wire.Members) {
	m.Enum("channel", &n.Channel, Channels...)
	m.Enum("use", &n.Use, UseWords()...)
	m.String("value", &n.Value)
	m.String("why", &n.Why)
}

// Receipt is a signature over a question, its answer and the time, and proves
// nothing beyond these. The signed text is ReceiptContext, a line feed and the
// payload in canonical JSON.
type Receipt struct {
	Payload   wire.Value
	KeyID     string
	Signature string // base64url
}

// ReceiptContext begins the text that a receipt signs.
const ReceiptContext = "service.rights-answer.v2"

// DenialContext begins the text that the receipt of a denial signs.
const DenialContext = "service.access-denial.v1"

func (r *Receipt) Members(m *wire.Members) {
	m.String("kid", &r.KeyID)
	m.Any("payload", &r.Payload)
	m.String("signature_b64u", &r.Signature)
}
