package originsql_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"colophon/internal/assert"
	"colophon/internal/origin"
	"colophon/internal/originsql"
	"colophon/internal/originsql/origintest"
)

func newAct(action string) *origin.Act {
	return &origin.Act{ActID: "act_1", Actor: "anna", Role: "operator", Action: action}
}

// TestAuditTrailOnlyGrows checks that audit records can be neither changed nor
// removed, and that none can be inserted between others.
func TestAuditTrailOnlyGrows(t *testing.T) {
	ctx := context.Background()
	s, exec := origintest.Open(t)
	for range 3 {
		must(t, s.RecordAct(ctx, newAct("build"), ""))
	}
	const insert = "INTO audit_log (seq, at, act_id, actor, role, action, kind, target_id) VALUES (%, '', '', '', '', '', '', '')"
	for _, statement := range []string{
		"UPDATE audit_log SET actor = 'nobody' WHERE seq = 2",
		"DELETE FROM audit_log WHERE seq = 3",
		"DELETE FROM audit_log",
		"INSERT " + strings.Replace(insert, "%", "9", 1),
		"INSERT " + strings.Replace(insert, "%", "2", 1) + " ON CONFLICT (seq) DO UPDATE SET at = excluded.at",
		"INSERT " + strings.Replace(insert, "%", "3", 1) + " ON CONFLICT (seq) DO UPDATE SET at = excluded.at",
	} {
		assert.ErrorContains(t, exec(statement), statement, "audit:")
	}
	for _, seq := range []string{"2", "3"} { // only SQLite and D1 have this statement
		if err := exec("INSERT OR REPLACE " + strings.Replace(insert, "%", seq, 1)); err == nil || !strings.Contains(err.Error(), "audit:") && !strings.Contains(err.Error(), "syntax error") {
			t.Errorf("replace %s: %v", seq, err)
		}
	}
	records, err := s.AuditRecords(ctx, origin.AuditFilter{Limit: 9})
	must(t, err)
	if len(records) != 3 || records[0].Seq != 3 || records[2].Seq != 1 || records[1].Actor != "anna" {
		t.Errorf("%+v", records)
	}
}

// TestAuditOfRows checks that within an act a row is recorded with the columns
// that differ; secrets and personal data are recorded only as changed, also
// when one replaces another.
func TestAuditOfRows(t *testing.T) {
	s, _ := origintest.Open(t)
	act := newAct("webhook add")
	ctx := origin.WithAct(context.Background(), act)
	w := origin.Webhook{WebhookID: "whk_1", URL: "https://a.example/token", Secret: "whsec_1", State: "active", CreatedAt: "1", ChangedAt: "1"}
	must(t, s.PutWebhook(ctx, w))
	w.ChangedAt = "2"
	must(t, s.PutWebhook(ctx, w)) // the same row again
	w.URL = "https://b.example/token"
	must(t, s.PutWebhook(ctx, w))
	w.State = "paused"
	must(t, s.PutWebhook(ctx, w))
	w.State = "active"
	must(t, s.PutWebhook(context.Background(), w)) // outside an act

	records, err := s.AuditRecords(ctx, origin.AuditFilter{Kind: "webhooks", TargetID: "whk_1", Limit: 9})
	must(t, err)
	var got []string
	for i := len(records) - 1; i >= 0; i-- {
		got = append(got, records[i].Before+" "+records[i].After)
	}
	same(t, "records", got, []string{
		` {"allow_private":"0","created_at":"1","digest":"0","secret":"(withheld)","state":"active","url":"(withheld)"}`,
		`{"url":"(withheld)"} {"url":"(withheld)"}`,
		`{"state":"active"} {"state":"paused"}`,
	}, nil)
	if act.Recorded.Load() != 3 {
		t.Errorf("the act counts %d records", act.Recorded.Load())
	}
}

// toldPrivate are private columns whose values the audit trail shows, because
// they are neither secret nor about a person.
var toldPrivate = []string{"demand.pipeline_stage"}

