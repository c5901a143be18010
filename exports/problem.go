package exports

import (
	"strings"

	"colophon/internal/wire"
)

// ProblemKind is one stable error code.
type ProblemKind struct {
	Code   string // snake_case, stable
	Status int
	Title  string
	Help   string // what the caller can do
}

// ProblemKinds lists every error that the service answers with. Each has a page
// under /problems/.
var ProblemKinds = []ProblemKind{
	{"malformed_request", 400, "The request cannot be read", "Send HTTP, with an address and header of 64 KiB together at most."},
	{"malformed_json", 400, "The body is not valid JSON", "Send one JSON object in UTF-8, without duplicate members."},
	{"unknown_parameter", 400, "A query parameter is not known", "Leave it out; the developer manifest lists the parameters."},
	{"invalid_parameter", 400, "A query parameter has an invalid value", "Correct the value; the developer manifest lists what is allowed."},
	{"conflicting_parameters", 400, "Two parameters exclude each other", "Send only one of them."},
	{"conflicting_credentials", 400, "Two different credentials were sent", "Send the key in one header only."},
	{"lookup_key_required", 400, "Exactly one lookup key is required", "Give one of the lookup parameters, once."},
	{"offset_too_deep", 400, "The offset is too deep", "Page with cursor beyond 10000 records."},
	{"idempotency_key_missing", 400, "Idempotency-Key is missing", "Send a fresh key with each new request, and the same key with its retries."},
	{"idempotency_key_invalid", 400, "Idempotency-Key is not valid", "Use 1 to 255 visible ASCII characters, in one header."},
	{"credential_missing", 401, "A credential is required", "Send it as a bearer token."},
	{"credential_invalid", 401, "The credential is not valid", "Check the key; keys are shown once when issued."},
	{"credential_expired", 401, "The credential has expired", "Ask the operator for a new one."},
	{"conversation_token_missing", 401, "X-Conversation-Token is missing", "Send the token that was shown when the request was created."},
	{"license_required", 402, "A licence is needed for this use", "Follow one of the routes; preparing an inquiry is free and binds nobody."},
	{"scope_missing", 403, "The key lacks the scope for this endpoint", "Ask the operator for the scope; do not retry."},
	{"partner_suspended", 403, "The partner organization is suspended", "Contact the operator; do not retry."},
	{"key_disabled", 403, "The key is disabled", "Use another key; do not retry."},
	{"use_not_offered", 403, "The publisher does not offer this use", "Ask for another use."},
	{"grant_inactive", 403, "No active grant covers this", "Follow one of the routes."},
	{"agent_not_identified", 403, "The agent must identify itself", "Sign the request (Web Bot Auth)."},
	{"anti_spam_challenge", 403, "A proof of work is required", "Solve the challenge and send it in Service-Proof."},
	{"not_found", 404, "There is nothing at this address", "The developer manifest lists the endpoints."},
	{"site_not_found", 404, "No such publisher", "Take site_id from the catalog."},
	{"entry_not_found", 404, "No such entry", "Take entry_id from the catalog."},
	{"category_not_found", 404, "No such category", "Take the slug from the list of categories."},
	{"request_not_found", 404, "No such request", "Check the id."},
	{"thread_not_found", 404, "No such conversation", "Check the id and the token."},
	{"no_match", 404, "Nothing registered matches", "An unregistered source says nothing about rights."},
	{"method_not_allowed", 405, "The method is not allowed here", "Allow lists the methods."},
	{"not_acceptable", 406, "No representation matches Accept", "Accept application/json."},
	{"idempotency_conflict", 409, "The Idempotency-Key was used with a different body", "Use a new key for a new request."},
	{"idempotency_in_progress", 409, "The first request with this key is still in progress", "Retry after the given time."},
	{"duplicate_request", 409, "The same request was made within the last day", "Continue the conversation that exists."},
	{"state_conflict", 409, "The current state does not allow this", "Read the state and the allowed actions."},
	{"cursor_expired", 410, "The cursor has expired", "Start again from the given address."},
	{"snapshot_gone", 410, "The snapshot is gone", "Create a new one."},
	{"thread_closed", 410, "The conversation is closed", "It can be read for 180 days."},
	{"body_too_large", 413, "The body is too large", "JSON bodies hold up to 64 KiB, messages 16 KiB, texts to verify 256 KiB."},
	{"unsupported_media_type", 415, "The media type is not supported", "Send application/json."},
	{"validation_failed", 422, "The body has fields that must be corrected", "Correct the fields that errors names."},
	{"unsupported_use", 422, "The use is not one of the eight", "Use one of the allowed values."},
	{"unknown_member", 422, "The body has a member that is not known", "Leave it out, or put it below ext."},
	{"site_not_accepting_inquiries", 422, "The publisher does not accept inquiries now", "Choose another publisher."},
	{"quota_exceeded", 429, "The rate limit is exceeded", "Retry after the given time."},
	{"internal_error", 500, "Something went wrong here", "Retry; if it persists, tell the operator the request id."},
	{"not_implemented", 501, "This endpoint is not available on this server", "Check the developer manifest."},
	{"origin_unavailable", 503, "The origin store is unavailable", "Public reading goes on; retry after the given time."},
	{"index_unavailable", 503, "The published files cannot be read", "Retry after the given time."},
	{"license_server_unreachable", 503, "The licence server is unreachable", "Retry after the given time."},
	{"overloaded", 503, "The service is busy", "Retry after the given time."},
	{"deadline_exceeded", 504, "The answer took too long", "Retry later."},
}

