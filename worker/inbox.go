package worker

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"colophon/exports"
	"colophon/internal/inquiry"
	"colophon/internal/origin"
	"colophon/worker/edge"
)

// inboxPage is the private inbox of one publisher, for whoever holds a link:
//
//	/inbox/<secret>               the requests
//	/inbox/<secret>/<request id>  one request, its messages and what can be done
//
// A link that is wrong, revoked or expired is answered like an address at
// which there is nothing.
func inboxPage(ctx context.Context, c *call) (*edge.Response, error) {
	switch c.Method {
	case "GET", "HEAD", "POST":
	default:
		return nil, notAllowed([]string{"GET", "POST"})
	}
	secret, requestID, _ := strings.Cut(c.Path[len(exports.PathInbox):], "/")
	link, err := c.inboxLink(ctx, secret)
	if err != nil {
		return nil, c.limitRefusal(ctx, err)
	}
	return c.limited(ctx, link.LinkID, []string{"inbox"}, func() (*edge.Response, error) {
		here := exports.PathInbox + secret
		if requestID == "" {
			return c.inboxList(ctx, link, here)
		}
		return c.inboxRequest(ctx, link, here, requestID)
	})
}

func (c *call) inboxLink(ctx context.Context, secret string) (origin.InboxLink, error) {
	if _, err := c.desk(); err != nil || c.deps.InboxLinks == nil {
		return origin.InboxLink{}, unavailable()
	}
	hash := inquiry.Digest(secret)
	links, err := c.deps.InboxLinks.LinksByLookup(ctx, inquiry.LookupOf(hash))
	if err != nil {
		return origin.InboxLink{}, err
	}
	found := -1
	for i := range links {
		if inquiry.Same(links[i].Hash, hash) && links[i].State == "active" && links[i].ExpiresAt > exports.Instant(c.deps.Now()) {
			found = i
		}
	}
	if found < 0 {
		inquiry.Same(nobody, hash)
		return origin.InboxLink{}, fail("not_found", "")
	}
	return links[found], nil
}

// inboxStates are what a publisher sees: everything but what is held or
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

func (c *call) inboxList(ctx context.Context, link origin.InboxLink, here string) (*edge.Response, error) {
	rows, err := c.deps.Inquiries.RequestsOf(ctx, origin.RequestFilter{SiteID: link.SiteID, States: inboxStates(), Limit: 200})
	if err != nil {
		return nil, err
	}
	m := &markup{}
	m.tag(`<p class="note">This page is private to `).text(link.SiteID).tag(`. Whoever has its address can read and answer.</p>`)
	if len(rows) == 0 {
		m.element("p", "There are no inquiries yet.")
	} else {
		m.tag(`<section class="scroll" tabindex="0" aria-label="Inquiries"><table><thead><tr><th scope="col">Received</th><th scope="col">From</th><th scope="col">Use</th><th scope="col">State</th></tr></thead><tbody>`)
		for _, r := range rows {
			m.tag("<tr><td>").text(exports.Moment(r.CreatedAt)).tag(`</td><td><a href="`).text(here + "/" + r.RequestID).tag(`">`)
			m.text(buyerName(r)).tag("</a></td><td>").text(r.RequestedUse).tag("</td><td>")
			m.text(stateWords(inquiry.State(r.State).Visible())).tag("</td></tr>")
		}
		m.tag("</tbody></table></section>")
	}
	return c.page(ctx, 200, "Inbox", m), nil
}

func buyerName(r origin.Request) string {
	switch {
	case r.ErasedAt != "":
		return "(erased)"
	case r.BuyerCompany != "":
		return r.BuyerName + ", " + r.BuyerCompany
	}
	return r.BuyerName
}

