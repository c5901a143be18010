package inbox

import (
	"cmp"
	"context"
	"errors"
	"strconv"
	"strings"

	"colophon/exports"
	"colophon/internal/credential"
	"colophon/internal/inquiry"
	"colophon/internal/origin"
	"colophon/worker/edge"
	"colophon/worker/page"
	"colophon/worker/problem"
	"colophon/worker/request"
)

// Page answers with the page on which the owner of an e-mail address
// chooses which letters to receive. Its address is in each letter:
//
//	GET  /letters/<receiver>/<key>    what is sent now, and the choices
//	POST /letters/<receiver>/<key>    a choice, or the one click of a mail program (RFC 8058)
//
// A receiver is the id of a request, for its sender, or of a webhook. A GET
// changes nothing, because mail scanners follow links.
func (s *Letters) Page(ctx context.Context, c *request.Call) (*edge.Response, error) {
	if s.Receivers == nil || len(s.Secret) == 0 {
		return nil, problem.Unavailable()
	}
	receiver, key, _ := strings.Cut(c.Params["link"], "/")
	l, err := s.findLetters(ctx, receiver, key)
	if err != nil {
		return nil, s.Limits.Refuse(ctx, c.Remote, err)
	}
	return s.Limits.Answer(ctx, receiver, []string{c.Endpoint.Limits}, func() (*edge.Response, error) { return s.handleLetters(ctx, c, l) })
}

// letters are the letters that an address receives about a request or a
// webhook.
type letters struct {
	request *origin.Request // nil: of a webhook
	hook    origin.Webhook
	name    string // of the publisher, "" all
}

// findLetters returns what a link is about. A wrong key and an unknown receiver
// are answered alike.
func (s *Letters) findLetters(ctx context.Context, receiver, key string) (*letters, error) {
	var l letters
	var address string
	var err error
	if l.hook, err = s.Receivers.Webhook(ctx, receiver); err == nil {
		address, _ = strings.CutPrefix(l.hook.URL, "mailto:")
	} else if errors.Is(err, origin.ErrNotFound) {
		var r origin.Request
		r, err = s.Inquiries.Store.Request(ctx, receiver)
		l.request = &r
		l.hook.SiteID = r.SiteID
		address = r.BuyerEmail
	}
	want := inquiry.LetterKey(s.Secret, receiver, address)
	same := credential.Same(want, key)
	switch {
	case err != nil && !errors.Is(err, origin.ErrNotFound):
		return nil, err
	case err != nil, !same, address == "", l.request != nil && l.request.Letters == origin.LettersNone:
		return nil, problem.New("not_found", "")
	}
	if l.hook.SiteID != "" {
		site, err := s.Sites.Site(ctx, l.hook.SiteID)
		if err != nil {
			return nil, err
		}
		l.name = site.Name
	}
	return &l, nil
}

func (s *Letters) handleLetters(ctx context.Context, c *request.Call, l *letters) (*edge.Response, error) {
	if c.Method == "POST" {
		act, err := lettersAct(c)
		if err != nil {
			return nil, err
		}
		if err := s.setLetters(ctx, l, act); err != nil {
			return nil, err
		}
	}
	if l.request == nil {
		return s.Pages.Respond(ctx, 200, "E-mails", page.Letters(receiverLetters(l))), nil
	}
	v, err := s.askerLetters(ctx, l)
	if err != nil {
		return nil, err
	}
	return s.Pages.Respond(ctx, 200, "E-mails", page.Letters(v)), nil
}

// lettersAct returns the act that a POST asks for. Mail programs may send
// multipart forms.
func lettersAct(c *request.Call) (string, error) {
	if c.BodyType() == "multipart/form-data" {
		if strings.Contains(string(c.Body), "One-Click") {
			return "end", nil
		}
		return "", problem.New("unsupported_media_type", "Content-Type must be application/x-www-form-urlencoded.")
	}
	f, err := c.ParseForm(exports.MaxMessage)
	if err != nil {
		return "", err
	}
	name, value, _ := strings.Cut(exports.OneClick, "=")
	if f.Get(name) == value {
		return "end", nil
	}
	return f.Get("act"), nil
}

// setLetters makes a choice.
func (s *Letters) setLetters(ctx context.Context, l *letters, act string) error {
	now := exports.Instant(s.Inquiries.Now())
	if l.request != nil {
		var to string
		switch act {
		case "confirm":
			to = origin.LettersConfirmed
		case "end":
			to = origin.LettersEnded
		default:
			return problem.Reject("/act", "not_in_list", "This cannot be done here.")
		}
		_, err := s.Inquiries.Store.SetLetters(ctx, l.request.RequestID, to, now)
		if err == nil {
			l.request.Letters = to
		}
		return err
	}
	hook := l.hook
	switch act {
	case "each", "daily":
		hook.State, hook.Digest = "active", act == "daily"
	case "end":
		hook.State = "paused"
	default:
		return problem.Reject("/act", "not_in_list", "This cannot be done here.")
	}
	hook.ChangedAt = now
	l.hook = hook
	return s.Receivers.PutWebhook(ctx, hook)
}

// askerLetters shows which letters the sender of an inquiry receives.
func (s *Letters) askerLetters(ctx context.Context, l *letters) (page.LettersPage, error) {
	to := "the inquiry to " + l.name
	if l.request.GroupID != "" {
		n, err := s.Inquiries.Store.CountRequests(ctx, origin.RequestFilter{GroupID: l.request.GroupID})
		if err != nil {
			return page.LettersPage{}, err
		}
		if n > 1 {
			to = strconv.FormatInt(n, 10) + " inquiries that were sent together, one of them to " + l.name
		}
	}
	switch l.request.Letters {
	case origin.LettersConfirmed:
		return page.LettersPage{
			Status: "The address is confirmed.",
			Text:   "It gets an e-mail when there is an answer to " + to + ", and before a deadline passes.",
			Acts:   []page.LettersAct{{Act: "end", Label: "Stop e-mails"}},
		}, nil
	case origin.LettersEnded:
		return page.LettersPage{
			Status: "No more e-mails are sent.",
			Text:   "Your private link still opens the conversation.",
			Acts:   []page.LettersAct{{Act: "confirm", Label: "Send e-mails again"}},
		}, nil
	}
	return page.LettersPage{
		Text: "Someone, presumably you, sent " + to + " with the e-mail address that got this link.",
		Acts: []page.LettersAct{{Act: "confirm", Label: "This is my address: send e-mails", Main: true}, {Act: "end", Label: "Send no e-mails"}},
	}, nil
}

// receiverLetters shows which letters a publisher or an operator receives.
func receiverLetters(l *letters) page.LettersPage {
	of := cmp.Or(l.name, "all publishers")
	v := page.LettersPage{
		Status: "You get one e-mail for each notice.",
		Text:   "These e-mails are about licensing inquiries to " + of + ". The inbox has all inquiries, whatever you choose here.",
	}
	switch {
	case l.hook.State != "active":
		v.Status = "No e-mails are sent."
	case l.hook.Digest:
		v.Status = "At most one e-mail a day, with everything that happened."
	}
	if l.hook.State != "active" || l.hook.Digest {
		v.Acts = append(v.Acts, page.LettersAct{Act: "each", Label: "One e-mail for each notice"})
	}
	if l.hook.State != "active" || !l.hook.Digest {
		v.Acts = append(v.Acts, page.LettersAct{Act: "daily", Label: "At most one e-mail a day"})
	}
	if l.hook.State == "active" {
		v.Acts = append(v.Acts, page.LettersAct{Act: "end", Label: "No e-mails"})
	}
	return v
}
