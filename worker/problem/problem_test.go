package problem_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"colophon/exports"
	"colophon/internal/delivery"
	"colophon/internal/inquiry"
	"colophon/internal/origin"
	"colophon/internal/staticindex"
	"colophon/internal/wire"
	"colophon/worker/edge"
	"colophon/worker/problem"
)

func TestOf(t *testing.T) {
	fields := func(codes ...string) error {
		x := &wire.Invalid{}
		for _, code := range codes {
			x.Fields = append(x.Fields, wire.FieldError{Pointer: "/a", Code: code})
		}
		return x
	}
	for _, c := range []struct {
		err    error
		code   string
		detail string
		retry  int64
	}{
		{errors.New("disk full"), "", "", 0},
		{fmt.Errorf("reading: %w", problem.New("not_found", "x")), "not_found", "x", 0},
		{fields("required"), "validation_failed", "1 field was rejected.", 0},
		{fields("unknown_member", "unknown_member"), "unknown_member", "2 fields were rejected.", 0},
		{fields("unsupported_use", "required"), "validation_failed", "2 fields were rejected.", 0},
		{&staticindex.Error{Code: "cursor_expired", Detail: "gone"}, "cursor_expired", "gone", 0},
		{&staticindex.Error{Code: "index_unavailable"}, "index_unavailable", "", 30},
		{inquiry.ErrKeyReused, "idempotency_conflict", "", 0},
		{inquiry.ErrInProgress, "idempotency_in_progress", "", 1},
		{inquiry.ErrClosed, "thread_closed", "", 0},
		{inquiry.ErrBusy, "overloaded", "", 1},
		{delivery.ErrCredential, "credential_invalid", "", 0},
		{delivery.ErrCursor, "invalid_parameter", "The parameter \"cursor\" belongs to another query.", 0},
		{delivery.ErrSince, "invalid_parameter", "The parameter \"since\" belongs to another query.", 0},
		{delivery.ErrExpired, "cursor_expired", "Begin again with a new snapshot.", 0},
		{delivery.ErrSnapshotGone, "snapshot_gone", "Begin again with a new snapshot.", 0},
		{fmt.Errorf("comparing: %w", delivery.ErrBusy), "overloaded", "", 1},
		{delivery.ErrKeyReused, "idempotency_conflict", "", 0},
		{fmt.Errorf("asking: %w", origin.ErrUnavailable), "origin_unavailable", "", 30},
		{context.DeadlineExceeded, "deadline_exceeded", "", 0},
	} {
		f := problem.Of(c.err)
		if f == nil {
			f = &problem.Failure{}
		}
		if f.Code != c.code || f.Detail != c.detail || f.Retry != c.retry {
			t.Errorf("%v: %q %q %d", c.err, f.Code, f.Detail, f.Retry)
		}
	}
}

func TestRespond(t *testing.T) {
	for _, c := range []struct {
		method, path, code string
		status             int
		cache              string
	}{
		{"GET", "/v1/public/none", "not_found", 404, "public, max-age=30"},
		{"POST", "/v1/public/none", "not_found", 404, ""},
		{"GET", "/inbox/ibx_x", "not_found", 404, ""},
		{"GET", "/v1/public/none", "invalid_parameter", 400, ""},
	} {
		f := problem.New(c.code, "")
		f.Retry = 7
		resp := problem.Respond("https://service.example", &edge.Request{Method: c.method, Path: c.path, ID: "rid_x"}, f)
		h := resp.Header
		if resp.Status != c.status || h.Get("cache-control") != c.cache || h.Get("retry-after") != "7" || h.Get("content-type") != exports.MediaProblem {
			t.Errorf("%s %s: %d %v", c.method, c.path, resp.Status, h)
		}
	}
}

// TestCredentialThatEnded checks that a buyer whose credential ended during a
// call learns how to send another.
func TestCredentialThatEnded(t *testing.T) {
	f := problem.Of(fmt.Errorf("reading: %w", delivery.ErrCredential))
	if got := f.Header.Get("www-authenticate"); got != `Bearer realm="buyer", error="invalid_token"` {
		t.Errorf("www-authenticate: %q", got)
	}
}
