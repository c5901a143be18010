package main

import (
	"fmt"
	"io"
	"mime/quotedprintable"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-smtp"

	"colophon/internal/assert"
	"colophon/internal/cli"
	"colophon/internal/notify"
	"colophon/internal/notify/email/emailtest"
	"colophon/internal/notify/letter"
	"colophon/internal/origin"
	"colophon/internal/originsql"
	"colophon/internal/registrydir"
)

// TestLettersOfAnInquiry adds an e-mail receiver of a publisher and one of the
// operator, and follows their letters to the inbox. Letters repeat neither what
// was asked nor who asked.
func TestLettersOfAnInquiry(t *testing.T) {
	t.Parallel()
	o := newBuilt(t)
	server := emailtest.NewServer(t, "none")
	o.addSettings("[mail]\nserver = \"" + server.Config.Server + "\"\nsecurity = \"none\"\nfrom = \"notices@registry.example\"\n")
	base := serveProcess(t, o.dir).base
	o.no(exitUsage, "one e-mail address", "webhook", "add", "mailto:Desk <desk@harbor-ledger.example>", "--site", "harbor-ledger")
	o.no(exitUsage, "one e-mail address", "webhook", "add", "mailto:")
	o.no(1, "there is no publisher", "webhook", "add", "mailto:desk@nobody.example", "--site", "nobody")
	receiver := o.ok("webhook", "add", "mailto:desk@harbor-ledger.example", "--site", "harbor-ledger")
	o.ok("webhook", "add", "mailto:ops@registry.example")
	o.ok("webhook", "add", "mailto:desk@quay-times.example", "--site", "quay-times")

	request1 := o.submit("")
	letters := awaitLetters(t, server, 2)
	address := map[string]string{}
	for _, l := range letters {
		text := strings.ReplaceAll(string(l.Data), "=\r\n", "")
		address[l.To] = regexp.MustCompile(`https://registry\.example/inbox/ibx_[\w-]+/req_\w+`).FindString(text)
		for _, private := range []string{"r@example.org", "R. ", "Hello there.", "Grounding"} {
			if strings.Contains(text, private) {
				t.Errorf("the letter to %s repeats %q", l.To, private)
			}
		}
	}
	link, found := strings.CutPrefix(address["desk@harbor-ledger.example"], "https://registry.example")
	if !found || !strings.HasSuffix(link, "/"+request1) || address["ops@registry.example"] != "" || len(address) != 2 {
		t.Fatalf("the links are %v", address)
	}
	if r := sendRequest(t, "GET", base+link); r.StatusCode != http.StatusOK || !strings.Contains(string(r.body), "Hello there.") {
		t.Errorf("the link is answered %d %.200s", r.StatusCode, r.body)
	}
	token, _, _ := strings.Cut(strings.TrimPrefix(link, "/inbox/"), "/")
	for _, name := range []string{registrydir.OriginFile, registrydir.OriginFile + "-wal"} {
		if raw, err := os.ReadFile(filepath.Join(o.dir, name)); err == nil && strings.Contains(string(raw), token) {
			t.Errorf("%s holds the secret of the link", name)
		}
	}

	o.ok("publisher", "inbox-link", "harbor-ledger", "--revoke", "inb_"+strings.TrimPrefix(receiver, "whk_"))
	if r := sendRequest(t, "GET", base+link); r.StatusCode != http.StatusNotFound {
		t.Errorf("a link that was taken back is answered %d", r.StatusCode)
	}
	o.submit("")
	for _, l := range awaitLetters(t, server, 4)[2:] {
		if strings.Contains(string(l.Data), "/inbox/") {
			t.Errorf("after its link was taken back, %s gets another", l.To)
		}
	}
}

// awaitLetters waits until a server has n letters.
func awaitLetters(t *testing.T, server *emailtest.Server, n int) []emailtest.Letter {
	t.Helper()
	waitUntil(t, fmt.Sprintf("%d letters", n), func() bool { return len(server.Letters()) >= n })
	return server.Letters()
}