// TestAuditWithholdsWhatIsPrivate checks, for all tables and those added later,
// that the audit trail shows no column that the schema calls private and none
// derived from a secret.
func TestAuditWithholdsWhatIsPrivate(t *testing.T) {
	tables := auditedTables(t)
	if len(tables) < 10 || !slices.Contains(tables, "demand") {
		t.Fatalf("audited tables: %q", tables)
	}
	private := regexp.MustCompile(`(?m)^  (\w+) .*-- .*(?:private|secret|hash)`)
	checked := 0
	for table, columns := range schemaOfTables(t) {
		if !slices.Contains(tables, table) {
			continue
		}
		for _, found := range private.FindAllStringSubmatch(columns, -1) {
			checked++
			told := !slices.Contains(originsql.Withheld, found[1])
			if told != slices.Contains(toldPrivate, table+"."+found[1]) && found[1] != "visibility" {
				t.Errorf("%s.%s: told %v", table, found[1], told)
			}
		}
	}
	if checked < 20 {
		t.Errorf("only %d private columns were found", checked)
	}
}

// auditedTables returns the tables whose rows are written by putRow.
func auditedTables(t *testing.T) (names []string) {
	t.Helper()
	paths, err := filepath.Glob("*.go")
	must(t, err)
	var text strings.Builder
	for _, path := range paths {
		data, err := os.ReadFile(path)
		must(t, err)
		text.Write(data)
	}
	written := regexp.MustCompile(`\.putRow\(ctx, "[^"]+", (\w+Table)`).FindAllStringSubmatch(text.String(), -1)
	for _, w := range written {
		declared := regexp.MustCompile(`\b` + w[1] + `\s+= recordsOf\("(\w+)"`).FindStringSubmatch(text.String())
		if declared == nil {
			t.Fatalf("%s is declared nowhere", w[1])
		}
		names = append(names, declared[1])
	}
	return names
}

// schemaOfTables returns the text between the brackets of each CREATE TABLE.
func schemaOfTables(t *testing.T) map[string]string {
	t.Helper()
	tables := map[string]string{}
	entries, err := originsql.Migrations.ReadDir("migrations")
	must(t, err)
	for _, e := range entries {
		text, err := originsql.Migrations.ReadFile("migrations/" + e.Name())
		must(t, err)
		for _, found := range regexp.MustCompile(`(?s)CREATE TABLE (\w+) \((.*?)\n\)`).FindAllStringSubmatch(string(text), -1) {
			tables[found[1]] = found[2]
		}
	}
	return tables
}

// TestAuditOfDemand checks that personal data in a buyer's need are recorded
// only as changed.
func TestAuditOfDemand(t *testing.T) {
	s, _ := origintest.Open(t)
	ctx := origin.WithAct(context.Background(), newAct("demand add"))
	must(t, s.PutDemand(ctx, origin.Demand{DemandID: "dem_1", Headline: "Tide tables", BuyerName: "Ida Rosen", BuyerEmail: "ida@labs.example", SavedSearch: "ida tides", ChangedAt: "1"}))
	records, err := s.AuditRecords(ctx, origin.AuditFilter{Kind: "demand", Limit: 9})
	must(t, err)
	if len(records) != 1 || !strings.Contains(records[0].After, `"headline":"Tide tables"`) {
		t.Fatalf("%+v", records)
	}
	assert.Lacks(t, "the record", records[0].After, "Rosen", "labs.example", "ida")
	for _, column := range []string{"buyer_name", "buyer_email", "saved_search"} {
		assert.Contains(t, column+" is not recorded as changed in", records[0].After, `"`+column+`":"(withheld)"`)
	}
}

