package shell

import (
	"context"
	"slices"
	"strings"

	"github.com/a-h/templ"

	"colophon/exports"
	"colophon/internal/inquiry"
	"colophon/internal/prose"
	"colophon/templates/content"
	"colophon/worker/edge"
	"colophon/worker/page"
	"colophon/worker/problem"
	"colophon/worker/request"
)

// FailedForm is a form that was refused, with the reason.
type FailedForm struct {
	Form  request.Values
	Fault *problem.Failure
}

// Summary says what is wrong.
func (x *FailedForm) Summary() *content.Fault {
	kind := exports.KindOf(x.Fault.Code)
	switch len(x.Fault.Fields) {
	case 0:
		return &content.Fault{Lead: strings.TrimSpace(kind.Title + ". " + x.Fault.Detail), Help: kind.Help}
	case 1:
		return &content.Fault{Lead: "One field needs" + nothingLost, Fields: x.fieldFaults()}
	}
	return &content.Fault{Lead: "Some fields need" + nothingLost, Fields: x.fieldFaults()}
}

const nothingLost = " correcting. Nothing was sent, and what you wrote is still here."

// fieldFaults returns what is wrong with each field, with a link to it.
func (x *FailedForm) fieldFaults() []content.FieldFault {
	var list []content.FieldFault
	for _, e := range x.Fault.Fields {
		name := strings.TrimPrefix(e.Pointer, "/")
		list = append(list, content.FieldFault{Link: "#" + x.fieldID(name), Text: FieldLabel(name) + ": " + e.Detail})
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
	for _, f := range slices.Concat(content.RequestFields, content.TermsFields) {
		if f.Name == name {
			return f.Label
		}
	}
	switch name {
	case "amount_cents", "currency":
		return "Price"
	case "uses", "uses/0":
		return "Uses"
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

// Filled returns the form with what was typed and what has to be corrected.
func (x *FailedForm) Filled() content.Filled {
	wrong := map[string]string{}
	for _, e := range x.Fault.Fields {
		name, _, _ := strings.Cut(strings.TrimPrefix(e.Pointer, "/"), "/")
		if name == "amount_cents" || name == "currency" {
			name = "price"
		}
		wrong[name] = strings.TrimSpace(wrong[name] + " " + e.Detail)
	}
	return content.Filled{Typed: x.Form, Wrong: wrong, Fault: x.Summary()}
}

// FormAgain answers with the page at a path around main, which is the form with
// everything that was typed and what must be corrected. A fault that no form can
// show, without main, gets its own page.
func (p *Pages) FormAgain(ctx context.Context, r *edge.Request, path string, fault *problem.Failure, main templ.Component) *edge.Response {
	if main != nil {
		if published, err := p.Files.ReadPath(ctx, path); err == nil {
			head, _, tail := split(published)
			resp := p.withDocument(r, fault, head, page.Append(nil, main), tail)
			resp.Header.Set("x-robots-tag", "noindex")
			resp.Header.Set("cache-control", "private, no-store")
			return resp
		}
	}
	return p.Problem(ctx, r, fault, content.FaultPart((&FailedForm{Fault: fault}).Summary()))
}

// RequestForm returns the form that asks a publisher for a licence, nil if no
// publisher that takes inquiries is published under the id.
func (p *Pages) RequestForm(ctx context.Context, siteID string, f content.Filled) templ.Component {
	publisher, err := p.Files.ReadPublisher(ctx, siteID)
	if err != nil || !publisher.AcceptsInquiries {
		return nil
	}
	return content.Request(content.RequestForm{Publisher: publisher.PublisherSummary, Preferences: publisher.Preferences, Filled: f})
}
