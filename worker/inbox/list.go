package inbox

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"

	"colophon/exports"
	"colophon/internal/inquiry"
	"colophon/internal/origin"
	"colophon/internal/prose"
	"colophon/templates/content"
	"colophon/worker/edge"
	"colophon/worker/page"
	"colophon/worker/problem"
	"colophon/worker/request"
)

// The pages below an inbox other than its requests.
const (
	inboxCSV        = "inquiries.csv"
	inboxStatistics = "statistics"
	inboxUses       = "uses"
	inboxUsesCSV    = "uses.csv"
)

// inboxPageSize is how many requests the list shows at a time, inboxTableSize
// how many the table holds.
const (
	inboxPageSize  = 50
	inboxTableSize = 1000
)

// inboxChoices are the states that a publisher filters by.
var inboxChoices = []struct{ name, label string }{
	{"", "Any state"}, {"yours", "Waiting for you"}, {"theirs", "Waiting for the buyer"}, {"open", "Open"}, {"closed", "Closed"},
}

// selectState narrows a filter to what a choice means; ok is false for an
// unknown choice.
func selectState(f origin.RequestFilter, choice string) (narrowed origin.RequestFilter, ok bool) {
	switch choice {
	case "yours":
		return inquiry.SelectWaiting(f, inquiry.Publisher), true
	case "theirs":
		return inquiry.SelectWaiting(f, inquiry.Requester), true
	case "", "open", "closed":
	default:
		return f, false
	}
	f.States = nil
	for _, s := range inquiry.States {
		if s.AtPublisher() && (choice == "" || s.Terminal() == (choice == "closed")) {
			f.States = append(f.States, string(s))
		}
	}
	return f, true
}

// inboxFilter is what the list is filtered by.
type inboxFilter struct {
	origin.RequestFilter
	ofWords origin.RequestFilter // with the words alone, whatever state and use
	asked   request.Values
}

func (s *Service) inboxFilter(c *request.Call, link *origin.InboxLink) (inboxFilter, error) {
	asked, err := request.ParseQuestion(c.Query, "q", "state", "use", "before")
	if err != nil {
		return inboxFilter{}, err
	}
	f := inboxFilter{RequestFilter: filterOf(link), asked: asked}
	f.Words = strings.Fields(prose.Clean(asked.Get("q"), 200))
	f.ofWords = f.RequestFilter
	var ok bool
	if f.RequestFilter, ok = selectState(f.RequestFilter, asked.Get("state")); !ok {
		return f, problem.InvalidParam("state", "must be yours, theirs, open or closed")
	}
	f.Limit = inboxPageSize + 1
	f.Before = asked.Get("before")
	if use := asked.Get("use"); use == "other" {
		f.Uses = []string{""}
	} else if use != "" {
		if _, _, known := exports.ParseUse(use); !known {
			return f, problem.InvalidParam("use", "must be one of the eight uses")
		}
		f.Uses = []string{use}
	}
	return f, nil
}

// link returns the address of a page of the inbox with the present filter.
func (f *inboxFilter) link(path, before string) string {
	return request.Values{{"q", f.asked.Get("q")}, {"state", f.asked.Get("state")}, {"use", f.asked.Get("use")}, {"before", before}}.Append(path)
}