// TestLettersWaitForAServer adds a receiver by e-mail while no mail server is
// set: nothing fails, and other receivers are not delayed.
func TestLettersWaitForAServer(t *testing.T) {
	t.Parallel()
	o := newOperator(t)
	if _, _, errs := o.run("webhook", "add", "mailto:desk@harbor-ledger.example", "--site", "harbor-ledger"); !strings.Contains(errs, "has no [mail]") {
		t.Errorf("the operator is told %q", errs)
	}
	o.submit("")
	assert.Equal(t, o.ok("webhook", "send"), "0 sent, 0 failed", "without a server")
	server := emailtest.NewServer(t, "none")
	o.addSettings("[mail]\nserver = \"" + server.Config.Server + "\"\nsecurity = \"none\"\nfrom = \"notices@registry.example\"\n")
	if got := o.ok("webhook", "send"); got != "1 sent, 0 failed" || len(server.Letters()) != 1 {
		t.Errorf("with one: %s, %d letters", got, len(server.Letters()))
	}
}

func TestMailSettings(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"server = \"smtp.example\"": "not host:port",
		"server = \"smtp.example:25\"\nsecurity = \"none\"\nfrom = \"a@example.org\"":          "another machine",
		"server = \"smtp.example:587\"\nfrom = \"a@example.org\"\nuser = \"u\"":                "go together",
		"server = \"smtp.example:587\"\nfrom = \"a@example.org\"\npassword_file = \"nowhere\"": "password_file",
	} {
		o := newOperator(t)
		o.addSettings("[mail]\n" + text + "\n")
		o.no(1, want, "status")
	}
}

// addSettings appends to colophon.toml.
func (o operator) addSettings(text string) {
	o.Helper()
	path := filepath.Join(o.dir, registrydir.SettingsFile)
	before, err := os.ReadFile(path)
	if err != nil {
		o.Fatal(err)
	}
	if err := os.WriteFile(path, append(before, "\n"+text...), 0o600); err != nil {
		o.Fatal(err)
	}
}

// TestRevokedMailLinkStaysRevoked replaces the registry's secret: a valid link
// gets the new secret, and a revoked one stays revoked.
func TestRevokedMailLinkStaysRevoked(t *testing.T) {
	t.Parallel()
	o := newOperator(t)
	e := &cli.Env{Dir: registrydir.Dir{Path: o.dir}}
	err := e.WithStore(t.Context(), func(store *originsql.Store) error {
		m := notify.Message{Receiver: origin.Webhook{WebhookID: "whk_1", SiteID: "harbor-ledger"}}
		addressWith := func(secret string) string {
			links := letter.Links{Store: store, BaseURL: "https://registry.example", Secret: []byte(secret), Now: time.Now}
			address, err := links.FindAddress(t.Context(), m)
			must(t, err)
			return address
		}
		first, second := addressWith("one"), addressWith("two")
		if first == "" || second == "" || first == second {
			t.Errorf("the links are %q and %q", first, second)
		}
		o.ok("publisher", "inbox-link", "harbor-ledger", "--revoke", "inb_1")
		assert.Equal(t, addressWith("three"), "", "a revoked link came back as")
		return nil
	})
	must(t, err)
}

var (
	lettersLink = regexp.MustCompile(`https://registry\.example(/letters/req_\w+/[\w-]+)`)
	talkLink    = regexp.MustCompile(`https://registry\.example/conversation/#thread=(\w+)&token=(\w[\w-]+)`)
)

// textOf returns the plain text of a letter.
func textOf(t *testing.T, l emailtest.Letter) string {
	t.Helper()
	_, rest, _ := strings.Cut(string(l.Data), "text/plain")
	_, part, _ := strings.Cut(rest, "\r\n\r\n")
	part, _, _ = strings.Cut(part, "\r\n--")
	text, err := io.ReadAll(quotedprintable.NewReader(strings.NewReader(part)))
	must(t, err)
	return strings.ReplaceAll(string(text), "\r\n", "\n")
}

// postBody sends a body of some media type.
func postBody(t *testing.T, address, media, body string, header ...string) reply {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), "POST", address, strings.NewReader(body))
	must(t, err)
	req.Header.Set("content-type", media)
	for i := 0; i+1 < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	resp, err := client.Do(req)
	must(t, err)
	defer resp.Body.Close()
	got, err := io.ReadAll(resp.Body)
	must(t, err)
	return reply{resp, got}
}

// post sends a form.
func post(t *testing.T, address string, form url.Values) reply {
	t.Helper()
	return postBody(t, address, "application/x-www-form-urlencoded", form.Encode(), "accept", "text/html")
}