// TestAuditOfReviewsAndTemplates checks that decisions on pages in review and
// changes of templates are recorded with the state before and after, and that
// writes of an import are not.
func TestAuditOfReviewsAndTemplates(t *testing.T) {
	s, _ := origintest.Open(t)
	quiet := context.Background()
	ctx := origin.WithAct(quiet, newAct("review accept"))
	must(t, s.PutPublisher(quiet, origin.Publisher{PublisherID: "pub_1", LegalName: "P", CreatedAt: "1"}))
	must(t, s.PutSite(quiet, origin.Site{SiteID: "site-a", PublisherID: "pub_1", Name: "A", SiteURL: "https://a.example/", CreatedAt: "1", ChangedAt: "1"}))

	x := origin.Extraction{EntryID: "ent_1", SiteID: "site-a", Review: origin.ReviewWaiting, ChangedAt: "1"}
	must(t, s.PutExtraction(ctx, x))
	x.Review, x.ChangedAt = origin.ReviewAccepted, "2"
	must(t, s.PutExtraction(ctx, x))
	x.Encoding, x.ChangedAt = "utf-8", "3"
	must(t, s.PutExtraction(ctx, x)) // the decision stays
	x.Review = origin.ReviewRejected
	must(t, s.PutExtraction(ctx, x))

	for _, digest := range []string{"d1", "d2"} {
		must(t, s.PutTemplate(ctx, origin.Template{SiteID: "site-a", Digest: digest, State: origin.TemplateProposed, Document: "secret words", MadeAt: "1", ChangedAt: "1"}))
		must(t, s.ActivateTemplate(ctx, "site-a", digest, "2"))
	}

	records, err := s.AuditRecords(ctx, origin.AuditFilter{Limit: 99})
	must(t, err)
	var got []string
	for i := len(records) - 1; i >= 0; i-- {
		r := records[i]
		got = append(got, strings.TrimSpace(r.Kind+" "+r.TargetID+" "+r.Before+" "+r.After))
	}
	made := `{"document":"(withheld)","made_at":"1","state":"proposed"}`
	same(t, "records", got, []string{
		`extractions ent_1 {"review":"waiting"} {"review":"accepted"}`,
		`extractions ent_1 {"review":"accepted"} {"review":"rejected"}`,
		`templates site-a/d1  ` + made,
		`templates site-a/d1 {"state":"proposed"} {"state":"active"}`,
		`templates site-a/d2  ` + made,
		`templates site-a/d1 {"state":"active"} {"state":"retired"}`,
		`templates site-a/d2 {"state":"proposed"} {"state":"active"}`,
	}, nil)
}

// TestAuditFilters checks which records each filter selects, the newest first.
func TestAuditFilters(t *testing.T) {
	s, quiet := inquiries(t), context.Background()
	for _, x := range []struct{ actor, action, target string }{
		{"anna", "build", ""}, {"ben", "buyer add", "byr_1"}, {"anna", "buyer", "byr_2"}, {"anna", "buyers list", "byr_1"},
	} {
		must(t, s.RecordAct(quiet, &origin.Act{ActID: "act", Actor: x.actor, Role: "operator", Action: x.action}, x.target))
	}
	must(t, s.PutWebhook(origin.WithAct(quiet, newAct("webhook add")), origin.Webhook{WebhookID: "whk_1", URL: "u", State: "active"}))
	all, err := s.AuditRecords(quiet, origin.AuditFilter{Limit: 9})
	if must(t, err); len(all) != 5 {
		t.Fatalf("%d records", len(all))
	}
	first, last := all[4].At, all[0].At
	for _, c := range []struct {
		what string
		f    origin.AuditFilter
		want string
	}{
		{"all", origin.AuditFilter{}, "5 4 3 2 1"},
		{"an actor", origin.AuditFilter{Actor: "anna"}, "5 4 3 1"},
		{"an action and what it begins", origin.AuditFilter{Action: "buyer"}, "3 2"},
		{"one action", origin.AuditFilter{Action: "buyer add"}, "2"},
		{"a kind", origin.AuditFilter{Kind: "webhooks"}, "5"},
		{"a target", origin.AuditFilter{TargetID: "byr_1"}, "4 2"},
		{"an actor and a target", origin.AuditFilter{Actor: "anna", TargetID: "byr_1"}, "4"},
		{"since the first", origin.AuditFilter{Since: first}, "5 4 3 2 1"},
		{"since later", origin.AuditFilter{Since: last + "~"}, ""},
		{"until the first", origin.AuditFilter{Until: first}, ""},
		{"until later", origin.AuditFilter{Until: last + "~"}, "5 4 3 2 1"},
		{"before one", origin.AuditFilter{Before: 3}, "2 1"},
	} {
		want := strings.Fields(c.want)
		for _, c.f.Limit = range []int{9, 1} {
			records, err := s.AuditRecords(quiet, c.f)
			must(t, err)
			var got []string
			for _, r := range records {
				got = append(got, strconv.FormatInt(r.Seq, 10))
			}
			if !slices.Equal(got, want[:min(c.f.Limit, len(want))]) {
				t.Errorf("%s, at most %d: %q, want %q", c.what, c.f.Limit, got, want)
			}
		}
	}
}