func (c *call) inboxRequest(ctx context.Context, link origin.InboxLink, here, requestID string) (*edge.Response, error) {
	r, err := c.deps.Inquiries.Request(ctx, requestID)
	switch {
	case errors.Is(err, origin.ErrNotFound), err == nil && (r.SiteID != link.SiteID || !inquiry.State(r.State).AtPublisher()):
		return nil, fail("not_found", "")
	case err != nil:
		return nil, err
	}
	trouble, status := "", 200
	if c.Method == "POST" {
		err := c.inboxAct(ctx, link, requestID)
		if err == nil {
			resp := &edge.Response{Status: 303}
			resp.Header.Set("location", here+"/"+requestID)
			return resp, nil
		}
		fault := failureOf(err)
		if fault == nil || exports.KindOf(fault.code).Status >= 500 { // nothing that other words would mend
			return nil, err
		}
		kind := exports.KindOf(fault.code)
		trouble, status = kind.Title+". "+fault.detail, kind.Status
		for _, e := range fault.fields {
			trouble += " " + strings.TrimPrefix(e.Pointer, "/") + ": " + e.Detail
		}
	}
	messages, err := c.deps.Inquiries.MessagesOf(ctx, r.ThreadID, 0, 500)
	if err != nil {
		return nil, err
	}
	return c.page(ctx, status, "Inquiry from "+buyerName(r), inboxMarkup(r, messages, here, trouble)), nil
}

// inboxAct does what the publisher's form asks for. What it changes goes into
// the audit trail under the id of the link.
func (c *call) inboxAct(ctx context.Context, link origin.InboxLink, requestID string) error {
	f, err := c.parseForm(exports.MaxMessage)
	if err != nil {
		return err
	}
	desk, err := c.desk()
	if err != nil {
		return err
	}
	actID, err := desk.NewID("act_")
	if err != nil {
		return err
	}
	ctx = origin.WithAct(ctx, &origin.Act{ActID: actID, Actor: link.LinkID, Role: "publisher", Action: "inbox " + f.get("act")})
	switch act := inquiry.Act(f.get("act")); act {
	case inquiry.Open, inquiry.Refer:
		_, err = desk.Decide(ctx, requestID, inquiry.Decision{By: inquiry.Publisher, Act: act})
	case inquiry.Decline:
		reason := f.get("decline_reason")
		if !exports.OneOf(reason, exports.DeclineReasons) {
			return rejected("/decline_reason", "not_in_list", "Use one of "+strings.Join(exports.DeclineReasons, ", ")+".")
		}
		_, err = desk.Decide(ctx, requestID, inquiry.Decision{By: inquiry.Publisher, Act: act, Reason: reason})
	case inquiry.Text, inquiry.Question, inquiry.IndicativeTerms:
		var w inquiry.Words
		if w, err = inquiry.PublisherWords(act, f.get("body"), f.get); err == nil {
			_, _, err = desk.Reply(ctx, requestID, w)
		}
	default:
		err = rejected("/act", "not_in_list", "This cannot be done here.")
	}
	return err
}

func inboxMarkup(r origin.Request, messages []origin.Message, here, trouble string) *markup {
	m := &markup{}
	m.tag(`<p><a href="`).text(here).tag(`">All inquiries</a></p>`)
	if trouble != "" {
		m.tag(`<p class="warn" role="alert">`).text(trouble).tag("</p>")
	}
	m.tag(`<dl class="facts wide">`)
	for _, row := range [][2]string{
		{"State", stateWords(inquiry.State(r.State).Visible())}, {"From", buyerName(r)}, {"E-mail", r.BuyerEmail}, {"Received", exports.Moment(r.CreatedAt)},
		{"Use", r.RequestedUse}, {"What for", r.IntendedUse}, {"Scope", r.RequestedScope}, {"Budget", budgetWords(r)}, {"Timeline", r.Timeline},
	} {
		if row[1] != "" {
			m.element("dt", row[0]).tag(`<dd dir="auto">`).lines(exports.CleanLines(row[1])).tag("</dd>")
		}
	}
	m.tag("</dl>")
	list := make([]exports.Message, len(messages))
	for i, x := range messages {
		list[i] = inquiry.Message(x)
	}
	messageList(m, list)
	inboxForms(m, r, here+"/"+r.RequestID)
	return m
}