// TestLettersToWhoAsks follows an inquiry whose sender has an e-mail address:
// it is delivered at once and marked, opening the link confirms nothing but the
// form behind it does, an answer brings a link to the conversation and nothing
// that was said, and one click stops the letters.
func TestLettersToWhoAsks(t *testing.T) {
	t.Parallel()
	o := newBuilt(t)
	server := emailtest.NewServer(t, "none")
	o.addSettings("[mail]\nserver = \"" + server.Config.Server + "\"\nsecurity = \"none\"\nfrom = \"notices@registry.example\"\n")
	base := serveProcess(t, o.dir).base
	inbox := strings.TrimPrefix(strings.TrimSpace(o.ok("publisher", "inbox-link", "harbor-ledger")), "https://registry.example")

	sent := post(t, base+"/v1/public/licensing-request", url.Values{
		"site_id": {"harbor-ledger"}, "requester_name": {"Ada Asker"}, "requester_email": {"ada@example.org"}, "intended_use": {"Grounding of answers"},
		"requested_scope": {"/secret-plans/*"}, "message": {"What would the tide tables cost?"},
	})
	if sent.StatusCode != http.StatusCreated {
		t.Fatalf("the inquiry is answered %d %s", sent.StatusCode, sent.body)
	}
	asked := textOf(t, awaitLetters(t, server, 1)[0])
	if talkLink.MatchString(asked) {
		t.Errorf("an address that is not confirmed gets the conversation: %s", asked)
	}
	link := lettersLink.FindStringSubmatch(asked)
	if link == nil {
		t.Fatalf("no link in %s", asked)
	}
	requestID := regexp.MustCompile(`req_\w+`).FindString(link[1])
	atInbox := func(want string) {
		t.Helper()
		if page := sendRequest(t, "GET", base+inbox+"/"+requestID); !strings.Contains(string(page.body), "ada@example.org ("+want) {
			t.Errorf("the inbox does not say %q: %.3000s", want, page.body)
		}
	}
	if page := sendRequest(t, "GET", base+link[1]); page.StatusCode != http.StatusOK || !strings.Contains(string(page.body), "This is my address") {
		t.Errorf("the link is answered %d %s", page.StatusCode, page.body)
	}
	atInbox("not confirmed")
	if page := post(t, base+link[1]+"x", url.Values{"act": {"confirm"}}); page.StatusCode != http.StatusNotFound {
		t.Errorf("a wrong key is answered %d", page.StatusCode)
	}
	if page := post(t, base+link[1], url.Values{"act": {"confirm"}}); page.StatusCode != http.StatusOK || !strings.Contains(string(page.body), "The address is confirmed") {
		t.Errorf("the form is answered %d %s", page.StatusCode, page.body)
	}
	atInbox("confirmed by")

	if answer := post(t, base+inbox+"/"+requestID, url.Values{"act": {"question"}, "body": {"Which of the secret plans?"}}); answer.StatusCode != http.StatusOK && answer.StatusCode != http.StatusSeeOther {
		t.Fatalf("the publisher's question is answered %d %s", answer.StatusCode, answer.body)
	}
	told := awaitLetters(t, server, 2)[1]
	text := textOf(t, told)
	for _, private := range []string{"secret", "tide", "Ada", "Grounding"} {
		assert.Lacks(t, "the letter repeats", string(told.Data), private)
	}
	talk := talkLink.FindStringSubmatch(text)
	if told.To != "ada@example.org" || talk == nil {
		t.Fatalf("to %s: %s", told.To, text)
	}
	thread := base + "/v1/public/licensing-conversations/" + talk[1]
	if got := sendRequest(t, "GET", thread, "x-conversation-token", talk[2]); got.StatusCode != http.StatusOK || !strings.Contains(string(got.body), "Which of the secret plans?") {
		t.Errorf("the link of the letter is answered %d %s", got.StatusCode, got.body)
	}

	if page := post(t, base+link[1], url.Values{"List-Unsubscribe": {"One-Click"}}); page.StatusCode != http.StatusOK {
		t.Errorf("one click is answered %d %s", page.StatusCode, page.body)
	}
	post(t, base+inbox+"/"+requestID, url.Values{"act": {"text"}, "body": {"One more thing."}})
	o.ok("webhook", "send")
	if letters := server.Letters(); len(letters) != 2 {
		t.Errorf("after the end there are %d letters", len(letters))
	}
	rotated := postBody(t, thread+"/messages", "application/json", `{"kind":"rotate_token"}`, "x-conversation-token", talk[2])
	if got := sendRequest(t, "GET", thread, "x-conversation-token", talk[2]); rotated.StatusCode != http.StatusCreated || got.StatusCode == http.StatusOK {
		t.Errorf("a new token is answered %d, then the link of the letter %d", rotated.StatusCode, got.StatusCode)
	}
}

