package inbox

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"colophon/exports"
	"colophon/exports/inquiries"
	"colophon/internal/inquiry"
	"colophon/internal/origin"
	"colophon/internal/prose"
	"colophon/templates/content"
	"colophon/worker/edge"
	"colophon/worker/page"
	"colophon/worker/problem"
	"colophon/worker/request"
	"colophon/worker/shell"
)

// Page answers with the private inbox of one publisher, for anyone who holds a
// link:
//
//	/inbox/<secret>                 the requests, by state and use
//	/inbox/<secret>/<request id>    one request, its messages and what can be done
//	/inbox/<secret>/inquiries.csv   the requests as a table
//	/inbox/<secret>/statistics      how many there were, by month, use and outcome
//	/inbox/<secret>/uses            what partners and buyers report of their use
//	/inbox/<secret>/uses.csv        the same as a table
//
// A link that is wrong, revoked or expired is answered like an address at which
// there is nothing.
func (s *Service) Page(ctx context.Context, c *request.Call) (*edge.Response, error) {
	secret, requestID, _ := strings.Cut(c.Params["link"], "/")
	link, err := s.Links.InboxLink(ctx, secret)
	if err != nil {
		return nil, s.Limits.Refuse(ctx, c.Remote, err)
	}
	return s.Limits.Answer(ctx, link.LinkID, []string{c.Endpoint.Limits}, func() (*edge.Response, error) {
		here := exports.PathInbox + secret
		switch {
		case requestID == "":
			return s.inboxList(ctx, c, link, here)
		case requestID == inboxCSV && c.Method != "POST":
			return s.inboxTable(ctx, c, link)
		case requestID == inboxStatistics && c.Method != "POST":
			return s.inboxCounts(ctx, link, here)
		case (requestID == inboxUses || requestID == inboxUsesCSV) && c.Method != "POST":
			return s.inboxUses(ctx, link, here, requestID == inboxUsesCSV)
		}
		return s.inboxRequest(ctx, c, link, here, requestID)
	})
}

// inboxStates returns the states that a publisher sees: all except held and
// rejected.
func inboxStates() []string {
	var out []string
	for _, s := range inquiry.States {
		if s.AtPublisher() {
			out = append(out, string(s))
		}
	}
	return out
}

// filterOf returns the requests that a link opens, the newest of them.
func filterOf(link *origin.InboxLink) origin.RequestFilter {
	f := origin.RequestFilter{SiteID: link.SiteID, States: inboxStates(), Limit: 200}
	if link.PublisherID != "" {
		f.SiteID, f.PublisherID = "", link.PublisherID
	}
	return f
}

// opensRequest reports whether a link opens a request: one of its site, or of a
// site that belongs to its group now.
func (s *Service) opensRequest(ctx context.Context, link *origin.InboxLink, r *origin.Request) (bool, error) {
	if !inquiry.State(r.State).AtPublisher() {
		return false, nil
	}
	if link.PublisherID == "" {
		return r.SiteID == link.SiteID, nil
	}
	f := filterOf(link)
	f.SiteID = r.SiteID
	f.States = nil
	f.Limit = 1
	found, err := s.Inquiries.Store.RequestsOf(ctx, f)
	return len(found) > 0, err
}

func buyerName(r *origin.Request) string {
	switch {
	case r.ErasedAt != "":
		return "(erased)"
	case r.BuyerCompany != "":
		return r.BuyerName + ", " + r.BuyerCompany
	}
	return r.BuyerName
}