func (s *Service) inboxList(ctx context.Context, c *request.Call, link *origin.InboxLink, here string) (*edge.Response, error) {
	f, err := s.inboxFilter(c, link)
	if err != nil {
		return nil, err
	}
	rows, err := s.Inquiries.Store.RequestsOf(ctx, f.RequestFilter)
	if err != nil {
		return nil, err
	}
	more := len(rows) > inboxPageSize
	if more {
		rows = rows[:inboxPageSize]
	}
	names, err := s.siteNames(ctx, link, rows)
	if err != nil {
		return nil, err
	}
	v := page.InboxPage{
		Owner: inboxOwner(link, names), Here: here, Query: f.asked.Get("q"), OfSites: link.PublisherID != "", Rows: inboxRows(rows, names, here),
		CSV: f.link(here+"/"+inboxCSV, ""), Statistics: here + "/" + inboxStatistics, Uses: here + "/" + inboxUses,
	}
	if link.PublisherID == "" {
		v.History = exports.PolicyPage(link.SiteID)
	}
	if err := s.countInbox(ctx, &v, link, &f); err != nil {
		return nil, err
	}
	if more {
		v.Pager.Next = f.link(here, rows[len(rows)-1].RequestID)
	}
	return s.Pages.Respond(ctx, 200, "Inbox of "+v.Owner, page.Inbox(v)), nil
}

// countInbox says how many requests match, of how many, and how many each choice
// would leave.
func (s *Service) countInbox(ctx context.Context, v *page.InboxPage, link *origin.InboxLink, f *inboxFilter) error {
	all, err := s.Inquiries.Store.CountRequests(ctx, filterOf(link))
	if err != nil {
		return err
	}
	if all == 0 {
		v.Empty = "There are no inquiries yet."
		return nil
	}
	counts, err := s.countChoices(ctx, f.ofWords)
	if err != nil {
		return err
	}
	v.Choices = f.choices(counts)
	found := counts.sum(f.asked.Get("state"), f.asked.Get("use"))
	v.Matches = prose.Count(found) + " of " + prose.Counted(all, "inquiry", "inquiries")
	if found > int64(len(v.Rows)) {
		v.Pager.Range = prose.Count(int64(len(v.Rows))) + " of " + prose.Count(found)
	}
	return nil
}

// choiceCounts counts requests by choice of state, then by choice of use.
type choiceCounts map[string]map[string]int64

// sum counts the requests of two choices, "" for any.
func (n choiceCounts) sum(state, use string) (sum int64) {
	for u, count := range n[state] {
		if use == "" || use == u {
			sum += count
		}
	}
	return sum
}

// countChoices counts the requests of a filter by the choices of the list.
func (s *Service) countChoices(ctx context.Context, f origin.RequestFilter) (choiceCounts, error) {
	n := choiceCounts{}
	for _, choice := range []string{"", "yours", "theirs"} {
		narrowed, _ := selectState(f, choice)
		counts, err := s.Inquiries.Store.RequestCounts(ctx, narrowed)
		if err != nil {
			return nil, err
		}
		for _, x := range counts {
			of := []string{choice}
			if choice == "" && inquiry.State(x.State).Terminal() {
				of = append(of, "closed")
			} else if choice == "" {
				of = append(of, "open")
			}
			for _, state := range of {
				if n[state] == nil {
					n[state] = map[string]int64{}
				}
				n[state][cmp.Or(x.Use, "other")] += x.Count
			}
		}
	}
	return n, nil
}

// siteName returns the name of a site, or its id if it has none.
func (s *Service) siteName(ctx context.Context, siteID string) (string, error) {
	site, err := s.Sites.Site(ctx, siteID)
	return cmp.Or(prose.Clean(site.Name, 120), siteID), err
}

// siteNames returns the names of the sites of some requests, and of the link's
// own site or group, by id.
func (s *Service) siteNames(ctx context.Context, link *origin.InboxLink, rows []origin.Request) (map[string]string, error) {
	names := map[string]string{}
	read := func(siteID string) error {
		if _, known := names[siteID]; known || siteID == "" {
			return nil
		}
		name, err := s.siteName(ctx, siteID)
		names[siteID] = name
		return err
	}
	if link.PublisherID == "" {
		if err := read(link.SiteID); err != nil {
			return nil, err
		}
	} else {
		name, err := s.Sites.GroupName(ctx, link.PublisherID)
		if err != nil {
			return nil, err
		}
		names[link.PublisherID] = cmp.Or(prose.Clean(name, 120), link.PublisherID)
	}
	for i := range rows {
		if err := read(rows[i].SiteID); err != nil {
			return nil, err
		}
	}
	return names, nil
}

