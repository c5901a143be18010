package main

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"colophon/internal/assert"
	"colophon/internal/cli"
	"colophon/internal/cli/audit"
	"colophon/internal/cli/contract"
	"colophon/internal/origin"
	"colophon/internal/registrydir"
	"colophon/internal/rights"
	"colophon/internal/status"
)

// trail returns the audit trail, oldest first.
func (o operator) trail(args ...string) []audit.Row {
	o.Helper()
	var list audit.List
	o.data(&list, append([]string{"audit"}, args...)...)
	for i, j := 0, len(list.Records)-1; i < j; i, j = i+1, j-1 {
		list.Records[i], list.Records[j] = list.Records[j], list.Records[i]
	}
	return list.Records
}

// TestAuditTellsBeforeAndAfter adds and revokes a grant: the trail must have
// who did it, and the state before and after.
func TestAuditTellsBeforeAndAfter(t *testing.T) {
	t.Parallel()
	o := newOperator(t)
	var added struct {
		BuyerID string `json:"buyer_id"`
		GrantID string `json:"grant_id"`
	}
	o.data(&added, "buyer", "add", "Example Labs", "--email", "secret.person@example.org", "--notes", "met in Lisbon")
	o.data(&added, "grant", "add", added.BuyerID, "--site", "harbor-ledger", "--use", "rag")
	o.ok("grant", "revoke", added.GrantID, "--reason", "Lisbon")

	records := o.trail("--kind", "grants", "--target", added.GrantID)
	if len(records) != 2 || records[0].Action != "grant add" || records[0].Before != nil || records[1].Action != "grant revoke" {
		t.Fatalf("%+v", records)
	}
	last := records[1]
	var was, is map[string]string
	if json.Unmarshal(last.Before, &was) != nil || json.Unmarshal(last.After, &is) != nil {
		t.Fatalf("%s and %s", last.Before, last.After)
	}
	if was["state"] != "active" || is["state"] != "revoked" || is["state_reason"] != "(withheld)" || is["grant_id"] != "" || is["buyer_id"] != "" {
		t.Errorf("before %v, after %v", was, is)
	}
	if last.Actor == "" || last.Role != "operator" || !strings.HasPrefix(last.ActID, "act_") || last.At == "" {
		t.Errorf("%+v", last)
	}

	if got := o.trail("--action", "grant"); len(got) < 3 {
		t.Errorf("acts of the group grant: %+v", got)
	}
	if got := o.trail("--action", "gran"); len(got) != 0 {
		t.Errorf("half a word is no filter: %+v", got)
	}
	if got := o.trail("--actor", "nobody"); len(got) != 0 {
		t.Errorf("acts of nobody: %+v", got)
	}
	if got := o.trail("--since", "2999-01-01T00:00:00Z"); len(got) != 0 {
		t.Errorf("acts of the future: %+v", got)
	}
	if got := o.trail("--since", "2998-12-31T23:00:00.5-01:00"); len(got) != 0 {
		t.Errorf("acts of the future, by another clock: %+v", got)
	}
	if got := o.trail("--until", "2999-01-01T00:00:00+01:00"); len(got) == 0 {
		t.Error("no acts until the future, by another clock")
	}
	o.no(2, "--since \"yesterday\" is no instant", "audit", "--since", "yesterday")

	all, _ := json.Marshal(o.trail("--limit", "500"))
	for _, private := range []string{"secret.person", "Lisbon"} {
		assert.Lacks(t, "the trail holds", string(all), private)
	}
}

// TestAuditPages checks that the pages of the trail have no gap between them.
func TestAuditPages(t *testing.T) {
	t.Parallel()
	o := newOperator(t)
	all := o.trail("--limit", "500")
	var paged []audit.Row
	before := ""
	for range len(all) + 1 {
		args := []string{"audit", "--limit", "2"}
		if before != "" {
			args = append(args, "--before", before)
		}
		var list audit.List
		o.data(&list, args...)
		paged = append(list.Records, paged...)
		if list.NextBefore == 0 {
			break
		}
		number, _ := json.Marshal(list.NextBefore)
		before = string(number)
		if len(list.Records) != 2 {
			t.Fatalf("a page of %d", len(list.Records))
		}
	}
	if len(all) < 4 || len(paged) != len(all) {
		t.Errorf("%d records in pages, %d at once", len(paged), len(all))
	}
}

