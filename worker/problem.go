package worker

import (
	"context"
	"errors"
	"strconv"

	"colophon/exports"
	"colophon/internal/inquiry"
	"colophon/internal/origin"
	"colophon/internal/staticindex"
	"colophon/internal/wire"
	"colophon/worker/edge"
)

// failure is an error with a stable code: see exports.ProblemKinds.
type failure struct {
	code   string
	detail string
	fields []wire.FieldError
	more   []wire.Member // further members of the document
	retry  int64         // seconds
	header edge.Header
	start  string // path at which a list begins anew
}

func (f *failure) Error() string { return f.code + ": " + f.detail }

func newFailure(code, detail string) *failure { return &failure{code: code, detail: detail} }

// failureOf finds the failure in an error: the one table from sentinels to
// codes. What is in no row is an internal error, of which only the log tells.
func failureOf(err error) *failure {
	var f *failure
	var syntax *wire.Error
	var invalid *wire.Invalid
	var refused *inquiry.Refused
	var asked *staticindex.Error
	switch {
	case errors.As(err, &f):
		return f
	case errors.As(err, &syntax):
		return newFailure("malformed_json", syntax.Error())
	case errors.As(err, &invalid):
		return invalidBody(invalid)
	case errors.As(err, &asked):
		f := newFailure(asked.Code, asked.Detail)
		f.start = asked.Start
		if exports.KindOf(asked.Code).Status == 503 {
			f.retry = 30
		}
		return f
	case errors.As(err, &refused):
		f := newFailure("state_conflict", "The request is "+refused.State.Visible()+".")
		f.more = []wire.Member{wire.M("current_state", wire.String(refused.State.Visible()))}
		return f
	case errors.Is(err, inquiry.ErrKeyReused):
		return newFailure("idempotency_conflict", "")
	case errors.Is(err, inquiry.ErrInProgress):
		return &failure{code: "idempotency_in_progress", retry: 1}
	case errors.Is(err, inquiry.ErrDuplicate):
		return newFailure("duplicate_request", "")
	case errors.Is(err, inquiry.ErrClosed):
		return newFailure("thread_closed", "")
	case errors.Is(err, inquiry.ErrNoMessage):
		return rejectField("/in_reply_to", "message_unknown", "No such message in this conversation.")
	case errors.Is(err, inquiry.ErrBusy):
		return &failure{code: "overloaded", retry: 1}
	case errors.Is(err, origin.ErrUnavailable):
		return &failure{code: "origin_unavailable", retry: 30}
	case errors.Is(err, context.DeadlineExceeded):
		return newFailure("deadline_exceeded", "")
	}
	return nil
}

// rejectField is one field that must be corrected.
func rejectField(pointer, code, detail string) *failure {
	return invalidBody(&wire.Invalid{Fields: []wire.FieldError{{Pointer: pointer, Code: code, Detail: detail}}})
}

// invalidBody has a code of its own when all fields have the same trouble.
func invalidBody(e *wire.Invalid) *failure {
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
	return &failure{code: code, detail: strconv.Itoa(len(e.Fields)) + noun, fields: e.Fields}
}

// problemResponse turns an error into its document.
func (w *router) problemResponse(ctx context.Context, r *edge.Request, err error) *edge.Response {
	f := failureOf(err)
	if f == nil {
		f = newFailure("internal_error", "")
	}
	if w.deps.Log != nil && (f.code == "internal_error" || errors.Is(err, origin.ErrUnavailable)) {
		w.deps.Log("error " + r.ID + " " + r.Method + " " + exports.WithoutSecret(r.Path) + ": " + err.Error())
	}
	c := &call{Request: r, deps: &w.deps}
	if c.likesPages() {
		return c.faultPage(ctx, f)
	}
	return problemAnswer(w.deps.BaseURL, r, f)
}

func problemAnswer(base string, r *edge.Request, f *failure) *edge.Response {
	p := exports.Problem{
		Base: base, Kind: exports.KindOf(f.code), Detail: f.detail, Errors: f.fields, RequestID: r.ID, Retry: f.retry, More: f.more, Start: f.start,
	}
	resp := &edge.Response{Status: p.Kind.Status, Header: f.header, Body: wire.Append(nil, &p)}
	resp.Header.Set("content-type", exports.MediaProblem)
	if f.retry > 0 {
		resp.Header.Set("retry-after", strconv.FormatInt(f.retry, 10))
	}
	if p.Kind.Status == 404 && r.Method != "POST" && exports.IsShared(r.Path) {
		resp.Header.Set("cache-control", "public, max-age=30")
	}
	return resp
}
