package intake

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"colophon/exports"
	"colophon/internal/credential"
	"colophon/internal/inquiry"
	"colophon/internal/listing"
	"colophon/internal/origin"
	"colophon/internal/prose"
	"colophon/internal/staticindex"
	"colophon/templates/content"
	"colophon/worker/edge"
	"colophon/worker/page"
	"colophon/worker/problem"
	"colophon/worker/request"
	"colophon/worker/shell"
)

// maxShortlist is how many publishers one form may ask.
const maxShortlist = 20

// sharedCall is how many publishers of one form count as one request of their
// caller.
const sharedCall = 5

// fieldPublishers is the field of the form that lists the publishers to ask,
// one per line.
const fieldPublishers = "publishers"

// ShortlistPage answers with the form that asks several publishers the same:
//
//	GET  /shortlist/?publishers=a,b    the form with these publishers
//	POST /shortlist/                   an inquiry to each, all with one token
func (s *Forms) ShortlistPage(ctx context.Context, c *request.Call) (*edge.Response, error) {
	asked, err := request.ParseQuestion(c.Query, fieldPublishers, "resource", "use")
	if err != nil {
		return nil, err
	}
	use, _, _ := exports.ParseUse(asked.Get("use"))
	typed := request.Values{
		{fieldPublishers, strings.Join(splitPublishers(prose.Clean(asked.Get(fieldPublishers), 2000)), "\n")},
		{"requested_scope", prose.Clean(asked.Get("resource"), 2000)}, {"requested_use", string(use)},
	}
	return s.Pages.Answer(ctx, c, 200, exports.PathShortlist, content.Shortlist(content.Filled{Typed: typed}))
}

// Shortlist answers a form that asks several publishers.
func (s *Forms) Shortlist(ctx context.Context, c *request.Call) (*edge.Response, error) {
	return s.Limits.Answer(ctx, "request "+s.Limits.CallerKey(c.Remote), []string{c.Endpoint.Limits}, func() (*edge.Response, error) { return s.sendShortlist(ctx, c) })
}

// sendShortlist sends one inquiry to each publisher, or none when one of them
// cannot be asked.
func (s *Forms) sendShortlist(ctx context.Context, c *request.Call) (*edge.Response, error) {
	f, err := c.ParseForm(exports.MaxBody)
	if err != nil {
		return nil, err
	}
	if f.Get("proof") == proofWanted {
		return nil, s.Spam.newChallenge(groupBits)
	}
	sent, err := s.submitShortlist(ctx, c, f)
	if err != nil {
		fault := problem.Of(err)
		if fault == nil {
			return nil, err
		}
		failed := shell.FailedForm{Form: f, Fault: fault}
		return s.Pages.FormAgain(ctx, c.Request, exports.PathShortlist, fault, content.Shortlist(failed.Filled())), nil
	}
	title := prose.Counted(int64(len(sent.done)), "inquiry is", "inquiries are") + " sent"
	if sent.done[0].request.HeldFor != "" {
		title = prose.Counted(int64(len(sent.done)), "inquiry is", "inquiries are") + " held for review"
	}
	resp := s.Pages.Respond(ctx, 201, title, page.Shortlist(s.shortlistReceipt(sent)))
	resp.Header = append(resp.Header, sent.header...)
	return resp, nil
}

// shortlist is the result of a form to several publishers.
type shortlist struct {
	group  string
	token  string
	done   []submitted
	failed []string // publishers that received none, and why
	header edge.Header
}

