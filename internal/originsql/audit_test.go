package originsql_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

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
		if err := exec(statement); err == nil || !strings.Contains(err.Error(), "audit:") {
			t.Errorf("%s: %v", statement, err)
		}
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
	for _, private := range []string{"Rosen", "labs.example", "ida"} {
		if strings.Contains(records[0].After, private) {
			t.Errorf("%q is in %s", private, records[0].After)
		}
	}
	for _, column := range []string{"buyer_name", "buyer_email", "saved_search"} {
		if !strings.Contains(records[0].After, `"`+column+`":"(withheld)"`) {
			t.Errorf("%s is not recorded as changed in %s", column, records[0].After)
		}
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

// TestNotRecordedIsToldOnce checks that a change missing from the trail is
// reported once, by the step that noticed it first.
func TestNotRecordedIsToldOnce(t *testing.T) {
	cause := errors.New("no answer")
	err := originsql.NotRecorded(originsql.NotRecorded(cause))
	if want := originsql.ErrNotRecorded.Error() + "\nno answer"; err.Error() != want || !errors.Is(err, originsql.ErrNotRecorded) || !errors.Is(err, cause) {
		t.Errorf("got %q, want %q", err, want)
	}
}