func budgetWords(r origin.Request) string {
	s := r.BudgetRange
	if r.BudgetCents >= 0 {
		s = strings.TrimSpace(s + " " + minorUnits(r.BudgetCents, r.Currency))
	}
	if r.TermMonths > 0 {
		s = strings.TrimSpace(s + " for " + strconv.FormatInt(r.TermMonths, 10) + " months")
	}
	return s
}

// minorUnits shows an amount as it was sent: how many minor units make one
// differs between currencies.
func minorUnits(n int64, currency string) string {
	return strconv.FormatInt(n, 10) + " minor units of " + currency
}

func termsFacts(m *markup, t *exports.IndicativeTerms) {
	m.tag("<p>").text("Uses: " + strings.Join(t.Uses, ", "))
	if t.Cents >= 0 {
		m.text("; " + minorUnits(t.Cents, t.Currency))
	}
	if t.Unit != "" {
		m.text(" per " + t.Unit)
	}
	if t.TermMonths > 0 {
		m.text("; " + strconv.FormatInt(t.TermMonths, 10) + " months")
	}
	m.tag("</p>")
}

// inboxOrder is how the forms come: words first, ends last.
var inboxOrder = []inquiry.Act{inquiry.Open, inquiry.Text, inquiry.Question, inquiry.IndicativeTerms, inquiry.Refer, inquiry.Decline}

// inboxForms are what the publisher may do now.
func inboxForms(m *markup, r origin.Request, here string) {
	begin := func(act inquiry.Act, title string) {
		m.tag(`<form class="form" method="post" action="`).text(here).tag(`">`).hidden("act", string(act))
		if title != "" {
			m.element("h3", title)
		}
	}
	box := func(id string) {
		m.tag(`<p><label for="` + id + `">Message</label> <textarea id="` + id + `" name="body" rows="4" required maxlength="4000"></textarea></p>`)
	}
	field := func(id, name, label string) {
		m.tag(`<p><label for="` + id + `">` + label + `</label> <input id="` + id + `" name="` + name + `"></p>`)
	}
	button := func(label string) { m.tag(`<p><button type="submit">` + label + `</button></p></form>`) }
	quiet := func(label string) { m.tag(`<p><button type="submit" class="plain">` + label + `</button></p></form>`) }
	acts := inquiry.Allowed(inquiry.State(r.State), inquiry.Publisher)
	if inquiry.State(r.State) == inquiry.Delivered {
		acts = append(acts, inquiry.Text, inquiry.IndicativeTerms) // answering opens it
	}
	for _, act := range inboxOrder {
		if !slices.Contains(acts, act) {
			continue
		}
		switch act {
		case inquiry.Open:
			begin(act, "")
			quiet("Start the review")
		case inquiry.Text:
			begin(act, "Write")
			box("text-body")
			button("Send")
		case inquiry.Question:
			begin(act, "Ask a question")
			box("question-body")
			button("Ask")
		case inquiry.IndicativeTerms:
			begin(act, "Indicate terms, which bind nobody")
			field("uses", "uses", "Uses, such as rag, summarization")
			field("amount_cents", "amount_cents", "Amount in minor units")
			field("currency", "currency", "Currency")
			field("unit", "unit", "Per")
			field("term_months", "term_months", "Months")
			m.tag(`<p><label for="terms-body">Note</label> <textarea id="terms-body" name="body" rows="3" maxlength="2000"></textarea></p>`)
			button("Indicate")
		case inquiry.Refer:
			begin(act, "")
			quiet("Continue in our own process")
		case inquiry.Decline:
			begin(act, "Decline")
			m.tag(`<p><label for="decline_reason">Reason</label> <select id="decline_reason" name="decline_reason">`)
			for _, reason := range exports.DeclineReasons {
				m.tag(`<option value="` + reason + `">` + strings.ReplaceAll(reason, "_", " ") + `</option>`)
			}
			m.tag(`</select></p>`)
			quiet("Decline")
		}
	}
}