func (s *Forms) submitShortlist(ctx context.Context, c *request.Call, f request.Values) (*shortlist, error) {
	if err := s.Ready(); err != nil {
		return nil, err
	}
	sites, err := s.resolvePublishers(ctx, f.Get(fieldPublishers))
	if err != nil {
		return nil, err
	}
	first, err := s.readForm(c, f, sites[0])
	if err != nil {
		return nil, err
	}
	sent := &shortlist{}
	if sent.group, sent.token, err = s.newGroup(); err != nil {
		return nil, err
	}
	doubt, err := s.Spam.countShortlist(ctx, c, first, len(sites), &sent.header)
	if err != nil {
		return nil, err
	}
	letters, err := s.chooseLetters(ctx, first)
	if err != nil {
		return nil, err
	}
	for _, site := range sites {
		sub, err := s.readForm(c, f, site)
		if err != nil {
			return nil, err
		}
		sub.group = sent.group
		sub.token = sent.token
		sub.counted = true
		sub.letters = letters
		sub.doubt = cmp.Or(sub.doubt, doubt)
		done, err := s.submitPublic(ctx, c, sub)
		if fault := problem.Of(err); fault != nil && exports.KindOf(fault.Code).Status < 500 {
			sent.failed = append(sent.failed, site+": "+strings.TrimSpace(exports.KindOf(fault.Code).Title+" "+fault.Detail))
			continue
		}
		if err != nil {
			return nil, err
		}
		sent.done = append(sent.done, done)
	}
	if len(sent.done) == 0 {
		return nil, problem.Reject("/"+fieldPublishers, "not_sent", strings.Join(sent.failed, " "))
	}
	return sent, nil
}

// newGroup returns the id of what is sent together, and the token of all its
// conversations.
func (s *Forms) newGroup() (id, token string, err error) {
	if id, err = s.Inquiries.NewID(exports.PrefixGroup); err != nil {
		return "", "", err
	}
	token, err = credential.Conversation.New(s.Inquiries.Rand)
	return id, token, err
}

// splitPublishers splits a list of publishers, one per line or separated by
// commas.
func splitPublishers(text string) []string {
	var out []string
	for _, line := range strings.Split(strings.ReplaceAll(text, ",", "\n"), "\n") {
		line = strings.TrimSpace(line)
		if i := strings.Index(line, exports.PathPublishersPage); i >= 0 {
			line, _, _ = strings.Cut(line[i+len(exports.PathPublishersPage):], "/")
		}
		if line != "" && !slices.Contains(out, line) {
			out = append(out, line)
		}
	}
	return out
}

// resolvePublishers returns the publishers of a list. All of them must exist
// and take inquiries.
func (s *Forms) resolvePublishers(ctx context.Context, text string) ([]string, error) {
	lines := splitPublishers(text)
	switch {
	case len(lines) == 0:
		return nil, problem.Reject("/"+fieldPublishers, "required", "Name at least one publisher.")
	case len(lines) > maxShortlist:
		return nil, problem.Reject("/"+fieldPublishers, "too_many", "At most "+strconv.Itoa(maxShortlist)+" publishers at once; these are "+strconv.Itoa(len(lines))+".")
	}
	var sites, wrong []string
	for _, line := range lines {
		site, err := s.resolvePublisher(ctx, line)
		switch {
		case errors.Is(err, errNoSite):
			wrong = append(wrong, "“"+line+"” matches no publisher, or more than one.")
		case errors.Is(err, errSiteClosed):
			wrong = append(wrong, "“"+line+"” does not accept inquiries now.")
		case err != nil:
			return nil, err
		case !slices.Contains(sites, site):
			sites = append(sites, site)
		}
	}
	if wrong != nil {
		return nil, problem.Reject("/"+fieldPublishers, "site_not_found", strings.Join(wrong, " "))
	}
	return sites, nil
}

// resolvePublisher returns a publisher by its id, or by words that match only
// it.
func (s *Forms) resolvePublisher(ctx context.Context, line string) (string, error) {
	if id := strings.ToLower(line); exports.ValidSiteID(id) {
		err := s.openSite(ctx, id)
		if !errors.Is(err, errNoSite) {
			return id, err
		}
	}
	found, err := s.Catalog.PartnerCatalog(ctx, staticindex.Ask{Q: line, Limit: "5"}, listing.PublisherFilter{})
	if err != nil {
		return "", err
	}
	match := ""
	for i := range found.Data {
		if strings.EqualFold(found.Data[i].Name, line) || len(found.Data) == 1 {
			match = found.Data[i].SiteID
		}
	}
	if match == "" {
		return "", errNoSite
	}
	return match, s.openSite(ctx, match)
}

