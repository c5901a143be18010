package intake

import (
	"context"
	"strings"

	"colophon/exports"
	"colophon/exports/inquiries"
	"colophon/internal/inquiry"
	"colophon/internal/origin"
	"colophon/internal/wire"
	"colophon/templates/content"
	"colophon/worker/edge"
	"colophon/worker/page"
	"colophon/worker/problem"
	"colophon/worker/request"
	"colophon/worker/shell"
)

// createFromForm takes a request from the publisher's form page and answers
// with a page, unless the caller prefers JSON.
func (s *Forms) createFromForm(ctx context.Context, c *request.Call) (*edge.Response, error) {
	f, err := c.ParseForm(exports.MaxBody)
	if err != nil {
		return nil, err
	}
	if f.Get("proof") == proofWanted {
		return nil, s.Spam.newChallenge(0)
	}
	done, err := s.submitForm(ctx, c, f)
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
		failed := shell.FailedForm{Form: f, Fault: fault}
		siteID := f.Get("site_id")
		return s.Pages.FormAgain(ctx, c.Request, exports.RequestPage(siteID), fault, s.Pages.RequestForm(ctx, siteID, failed.Filled())), nil
	}
	title := "The inquiry is sent"
	if done.request.HeldFor != "" {
		title = "The inquiry is held for review"
	}
	resp := s.Pages.Respond(ctx, 201, title, page.Receipt(s.receiptPage(done)))
	resp.Header = append(resp.Header, done.header...)
	return resp, nil
}

func (s *Forms) submitForm(ctx context.Context, c *request.Call, f request.Values) (submitted, error) {
	sub, err := s.readForm(c, f, f.Get("site_id"))
	if err != nil {
		return submitted{}, err
	}
	return s.submitPublic(ctx, c, sub)
}

// readForm reads a request to a publisher from a form.
func (s *Forms) readForm(c *request.Call, f request.Values, siteID string) (*submission, error) {
	members := []wire.Member{wire.M("site_id", wire.String(siteID))}
	for _, field := range content.RequestFields {
		if text := strings.TrimSpace(f.Get(field.Name)); text != "" {
			members = append(members, wire.M(field.Name, wire.String(text)))
		}
	}
	v := wire.Object(members...)
	var body inquiries.PublicRequest
	if err := wire.DecodeValue(&v, &body); err != nil {
		return nil, err
	}
	sub := &submission{body: &body, fingerprint: c.Fingerprint(v), form: true, proof: f.Get("proof")}
	if f.Get("website") != "" { // the field that is hidden from people
		sub.doubt = "honeypot"
	}
	return sub, nil
}

// receiptPage shows the conversation and its token, once: as a link to save,
// and as a form for browsers without scripts.
func (s *Forms) receiptPage(done submitted) page.ReceiptPage {
	r := &done.request
	return page.ReceiptPage{
		Held: r.HeldFor != "", Keep: s.linkToKeep("#thread="+r.ThreadID+"&token="+done.token, r),
		Path: exports.PathConversationPage, ThreadID: r.ThreadID, Token: done.token,
		Parts: []page.Row{{Name: "Request", Text: r.RequestID}, {Name: "Publisher", Text: r.SiteID}, {Name: "Conversation", Text: r.ThreadID}, {Name: "Token", Text: done.token}},
	}
}

// letterWords says whether letters are sent to the requester.
func letterWords(r *origin.Request) string {
	switch {
	case r.Letters == origin.LettersUnconfirmed && r.HeldFor != "":
		return "Once the publisher has the inquiry, you get an e-mail to confirm your address. After that, answers are announced by e-mail."
	case r.Letters == origin.LettersUnconfirmed:
		return "You get an e-mail to confirm your address. After that, answers are announced by e-mail. Until then, the inquiry is marked as unconfirmed."
	}
	return "No e-mail is sent: look for answers in the conversation."
}