func (s *Service) inboxRequest(ctx context.Context, c *request.Call, link *origin.InboxLink, here, requestID string) (*edge.Response, error) {
	r, err := s.Inquiries.Store.Request(ctx, requestID)
	opens := false
	if err == nil {
		opens, err = s.opensRequest(ctx, link, &r)
	}
	switch {
	case errors.Is(err, origin.ErrNotFound), err == nil && !opens:
		return nil, problem.New("not_found", "")
	case err != nil:
		return nil, err
	}
	var failed *shell.FailedForm
	status := 200
	if c.Method == "POST" {
		f, err := c.ParseForm(exports.MaxMessage)
		if err == nil {
			err = s.inboxAct(ctx, link, requestID, f)
		}
		if err == nil {
			return request.SeeOther(here + "/" + requestID), nil
		}
		fault := problem.Of(err)
		if fault == nil || exports.KindOf(fault.Code).Status >= 500 { // other words would not correct it
			return nil, err
		}
		failed, status = &shell.FailedForm{Form: f, Fault: fault}, exports.KindOf(fault.Code).Status
	}
	messages, err := s.Inquiries.Store.MessagesOf(ctx, r.ThreadID, 0, 500)
	if err != nil {
		return nil, err
	}
	site, err := s.Sites.Site(ctx, r.SiteID)
	if err != nil {
		return nil, err
	}
	asked, err := request.ParseQuestion(c.Query, "act", "template")
	if err != nil {
		return nil, err
	}
	texts, err := s.Answers.AnswersOf(ctx, r.SiteID)
	if err != nil {
		return nil, err
	}
	v := inboxView{
		request: &r, site: &site, messages: messages, texts: append(texts, answerTemplates...), here: here, failed: failed,
		open: inquiry.Act(asked.Get("act")), template: asked.Get("template"),
	}
	return s.Pages.Respond(ctx, status, "Inquiry from "+buyerName(&r), v.component()), nil
}

// inboxAct does what the publisher's form asks for. Changes go into the audit
// trail under the id of the link.
func (s *Service) inboxAct(ctx context.Context, link *origin.InboxLink, requestID string, f request.Values) error {
	actID, err := s.Inquiries.NewID("act_")
	if err != nil {
		return err
	}
	ctx = origin.WithAct(ctx, &origin.Act{ActID: actID, Actor: link.LinkID, Role: "publisher", Action: "inbox " + f.Get("act")})
	switch act := inquiry.Act(f.Get("act")); act {
	case inquiry.Open, inquiry.Refer:
		_, err = s.Inquiries.Decide(ctx, requestID, inquiry.Decision{By: inquiry.Publisher, Act: act})
	case inquiry.Decline:
		reason := f.Get("decline_reason")
		if !slices.Contains(inquiries.DeclineReasons, reason) {
			return problem.Reject("/decline_reason", "not_in_list", "Use one of "+strings.Join(inquiries.DeclineReasons, ", ")+".")
		}
		_, err = s.Inquiries.Decide(ctx, requestID, inquiry.Decision{By: inquiry.Publisher, Act: act, Reason: reason})
	case inquiry.Text, inquiry.Question, inquiry.IndicativeTerms:
		var w inquiry.MessageDraft
		if w, err = publisherWords(act, f); err == nil {
			_, _, err = s.Inquiries.Reply(ctx, requestID, w)
		}
	default:
		err = problem.Reject("/act", "not_in_list", "This cannot be done here.")
	}
	return err
}

// publisherWords parses the publisher's form. Amounts are in the form in which
// people write them, and uses are check boxes.
func publisherWords(act inquiry.Act, f request.Values) (inquiry.MessageDraft, error) {
	terms := map[string]string{"uses": f.Get("uses"), "unit": f.Get("unit"), "term_months": f.Get("term_months")}
	for _, u := range exports.Uses {
		if f.Get("use_"+string(u)) != "" {
			terms["uses"] += "," + string(u)
		}
	}
	if text := strings.TrimSpace(f.Get("price")); text != "" && act == inquiry.IndicativeTerms {
		minor, currency, why := prose.ParseMoney(text)
		if why != "" {
			return inquiry.MessageDraft{}, problem.Reject("/price", "type_mismatch", why)
		}
		terms["amount_cents"], terms["currency"] = strconv.FormatInt(minor, 10), currency
	}
	return inquiry.ParsePublisherMessage(act, f.Get("body"), func(name string) string { return terms[name] })
}

// inboxView is one request as its publisher sees it.
type inboxView struct {
	request  *origin.Request
	site     *origin.Site
	messages []origin.Message
	texts    []origin.Answer   // that an answer may begin with
	here     string            // address of the inbox
	failed   *shell.FailedForm // nil: none failed
	open     inquiry.Act       // the form that is open, "" if none
	template string            // the answer that is put into it, "" if none
}

