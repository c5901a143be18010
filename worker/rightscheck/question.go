// Package rightscheck answers what is known about the uses of pages, for one
// question or many at once. It asks the origin, or published files while the
// origin is unreachable.
package rightscheck

import (
	"context"
	"slices"
	"strings"
	"time"

	"colophon/exports"
	"colophon/internal/iscc"
	"colophon/internal/lookup"
	"colophon/internal/origin"
	provrecord "colophon/internal/record"
	"colophon/internal/rights"
	"colophon/internal/urlkey"
	"colophon/internal/wire"
	"colophon/worker/edge"
	"colophon/worker/files"
	"colophon/worker/problem"
	"colophon/worker/request"
)

// Service answers rights checks.
type Service struct {
	Rights    origin.Rights // nil: published files answer
	Documents Documents     // what was read of the origin before
	Grants    Grants        // licences of buyers; nil: credentials are ignored
	Catalog   Catalog
	Files     *files.Service
	Signer    provrecord.Signer // signs receipts; nil: there are none
	Now       func() time.Time
	Log       func(line string) // nil: nothing is logged
}

// Grants finds the licences that a buyer holds at a site.
type Grants interface {
	// GrantsOf returns them; known is false for an unknown credential.
	GrantsOf(ctx context.Context, credential, siteID string) (grants []rights.Grant, known bool, err error)
}

// Catalog finds registered pages in the published index.
type Catalog interface {
	// Find returns the pages of a key, none or several.
	Find(ctx context.Context, l lookup.Query) (*lookup.Found, error)
	// Release returns the published release.
	Release(ctx context.Context) (exports.Release, error)
}

// Check answers what is known now about the uses of a page, a fingerprint or a
// site. It reads the origin, so that a change there appears in the next answer,
// or published files while the origin is unreachable.
func (s *Service) Check(ctx context.Context, c *request.Call) (*edge.Response, error) {
	q, err := s.ParseQuestion(c)
	if err != nil {
		return nil, err
	}
	a, err := s.answerSigned(ctx, q)
	if err != nil {
		return nil, err
	}
	resp := &edge.Response{Status: 200, Body: wire.Append(make([]byte, 0, usualAnswer), a)}
	resp.Header.Set("content-type", exports.MediaJSON)
	resp.Header.Set("cache-control", c.Endpoint.Cache)
	if q.credential != "" {
		resp.Header.Set("cache-control", "private, no-store")
	}
	resp.Header.Set("vary", "authorization")
	return resp, nil
}

// CheckParams answers a question given by parameters as Check does for a caller
// without a credential.
func (s *Service) CheckParams(ctx context.Context, r *edge.Request, params [][2]string) (*exports.RightsAnswer, error) {
	e, _, _ := exports.Find("GET", exports.PathRightsCheck)
	c := &request.Call{Request: &edge.Request{Method: "GET", Path: e.Path, ID: r.ID, Remote: r.Remote}, Endpoint: e}
	for _, p := range params {
		if p[1] == "" {
			continue
		}
		if err := c.AddValue(request.FindParam(e, p[0]), p[1]); err != nil {
			return nil, err
		}
	}
	q, err := s.ParseQuestion(c)
	if err != nil {
		return nil, err
	}
	return s.answerSigned(ctx, q)
}

// answerSigned answers with a receipt.
func (s *Service) answerSigned(ctx context.Context, q *Question) (*exports.RightsAnswer, error) {
	a, err := s.Answer(ctx, q)
	if err != nil {
		return nil, err
	}
	return a, s.addReceipt(ctx, a)
}

// usualAnswer is the size into which most answers fit, in bytes.
const usualAnswer = 8 << 10

// Question is a checked question.
type Question struct {
	exports.RightsQuery
	samePage   []string // other addresses of the page with the address asked about
	id         string   // of the request, for the log
	now, at    time.Time
	past       bool // it is about an earlier time
	full       bool
	credential string // of a buyer
}

// URLQuestion returns a question about all uses of a canonical address for an
// audience.
func (s *Service) URLQuestion(id, url, userType, territory string) *Question {
	now := s.Now()
	return &Question{id: id, now: now, at: now, samePage: urlkey.SamePage(url), RightsQuery: exports.RightsQuery{
		Key: "url", Value: url, Normalized: url, Uses: exports.UseWords(), UserType: userType, Territory: territory, At: exports.Instant(now),
	}}
}

