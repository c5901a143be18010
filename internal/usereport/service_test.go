package usereport

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"colophon/internal/origin"
	"colophon/internal/wire"
)

// store remembers the keys of reports, and knows one page that two publishers
// registered.
type store struct {
	origin.UseReports
	known map[string]bool
	rows  []origin.UseReport
	asked []string
}

func (s *store) ReportedPages(_ context.Context, urls, entryIDs []string) ([]origin.ReportedPage, error) {
	s.asked = append(urls, entryIDs...)
	return []origin.ReportedPage{
		{EntryID: "ent_1", SiteID: "a", URL: "https://a.example/x"}, {EntryID: "ent_2", SiteID: "b", URL: "https://a.example/x"},
		{EntryID: "ent_3", SiteID: "a", URL: "http://a.example/x"},
	}, nil
}

func (s *store) AddUseReports(_ context.Context, rows []origin.UseReport) (added []string, err error) {
	for _, r := range rows {
		if key := r.EventKey + r.EntryID; !s.known[key] {
			s.known[key] = true
			s.rows = append(s.rows, r)
			added = append(added, r.EventKey)
		}
	}
	return added, nil
}

var now = time.Date(2026, 11, 28, 12, 0, 0, 0, time.UTC)

// receive returns the counts that a document gets, or where it is refused.
func receive(t *testing.T, s *store, document string) string {
	t.Helper()
	v, err := wire.Parse([]byte(document), wire.Limits{Floats: true, Bytes: MaxBody})
	if err != nil {
		t.Fatal(err)
	}
	got, err := Service{s, func() time.Time { return now }}.Receive(context.Background(), Reporter{"partner", "org"}, &v)
	var bad *wire.Invalid
	if errors.As(err, &bad) {
		var places []string
		for _, f := range bad.Fields {
			places = append(places, f.Pointer+" "+f.Code)
		}
		return strings.Join(places, ", ")
	}
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("accepted %d, repeated %d, unmatched %d, ignored %d", got.Accepted, got.Repeated, got.Unmatched, got.Ignored)
}