// component returns the page.
func (v *inboxView) component() templ.Component {
	r := v.request
	var facts []page.Row
	for _, row := range []page.Row{
		{Name: "To", Text: v.site.Name}, {Name: "State", Text: page.StateWords(inquiry.State(r.State).Visible())}, {Name: "Next", Text: deadlineWords(r)},
		{Name: "From", Text: buyerName(r)}, {Name: "E-mail", Text: emailWords(r)}, {Name: "Received", Text: prose.Moment(r.CreatedAt)},
		{Name: "Use", Text: prose.UseName(r.RequestedUse)}, {Name: "What for", Text: r.IntendedUse}, {Name: "Scope", Text: r.RequestedScope},
		{Name: "Budget", Text: budgetWords(r)}, {Name: "Timeline", Text: r.Timeline},
	} {
		if row.Text != "" {
			facts = append(facts, page.Row{Name: row.Name, Text: prose.CleanLines(row.Text)})
		}
	}
	list := make([]inquiries.Message, len(v.messages))
	for i, x := range v.messages {
		list[i] = inquiry.Message(x)
	}
	var fault *content.Fault
	if v.failed != nil {
		fault = v.failed.Summary()
	}
	return page.Inquiry(page.InquiryPage{Inbox: v.here, Fault: fault, Facts: facts, Messages: page.MessageRows(list, "publisher", buyerName(r)), Acts: v.acts()})
}

// emailWords returns the address of the requester, and whether it was
// confirmed.
func emailWords(r *origin.Request) string {
	switch {
	case r.BuyerEmail == "" || r.Letters == origin.LettersNone:
		return r.BuyerEmail
	case r.Letters == origin.LettersUnconfirmed:
		return r.BuyerEmail + " (not confirmed by its owner)"
	case r.Letters == origin.LettersConfirmed:
		return r.BuyerEmail + " (confirmed by its owner)"
	}
	return r.BuyerEmail + " (wants no e-mails)"
}

func budgetWords(r *origin.Request) string {
	s := r.BudgetRange
	if r.BudgetCents >= 0 {
		s = strings.TrimSpace(s + " " + prose.MoneyWords(r.BudgetCents, r.Currency))
	}
	if r.TermMonths > 0 {
		s = strings.TrimSpace(s + " for " + strconv.FormatInt(r.TermMonths, 10) + " months")
	}
	return s
}

// inboxOrder is the order of the forms: messages first, final decisions last.
var inboxOrder = []inquiry.Act{inquiry.Open, inquiry.Text, inquiry.Question, inquiry.IndicativeTerms, inquiry.Refer, inquiry.Decline}

// actName returns the name of a form.
func actName(act inquiry.Act) string {
	switch act {
	case inquiry.Open:
		return "Start the review"
	case inquiry.Text:
		return "Write"
	case inquiry.Question:
		return "Ask a question"
	case inquiry.IndicativeTerms:
		return "Propose terms (non-binding)"
	case inquiry.Refer:
		return "Continue in our own process"
	}
	return "Decline"
}

// acts returns what the publisher may do now, with one form open. A form that
// failed is open and keeps everything that was typed, with the errors beside
// its fields.
func (v *inboxView) acts() []page.InboxAct {
	state := inquiry.State(v.request.State)
	allowed := inquiry.Allowed(state, inquiry.Publisher)
	if state == inquiry.Delivered {
		allowed = append(allowed, inquiry.Text, inquiry.IndicativeTerms) // answering opens it
	}
	var acts []page.InboxAct
	for _, act := range inboxOrder {
		if slices.Contains(allowed, act) {
			acts = append(acts, v.act(act))
		}
	}
	return acts
}

// act returns one of them.
func (v *inboxView) act(act inquiry.Act) page.InboxAct {
	path := v.here + "/" + v.request.RequestID
	var filled content.Filled
	open := v.open == act
	switch {
	case v.failed != nil:
		if open = v.failed.Form.Get("act") == string(act); open {
			filled = v.failed.Filled()
		}
	case open && v.template != "":
		filled.Typed = request.Values{{"body", v.answerText()}}
	}
	return page.InboxAct{Path: path, Act: string(act), Name: actName(act), Open: open, Answers: v.answers(path, act), Fields: actFields(act, filled)}
}

// actFields returns what one act takes.
func actFields(act inquiry.Act, f content.Filled) templ.Component {
	switch act {
	case inquiry.Open, inquiry.Refer:
		return page.PlainAct(actName(act))
	case inquiry.Text:
		return page.WriteAct("text-body", "Send", f)
	case inquiry.Question:
		return page.WriteAct("question-body", "Ask", f)
	case inquiry.IndicativeTerms:
		return page.TermsAct(f)
	}
	var reasons []content.Option
	for _, reason := range inquiries.DeclineReasons {
		reasons = append(reasons, content.Option{Value: reason, Label: prose.PlainWord(reason), Selected: reason == f.Text("decline_reason")})
	}
	return page.DeclineAct(reasons)
}