// KindOf returns the kind of a code. It returns that of an internal error for
// an unknown code.
func KindOf(code string) ProblemKind {
	for _, k := range ProblemKinds {
		if k.Code == code {
			return k
		}
	}
	return KindOf("internal_error")
}

// ProblemPath returns the path of an error code's page.
func ProblemPath(code string) string {
	return "/problems/" + strings.ReplaceAll(code, "_", "-") + "/"
}

// Problem is an error answer (RFC 9457).
type Problem struct {
	Base      string // base URL
	Kind      ProblemKind
	Detail    string
	Errors    []wire.FieldError
	RequestID string
	Retry     int64         // seconds until a retry makes sense, 0 if repeating the request never does
	More      []wire.Member // further members of this occurrence
	Start     string        // path at which a list begins again, "" if none
}

// Members describes the JSON form, which is written and never read.
func (p *Problem) Members(m *wire.Members) {
	DerivedLink(m, "code", p.Kind.Code)
	m.OptString("detail", &p.Detail)
	errs := make([]fieldError, len(p.Errors))
	for i, e := range p.Errors {
		errs[i].e = e
	}
	wire.OptList(m, "errors", &errs)
	m.Flag("grants_rights", false)
	DerivedLink(m, "instance", "urn:rid:"+p.RequestID)
	m.Nested("links", func(m *wire.Members) {
		DerivedLink(m, "docs", p.Base+ProblemPath(p.Kind.Code))
		if p.Start != "" {
			DerivedLink(m, "start", p.Base+p.Start)
		}
	})
	DerivedLink(m, "request_id", p.RequestID)
	m.Nested("retry", func(m *wire.Members) {
		m.OptInt("after_seconds", &p.Retry)
		again := p.Retry > 0
		m.Bool("retryable", &again)
	})
	status := int64(p.Kind.Status)
	m.Int("status", &status)
	DerivedLink(m, "title", p.Kind.Title)
	DerivedLink(m, "type", p.kindURL())
	for i := range p.More {
		m.Any(p.More[i].Name, &p.More[i].Value)
	}
}

// kindURL returns the address of the kind: its registered URI if it has one.
func (p *Problem) kindURL() string {
	if p.Kind.Code == "quota_exceeded" {
		return "https://iana.org/assignments/http-problem-types#quota-exceeded"
	}
	return p.Base + strings.TrimSuffix(ProblemPath(p.Kind.Code), "/")
}

type fieldError struct{ e wire.FieldError }

func (f *fieldError) Members(m *wire.Members) {
	m.OptStrings("allowed", &f.e.Allowed)
	m.String("code", &f.e.Code)
	m.OptString("detail", &f.e.Detail)
	low, high := int64(f.e.Min), int64(f.e.Max)
	m.OptInt("max", &high)
	m.OptInt("min", &low)
	DerivedLink(m, "pointer", "#"+f.e.Pointer)
}