// TestFailedLetters makes an SMTP server refuse the addresses of a publisher,
// of the operator and of a requester: the letters are given up at once and
// listed without an address or text, and can be sent again, one or all.
func TestFailedLetters(t *testing.T) {
	t.Parallel()
	o := newOperator(t)
	server := emailtest.NewServer(t, "none")
	o.addSettings("[mail]\nserver = \"" + server.Config.Server + "\"\nsecurity = \"none\"\nfrom = \"notices@registry.example\"\n")
	o.ok("webhook", "add", "mailto:service@harbor-ledger.example", "--site", "harbor-ledger")
	o.ok("webhook", "add", "mailto:ops@registry.example")
	requestID := o.ask("ada@example.org")

	server.Refuse = &smtp.SMTPError{Code: 550, EnhancedCode: smtp.EnhancedCode{5, 1, 1}, Message: "no such mailbox"}
	_, sent, log := o.run("webhook", "send")
	if !strings.Contains(sent, "0 sent, 3 failed") {
		t.Fatalf("a server that refuses: %s %s", sent, log)
	}
	var list notify.LetterListing
	o.data(&list, "letter", "list")
	receivers := map[string]notify.Letter{}
	for _, l := range list.Letters {
		receivers[l.To] = l
		if l.State != "failed" || l.Attempts != 1 || !strings.Contains(l.LastError, "550") || l.RequestID != requestID {
			t.Errorf("listed as %+v", l)
		}
	}
	if len(list.Letters) != 3 || len(receivers) != 3 || receivers["asker"].Kind != "letter.confirm" || receivers["publisher"].SiteID != "harbor-ledger" || receivers["asker"].Receiver != requestID {
		t.Fatalf("listed are %+v", list)
	}
	for _, text := range []string{log, o.ok("letter", "list"), o.ok("letter", "list", "--json")} {
		assert.Lacks(t, "the text", text, "ada@", "service@", "ops@", "tide", "Ada")
	}

	server.Refuse = nil
	assert.Equal(t, o.ok("webhook", "send"), "0 sent, 0 failed", "what was given up is sent by itself")
	o.no(1, "no letter of \"evt_nothing\" is undelivered", "letter", "retry", "evt_nothing")
	o.no(exitUsage, "name an EVENT_ID or --all", "letter", "retry")
	o.no(exitUsage, "name an EVENT_ID or --all", "letter", "retry", "evt_x", "--all")
	o.no(exitUsage, "name an EVENT_ID or --all", "letter", "retry", "")
	if got := o.ok("letter", "retry", receivers["asker"].EventID); !strings.HasPrefix(got, "1 letters wait again: 0 to publishers and operators, 1 ") {
		t.Errorf("one letter: %s", got)
	}
	if got := o.ok("webhook", "send"); got != "1 sent, 0 failed" || server.Letters()[0].To != "ada@example.org" {
		t.Errorf("one letter: %s, %+v", got, server.Letters())
	}
	if got := o.ok("letter", "retry", "--all"); !strings.HasPrefix(got, "2 letters wait again: 2 ") {
		t.Errorf("all letters: %s", got)
	}
	if got := o.ok("webhook", "send"); got != "2 sent, 0 failed" || len(server.Letters()) != 3 {
		t.Errorf("all letters: %s, %d", got, len(server.Letters()))
	}
	assert.Equal(t, o.ok("letter", "list"), "", "once all were sent, listed")
	var all notify.LetterListing
	if o.data(&all, "letter", "list", "--all", "--limit", "2"); len(all.Letters) != 2 || !all.Cut {
		t.Errorf("two of three: %+v", all)
	}
}