// shortlistReceipt shows what was sent, and the one link to all of it.
func (s *Forms) shortlistReceipt(sent *shortlist) page.ShortlistPage {
	first := &sent.done[0].request
	v := page.ShortlistPage{
		Held: first.HeldFor != "", Failed: sent.failed, Path: exports.PathConversationPage, GroupID: sent.group, Token: sent.token,
		Keep: s.linkToKeep("#group="+sent.group+"&token="+sent.token, first),
	}
	for i := range sent.done {
		r := &sent.done[i].request
		v.Sent = append(v.Sent, page.ShortlistRow{Path: exports.PublisherPage(r.SiteID), SiteID: r.SiteID, RequestID: r.RequestID})
	}
	return v
}

// linkToKeep returns a private link to a conversation. Its secret is in the
// fragment, which is never sent to a server.
func (s *Forms) linkToKeep(fragment string, r *origin.Request) page.PrivateLink {
	path := exports.PathConversationPage + fragment
	return page.PrivateLink{Path: path, Address: s.Pages.BaseURL + path, Letters: letterWords(r)}
}

// groupPage answers with the overview of what was sent together, for the holder
// of the original token. A conversation whose token was replaced is no longer
// in it.
func (s *Forms) groupPage(ctx context.Context, c *request.Call, groupID, token string) (*edge.Response, error) {
	rows, err := s.openGroup(ctx, groupID, token)
	if err != nil {
		return nil, s.Limits.Refuse(ctx, c.Remote, err)
	}
	return s.Limits.Answer(ctx, groupID, []string{"thread"}, func() (*edge.Response, error) {
		listed := make([]page.TalkRow, len(rows))
		for i := range rows {
			if listed[i], err = s.groupRow(ctx, &rows[i], token); err != nil {
				return nil, err
			}
		}
		return s.Pages.Respond(ctx, 200, prose.Counted(int64(len(rows)), "conversation", "conversations"), page.Talks(listed)), nil
	})
}

// openGroup finds the requests of a group that a token opens, oldest first.
func (s *Forms) openGroup(ctx context.Context, groupID, token string) ([]origin.Request, error) {
	if err := s.Ready(); err != nil {
		return nil, err
	}
	if token == "" {
		return nil, problem.New("thread_not_found", "")
	}
	all, err := s.Inquiries.Store.RequestsOf(ctx, origin.RequestFilter{GroupID: groupID, Limit: maxShortlist})
	if err != nil {
		return nil, err
	}
	hash, now := credential.Digest(token), exports.Instant(s.Inquiries.Now())
	var rows []origin.Request
	for i := len(all) - 1; i >= 0; i-- {
		if credential.Same(all[i].TokenHash, hash) && all[i].TokenExpires > now {
			rows = append(rows, all[i])
		}
	}
	if len(rows) == 0 {
		return nil, problem.New("thread_not_found", "")
	}
	return rows, nil
}

func (s *Forms) groupRow(ctx context.Context, r *origin.Request, token string) (page.TalkRow, error) {
	site, err := s.Sites.Site(ctx, r.SiteID)
	if err != nil {
		return page.TalkRow{}, err
	}
	changed := r.CreatedAt
	if inquiry.State(r.State).AtPublisher() {
		changed = r.UpdatedAt
	}
	return page.TalkRow{
		Path: exports.PublisherPage(r.SiteID), Publisher: cmp.Or(prose.Clean(site.Name, 120), r.SiteID), Site: site.Name,
		State: page.StateWords(inquiry.State(r.State).Visible()), Changed: prose.Moment(changed),
		Form: page.TalkForm{Path: exports.PathConversationPage, ThreadID: r.ThreadID, Token: token},
	}, nil
}