// inboxOwner returns the name of the owner of the inbox that a link opens.
func inboxOwner(link *origin.InboxLink, names map[string]string) string {
	if link.PublisherID != "" {
		return "the group " + names[link.PublisherID]
	}
	return names[link.SiteID]
}

// choices returns the filters, each with the number of requests that it leaves
// together with the others.
func (f *inboxFilter) choices(counts choiceCounts) []content.Choice {
	states := content.Choice{Name: "state", Label: "State"}
	for _, x := range inboxChoices {
		states.Options = append(states.Options, content.Option{Value: x.name, Label: x.label})
	}
	uses := content.Choice{Name: "use", Label: "Use", Options: []content.Option{{Label: "Any use"}}}
	for _, u := range exports.Uses {
		uses.Options = append(uses.Options, content.Option{Value: string(u), Label: prose.UseName(string(u))})
	}
	uses.Options = append(uses.Options, content.Option{Value: "other", Label: "None of these"})
	state, use := f.asked.Get("state"), f.asked.Get("use")
	for i := range states.Options {
		o := &states.Options[i]
		o.Selected = o.Value == state
		o.Label += " (" + prose.Count(counts.sum(o.Value, use)) + ")"
	}
	for i := range uses.Options {
		o := &uses.Options[i]
		o.Selected = o.Value == use
		o.Label += " (" + prose.Count(counts.sum(state, o.Value)) + ")"
	}
	return []content.Choice{states, uses}
}

func inboxRows(rows []origin.Request, names map[string]string, here string) []page.InboxRow {
	listed := make([]page.InboxRow, len(rows))
	for i := range rows {
		r := &rows[i]
		listed[i] = page.InboxRow{
			Received: prose.Moment(r.CreatedAt), Site: names[r.SiteID], Path: here + "/" + r.RequestID, From: buyerName(r),
			Unconfirmed: r.Letters == origin.LettersUnconfirmed, Use: prose.UseName(r.RequestedUse),
			State: page.StateWords(inquiry.State(r.State).Visible()), Next: shortDeadline(r),
		}
	}
	return listed
}

// shortDeadline returns what comes next, in a few words.
func shortDeadline(r *origin.Request) string {
	d := inquiry.DeadlinesOf(r)
	waitsFor := inquiry.WaitsFor(r)
	switch {
	case waitsFor == "":
		return ""
	case d.Expires == "" && waitsFor == inquiry.Requester:
		return "the buyer’s answer"
	case d.Expires == "":
		return "your answer"
	case waitsFor == inquiry.Requester:
		return "the buyer’s answer; expires " + prose.Day(d.Expires)
	case r.Reminders == 0:
		return "answer by " + prose.Day(d.Reminder) + "; expires " + prose.Day(d.Expires)
	}
	return "reminded; expires " + prose.Day(d.Expires)
}

// deadlineWords says what happens if nobody acts.
func deadlineWords(r *origin.Request) string {
	d := inquiry.DeadlinesOf(r)
	end := "on " + prose.Day(d.Expires) + " it expires: the conversation closes, and nothing more can be written in it."
	switch {
	case inquiry.State(r.State).Terminal():
		return "Nothing: it is closed."
	case d.Expires == "" && inquiry.WaitsFor(r) == inquiry.Requester:
		return "The buyer answers; you can write more meanwhile. There is no deadline."
	case d.Expires == "":
		return "You answer. There is no deadline."
	case inquiry.WaitsFor(r) == inquiry.Requester:
		return "The buyer answers. Without an answer " + end
	case r.Reminders == 0:
		return "You answer. On " + prose.Day(d.Reminder) + " you are reminded; " + end
	}
	return "You answer; you were reminded on " + prose.Day(r.RemindedAt) + ". Without an answer " + end
}

