package worker

import (
	"context"
	"strings"
	"time"

	"colophon/exports"
	"colophon/internal/rights"
	"colophon/internal/urlkey"
	"colophon/internal/wire"
	"colophon/worker/edge"
	"colophon/worker/problem"
	"colophon/worker/request"
)

// Grants finds the licences that a buyer holds at a site.
type Grants interface {
	// GrantsOf returns them, or known = false for a credential that is none.
	GrantsOf(ctx context.Context, credential, siteID string) (grants []rights.Grant, known bool, err error)
}

// rightsCheck answers what is known now of the uses of a page, a fingerprint
// or a site. It reads the origin, so that a change there shows in the next
// answer, and published files while the origin is away.
func rightsCheck(ctx context.Context, c *call) (*edge.Response, error) {
	q, err := c.rightsQuestion()
	if err != nil {
		return nil, err
	}
	a, err := q.answer(ctx)
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

// answer answers with a receipt.
func (q *rightsQuestion) answer(ctx context.Context) (*exports.RightsAnswer, error) {
	a, err := q.answerQuestion(ctx)
	if err != nil {
		return nil, err
	}
	return a, q.call.deps.addReceipt(ctx, a)
}

// usualAnswer is what most answers fit into, in bytes.
const usualAnswer = 8 << 10

// rightsQuestion is a checked question.
type rightsQuestion struct {
	exports.RightsQuery
	call       *call
	now, at    time.Time
	full       bool
	credential string // of a buyer
}

func (c *call) rightsQuestion() (*rightsQuestion, error) {
	q := &rightsQuestion{call: c, now: c.deps.Now()}
	if err := q.lookupKey(); err != nil {
		return nil, err
	}
	if err := q.parseUses(); err != nil {
		return nil, err
	}
	q.UserType = c.Values.Get("user_type")
	q.Territory = c.Values.Get("territory")
	q.Agent = c.Values.Get("agent")
	if q.UserType != "" && !exports.OneOf(q.UserType, exports.UserTypes) {
		return nil, problem.InvalidParam("user_type", "must be one of "+strings.Join(exports.UserTypes, ", "))
	}
	if t := q.Territory; t != "" && (len(t) != 2 || !isLetters(t, 'A', 'Z')) {
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
	if auth := c.Header.Get("authorization"); strings.HasPrefix(auth, "Bearer ") && c.deps.Grants != nil {
		q.credential = strings.TrimSpace(auth[len("Bearer "):])
	}
	return q, q.parseInstant()
}

func isLetters(s string, low, high byte) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < low || s[i] > high {
			return false
		}
	}
	return true
}

func tokenRune(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_' || r == '.'
}

// parseInstant reads the point in time asked about: now, or one that is past.
func (q *rightsQuestion) parseInstant() error {
	q.at, q.At = q.now, exports.Instant(q.now)
	if q.call.Values.Get("at") == "" {
		return nil
	}
	text, err := q.call.Instant("at")
	if err != nil {
		return err
	}
	at, _ := exports.ParseInstant(text)
	if at.After(q.now) {
		return problem.InvalidParam("at", "is in the future")
	}
	q.at, q.At = at, text
	return nil
}

// isPast reports whether the question is about an earlier time.
func (q *rightsQuestion) isPast() bool { return q.call.Values.Has("at") }

// lookupKey finds the one lookup key and brings it into its one form.
func (q *rightsQuestion) lookupKey() error {
	for _, name := range []string{"url", "entry_id", "fingerprint", "site_id"} {
		text := q.call.Values.Get(name)
		if text == "" {
			continue
		}
		if q.Key != "" {
			return problem.New("lookup_key_required", "Give exactly one of url, entry_id, fingerprint and site_id.")
		}
		q.Key = name
		q.Value = text
		q.Normalized = text
	}
	switch q.Key {
	case "":
		return problem.New("lookup_key_required", "Give exactly one of url, entry_id, fingerprint and site_id.")
	case "url":
		canonical, err := urlkey.Address(q.Value)
		if err != nil {
			return problem.InvalidParam("url", "cannot be used: "+err.Error())
		}
		q.Normalized = canonical
	case "entry_id":
		if !exports.ValidEntryID(q.Value) {
			return problem.InvalidParam("entry_id", "is not an entry id")
		}
	case "site_id":
		if !exports.ValidSiteID(q.Value) {
			return problem.InvalidParam("site_id", "is not a site id")
		}
	case "fingerprint":
		q.Normalized = strings.ToLower(q.Value)
		if len(q.Normalized) != 64 || strings.Trim(q.Normalized, "0123456789abcdef") != "" {
			return problem.InvalidParam("fingerprint", "must be 64 hex digits")
		}
	}
	return nil
}

// parseUses reads the uses asked about, in their fixed order; all when none is
// named.
func (q *rightsQuestion) parseUses() error {
	var asked [8]bool
	given := q.call.Values.List("use")
	for _, words := range given {
		for _, w := range words {
			u, from, ok := exports.ParseUse(w)
			if !ok {
				return &problem.Failure{Code: "unsupported_use", Detail: "Not a use: \"" + request.ShortenPrintable(w) + "\".",
					Fields: []wire.FieldError{{Pointer: "/use", Code: "not_in_list", Allowed: exports.UseWords()}}}
			}
			asked[u.Index()] = true
			if from != "" {
				q.From = append(q.From, exports.Alias{Given: request.ShortenPrintable(from), Use: string(u)})
			}
		}
	}
	for i, u := range exports.Uses {
		if asked[i] || len(given) == 0 {
			q.Uses = append(q.Uses, string(u))
		}
	}
	return nil
}
