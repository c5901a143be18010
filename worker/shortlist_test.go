package worker_test

import (
	"context"
	"fmt"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"colophon/exports"
	"colophon/internal/assert"
	"colophon/internal/credential"
	"colophon/internal/origin"
	"colophon/worker"
	"colophon/worker/edge"
)

// postForm submits a form as a browser does.
func (s *service) postForm(path string, form url.Values) *edge.Response {
	r := &edge.Request{Method: "POST", Path: path, ID: "rid_x", Remote: "192.0.2.7", Body: []byte(form.Encode())}
	r.Header.Set("content-type", "application/x-www-form-urlencoded")
	r.Header.Set("accept", "text/html")
	return s.handle(context.Background(), r)
}

// severalForm returns a form that asks several publishers.
func severalForm(publishers string) url.Values {
	return url.Values{
		"publishers": {publishers}, "requester_name": {"Ada Asker"}, "requester_email": {"ada@example.org"}, "intended_use": {"Grounding of answers"},
		"requested_scope": {"/tides/*"}, "message": {"What would the tide tables cost?"},
	}
}

var groupLink = regexp.MustCompile(`/conversation/#group=(grp_\w+)&amp;token=(cvt_[\w-]+)`)

// solveChallenge solves the challenge in a problem.
func solveChallenge(t *testing.T, r *edge.Response) string {
	t.Helper()
	nonce := regexp.MustCompile(`"nonce":"([^"]+)"`).FindStringSubmatch(string(r.Body))
	bits := regexp.MustCompile(`"difficulty":(\d+)`).FindStringSubmatch(string(r.Body))
	if r.Status != 403 || nonce == nil || bits == nil {
		t.Fatalf("no challenge: %d %s", r.Status, r.Body)
	}
	want, err := strconv.Atoi(bits[1])
	must(t, err)
	for n := range 1 << 22 {
		if leadingZeros(fmt.Sprint(nonce[1], ":", n)) >= want {
			return fmt.Sprint("nonce=", nonce[1], ";answer=", n)
		}
	}
	t.Fatal("no answer")
	return ""
}

// TestShortlist asks two publishers with one form: with a proof of work both
// have it at once, each in a separate conversation, and one link shows both.
func TestShortlist(t *testing.T) {
	s := newService(t, func(d *worker.Deps) { d.Letters = true })
	challenge := s.postForm(exports.PathShortlist, url.Values{"proof": {"wanted"}})
	if !strings.Contains(string(challenge.Body), `"difficulty":12`) { // two bits more than one inquiry
		t.Errorf("the challenge: %s", challenge.Body)
	}
	form := severalForm("harbor-ledger\r\nhttps://svc.example/publishers/quay-times/\r\n\r\nharbor-ledger")
	form.Set("proof", solveChallenge(t, challenge))
	sent := s.postForm(exports.PathShortlist, form)
	page := string(sent.Body)
	link := groupLink.FindStringSubmatch(page)
	if sent.Status != 201 || link == nil || !strings.Contains(page, "<h1>2 inquiries are sent</h1>") {
		t.Fatalf("%d %s", sent.Status, page)
	}
	rows, err := s.store.RequestsOf(t.Context(), origin.RequestFilter{GroupID: link[1], Limit: 10})
	must(t, err)
	if len(rows) != 2 || rows[0].State != "delivered" || rows[1].State != "delivered" || rows[0].SiteID == rows[1].SiteID || rows[0].ThreadID == rows[1].ThreadID {
		t.Fatalf("stored: %+v", rows)
	}

	overview := func() *edge.Response {
		return s.postForm(exports.PathConversationPage, url.Values{"group_id": {link[1]}, "token": {link[2]}})
	}
	if r := overview(); r.Status != 200 || !strings.Contains(string(r.Body), "<h1>2 conversations</h1>") || !strings.Contains(string(r.Body), "Quay Times") || !strings.Contains(string(r.Body), rows[0].ThreadID) {
		t.Errorf("the overview: %d %s", r.Status, r.Body)
	}
	if r := s.postForm(exports.PathConversationPage, url.Values{"thread_id": {rows[0].ThreadID}, "token": {link[2]}}); r.Status != 200 {
		t.Errorf("a conversation: %d %s", r.Status, r.Body)
	}
	for _, wrong := range []url.Values{
		{"group_id": {link[1]}, "token": {link[2] + "x"}}, {"group_id": {"grp_none"}, "token": {link[2]}}, {"group_id": {link[1]}},
	} {
		if r := s.postForm(exports.PathConversationPage, wrong); r.Status != 404 && r.Status != 401 || strings.Contains(string(r.Body), rows[0].ThreadID) {
			t.Errorf("%v is answered %d %s", wrong, r.Status, r.Body)
		}
	}

	// A conversation whose token was replaced leaves the overview.
	_, err = s.store.ReplaceToken(t.Context(), rows[0].ThreadID, rows[0].TokenHash, credential.Digest("cvt_other"), rows[0].TokenExpires)
	must(t, err)
	if r := overview(); r.Status != 200 || !strings.Contains(string(r.Body), "<h1>1 conversation</h1>") || strings.Contains(string(r.Body), rows[0].ThreadID) {
		t.Errorf("after another token: %d %s", r.Status, r.Body)
	}

	// The two share one letter that asks to confirm, and one confirmation
	// counts for both.
	letters := 0
	due, err := s.store.DueReceivers(t.Context(), origin.DueFilter{Kind: origin.ReceiverAsker, Now: exports.Instant(s.now().AddDate(0, 0, 1)), Mail: true, Limit: 10})
	must(t, err)
	for _, r := range due {
		events, err := s.store.DueEvents(t.Context(), r.WebhookID, exports.Instant(s.now().AddDate(0, 0, 1)), 10)
		must(t, err)
		letters += len(events)
	}
	assert.Equal(t, letters, 1, "letters ask to confirm")
	_, err = s.store.SetLetters(t.Context(), rows[1].RequestID, origin.LettersConfirmed, exports.Instant(s.now()))
	must(t, err)
	other, err := s.store.Request(t.Context(), rows[0].RequestID)
	must(t, err)
	assert.Equal(t, other.Letters, origin.LettersConfirmed, "the other")
}

