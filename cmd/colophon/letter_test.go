package main

import (
	"strings"
	"testing"

	"github.com/emersion/go-smtp"

	"colophon/internal/assert"
	"colophon/internal/cli"
	"colophon/internal/notify"
	"colophon/internal/notify/email/emailtest"
	"colophon/internal/origin"
	"colophon/internal/originsql"
	"colophon/internal/registrydir"
)

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