// inboxCounts shows how many requests there were.
func (s *Service) inboxCounts(ctx context.Context, link *origin.InboxLink, here string) (*edge.Response, error) {
	counts, err := s.Inquiries.Store.RequestCounts(ctx, filterOf(link))
	if err != nil {
		return nil, err
	}
	names, err := s.siteNames(ctx, link, nil)
	if err != nil {
		return nil, err
	}
	var tables []page.CountTable
	if len(counts) > 0 {
		tables = countTables(counts)
	}
	statistics := page.Statistics(here, tables)
	return s.Pages.Respond(ctx, 200, "Statistics of "+inboxOwner(link, names), statistics), nil
}

func countTables(counts []origin.RequestCount) []page.CountTable {
	var uses []string
	for _, u := range exports.Uses {
		uses = append(uses, string(u))
	}
	byUse := countTable("By month and use", append(uses, ""), counts, func(x origin.RequestCount) string { return x.Use }, func(use string) string {
		return cmp.Or(prose.UseName(use), "None of these")
	})
	outcomes := []string{"open", "referred", "declined", "withdrawn", "expired", "transferred"}
	byOutcome := countTable("By month and outcome", outcomes, counts, func(x origin.RequestCount) string {
		if !inquiry.State(x.State).Terminal() {
			return "open"
		}
		return x.State
	}, prose.PlainWord)
	return []page.CountTable{byUse, byOutcome}
}

// countTable returns a table of counts: one row per month, one column per key,
// and totals.
func countTable(title string, keys []string, counts []origin.RequestCount, keyOf func(origin.RequestCount) string, label func(string) string) page.CountTable {
	list := make([]tally, len(counts))
	for i, x := range counts {
		list[i] = tally{x.Month, keyOf(x), x.Count}
	}
	return tallyTable(title, "Month", keys, list, label)
}

// tally is a number in a row and a column of a table.
type tally struct {
	row, column string
	n           int64
}

// tallyTable returns a table of sums: its rows in the order in which they come,
// its columns those of keys, and totals.
func tallyTable(title, first string, keys []string, list []tally, label func(string) string) page.CountTable {
	var rows []string
	cells := map[string]int64{}
	for _, x := range list {
		if _, known := cells[x.row+"\x00total"]; !known {
			rows = append(rows, x.row)
		}
		for _, at := range [][2]string{{x.row, x.column}, {x.row, "total"}, {"total", x.column}, {"total", "total"}} {
			cells[at[0]+"\x00"+at[1]] += x.n
		}
	}
	table := page.CountTable{Title: title, First: first}
	for _, key := range keys {
		table.Columns = append(table.Columns, label(key))
	}
	for i, name := range append(rows, "total") {
		row := page.CountRow{Name: name}
		if i == len(rows) {
			row.Name = "All"
		}
		for _, key := range append(keys[:len(keys):len(keys)], "total") {
			row.Cells = append(row.Cells, strconv.FormatInt(cells[name+"\x00"+key], 10))
		}
		table.Rows = append(table.Rows, row)
	}
	return table
}

// csvColumns are those of the table of requests.
var csvColumns = []string{
	"request_id", "site_id", "received_at", "state", "state_since", "reminder_at", "expires_at", "requested_use", "name", "company", "email",
	"email_check", "intended_use", "requested_scope", "budget", "timeline",
}

