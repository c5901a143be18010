package shell

import (
	"bytes"
	"context"
	"slices"
	"strings"

	"colophon/exports"
	"colophon/internal/inquiry"
	"colophon/internal/prose"
	"colophon/worker/edge"
	"colophon/worker/page"
	"colophon/worker/problem"
	"colophon/worker/request"
)

// RequestFields are the fields of the request form in their order on the page
// (see templates.Request).
var RequestFields = []struct{ Name, Label string }{
	{"requester_name", "Name"}, {"requester_email", "E-mail"}, {"company", "Organization"},
	{"requested_use", "Use"}, {"intended_use", "What you want to do"}, {"requested_scope", "Which pages"},
	{"message", "Message to the publisher"}, {"budget_range", "Budget"}, {"requested_timeline", "Timeline"},
}

// FailedForm is a form that was refused, with the reason.
type FailedForm struct {
	Form  request.Form
	Fault *problem.Failure
}

// Summary says what is wrong.
func (x *FailedForm) Summary() page.FormFault {
	kind := exports.KindOf(x.Fault.Code)
	switch len(x.Fault.Fields) {
	case 0:
		return page.FormFault{Lead: strings.TrimSpace(kind.Title + ". " + x.Fault.Detail), Help: kind.Help}
	case 1:
		return page.FormFault{Lead: "One field needs" + nothingLost, Fields: x.fieldFaults()}
	}
	return page.FormFault{Lead: "Some fields need" + nothingLost, Fields: x.fieldFaults()}
}

const nothingLost = " correcting. Nothing was sent, and what you wrote is still here."

// fieldFaults returns what is wrong with each field, with a link to it.
func (x *FailedForm) fieldFaults() []page.FieldFault {
	var list []page.FieldFault
	for _, e := range x.Fault.Fields {
		name := strings.TrimPrefix(e.Pointer, "/")
		list = append(list, page.FieldFault{Link: "#" + x.fieldID(name), Text: FieldLabel(name) + ": " + e.Detail})
	}
	return list
}

// fieldID returns the id of a field of the form. A field may consist of several
// elements.
func (x *FailedForm) fieldID(name string) string {
	if name != "body" {
		return name
	}
	switch inquiry.Act(x.Form.Get("act")) {
	case inquiry.Question:
		return "question-body"
	case inquiry.IndicativeTerms:
		return "terms-body"
	}
	return "text-body"
}

// FieldLabel returns the label of a field in the forms.
func FieldLabel(name string) string {
	for _, f := range RequestFields {
		if f.Name == name {
			return f.Label
		}
	}
	switch name {
	case "price", "amount_cents", "currency":
		return "Price"
	case "uses", "uses/0":
		return "Uses"
	case "unit":
		return "Per"
	case "term_months":
		return "Months"
	case "body":
		return "Message"
	case "decline_reason":
		return "Reason"
	case "site_id":
		return "Publisher"
	case "publishers":
		return "Publishers"
	}
	return prose.PlainWord(name)
}

// Fill writes what was typed back into the form, with the errors beside their
// fields.
func (x *FailedForm) Fill(page []byte) []byte {
	typed := make([][2]string, 0, len(x.Form))
	for _, v := range x.Form {
		if v[0] != "act" {
			typed = append(typed, v)
		}
	}
	wrong := slices.Clone(x.Fault.Fields)
	for i := range wrong {
		switch wrong[i].Pointer {
		case "/amount_cents", "/currency":
			wrong[i].Pointer = "/price"
		}
	}
	return FillForm(page, typed, wrong)
}

// FormAgain answers with the published form at a path, with everything that was
// typed, and with what must be corrected beside its fields. A fault that no
// field can correct gets its own page.
func (p *Pages) FormAgain(ctx context.Context, r *edge.Request, path string, f request.Form, fault *problem.Failure) *edge.Response {
	x := &FailedForm{f, fault}
	var published []byte
	var err error
	if path != "" {
		published, err = p.Files.ReadPath(ctx, path)
	}
	if published == nil || err != nil {
		return p.Problem(ctx, r, fault, page.WrongForm(x.Summary()))
	}
	typed := make([][2]string, 0, len(f))
	for _, v := range f {
		if v[0] != "site_id" && v[0] != "website" && v[0] != "proof" {
			typed = append(typed, v)
		}
	}
	body := FillForm(published, typed, fault.Fields)
	if at := bytes.Index(body, []byte("<form")); at >= 0 {
		body = insert(body, at, page.Append(nil, page.WrongForm(x.Summary())))
	}
	resp := p.withDocument(r, fault, body)
	resp.Header.Set("x-robots-tag", "noindex")
	resp.Header.Set("cache-control", "private, no-store")
	return resp
}