// TestShortlistThatCannotBeSent checks that nothing is sent if one of the
// publishers does not exist, and that the form comes back with all input.
func TestShortlistThatCannotBeSent(t *testing.T) {
	s := newService(t)
	many := ""
	for i := range 21 {
		many += fmt.Sprint("site-", i, "\n")
	}
	for name, x := range map[string]struct{ publishers, says string }{
		"nobody":       {"harbor-ledger\nno-such-site", "no-such-site"},
		"closed":       {"harbor-ledger\nclosed-shop", "does not accept inquiries now"},
		"hidden":       {"hidden-site", "hidden-site"},
		"none":         {" \n", "Name at least one"},
		"twenty-one":   {many, "At most 20"},
		"hostile text": {`"><script>alert(1)</script>`, "matches no publisher"},
	} {
		r := s.postForm(exports.PathShortlist, severalForm(x.publishers))
		page := string(r.Body)
		if r.Status != 422 || !strings.Contains(page, x.says) || strings.Contains(page, "<script>alert") {
			t.Errorf("%s: %d %s", name, r.Status, page)
		}
		assert.Contains(t, name, page, "What would the tide tables cost?</textarea>", `value="ada@example.org"`)
	}
	rows, err := s.store.RequestsOf(t.Context(), origin.RequestFilter{Limit: 10})
	must(t, err)
	assert.Equal(t, len(rows), 0, "were sent")
}

// TestShortlistWithoutWorkIsHeld checks that a form from a browser without
// scripts is accepted and held for review, and that a proof which is too weak
// or spent counts as none.
func TestShortlistWithoutWorkIsHeld(t *testing.T) {
	s := newService(t)
	weak := solveChallenge(t, s.postForm(exports.PathLicensingRequest, url.Values{"proof": {"wanted"}}))
	for i, proof := range []string{"", "nonce=x;answer=1", weak} {
		form := severalForm("harbor-ledger, quay-times")
		form.Set("requester_email", fmt.Sprint("ada", i, "@example.org"))
		form.Set("proof", proof)
		r := s.postForm(exports.PathShortlist, form)
		if r.Status != 201 || !strings.Contains(string(r.Body), "<h1>2 inquiries are held for review</h1>") {
			t.Errorf("%q: %d %s", proof, r.Status, r.Body)
		}
	}
}

// TestShortlistPageIsFilledByALink checks that a link fills in the publishers
// that it names.
func TestShortlistPageIsFilledByALink(t *testing.T) {
	s := newService(t)
	r := s.handle(context.Background(), &edge.Request{Method: "GET", Path: exports.PathShortlist, Query: "publishers=harbor-ledger,quay-times&use=rag", ID: "rid_x"})
	page := string(r.Body)
	if r.Status != 200 || !strings.Contains(page, "harbor-ledger\nquay-times</textarea>") || !strings.Contains(page, `<option value="rag" selected`) {
		t.Errorf("%d %s", r.Status, page)
	}
}