// TestAuditOfStatements checks what is recorded of changes other than those of
// whole rows: each once, and only if something changed.
func TestAuditOfStatements(t *testing.T) {
	s, quiet := licensed(t), context.Background()
	ctx := origin.WithAct(quiet, newAct("test"))
	must(t, s.PutGrant(quiet, origin.Grant{GrantID: "grt_1", BuyerID: "byr_1", Kind: "direct", State: "active"}))
	must(t, s.PutWebhook(quiet, origin.Webhook{WebhookID: "w", URL: "mailto:desk@a.example", State: "active"}))
	ask(t, s, "1", func(r *origin.Request) { r.State, r.Letters = "held", origin.LettersUnconfirmed })
	done := func(changed bool, err error) {
		t.Helper()
		must(t, err)
	}
	for range 2 { // the second time most of it changes nothing
		done(s.SetPageState(ctx, "ent_1", "withdrawn", "1"))
		done(s.SetSuccessor(ctx, "ent_1", "ent_2", "v", "2"))
		done(s.MoveRequest(ctx, origin.Move{RequestID: "req_1", From: "held", To: "delivered", By: "operator", At: "3", Reason: "r"}))
		done(s.SetLetters(ctx, "req_1", origin.LettersConfirmed, "4"))
		done(s.AddMessage(ctx, origin.Message{MessageID: "m", ThreadID: "thr_1", AuthorRole: "publisher", Kind: "text", Body: "secret", FromState: "delivered", At: "5"}))
	}
	must(t, s.SetGrantSite(ctx, "grt_1", "a-site", true, "6"))
	must(t, s.SetGrantSite(ctx, "grt_1", "a-site", false, "7"))
	must(t, s.ConfirmClock(ctx, 60))
	must(t, s.ConfirmClock(ctx, 0))
	n, err := s.FailOldEvents(quiet, "w", "9", "gone")
	must(t, err)
	if _, err := s.RetryEvents(ctx, "w", "8"); err != nil || n == 0 {
		t.Fatal(n, err)
	}
	if _, _, err := s.RetryLetters(ctx, "", "8"); err != nil {
		t.Fatal(err)
	}
	must(t, assert.Err(s.FailOldEvents(quiet, "w", "9", "gone")))
	if to, _, err := s.RetryLetters(ctx, "", "9"); err != nil || to == 0 {
		t.Fatal(to, err)
	}
	must(t, s.AddPassport(ctx, origin.Passport{SiteID: "a-site", Version: 2, PassportID: "pas_1", HolderName: "H", HolderURL: "u", EffectiveFrom: "1"}))
	records, err := s.AuditRecords(ctx, origin.AuditFilter{Limit: 99})
	must(t, err)
	var got []string
	for i := len(records) - 1; i >= 0; i-- {
		r := records[i]
		got = append(got, strings.TrimSpace(r.Kind+" "+r.TargetID+" "+r.Before+" "+r.After))
	}
	same(t, "records", got, []string{
		`pages ent_1 {"state":"active"} {"state":"withdrawn"}`,
		`pages ent_1  {"state":"withdrawn","successor":"ent_2"}`,
		`requests req_1 {"state":"held"} {"reason":"r","state":"delivered"}`,
		`requests req_1  {"letters":"confirmed"}`,
		`messages m  {"body":"(withheld)","from_state":"delivered","kind":"text","thread_id":"thr_1","to_state":""}`,
		`grant_sites grt_1/a-site  {"state":"active"}`,
		`grant_sites grt_1/a-site  {"state":"left"}`,
		`meta clock  {"seen":"1970-01-01T00:01:00Z"}`,
		`meta clock {"seen":"1970-01-01T00:01:00Z"}`,
		`outbox w {"failed":"1"} {"failed":"0"}`,
		`letters  {"failed":"1"} {"failed":"0"}`,
		`passports a-site/2  {"effective_from":"1","holder_name":"H","holder_url":"u","passport_id":"pas_1"}`,
	}, nil)
}

// TestNotRecordedIsToldOnce checks that a change missing from the trail is
// reported once, by the step that noticed it first.
func TestNotRecordedIsToldOnce(t *testing.T) {
	cause := errors.New("no answer")
	err := originsql.NotRecorded(originsql.NotRecorded(cause))
	if want := originsql.ErrNotRecorded.Error() + "\nno answer"; err.Error() != want || !errors.Is(err, originsql.ErrNotRecorded) || !errors.Is(err, cause) {
		t.Errorf("got %q, want %q", err, want)
	}
}
