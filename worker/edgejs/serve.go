//go:build js && wasm

package edgejs

import (
	"context"
	"strings"

	"colophon/worker/edge"
)

// Worker is what Serve runs.
type Worker struct {
	// Handler answers requests. HEAD reaches it as GET; Serve sends the
	// header and leaves the body out.
	Handler edge.Handler

	// Cron is called with the expression of a cron trigger, and again on a
	// fresh instance as long as it reports that more remains to be done. It may
	// be nil.
	Cron func(ctx context.Context, expression string) (more bool, err error)

	// Fault returns the answers for faults outside the handler, by status (500,
	// 503, 504) and request id; nil means edge.Fault.
	Fault func(status int, id string) *edge.Response
}

// faultID is the placeholder in the prepared answers that the script replaces
// by the request id.
const faultID = "rid_00000000000000000000000000"

// Serve answers requests one after another and never returns. Everything built
// before the call is part of the boot image and so costs a request nothing; it
// can read settings (Getenv) but cannot use entropy, the clock or outside
// services.
func Serve(w Worker) {
	if w.Fault == nil {
		w.Fault = edge.Fault
	}
	for _, status := range []int{500, 503, 504} {
		hostFault(parts(w.Fault(status, faultID)))
	}
	ctx := context.Background()
	for {
		w.answer(ctx, <-arrivals)
		hostDone()
	}
}

func (w *Worker) answer(ctx context.Context, a arrival) {
	if a.flags&flagCron != 0 {
		hostRespond(parts(w.cron(ctx, a.Request)))
		return
	}
	res := w.Handler(ctx, a.Request)
	if a.flags&flagHead != 0 {
		res.Body, res.Stream = nil, nil
	}
	if res.Stream != nil {
		stream(res)
		return
	}
	hostRespond(parts(res))
}

// cron answers 204, 202 if more remains to be done, 404 if there is no cron
// function, or 500 with the error as text. The script fails the trigger for
// every status but the first.
func (w *Worker) cron(ctx context.Context, r *edge.Request) *edge.Response {
	if w.Cron == nil {
		return &edge.Response{Status: 404}
	}
	more, err := w.Cron(ctx, r.Query)
	if err != nil {
		return &edge.Response{Status: 500, Body: []byte(strings.ToValidUTF8(err.Error(), "?"))}
	}
	if more {
		return &edge.Response{Status: 202}
	}
	return &edge.Response{Status: 204}
}