// TestEveryWriteIsRecorded runs everything that writes the registry, and
// requires a record of each write without any secret that was issued.
func TestEveryWriteIsRecorded(t *testing.T) {
	t.Parallel()
	o := newOperator(t)
	var ids struct {
		BuyerID      string `json:"buyer_id"`
		OrgID        string `json:"org_id"`
		KeyID        string `json:"key_id"`
		GrantID      string `json:"grant_id"`
		CredentialID string `json:"credential_id"`
		WebhookID    string `json:"webhook_id"`
		Secret       string `json:"secret"`
		URL          string `json:"url"`
	}
	var secrets []string
	step := func(action string, args ...string) {
		t.Helper()
		before := len(o.trail("--limit", "1000"))
		ids.Secret, ids.URL = "", ""
		o.data(&ids, append(strings.Fields(action), args...)...)
		if ids.Secret != "" {
			secrets = append(secrets, ids.Secret)
		}
		if i := strings.LastIndex(ids.URL, "/inbox/"); i >= 0 {
			secrets = append(secrets, ids.URL[i+len("/inbox/"):])
		}
		records := o.trail("--limit", "1000")
		if len(records) <= before {
			t.Errorf("%q left no record", action)
			return
		}
		for _, r := range records[before:] {
			if r.Action != action {
				t.Errorf("%q is recorded as %q", action, r.Action)
			}
		}
	}

	step("buyer add", "Labs")
	step("buyer credential issue", ids.BuyerID)
	step("buyer credential suspend", ids.CredentialID)
	step("buyer credential resume", ids.CredentialID)
	step("grant add", ids.BuyerID, "--site", "harbor-ledger", "--use", "rag")
	step("grant suspend", ids.GrantID)
	step("grant resume", ids.GrantID)
	step("grant leave", ids.GrantID, "harbor-ledger")
	step("grant revoke", ids.GrantID)
	step("buyer suspend", ids.BuyerID)
	step("partner add", "Labs")
	step("partner key issue", ids.OrgID)
	step("partner key revoke", ids.KeyID)
	step("partner suspend", ids.OrgID)
	step("webhook add", "https://desk.example/hooks")
	step("webhook pause", ids.WebhookID)
	step("webhook resume", ids.WebhookID)
	step("webhook retry", ids.WebhookID)
	step("publisher set", "harbor-ledger", "--name", "Other")
	step("publisher suspend", "harbor-ledger")
	step("publisher approve", "harbor-ledger")
	step("publisher close", "harbor-ledger")
	step("publisher reopen", "harbor-ledger")
	step("offer add", "harbor-ledger", "grounding", "--title", "Grounded answers", "--permits", "rag", "--payment-model", "use")
	step("offer set", "harbor-ledger", "grounding", "--unit", "answer")
	step("offer pause", "harbor-ledger", "grounding")
	step("offer withdraw", "harbor-ledger", "grounding")
	step("reservation add", "harbor-ledger", "ISCC:EQASNZJ36ZT33AL7", "--uses", "training")
	step("reservation withdraw", rights.ReservationID("harbor-ledger", "ISCC:EQASNZJ36ZT33AL7"))
	step("demand add", "needed", "--headline", "Something", "--uses", "rag", "--buyer-email", "r@example.org")
	step("demand approve", "needed")
	step("demand close", "needed")
	waiting := addPageInReview(t, o)
	stepAll := func(action string) {
		t.Helper()
		before := len(o.trail("--limit", "1000"))
		o.ok(append(strings.Fields(action), waiting)...)
		if got := o.trail("--kind", "pages", "--target", waiting, "--action", action); len(got) != 1 || len(o.trail("--limit", "1000")) != before+1 {
			t.Errorf("%q is recorded as %+v", action, got)
		}
	}
	stepAll("entry withdraw")
	stepAll("entry restore")
	step("inquiry tick")
	request := o.submit("")
	stepped := len(o.trail("--limit", "1000"))
	o.ok("inquiry", "reply", request, "--body", "a private answer")
	o.ok("inquiry", "move", request, "decline", "--reason", "territory")
	if got := o.trail("--limit", "1000"); len(got) < stepped+2 {
		t.Errorf("an answer and a decline left %d records", len(got)-stepped)
	}
	erased := o.submit("")
	o.ok("person", "erase", "r@example.org")
	if got := o.trail("--action", "person erase"); len(got) != 1 || got[0].TargetID != "" {
		t.Errorf("an erasure of %s is recorded as %+v", erased, got)
	}
	before := len(o.trail("--limit", "1000"))
	o.ok("key", "rotate")
	o.ok("build")
	if got := o.trail("--limit", "1000"); len(got) != before+2 {
		t.Errorf("a rotation and a build left %d records", len(got)-before)
	}

	all, _ := json.Marshal(o.trail("--limit", "1000"))
	if len(secrets) < 3 {
		t.Fatalf("only %d secrets were given out", len(secrets))
	}
	for _, s := range append(secrets, "a private answer", "r@example.org", "R. ") {
		assert.Lacks(t, "the trail holds", string(all), s)
	}
}

// TestWritingCommandsAreRecorded checks that every command that changes the
// registry runs as a recorded act, including a build that changes nothing in
// the store.
func TestWritingCommandsAreRecorded(t *testing.T) {
	t.Parallel()
	for name, what := range allEffects() {
		if what != contract.WritesRegistry && what != contract.Publishes {
			continue
		}
		cmd, _, err := newRoot().Find(strings.Fields(name))
		must(t, err)
		var act *origin.Act
		probe := &cobra.Command{Use: cmd.Use, RunE: func(cmd *cobra.Command, _ []string) error {
			act = origin.ActOf(cmd.Context())
			act.Recorded.Add(1)
			return nil
		}}
		e := &cli.Env{Dir: registrydir.Dir{Getenv: emptyEnvironment}}
		probe.SetContext(context.Background())
		contract.WrapEffect(e, probe, what)
		if err := probe.RunE(probe, nil); err != nil || act == nil {
			t.Errorf("%q: act %v, %v", name, act, err)
		}
	}
}

// TestStatus checks what the command prints and that a negative --days is
// refused. What waits is tested in package status.
func TestStatus(t *testing.T) {
	t.Parallel()
	o := newOperator(t)
	o.submit("")
	if _, out, _ := o.run("status"); !strings.Contains(out, "inquiries          1 open\n  delivered           1  waits for the publisher\n") || !strings.HasSuffix(out, "release            none; next: colophon build\n") {
		t.Errorf("%s", out)
	}
	o.ok("build")
	var r status.Report
	if o.data(&r, "status"); r.Release == nil || len(r.Inquiries) != 1 {
		t.Errorf("%+v", r)
	}
	o.no(2, "--days", "status", "--days", "-1")
}
