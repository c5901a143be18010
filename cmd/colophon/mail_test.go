package main

import (
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"colophon/internal/notify"
	"colophon/internal/notify/email/emailtest"
	"colophon/internal/origin"
	"colophon/internal/originsql"
)

// TestLettersOfAnInquiry adds an e-mail receiver of a publisher and one of the
// operator, and follows what they get to the inbox. Letters repeat nothing of
// what was asked, or who asked.
func TestLettersOfAnInquiry(t *testing.T) {
	o := newOperator(t)
	o.ok("build")
	server := emailtest.NewServer(t, "none")
	o.addSettings("[mail]\nserver = \"" + server.Config.Server + "\"\nsecurity = \"none\"\nfrom = \"notices@registry.example\"\n")
	_, base, _ := serveProcess(t, o.dir)
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
	if r := request(t, "GET", base+link); r.StatusCode != http.StatusOK || !strings.Contains(string(r.body), "Hello there.") {
		t.Errorf("the link is answered %d %.200s", r.StatusCode, r.body)
	}
	token, _, _ := strings.Cut(strings.TrimPrefix(link, "/inbox/"), "/")
	for _, name := range []string{originFile, originFile + "-wal"} {
		if raw, err := os.ReadFile(filepath.Join(o.dir, name)); err == nil && strings.Contains(string(raw), token) {
			t.Errorf("%s holds the secret of the link", name)
		}
	}

	o.ok("publisher", "inbox-link", "harbor-ledger", "--revoke", "inb_"+strings.TrimPrefix(receiver, "whk_"))
	if r := request(t, "GET", base+link); r.StatusCode != http.StatusNotFound {
		t.Errorf("a link that was taken back is answered %d", r.StatusCode)
	}
	o.submit("")
	for _, l := range awaitLetters(t, server, 4)[2:] {
		if strings.Contains(string(l.Data), "/inbox/") {
			t.Errorf("after its link was taken back, %s gets another", l.To)
		}
	}
}

// awaitLetters waits until a server has n letters, for half a minute at most.
func awaitLetters(t *testing.T, server *emailtest.Server, n int) []emailtest.Letter {
	t.Helper()
	for range 300 {
		if letters := server.Letters(); len(letters) >= n {
			return letters
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Fatalf("there are %d letters, not %d", len(server.Letters()), n)
	return nil
}

// TestLettersWaitForAServer adds a receiver by e-mail where no server for it is
// set: nothing fails, and other receivers are not held up.
func TestLettersWaitForAServer(t *testing.T) {
	o := newOperator(t)
	if _, _, errs := o.run("webhook", "add", "mailto:desk@harbor-ledger.example", "--site", "harbor-ledger"); !strings.Contains(errs, "has no [mail]") {
		t.Errorf("the operator is told %q", errs)
	}
	o.submit("")
	if got := o.ok("webhook", "send"); got != "0 sent, 0 failed" {
		t.Errorf("without a server: %s", got)
	}
	server := emailtest.NewServer(t, "none")
	o.addSettings("[mail]\nserver = \"" + server.Config.Server + "\"\nsecurity = \"none\"\nfrom = \"notices@registry.example\"\n")
	if got := o.ok("webhook", "send"); got != "1 sent, 0 failed" || len(server.Letters()) != 1 {
		t.Errorf("with one: %s, %d letters", got, len(server.Letters()))
	}
}

func TestMailSettings(t *testing.T) {
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
	path := filepath.Join(o.dir, settingsFile)
	before, err := os.ReadFile(path)
	if err != nil {
		o.Fatal(err)
	}
	if err := os.WriteFile(path, append(before, "\n"+text...), 0o600); err != nil {
		o.Fatal(err)
	}
}

// TestRevokedMailLinkStaysRevoked replaces the secret of the registry: a link in
// force gets the new secret, one that was taken back stays so.
func TestRevokedMailLinkStaysRevoked(t *testing.T) {
	o := newOperator(t)
	e := &env{dir: o.dir}
	err := e.withStore(t.Context(), func(store *originsql.Store) error {
		m := notify.Message{Receiver: origin.Webhook{WebhookID: "whk_1", SiteID: "harbor-ledger"}}
		addressWith := func(secret string) string {
			links := mailLinks{store: store, baseURL: "https://registry.example", secret: []byte(secret), now: time.Now}
			address, err := links.findAddress(t.Context(), m)
			if err != nil {
				t.Fatal(err)
			}
			return address
		}
		first, second := addressWith("one"), addressWith("two")
		if first == "" || second == "" || first == second {
			t.Errorf("the links are %q and %q", first, second)
		}
		o.ok("publisher", "inbox-link", "harbor-ledger", "--revoke", "inb_1")
		if got := addressWith("three"); got != "" {
			t.Errorf("a revoked link came back as %q", got)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
