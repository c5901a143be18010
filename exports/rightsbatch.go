package exports

import "colophon/internal/wire"

// MaxBatch is the largest number of keys in one batch of rights checks.
const MaxBatch = 1000

// RightsBatch is the body that asks the rights check about many keys at once:
// about some uses of each, for no buyer in particular, now.
type RightsBatch struct {
	URLs         []string
	EntryIDs     []string
	Fingerprints []string // portable or registry SHA-256, 64 hex digits
	ISCCs        []string // of content, which reservations may name
	Uses         []string // of Uses or their aliases; none asks about all eight
}

func (b *RightsBatch) Members(m *wire.Members) {
	m.OptStrings("entry_ids", &b.EntryIDs)
	m.OptStrings("fingerprints", &b.Fingerprints)
	m.OptStrings("isccs", &b.ISCCs)
	m.OptStrings("urls", &b.URLs)
	m.OptStrings("uses", &b.Uses)
	if n := len(b.URLs) + len(b.EntryIDs) + len(b.Fingerprints) + len(b.ISCCs); n == 0 || n > MaxBatch {
		m.Refuse("urls", "out_of_range", "Give 1 to 1000 keys in urls, fingerprints, isccs and entry_ids together.")
	}
}

// RightsBatchAnswer answers a batch: one result for each key, the URLs first,
// then the fingerprints, then the ISCCs, then the entries, each in the order asked. It grants
// nothing.
type RightsBatchAnswer struct {
	AnsweredBy  string // origin, static
	EvaluatedAt string
	ValidUntil  string
	Uses        []string
	Results     []RightsBatchResult
}

func (a *RightsBatchAnswer) Members(m *wire.Members) {
	m.Enum("answered_by", &a.AnsweredBy, "origin", "static")
	m.Time("evaluated_at", &a.EvaluatedAt)
	m.Flag("grants_rights", false)
	wire.List(m, "results", &a.Results)
	m.Words("uses", &a.Uses, UseWords()...)
	m.Time("valid_until", &a.ValidUntil)
}

// RightsBatchResult is what is known about one key.
type RightsBatchResult struct {
	Key        string // url, fingerprint, iscc, entry_id
	Value      string // as given
	Normalized string // "" for a key that cannot be looked up
	Basis      string // how it was found, as in RightsAnswer
	Fault      string // why it cannot be looked up, "" if it can
	Candidates []BatchVerdict
	Unknown    []BatchUse // for a key without candidates: every use, about which nothing is known
}

func (r *RightsBatchResult) Members(m *wire.Members) {
	m.String("basis", &r.Basis)
	wire.List(m, "candidates", &r.Candidates)
	m.OptString("fault", &r.Fault)
	m.Enum("key", &r.Key, "url", "fingerprint", "iscc", "entry_id")
	m.OptString("normalized", &r.Normalized)
	wire.OptList(m, "uses", &r.Unknown)
	m.String("value", &r.Value)
}

// BatchVerdict is the answer for one candidate, without its evidence, which the
// rights check of a single key gives.
type BatchVerdict struct {
	EntryID      string // "" for an unregistered address of a registered site
	SiteID       string
	URL          string // canonical address, "" for a reservation
	Vector       string
	Uses         []BatchUse
	Successor    string // entry id of the page at the address it moved to, "" if none
	SuccessorURL string // canonical address of that page

	ReservationID string // that was found by content, "" for a page
}

func (s *BatchVerdict) Members(m *wire.Members) {
	m.NullString("canonical_url", &s.URL)
	m.NullString("entry_id", &s.EntryID)
	m.OptString("reservation_id", &s.ReservationID)
	m.String("rights_vector", &s.Vector)
	m.String("site_id", &s.SiteID)
	optSuccessor(m, &s.Successor, &s.SuccessorURL)
	wire.List(m, "uses", &s.Uses)
}

// BatchUse is the verdict on one use.
type BatchUse struct {
	Use       string
	Verdict   string   // of Verdicts
	Reason    string   // of ReasonCodes
	DependsOn []string // agent, territory, user_type
	Retention string   // as in UseVerdict
	Resource  string   // what an inquiry would be about; "" when there is nothing to ask
}

func (u *BatchUse) Members(m *wire.Members) {
	m.OptString("ask_about", &u.Resource)
	m.OptStrings("depends_on", &u.DependsOn)
	m.Enum("reason", &u.Reason, ReasonCodes...)
	verdictRetention(m, &u.Retention)
	m.Enum("use", &u.Use, UseWords()...)
	m.Enum("verdict", &u.Verdict, Verdicts...)
}

// AbridgeAnswer returns the answer to a single question in the short form of a
// batch.
func AbridgeAnswer(a *RightsAnswer) RightsBatchResult {
	r := RightsBatchResult{Key: a.Query.Key, Value: a.Query.Value, Normalized: a.Query.Normalized, Basis: a.Basis}
	list := a.Candidates
	if a.Website != nil {
		list = []ResourceRights{*a.Website}
	}
	for i := range list {
		c := &list[i]
		b := BatchVerdict{
			EntryID: c.EntryID, SiteID: c.SiteID, URL: c.URL, Vector: c.RightsVector, Uses: abridgeUses(c.Uses), Successor: c.Successor, SuccessorURL: c.SuccessorURL,
		}
		if c.Reservation != nil {
			b.ReservationID = c.Reservation.ReservationID
		}
		r.Candidates = append(r.Candidates, b)
	}
	if len(list) == 0 {
		r.Unknown = abridgeUses(unknownUses(a.Query.Uses))
	}
	return r
}

func abridgeUses(uses []UseVerdict) []BatchUse {
	out := make([]BatchUse, len(uses))
	for i := range uses {
		u := &uses[i]
		out[i] = BatchUse{Use: u.Use, Verdict: u.Verdict, Reason: u.Reason, DependsOn: u.DependsOn, Retention: u.Retention, Resource: u.Resource}
	}
	return out
}