// inboxTable returns the list as CSV (RFC 4180), for spreadsheets: a field that
// a spreadsheet would take for a formula begins with an apostrophe.
func (s *Service) inboxTable(ctx context.Context, c *request.Call, link *origin.InboxLink) (*edge.Response, error) {
	f, err := s.inboxFilter(c, link)
	if err != nil {
		return nil, err
	}
	b := appendLine(nil, csvColumns)
	for n := 0; n < inboxTableSize; n += inboxPageSize {
		f.Limit = inboxPageSize
		rows, err := s.Inquiries.Store.RequestsOf(ctx, f.RequestFilter)
		if err != nil {
			return nil, err
		}
		for i := range rows {
			r := &rows[i]
			d := inquiry.DeadlinesOf(r)
			b = appendLine(b, []string{
				r.RequestID, r.SiteID, r.CreatedAt, inquiry.State(r.State).Visible(), r.StateSince, d.Reminder, d.Expires, r.RequestedUse, r.BuyerName,
				r.BuyerCompany, r.BuyerEmail, r.Letters, r.IntendedUse, r.RequestedScope, budgetWords(r), r.Timeline,
			})
		}
		if len(rows) < inboxPageSize {
			break
		}
		f.Before = rows[len(rows)-1].RequestID
	}
	return tableFile(inboxCSV, b), nil
}

// tableFile returns CSV as a file to save.
func tableFile(name string, b []byte) *edge.Response {
	resp := &edge.Response{Status: 200, Body: b}
	resp.Header.Set("content-type", "text/csv; charset=utf-8; header=present")
	resp.Header.Set("content-disposition", `attachment; filename="`+name+`"`)
	resp.Header.Set("cache-control", "private, no-store")
	resp.Header.Set("x-robots-tag", "noindex")
	return resp
}

func appendLine(b []byte, fields []string) []byte {
	for i, field := range fields {
		if i > 0 {
			b = append(b, ',')
		}
		if field != "" && strings.IndexByte("=+-@\t\r", field[0]) >= 0 {
			field = "'" + field
		}
		b = append(append(append(b, '"'), strings.ReplaceAll(field, `"`, `""`)...), '"')
	}
	return append(b, "\r\n"...)
}

// answerTemplates are texts that publishers often write.
var answerTemplates = []origin.Answer{
	{Act: string(inquiry.Text), Name: "thanks", Label: "Thanks, we are reviewing it", Text: "Dear {buyer},\n\nthank you for your inquiry. We will review it and reply here.\n\n{publisher}"},
	{Act: string(inquiry.Text), Name: "terms", Label: "Where our terms are", Text: "Dear {buyer},\n\nour standing offers and their terms are on our page in this directory. Tell us which of them fits, or what you would change.\n\n{publisher}"},
	{Act: string(inquiry.Question), Name: "scope", Label: "Which pages and how many", Text: "Dear {buyer},\n\nwhich pages or sections do you need, and about how many requests or answers a month do you expect?\n\n{publisher}"},
	{Act: string(inquiry.Question), Name: "audience", Label: "Who sees the results", Text: "Dear {buyer},\n\nwho will see what is made of our pages, in which countries, and is it public?\n\n{publisher}"},
	{Act: string(inquiry.IndicativeTerms), Name: "draft", Label: "What terms depend on", Text: "These figures are indicative and depend on the volume. A contract is made outside of this service."},
}

// IsBuiltInAnswer reports whether a text that every inbox offers has a name.
func IsBuiltInAnswer(name string) bool {
	return slices.ContainsFunc(answerTemplates, func(t origin.Answer) bool { return t.Name == name })
}

// answerText returns the chosen template, "" if none was chosen.
func (v *inboxView) answerText() string {
	for _, t := range v.texts {
		if t.Name == v.template && t.Act == string(v.open) {
			text := strings.ReplaceAll(t.Text, "{publisher}", v.site.Name)
			return strings.ReplaceAll(text, "{buyer}", cmp.Or(v.request.BuyerName, "buyer"))
		}
	}
	return ""
}

// answers returns the texts that a form may begin with.
func (v *inboxView) answers(path string, act inquiry.Act) []page.Link {
	var list []page.Link
	for _, t := range v.texts {
		if t.Act == string(act) {
			list = append(list, page.Link{Path: path + "?act=" + t.Act + "&template=" + t.Name + "#act-" + t.Act, Text: t.Label})
		}
	}
	return list
}