// TestRetriedLettersLast checks that a letter which is sent again has five days
// again, and that a requester who wants no e-mails gets none.
func TestRetriedLettersLast(t *testing.T) {
	t.Parallel()
	o := newOperator(t)
	first, second := o.ask("ada@example.org"), o.ask("bob@example.org")
	e := &cli.Env{Dir: registrydir.Dir{Path: o.dir}}
	err := e.WithStore(t.Context(), func(store *originsql.Store) error {
		for _, id := range []string{first, second} {
			if n, err := store.FailOldEvents(t.Context(), id, "2099-01-01T00:00:00Z", "answered 503"); err != nil || n != 1 {
				t.Fatal(n, err)
			}
		}
		if _, err := store.SetLetters(t.Context(), second, origin.LettersEnded, "2026-11-23T09:00:00Z"); err != nil {
			return err
		}
		if _, n, err := store.RetryLetters(t.Context(), "", "2098-01-01T00:00:00Z"); err != nil || n != 1 {
			t.Errorf("%d letters wait again: %v", n, err)
		}
		if n, err := store.FailOldEvents(t.Context(), first, "2097-01-01T00:00:00Z", "answered 503"); err != nil || n != 0 {
			t.Errorf("%d letters are given up at once: %v", n, err)
		}
		n, err := store.FailOldEvents(t.Context(), first, "2098-01-02T00:00:00Z", "answered 503")
		assert.Equal(t, n, 1, "letters are given up in the end")
		return err
	})
	must(t, err)
}

// ask stores an inquiry whose sender is asked to confirm the address.
func (o operator) ask(address string) (requestID string) {
	o.Helper()
	e := &cli.Env{Dir: registrydir.Dir{Path: o.dir}}
	err := e.WithStore(o.Context(), func(store *originsql.Store) error {
		service := cli.NewInquiryService(store)
		r, _, err := service.Submit(o.Context(), origin.Request{SiteID: "harbor-ledger", Channel: "public", BuyerName: "Ada Asker", BuyerEmail: address, IntendedUse: "Grounding",
			RequestedScope: "/tide/*", Message: "What would the tide tables cost?", BudgetCents: -1, TermMonths: -1, TokenHash: address, Letters: origin.LettersUnconfirmed})
		if err != nil {
			return err
		}
		requestID = r.RequestID
		return service.Deliver(o.Context(), r)
	})
	if err != nil {
		o.Fatal(err)
	}
	return requestID
}

// TestAnswerCommand checks the limits of a publisher's answer templates.
func TestAnswerCommand(t *testing.T) {
	t.Parallel()
	o := newOperator(t)
	set := func(args ...string) []string { return append([]string{"answer", "set"}, args...) }
	o.no(1, "there is no publisher", set("nobody", "volume", "--label", "How much", "--body", "x")...)
	for want, args := range map[string][]string{
		"NAME is":                 {"harbor-ledger", "Volume", "--label", "How much", "--body", "x"},
		"built-in template":       {"harbor-ledger", "thanks", "--label", "How much", "--body", "x"},
		"--label is needed":       {"harbor-ledger", "volume", "--body", "x"},
		"--act is":                {"harbor-ledger", "volume", "--label", "How much", "--body", "x", "--act", "decline"},
		"has 0 characters":        {"harbor-ledger", "volume", "--label", "How much", "--body", " "},
		"has 2001 characters":     {"harbor-ledger", "volume", "--label", "How much", "--act", "indicative_terms", "--body", strings.Repeat("x", 2001)},
		"exclude each other":      {"harbor-ledger", "volume", "--label", "How much", "--body", "x", "--body-file", "y"},
		"at most 60 characters":   {"harbor-ledger", "volume", "--label", strings.Repeat("x", 61), "--body", "x"},
		"characters, without":     {"harbor-ledger", "volume", "--label", "a|b", "--body", "x"},
		"one line of at most 60 ": {"harbor-ledger", "volume", "--label", "a\nb", "--body", "x"},
	} {
		o.no(exitUsage, want, set(args...)...)
	}
	for i := range 20 {
		o.ok(set("harbor-ledger", "text-"+string(rune('a'+i)), "--label", "Text", "--body", "Dear {buyer}")...)
	}
	o.no(1, "20 texts already", set("harbor-ledger", "more", "--label", "More", "--body", "x")...)
	o.ok(set("harbor-ledger", "text-a", "--label", "Other", "--act", "question", "--body", "Why?")...)
	o.no(1, "has no text", "answer", "remove", "harbor-ledger", "more")
	o.ok("answer", "remove", "harbor-ledger", "text-b")
	var list struct{ Answers []origin.Answer }
	o.data(&list, "answer", "list", "harbor-ledger")
	if len(list.Answers) != 20-1 || list.Answers[0] != (origin.Answer{Name: "text-a", Act: "question", Label: "Other", Text: "Why?"}) || list.Answers[1].Name != "text-c" {
		t.Errorf("listed are %+v", list.Answers)
	}
}