func TestReceive(t *testing.T) {
	s := &store{known: map[string]bool{}}
	event := func(members string) string {
		return `{"schema_version":"1.0","document_type":"event_batch","events":[{"type":"content_cited","timestamp":"2026-11-28T11:00:00+01:00",` + members + `}]}`
	}
	many := func(n int) string {
		return `{"schema_version":"1.0","events":[` + strings.Repeat(`{"type":"x"},`, n-1) + `{"type":"x"}]}`
	}
	const fine = `"content_url":"https://a.example/x"`
	for _, c := range []struct{ name, document, want string }{
		{"one address of two publishers", event(fine), "accepted 1, repeated 0, unmatched 0, ignored 0"},
		{"again", event(fine), "accepted 0, repeated 1, unmatched 0, ignored 0"},
		{"one of two publishers twice, beside what is new", `{"schema_version":"1.0","session_id":"s","events":[{"type":"content_cited","timestamp":"2026-11-28T11:00:00Z",` + fine + `},{"type":"content_cited","timestamp":"2026-11-28T11:00:00Z",` + fine + `},` +
			`{"id":"new","type":"content_cited","timestamp":"2026-11-28T11:00:00Z",` + fine + `}]}`, "accepted 2, repeated 1, unmatched 0, ignored 0"},
		{"again beside another", `{"schema_version":"1.0","session_id":"s","events":[{"type":"content_cited","timestamp":"2026-11-28T11:00:00Z",` + fine + `},` +
			`{"id":"newer","type":"content_cited","timestamp":"2026-11-28T11:00:00Z",` + fine + `}]}`, "accepted 1, repeated 1, unmatched 0, ignored 0"},
		{"the same event in another session", `{"schema_version":"1.0","session_id":"t","events":[{"type":"content_cited","timestamp":"2026-11-28T11:00:00Z",` + fine + `}]}`, "accepted 1, repeated 0, unmatched 0, ignored 0"},
		{"by entry, which counts for one", event(`"content_id":"ent_1",` + fine), "accepted 1, repeated 0, unmatched 0, ignored 0"},
		{"another address of the page", event(`"content_url":"https://www.a.example/x/?utm_source=y"`), "accepted 1, repeated 0, unmatched 0, ignored 0"},
		{"neither an address nor an entry", event(`"content_id":"doi:10.1/x","content_url":"mailto:x"`), "accepted 0, repeated 0, unmatched 1, ignored 0"},
		{"without a page", event(`"id":"1"`), "/events/0/content_url required"},
		{"of another time zone", event(`"id":"2","content_id":"ent_1"`), "accepted 1, repeated 0, unmatched 0, ignored 0"},
		{"180 days ago", strings.Replace(event(fine), "2026-11-28T11:00:00+01:00", "2026-06-01T12:00:00Z", 1), "accepted 1, repeated 0, unmatched 0, ignored 0"},
		{"before that", strings.Replace(event(fine), "2026-11-28T11:00:00+01:00", "2026-06-01T11:59:59Z", 1), "/events/0/timestamp out_of_range"},
		{"five minutes ahead", strings.Replace(event(fine), "2026-11-28T11:00:00+01:00", "2026-11-28T12:05:00Z", 1), "accepted 1, repeated 0, unmatched 0, ignored 0"},
		{"further ahead", strings.Replace(event(fine), "2026-11-28T11:00:00+01:00", "2026-11-28T12:05:01Z", 1), "/events/0/timestamp out_of_range"},
		{"a number for a type", strings.Replace(event(fine), `"content_cited"`, "7", 1), "/events/0/type required"},
		{"500 events", many(500), "accepted 0, repeated 0, unmatched 0, ignored 500"},
		{"501 events", many(501), "/events out_of_range"},
		{"events that are no list", `{"schema_version":"1.0","events":{}}`, "/events required"},
		{"an event that is no object", `{"schema_version":"1.0","events":[3]}`, "/events/0/type required"},
		{"version 10", `{"schema_version":"10.0","session_id":"s"}`, "/schema_version not_in_list"},
		{"version 1", `{"schema_version":"1","session_id":"s"}`, "accepted 0, repeated 0, unmatched 0, ignored 0"},
		{"an agent of 120 characters", `{"schema_version":"1.0","session_id":"s","agent_id":"` + strings.Repeat("a", 120) + `"}`, "accepted 0, repeated 0, unmatched 0, ignored 0"},
		{"an agent of 121", `{"schema_version":"1.0","session_id":"s","agent_id":"` + strings.Repeat("a", 121) + `"}`, "/agent_id too_long"},
		{"an agent with a space", `{"schema_version":"1.0","session_id":"s","agent_id":"my bot"}`, "/agent_id pattern"},
		{"an agent beyond ASCII", `{"schema_version":"1.0","session_id":"s","agent_id":"bót"}`, "/agent_id pattern"},
		{"an event that does not say so", `{"schema_version":"1.0","session_id":"s","event":{"type":"content_cited","timestamp":"2026-11-28T11:00:00Z",` + fine + `}}`, "/document_type required"},
		{"a manifest, which is no report", `{"schema_version":"1.0","operator":{"domain":"x.example"}}`, "/document_type required"},
		{"nothing", `{"session_id":"s"}`, "/schema_version not_in_list"},
	} {
		if got := receive(t, s, c.document); got != c.want {
			t.Errorf("%s: %s, not %s", c.name, got, c.want)
		}
	}
	if len(s.rows) < 2 || s.rows[0].EntryID != "ent_1" || s.rows[1].EntryID != "ent_2" || s.rows[0].OccurredAt != "2026-11-28T10:00:00Z" ||
		s.rows[0].ReportedAt != "2026-11-28T12:00:00Z" || s.rows[0].Event != "cited" || s.rows[0].ReporterID != "org" {
		t.Errorf("kept %+v", s.rows)
	}
}

// TestFaultsAreBounded checks that the faults of a report are told up to a
// bound, and that a report of only so many is refused as well.
func TestFaultsAreBounded(t *testing.T) {
	for faults, want := range map[int]int{31: 31, 32: 32, 33: 32, MaxEvents: 32} {
		events := strings.Repeat(`{"type":7},`, faults-1) + `{"type":7}`
		got := receive(t, &store{known: map[string]bool{}}, `{"schema_version":"1.0","events":[`+events+`]}`)
		if n := strings.Count(got, "required"); n != want || !strings.HasPrefix(got, "/events/0/type required") {
			t.Errorf("of %d faults, %d are told, want %d: %s", faults, n, want, got)
		}
	}
}

// TestReceiveAsksNothing: a document without an address asks no store.
func TestReceiveAsksNothing(t *testing.T) {
	s := &store{known: map[string]bool{}}
	receive(t, s, `{"schema_version":"1.0","events":[{"type":"content_cited","timestamp":"2026-11-28T11:00:00Z","content_id":"doi:10.1/x"}]}`)
	if s.asked != nil {
		t.Errorf("asked for %q", s.asked)
	}
}

func FuzzReceive(f *testing.F) {
	f.Add(`{"schema_version":"1.0","document_type":"event","event":{"type":"content_cited","timestamp":"2026-11-28T11:00:00Z","content_url":"https://a.example/x"}}`)
	f.Fuzz(func(t *testing.T, document string) {
		v, err := wire.Parse([]byte(document), wire.Limits{Floats: true, Bytes: MaxBody})
		if err != nil {
			return
		}
		s := &store{known: map[string]bool{}}
		if _, err := (Service{s, func() time.Time { return now }}).Receive(context.Background(), Reporter{"partner", "org"}, &v); err != nil && !errors.As(err, new(*wire.Invalid)) {
			t.Errorf("%v", err)
		}
	})
}