// ParseQuestion returns the question in the parameters and the credential of a
// call.
func (s *Service) ParseQuestion(c *request.Call) (*Question, error) {
	q := &Question{id: c.ID, now: s.Now()}
	if err := q.parseKey(c); err != nil {
		return nil, err
	}
	var err error
	if q.Uses, q.From, err = parseUses("/use", slices.Concat(c.Values.List("use")...)); err != nil {
		return nil, err
	}
	q.UserType = c.Values.Get("user_type")
	q.Territory = c.Values.Get("territory")
	q.Agent = c.Values.Get("agent")
	if q.UserType != "" && !slices.Contains(exports.UserTypes, q.UserType) {
		return nil, problem.InvalidParam("user_type", "must be one of "+strings.Join(exports.UserTypes, ", "))
	}
	if t := q.Territory; t != "" && (len(t) != 2 || !request.OnlyBetween(t, 'A', 'Z')) {
		return nil, problem.InvalidParam("territory", "must be an ISO 3166-1 alpha-2 code or EU, in capitals")
	}
	if len(q.Agent) > 64 || strings.ContainsFunc(q.Agent, func(r rune) bool { return !tokenRune(r) }) {
		return nil, problem.InvalidParam("agent", "must be a product token as in robots.txt")
	}
	switch explain := c.Values.Get("explain"); explain {
	case "", "brief":
	case "full":
		q.full = true
	default:
		return nil, problem.InvalidParam("explain", "must be brief or full")
	}
	if auth := c.Header.Get("authorization"); strings.HasPrefix(auth, "Bearer ") && s.Grants != nil {
		q.credential = strings.TrimSpace(auth[len("Bearer "):])
	}
	return q, q.parseInstant(c)
}

func tokenRune(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_' || r == '.'
}

// parseInstant reads the instant asked about: now, or one in the past.
func (q *Question) parseInstant(c *request.Call) error {
	q.at, q.At = q.now, exports.Instant(q.now)
	if c.Values.Get("at") == "" {
		return nil
	}
	text, err := c.Instant("at")
	if err != nil {
		return err
	}
	at, _ := exports.ParseInstant(text)
	if at.After(q.now) {
		return problem.InvalidParam("at", "is in the future")
	}
	q.at, q.At, q.past = at, text, true
	return nil
}

// parseKey finds the one lookup key and normalizes it.
func (q *Question) parseKey(c *request.Call) error {
	for _, name := range []string{"url", "entry_id", "fingerprint", "iscc", "site_id"} {
		text := c.Values.Get(name)
		if text == "" {
			continue
		}
		if q.Key != "" {
			return problem.New("lookup_key_required", "Give exactly one of url, entry_id, fingerprint, iscc and site_id.")
		}
		q.Key, q.Value = name, text
	}
	if q.Key == "" {
		return problem.New("lookup_key_required", "Give exactly one of url, entry_id, fingerprint, iscc and site_id.")
	}
	if fault := q.setKey(q.Key, q.Value); fault != "" {
		return problem.InvalidParam(q.Key, fault)
	}
	return nil
}

// setKey sets the lookup key. It returns the reason if it has no normal form.
func (q *Question) setKey(name, value string) (fault string) {
	q.Key, q.Value = name, value
	if q.Normalized, fault = normalizeKey(name, value); name == "url" && fault == "" {
		q.samePage = urlkey.SamePage(q.Normalized)
	}
	return fault
}

// normalizeKey returns the normal form of a lookup key, or the reason why it
// has none.
func normalizeKey(name, value string) (normalized, fault string) {
	switch name {
	case "url":
		canonical, err := urlkey.Address(value)
		if err != nil {
			return "", "cannot be used: " + err.Error()
		}
		return canonical, ""
	case "entry_id":
		if !exports.ValidEntryID(value) {
			return "", "is not an entry id"
		}
	case "site_id":
		if !exports.ValidSiteID(value) {
			return "", "is not a site id"
		}
	case "fingerprint":
		value = strings.ToLower(value)
		if len(value) != 64 || strings.Trim(value, "0123456789abcdef") != "" {
			return "", "must be 64 hex digits"
		}
	case "iscc":
		code, err := iscc.Normalize(value)
		if err != nil {
			return "", "is not an ISCC of content of 64 bits or more (ISO 24138)"
		}
		return code, ""
	}
	return value, ""
}

// parseUses returns the uses named by words, in their fixed order, or all if
// none is named, and those that were given by an alias.
func parseUses(pointer string, words []string) (uses []string, from []exports.Alias, err error) {
	var asked [8]bool
	for _, w := range words {
		u, alias, ok := exports.ParseUse(w)
		if !ok {
			return nil, nil, &problem.Failure{Code: "unsupported_use", Detail: "Not a use: \"" + request.ShortenPrintable(w) + "\".",
				Fields: []wire.FieldError{{Pointer: pointer, Code: "not_in_list", Allowed: exports.UseWords()}}}
		}
		asked[u.Index()] = true
		if alias != "" {
			from = append(from, exports.Alias{Given: request.ShortenPrintable(alias), Use: string(u)})
		}
	}
	for i, u := range exports.Uses {
		if asked[i] || len(words) == 0 {
			uses = append(uses, string(u))
		}
	}
	return uses, from, nil
}
