// Package problem maps errors to the problem documents with which the service
// answers.
package problem

import (
	"context"
	"errors"
	"strconv"

	"colophon/exports"
	"colophon/internal/delivery"
	"colophon/internal/inquiry"
	"colophon/internal/origin"
	"colophon/internal/staticindex"
	"colophon/internal/wire"
	"colophon/worker/edge"
)

// Failure is an error with a stable code: see exports.ProblemKinds.
type Failure struct {
	Code   string
	Detail string
	Fields []wire.FieldError
	More   []wire.Member // further members of the document
	Retry  int64         // seconds
	Header edge.Header
	Start  string // path at which a list begins again
}

// Error implements error.
func (f *Failure) Error() string { return f.Code + ": " + f.Detail }

// New returns a failure with a code of exports.ProblemKinds and a detail.
func New(code, detail string) *Failure { return &Failure{Code: code, Detail: detail} }

// Of returns the failure in an error. It is the only table from sentinel errors
// to codes. Any other error becomes an internal error, whose text only the log
// shows.
func Of(err error) *Failure {
	var f *Failure
	var syntax *wire.Error
	var invalid *wire.Invalid
	var refused *inquiry.Refused
	var asked *staticindex.Error
	switch {
	case errors.As(err, &f):
		return f
	case errors.As(err, &syntax):
		return New("malformed_json", syntax.Error())
	case errors.As(err, &invalid):
		return invalidBody(invalid)
	case errors.As(err, &asked):
		f := New(asked.Code, asked.Detail)
		f.Start = asked.Start
		if exports.KindOf(asked.Code).Status == 503 {
			f.Retry = 30
		}
		return f
	case errors.As(err, &refused):
		f := New("state_conflict", "The request is "+refused.State.Visible()+".")
		f.More = []wire.Member{wire.M("current_state", wire.String(refused.State.Visible()))}
		return f
	case errors.Is(err, inquiry.ErrNoMessage):
		return Reject("/in_reply_to", "message_unknown", "No such message in this conversation.")
	case errors.Is(err, delivery.ErrCredential):
		f := New("credential_invalid", "")
		f.Header.Set("www-authenticate", ChallengeBuyer(f.Code))
		return f
	case errors.Is(err, delivery.ErrCursor):
		return InvalidParam("cursor", "belongs to another query")
	case errors.Is(err, delivery.ErrSince):
		return InvalidParam("since", "belongs to another query")
	case errors.Is(err, delivery.ErrExpired):
		return beginAgain("cursor_expired")
	case errors.Is(err, delivery.ErrSnapshotGone):
		return beginAgain("snapshot_gone")
	}
	for _, p := range plainFailures {
		if errors.Is(err, p.err) {
			return &Failure{Code: p.code, Detail: p.detail, Retry: p.retry}
		}
	}
	return nil
}

// plainFailures are the failures of sentinel errors that need no more than a code,
// the seconds after which a retry makes sense, and a detail.
var plainFailures = []struct {
	err    error
	code   string
	retry  int64
	detail string
}{
	{inquiry.ErrKeyReused, "idempotency_conflict", 0, ""},
	{inquiry.ErrInProgress, "idempotency_in_progress", 1, ""},
	{inquiry.ErrDuplicate, "duplicate_request", 0, ""},
	{inquiry.ErrClosed, "thread_closed", 0, ""},
	{inquiry.ErrBusy, "overloaded", 1, ""},
	{delivery.ErrBusy, "overloaded", 1, ""},
	{delivery.ErrTooMany, "not_implemented", 0, "There are more items than a snapshot can list on this server. Ask for the delta without since, which starts with every item."},
	{delivery.ErrKeyReused, "idempotency_conflict", 0, ""},
	{origin.ErrUnavailable, "origin_unavailable", 30, ""},
	{context.DeadlineExceeded, "deadline_exceeded", 0, ""},
}

// beginAgain returns the failure of a delivery that cannot continue where it
// ended.
func beginAgain(code string) *Failure {
	f := New(code, "Begin again with a new snapshot.")
	f.Header.Add("link", "<"+exports.PathDeliverySnapshots+`>; rel="start"`)
	return f
}

// ChallengeBuyer returns the WWW-Authenticate header that says how a buyer
// sends a credential, after a refusal with a code.
func ChallengeBuyer(code string) string {
	if code == "credential_missing" {
		return `Bearer realm="buyer"`
	}
	return `Bearer realm="buyer", error="invalid_token"`
}

// Reject returns the failure of one field that must be corrected.
func Reject(pointer, code, detail string) *Failure {
	return invalidBody(&wire.Invalid{Fields: []wire.FieldError{{Pointer: pointer, Code: code, Detail: detail}}})
}

// invalidBody returns the failure of an invalid body, with a more specific code
// if all fields have the same fault.
func invalidBody(e *wire.Invalid) *Failure {
	code := "validation_failed"
	if first := e.Fields[0].Code; first == "unknown_member" || first == "unsupported_use" {
		code = first
	}
	for _, f := range e.Fields {
		if f.Code != code {
			code = "validation_failed"
		}
	}
	noun := " fields were rejected."
	if len(e.Fields) == 1 {
		noun = " field was rejected."
	}
	return &Failure{Code: code, Detail: strconv.Itoa(len(e.Fields)) + noun, Fields: e.Fields}
}

// Respond answers a request with the document of a failure.
func Respond(base string, r *edge.Request, f *Failure) *edge.Response {
	p := exports.Problem{
		Base: base, Kind: exports.KindOf(f.Code), Detail: f.Detail, Errors: f.Fields, RequestID: r.ID, Retry: f.Retry, More: f.More, Start: f.Start,
	}
	resp := &edge.Response{Status: p.Kind.Status, Header: f.Header, Body: wire.Append(nil, &p)}
	resp.Header.Set("content-type", exports.MediaProblem)
	if f.Retry > 0 {
		resp.Header.Set("retry-after", strconv.FormatInt(f.Retry, 10))
	}
	if p.Kind.Status == 404 && r.Method != "POST" && exports.IsShared(r.Path) {
		resp.Header.Set("cache-control", "public, max-age=30")
	}
	return resp
}

// InvalidParam returns the failure of one query parameter that must be
// corrected.
func InvalidParam(name, why string) *Failure {
	return New("invalid_parameter", "The parameter \""+name+"\" "+why+".")
}

// Unavailable returns the failure of a request that cannot be answered while
// the origin is unreachable.
func Unavailable() error { return &Failure{Code: "origin_unavailable", Retry: 30} }
