package worker

import (
	"bytes"
	"context"
	"strings"

	"colophon/exports"
	"colophon/internal/inquiry"
	"colophon/internal/origin"
	"colophon/internal/wire"
	"colophon/worker/edge"
	"colophon/worker/page"
	"colophon/worker/problem"
	"colophon/worker/request"
)

// requestFields are the fields of the request form, in the order in which a
// person meets them (see templates.Request).
var requestFields = []struct{ name, label string }{
	{"requester_name", "Name"}, {"requester_email", "E-mail"}, {"company", "Organization"},
	{"requested_use", "Use"}, {"intended_use", "What you want to do"}, {"requested_scope", "Which pages"},
	{"message", "Message to the publisher"}, {"budget_range", "Budget"}, {"requested_timeline", "Timeline"},
}

// createFromForm takes a request from the publisher's form page and answers
// with a page, unless the caller prefers JSON.
func (c *call) createFromForm(ctx context.Context) (*edge.Response, error) {
	f, err := c.ParseForm(exports.MaxBody)
	if err != nil {
		return nil, err
	}
	if f.Get("proof") == proofWanted {
		return nil, c.newChallenge(0)
	}
	done, err := c.submitForm(ctx, f)
	if request.Accepts(c.Header.Get("accept"), []string{"text/html", "application/json"}) != "text/html" {
		if err != nil {
			return nil, err
		}
		receipt := inquiry.Receipt(done.request, done.token)
		resp := request.Record(201, &receipt)
		resp.Header = append(resp.Header, done.header...)
		return resp, nil
	}
	if err != nil {
		fault := problem.Of(err)
		if fault == nil {
			return nil, err
		}
		return c.formAgain(ctx, formPath(f), f, fault), nil
	}
	title := "The inquiry is sent"
	if done.request.HeldFor != "" {
		title = "The inquiry is held for review"
	}
	resp := c.respondPage(ctx, 201, title, page.Receipt(c.receiptPage(done)))
	resp.Header = append(resp.Header, done.header...)
	return resp, nil
}

func (c *call) submitForm(ctx context.Context, f request.Form) (submitted, error) {
	s, err := c.readForm(f, f.Get("site_id"))
	if err != nil {
		return submitted{}, err
	}
	return c.submitPublic(ctx, s)
}

// readForm reads a request to a publisher from a form.
func (c *call) readForm(f request.Form, siteID string) (*submission, error) {
	members := []wire.Member{wire.M("site_id", wire.String(siteID))}
	for _, field := range requestFields {
		if text := strings.TrimSpace(f.Get(field.name)); text != "" {
			members = append(members, wire.M(field.name, wire.String(text)))
		}
	}
	v := wire.Object(members...)
	var body exports.PublicRequest
	if err := wire.DecodeValue(&v, &body); err != nil {
		return nil, err
	}
	s := &submission{body: &body, fingerprint: c.Fingerprint(v), form: true, proof: f.Get("proof")}
	if f.Get("website") != "" { // the field that people do not see
		s.doubt = "honeypot"
	}
	return s, nil
}

// receiptPage shows the conversation and its token, once: as an address to
// keep, and as a form for browsers without scripts.
func (c *call) receiptPage(done submitted) page.ReceiptPage {
	r := &done.request
	return page.ReceiptPage{
		Held: r.HeldFor != "", Keep: c.linkToKeep("#thread="+r.ThreadID+"&token="+done.token, r),
		Path: exports.PathConversationPage, ThreadID: r.ThreadID, Token: done.token,
		Parts: []page.Row{{Name: "Request", Text: r.RequestID}, {Name: "Publisher", Text: r.SiteID}, {Name: "Conversation", Text: r.ThreadID}, {Name: "Token", Text: done.token}},
	}
}

// letterWords tell whether letters are sent to whoever asked.
func letterWords(r *origin.Request) string {
	switch {
	case r.Letters == origin.LettersUnconfirmed && r.HeldFor != "":
		return "Once the publisher has the inquiry, you get an e-mail to confirm your address. After that, answers are announced by e-mail."
	case r.Letters == origin.LettersUnconfirmed:
		return "You get an e-mail to confirm your address. After that, answers are announced by e-mail. Until then, the inquiry is marked as unconfirmed."
	}
	return "No e-mail is sent: look for answers in the conversation."
}

// formPath is the page of the form that asks a publisher, "" none.
func formPath(f request.Form) string {
	if siteID := f.Get("site_id"); exports.ValidSiteID(siteID) {
		return exports.RequestPage(siteID)
	}
	return ""
}

// formAgain answers with the published form at a path, with everything that was
// typed, and what must be corrected beside its fields. What no field mends is
// a page of its own.
func (c *call) formAgain(ctx context.Context, path string, f request.Form, fault *problem.Failure) *edge.Response {
	x := &failedForm{f, fault}
	var published []byte
	var err error
	if path != "" {
		published, err = c.deps.Assets.Read(ctx, string(exports.KeyOf(path)))
	}
	if published == nil || err != nil {
		return c.problemPage(ctx, fault, page.WrongForm(x.summary()))
	}
	typed := make([][2]string, 0, len(f))
	for _, v := range f {
		if v[0] != "site_id" && v[0] != "website" && v[0] != "proof" {
			typed = append(typed, v)
		}
	}
	body := filledForm(published, typed, fault.Fields)
	if at := bytes.Index(body, []byte("<form")); at >= 0 {
		body = insert(body, at, page.Append(nil, page.WrongForm(x.summary())))
	}
	resp := c.withDocument(fault, body)
	resp.Header.Set("x-robots-tag", "noindex")
	resp.Header.Set("cache-control", "private, no-store")
	return resp
}
