package rights

import (
	"slices"
	"strings"
	"testing"
	"time"

	"colophon/exports"
	"colophon/internal/assert"
	"colophon/internal/channel/statements"
	"colophon/internal/origin"
)

// noon is the instant of every question that states no other.
const (
	noon = int64(1795176000) // 2026-11-20T12:00:00Z
	day  = int64(24 * 60 * 60)
)

func TestInstants(t *testing.T) {
	for _, s := range []string{"1970-01-01T00:00:00Z", "2000-02-29T23:59:59Z", "2024-12-31T00:00:01Z", "2026-11-20T12:00:00Z", "2100-03-01T00:00:00Z", "1969-12-31T23:59:59Z"} {
		want, err := time.Parse(time.RFC3339, s)
		if err != nil {
			t.Fatal(err)
		}
		if got, ok := parseUnix(s); !ok || got != want.Unix() {
			t.Errorf("%s: got %d %v, want %d", s, got, ok, want.Unix())
		}
	}
	for _, s := range []string{"", "2026-11-20", "2026-11-20T12:00:00+01:00", "2026-13-20T12:00:00Z", "tomorrow"} {
		if _, ok := parseUnix(s); ok {
			t.Errorf("%q was read", s)
		}
	}
}

// ragEvidence turns "rsl allow; tdmrep disallow" into evidence on rag.
func ragEvidence(list string) []Evidence {
	var out []Evidence
	for item := range strings.SplitSeq(list, ";") {
		f := strings.Fields(item)
		if len(f) != 2 {
			continue
		}
		out = append(out, Evidence{ID: "ev_" + f[0], Channel: f[0], Use: exports.UseRAG, Effect: Effect(f[1]), Value: f[1], CheckedAt: noon - 60})
	}
	return out
}

func ragPreference(inquiry, declared string, conditions ...string) Stated {
	return Stated{exports.Preference{Use: "rag", Inquiry: inquiry, Declared: declared, Conditions: conditions}, "ev_stated"}
}

func ragOffer(status string) Licence {
	return Licence{exports.Offer{LicenseID: "lic_a", Status: status, Permits: []string{"rag"}, Payment: exports.Payment{Model: "use"}}, "ev_offer"}
}

// TestVerdictMatrix lists all combinations of what a publisher states, offers
// and signals: one letter a column, lower case where the channels disagree.
func TestVerdictMatrix(t *testing.T) {
	columns := []string{
		"", "rsl allow", "rsl disallow", "rsl priced",
		"rsl allow; tdmrep disallow", "rsl priced; content_signal allow", "rsl priced; tdmrep disallow",
	}
	rows := []struct{ inquiry, declared, offer, want string }{
		{"unstated", "unknown", "", "USDLdlL"},
		{"unstated", "allow", "", "SSdldll"},
		{"unstated", "disallow", "", "DdDLdlL"},
		{"welcome", "unknown", "", "USLLllL"},
		{"welcome", "allow", "", "SSlllll"},
		{"welcome", "disallow", "", "LlLLllL"},
		{"conditional", "unknown", "", "USLLllL"},
		{"conditional", "allow", "", "SSlllll"},
		{"conditional", "disallow", "", "LlLLllL"},
		{"not_offered", "unknown", "", "DDDDddD"},
		{"not_offered", "allow", "", "DDddddd"},
		{"not_offered", "disallow", "", "DdDDddD"},
		{"unstated", "unknown", "offered", "LLLLllL"},
		{"unstated", "allow", "offered", "LLlllll"},
		{"unstated", "disallow", "offered", "LlLLllL"},
		{"welcome", "unknown", "offered", "LLLLllL"},
		{"welcome", "allow", "offered", "LLlllll"},
		{"welcome", "disallow", "offered", "LlLLllL"},
		{"conditional", "unknown", "offered", "LLLLllL"},
		{"conditional", "allow", "offered", "LLlllll"},
		{"conditional", "disallow", "offered", "LlLLllL"},
		{"not_offered", "unknown", "offered", "DDDDddD"},
		{"not_offered", "allow", "offered", "DDddddd"},
		{"not_offered", "disallow", "offered", "DdDDddD"},
		{"unstated", "unknown", "paused", "USDLdlL"},
		{"unstated", "allow", "paused", "SSdldll"},
		{"unstated", "disallow", "paused", "DdDLdlL"},
		{"welcome", "unknown", "paused", "USLLllL"},
		{"welcome", "allow", "paused", "SSlllll"},
		{"welcome", "disallow", "paused", "LlLLllL"},
		{"conditional", "unknown", "paused", "USLLllL"},
		{"conditional", "allow", "paused", "SSlllll"},
		{"conditional", "disallow", "paused", "LlLLllL"},
		{"not_offered", "unknown", "paused", "DDDDddD"},
		{"not_offered", "allow", "paused", "DDddddd"},
		{"not_offered", "disallow", "paused", "DdDDddD"},
	}
	for _, row := range rows {
		for i, column := range columns {
			c := Case{Preferences: []Stated{ragPreference(row.inquiry, row.declared)}, Evidence: ragEvidence(column)}
			if row.offer != "" {
				c.Offers = []Licence{ragOffer(row.offer)}
			}
			a := Evaluate(&c, Question{At: noon})
			if want := row.want[i : i+1]; a.Vector[:1] != want {
				t.Errorf("%s/%s offer %q signals %q: got %s (%s), want %s", row.inquiry, row.declared, row.offer, column, a.Vector[:1], a.Uses[0].Reason, want)
			}
			assert.Equal(t, a.Vector[1:], "UUUUUUU", "other uses: %s", a.Vector)
			if (a.Vector[0] >= 'a') != (len(a.Conflicts) == 1) {
				t.Errorf("%s/%s %q: letter %s, conflicts %v", row.inquiry, row.declared, column, a.Vector[:1], a.Conflicts)
			}
		}
	}
}

func edu(e Effect) Option {
	return Option{Effect: e, Audience: Audience{UserTypes: []string{"education"}}}
}
func inEU(e Effect) Option { return Option{Effect: e, Audience: Audience{Territories: []string{"EU"}}} }
func notUS(e Effect) Option {
	return Option{Effect: e, Audience: Audience{NotTerritories: []string{"US"}}}
}
func unlimited(e Effect, duties ...string) Option {
	return Option{Effect: e, Obligations: duties}
}

func rsl(e Effect, options ...Option) Evidence {
	return Evidence{ID: "ev1", Channel: "rsl", Use: exports.UseRAG, Effect: e, Options: options, CheckedAt: noon - 60}
}

func aged(e Evidence, until int64) Evidence { e.ValidUntil = until; return e }
func of(e Evidence, channel, agent string) Evidence {
	e.Channel, e.Agent, e.ID = channel, agent, "ev_"+channel+agent
	return e
}

func limited(o Licence, userTypes, territories, notIn []string) Licence {
	o.UserTypes, o.Territories, o.NotIn = userTypes, territories, notIn
	return o
}

func TestVerdicts(t *testing.T) {
	open := ragOffer("offered")
	welcome := ragPreference("welcome", "disallow", "attribution")
	grant := heldGrant(func(g *Grant) { g.ValidUntil = "" })
	for _, c := range []struct {
		name   string
		c      Case
		q      Question
		want   string // verdict reason
		detail string // obligations | basis | depends_on | not_applied
	}{
		{"nothing is known", Case{}, Question{}, "unknown no_statement", "|||"},
		{"a withdrawn entry", Case{State: EntryWithdrawn, Offers: []Licence{open}, Evidence: []Evidence{rsl(Allow)}}, Question{}, "withdrawn entry_withdrawn", "|||"},
		{"an inactive publisher", Case{State: PublisherInactive, Evidence: []Evidence{rsl(Disallow)}}, Question{}, "withdrawn publisher_inactive", "|||"},
		{"an allow with duties", Case{Evidence: []Evidence{rsl(Allow, unlimited(Allow, "link_back", "attribution"))}}, Question{}, "signal_allow signal_allows", "attribution link_back|ev1||"},
		{"conditions of the publisher are duties", Case{Preferences: []Stated{ragPreference("unstated", "allow", "reporting", "link_back")}}, Question{}, "signal_allow signal_allows", "link_back reporting|ev_stated||"},
		{"an offer brings its duties", Case{Offers: []Licence{withDuties(open)}, Preferences: []Stated{welcome}}, Question{}, "license_required offer_exists", "payment attribution link_back no_full_text retention deletion_on_request reporting|ev_stated ev_offer||"},
		{"the duties of an offer alone", Case{Offers: []Licence{withDuties(open)}}, Question{}, "license_required offer_exists", "payment attribution link_back no_full_text retention deletion_on_request reporting|ev_offer||"},
		{"a price", Case{Evidence: []Evidence{rsl(Priced, unlimited(Priced, "reporting"))}}, Question{}, "license_required payment_required", "payment reporting|ev1||"},
		{"a price against an allow", Case{Evidence: []Evidence{rsl(Priced), of(rsl(Allow), "content_signal", "")}}, Question{}, "license_required conflict_most_restrictive", "payment|ev1||"},
		{"a welcome to a closed door", Case{Preferences: []Stated{welcome}}, Question{}, "license_required signal_disallows", "attribution|ev_stated||"},
		{"a disallow against an allow", Case{Evidence: []Evidence{rsl(Disallow), of(rsl(Allow), "content_signal", "")}}, Question{}, "declined conflict_most_restrictive", "|ev1||"},
		{"not offered at all", Case{Preferences: []Stated{ragPreference("not_offered", "unknown")}, Offers: []Licence{open}}, Question{}, "declined use_not_offered", "|ev_stated||"},
		{"not offered, beside another use that is welcome", Case{Preferences: []Stated{{exports.Preference{Use: "training", Inquiry: "not_offered", Declared: "disallow"}, "ev_training"}, ragPreference("not_offered", "unknown")}}, Question{}, "declined use_not_offered", "|ev_stated||"},
		{"a welcome to a door that a channel closed", Case{Preferences: []Stated{ragPreference("welcome", "unknown")}, Evidence: []Evidence{rsl(Disallow)}}, Question{}, "license_required signal_disallows", "|ev1 ev_stated||"},
		{"an offer beside a price with a duty", Case{Offers: []Licence{open}, Evidence: []Evidence{rsl(Priced, unlimited(Priced, "reporting"))}}, Question{}, "license_required offer_exists", "payment reporting|ev1 ev_offer||"},
		{"a paused offer", Case{Offers: []Licence{ragOffer("paused")}}, Question{}, "unknown offer_paused", "|||offer:lic_a:offer_paused"},
		{"a paused offer behind a disallow", Case{Offers: []Licence{ragOffer("paused")}, Evidence: []Evidence{rsl(Disallow)}}, Question{}, "declined offer_paused", "|ev1||offer:lic_a:offer_paused"},
		{"a retired offer", Case{Offers: []Licence{ragOffer("retired")}}, Question{}, "unknown no_statement", "|||"},
		{"an offer that also excludes the use", Case{Offers: []Licence{prohibiting(open, "rag")}}, Question{}, "unknown no_statement", "|||"},

		// time
		{"an allow that went stale", Case{Evidence: []Evidence{aged(rsl(Allow), noon-1)}}, Question{}, "unknown stale_evidence", "|||rsl::stale_evidence"},
		{"an allow in its last second", Case{Evidence: []Evidence{aged(rsl(Allow), noon)}}, Question{}, "signal_allow signal_allows", "|ev1||"},
		{"a disallow that went stale", Case{Evidence: []Evidence{aged(rsl(Disallow), noon-1)}}, Question{}, "declined stale_evidence", "|ev1||"},
		{"a disallow that went stale a month ago", Case{Evidence: []Evidence{aged(rsl(Disallow), noon-30*day)}}, Question{}, "declined stale_evidence", "|ev1||"},
		{"a disallow that was not looked at for years", Case{Evidence: []Evidence{aged(rsl(Disallow), noon-3000*day)}}, Question{}, "declined stale_evidence", "|ev1||"},
		{"a stale disallow beside a fresh allow", Case{Evidence: []Evidence{aged(rsl(Disallow), noon-32*day), of(rsl(Allow), "content_signal", "")}}, Question{}, "declined conflict_most_restrictive", "|ev1||"},
		{"a stale limit beside a fresh allow", Case{Evidence: []Evidence{aged(rsl(Allow, edu(Allow)), noon-1), of(rsl(Allow), "content_signal", "")}}, Question{UserType: "commercial"}, "declined user_type_excluded", "|ev1||rsl::stale_evidence"},
		{"a stale permission with a duty beside a fresh one", Case{Evidence: []Evidence{aged(rsl(Allow, unlimited(Allow, "attribution")), noon-1), of(rsl(Allow), "content_signal", "")}}, Question{}, "signal_allow signal_allows", "attribution|ev_content_signal||rsl::stale_evidence"},
		{"a price that went stale still restricts", Case{Evidence: []Evidence{aged(rsl(Priced), noon-1), of(rsl(Allow), "content_signal", "")}}, Question{}, "license_required conflict_most_restrictive", "payment|ev1||"},
		{"a fresh disallow beside a stale one", Case{Evidence: []Evidence{aged(rsl(Disallow), noon-1), of(rsl(Disallow), "tdmrep", "")}}, Question{}, "declined signal_disallows", "|ev1 ev_tdmrep||"},
		{"evidence of tomorrow", Case{Evidence: []Evidence{rsl(Disallow)}}, Question{At: noon - day}, "unknown no_statement", "|||rsl::not_yet_observed"},
		{"a preference of tomorrow", Case{Preferences: []Stated{since(welcome, "2026-11-20T12:00:01Z")}}, Question{}, "unknown no_statement", "|||publisher_statement:disallow:not_yet_stated"},
		{"a preference of now", Case{Preferences: []Stated{since(welcome, "2026-11-20T12:00:00Z")}}, Question{}, "license_required signal_disallows", "attribution|ev_stated||"},
		{"an offer of tomorrow", Case{Offers: []Licence{between(open, "2026-11-21T00:00:00Z", "")}}, Question{}, "unknown no_statement", "|||"},
		{"an offer that ended", Case{Offers: []Licence{between(open, "2026-01-01T00:00:00Z", "2026-11-20T12:00:00Z")}}, Question{}, "unknown offer_ended", "|||"},
		{"an offer that ended beside an allow", Case{Offers: []Licence{between(open, "2026-01-01T00:00:00Z", "2026-11-20T11:59:30Z")}, Evidence: []Evidence{rsl(Allow)}}, Question{}, "unknown offer_ended", "|||"},
		{"an allow seen after an offer ended", Case{Offers: []Licence{between(open, "2026-01-01T00:00:00Z", "2026-11-20T11:59:00Z")}, Evidence: []Evidence{rsl(Allow)}}, Question{}, "signal_allow signal_allows", "|ev1||"},
		{"a paused offer that ended beside an allow", Case{Offers: []Licence{between(ragOffer("paused"), "2026-01-01T00:00:00Z", "2026-11-20T11:59:30Z")}, Evidence: []Evidence{rsl(Allow)}}, Question{}, "signal_allow signal_allows", "|ev1||"},
		{"an offer that ends soon", Case{Offers: []Licence{between(open, "2026-01-01T00:00:00Z", "2026-11-20T12:00:01Z")}}, Question{}, "license_required offer_exists", "payment|ev_offer||"},

		// scope
		{"an offer for another section", Case{Path: "/sport/1", Offers: []Licence{scoped(open, "/shipping/*")}}, Question{}, "unknown no_statement", "|||"},
		{"an offer for this section", Case{Path: "/shipping/1", Offers: []Licence{scoped(open, "/shipping/*")}}, Question{}, "license_required offer_exists", "payment|ev_offer||"},
		{"an excluded part", Case{Path: "/shipping/wire/1", Offers: []Licence{scoped(open, "/shipping/*", "/shipping/wire/*")}}, Question{}, "unknown no_statement", "|||"},
		{"the site as a whole", Case{Offers: []Licence{scoped(open, "/shipping/*")}}, Question{}, "license_required offer_exists", "payment|ev_offer||"},
		{"an offer for another format", Case{ContentFormat: "image", Offers: []Licence{formats(open, "html")}}, Question{}, "unknown no_statement", "|||"},
		{"an offer for this format", Case{ContentFormat: "html", Offers: []Licence{formats(open, "html")}}, Question{}, "license_required offer_exists", "payment|ev_offer||"},
		{"older than the offer reaches", Case{PublishedAt: noon - day, Offers: []Licence{after(open, "2026-11-20T00:00:00Z")}}, Question{}, "unknown no_statement", "|||"},

		{"just as old as the offer reaches", Case{PublishedAt: noon - 12*60*60, Offers: []Licence{after(open, "2026-11-20T00:00:00Z")}}, Question{}, "license_required offer_exists", "payment|ev_offer||"},
		{"of a date that nobody knows, and closed", Case{Path: "/a", Offers: []Licence{after(open, "2026-11-20T00:00:00Z")}, Evidence: []Evidence{rsl(Disallow)}}, Question{}, "declined signal_disallows", "|ev1||"},
		{"of a format that nobody knows, and closed", Case{Path: "/a", Offers: []Licence{formats(open, "html")}, Evidence: []Evidence{rsl(Disallow)}}, Question{}, "declined signal_disallows", "|ev1||"},
		{"of a format that nobody knows, and free", Case{Path: "/a", Offers: []Licence{formats(open, "html")}, Evidence: []Evidence{rsl(Allow)}}, Question{}, "license_required offer_exists", "payment|ev_offer||"},
		{"a closed site with an offer for one format", Case{Offers: []Licence{formats(open, "html")}, Evidence: []Evidence{rsl(Disallow)}}, Question{}, "license_required offer_exists", "payment|ev1 ev_offer||"},
		{"two offers, cited in the order of their names", Case{Offers: []Licence{{named(open, "lic_b").Offer, "ev_b"}, open}}, Question{}, "license_required offer_exists", "payment|ev_offer ev_b||"},

		// audience
		{"an offer for commercial users, asked by one", Case{Offers: []Licence{limited(open, []string{"commercial"}, nil, nil)}}, Question{UserType: "commercial"}, "license_required offer_exists", "payment|ev_offer||"},
		{"asked by a school", Case{Offers: []Licence{limited(open, []string{"commercial"}, nil, nil)}}, Question{UserType: "education"}, "declined user_type_excluded", "|ev_offer||"},
		{"asked by nobody in particular", Case{Offers: []Licence{limited(open, []string{"commercial"}, nil, nil)}}, Question{}, "license_required offer_exists", "payment|ev_offer|user_type|"},
		{"asked by nobody from nowhere", Case{Offers: []Licence{limited(open, []string{"commercial"}, []string{"EU"}, nil)}}, Question{}, "license_required offer_exists", "payment|ev_offer|territory user_type|"},
		{"an offer for the EU, asked from a member", Case{Offers: []Licence{limited(open, nil, []string{"EU"}, nil)}}, Question{Territory: "NL"}, "license_required offer_exists", "payment|ev_offer||"},
		{"asked from the EU", Case{Offers: []Licence{limited(open, nil, []string{"EU"}, nil)}}, Question{Territory: "EU"}, "license_required offer_exists", "payment|ev_offer||"},
		{"asked from elsewhere", Case{Offers: []Licence{limited(open, nil, []string{"EU"}, nil)}}, Question{Territory: "US"}, "declined territory_excluded", "|ev_offer||"},
		{"an offer for one member, asked from the EU", Case{Offers: []Licence{limited(open, nil, []string{"NL"}, nil)}}, Question{Territory: "EU"}, "declined territory_excluded", "|ev_offer||"},
		{"an offer outside one member, asked from the EU", Case{Offers: []Licence{limited(open, nil, nil, []string{"NL"})}}, Question{Territory: "EU"}, "declined territory_excluded", "|ev_offer||"},
		{"an offer outside one member, asked from another", Case{Offers: []Licence{limited(open, nil, nil, []string{"NL"})}}, Question{Territory: "BE"}, "license_required offer_exists", "payment|ev_offer||"},
		{"an offer outside the EU, asked from a member", Case{Offers: []Licence{limited(open, nil, nil, []string{"EU"})}}, Question{Territory: "BE"}, "declined territory_excluded", "|ev_offer||"},
		{"an offer inside the EU but one member", Case{Offers: []Licence{limited(open, nil, []string{"EU"}, []string{"NL"})}}, Question{Territory: "NL"}, "declined territory_excluded", "|ev_offer||"},
		{"from nowhere in particular", Case{Offers: []Licence{limited(open, nil, []string{"EU"}, nil)}}, Question{}, "license_required offer_exists", "payment|ev_offer|territory|"},
		{"excluded territory, from nowhere in particular", Case{Offers: []Licence{limited(open, nil, nil, []string{"US"})}}, Question{}, "license_required offer_exists", "payment|ev_offer|territory|"},
		{"an offer for the EU but one member, from nowhere in particular", Case{Offers: []Licence{limited(open, nil, []string{"EU"}, []string{"NL"})}}, Question{}, "license_required offer_exists", "payment|ev_offer|territory|"},
		{"two offers share the world", Case{Offers: []Licence{limited(open, []string{"commercial"}, nil, nil), named(limited(open, []string{"education"}, nil, nil), "lic_b")}}, Question{UserType: "education"}, "license_required offer_exists", "payment|ev_offer||"},
		{"a free licence for schools, asked by one", Case{Evidence: []Evidence{rsl(Allow, edu(Allow))}}, Question{UserType: "education"}, "signal_allow signal_allows", "|ev1||"},
		{"a free licence for schools, asked by a company", Case{Evidence: []Evidence{rsl(Allow, edu(Allow))}}, Question{UserType: "commercial"}, "declined user_type_excluded", "|ev1||"},
		{"a free licence for schools, asked by nobody", Case{Evidence: []Evidence{rsl(Allow, edu(Allow))}}, Question{}, "declined user_type_excluded", "|ev1|user_type|"},
		{"free for schools, sold to the rest, asked by a school", Case{Evidence: []Evidence{rsl(Allow, edu(Allow), unlimited(Priced))}}, Question{UserType: "education"}, "signal_allow signal_allows", "|ev1||"},
		{"free for schools, sold to the rest, asked by a company", Case{Evidence: []Evidence{rsl(Allow, edu(Allow), unlimited(Priced))}}, Question{UserType: "commercial"}, "license_required payment_required", "payment|ev1||"},
		{"free for schools, sold to the rest, asked by nobody", Case{Evidence: []Evidence{rsl(Allow, edu(Allow), unlimited(Priced))}}, Question{}, "license_required payment_required", "payment|ev1|user_type|"},
		{"priced in the EU, asked from there", Case{Evidence: []Evidence{rsl(Priced, inEU(Priced))}}, Question{Territory: "FR"}, "license_required payment_required", "payment|ev1||"},
		{"priced in the EU, asked from elsewhere", Case{Evidence: []Evidence{rsl(Priced, inEU(Priced))}}, Question{Territory: "JP"}, "declined territory_excluded", "|ev1||"},
		{"free but not in the US", Case{Evidence: []Evidence{rsl(Allow, notUS(Allow))}}, Question{Territory: "US"}, "declined territory_excluded", "|ev1||"},
		{"a general allow does not open a limited offer", Case{Offers: []Licence{limited(open, []string{"commercial"}, nil, nil)}, Evidence: []Evidence{rsl(Allow)}}, Question{UserType: "education"}, "declined user_type_excluded", "|ev_offer||"},
		{"an allow written for schools does", Case{Offers: []Licence{limited(open, []string{"commercial"}, nil, nil)}, Evidence: []Evidence{rsl(Allow, edu(Allow))}}, Question{UserType: "education"}, "signal_allow signal_allows", "|ev1||"},
		{"an allow that leaves out others does not", Case{Offers: []Licence{limited(open, []string{"commercial"}, nil, nil)}, Evidence: []Evidence{rsl(Allow, notUS(Allow))}}, Question{UserType: "education", Territory: "DE"}, "declined user_type_excluded", "|ev1 ev_offer||"},
		{"an offer opens what a channel limits", Case{Offers: []Licence{open}, Evidence: []Evidence{rsl(Priced, edu(Priced))}}, Question{UserType: "commercial"}, "license_required offer_exists", "payment|ev_offer||"},
		{"a disallow beside a limited offer", Case{Offers: []Licence{limited(open, []string{"commercial"}, nil, nil)}, Evidence: []Evidence{rsl(Disallow)}}, Question{UserType: "commercial"}, "license_required offer_exists", "payment|ev1 ev_offer||"},

		// agents
		{"an agent shut out by name, asked for everybody", Case{Evidence: []Evidence{of(rsl(Disallow), "robots", "examplebot")}}, Question{}, "declined signal_disallows", "|ev_robotsexamplebot|agent|robots::agent_specific"},
		{"allowed to everybody but one agent", Case{Evidence: []Evidence{rsl(Allow), of(rsl(Disallow), "robots", "gptbot"), of(rsl(Disallow), "robots", "claudebot")}}, Question{}, "declined conflict_most_restrictive", "|ev_robotsclaudebot|agent|robots::agent_specific"},
		{"allowed to everybody but one agent, asked for another", Case{Evidence: []Evidence{rsl(Allow), of(rsl(Disallow), "robots", "gptbot")}}, Question{Agent: "OtherBot"}, "signal_allow signal_allows", "|ev1||"},
		{"an agent shut out by name, asked for it", Case{Evidence: []Evidence{of(rsl(Disallow), "robots", "examplebot")}}, Question{Agent: "ExampleBot"}, "declined signal_disallows", "|ev_robotsexamplebot||"},
		{"an agent shut out by name, asked for another", Case{Evidence: []Evidence{of(rsl(Disallow), "robots", "examplebot")}}, Question{Agent: "OtherBot"}, "unknown no_statement", "|||"},
		{"an agent let in by name", Case{Evidence: []Evidence{of(rsl(Disallow), "rsl", ""), of(rsl(Allow), "rsl", "examplebot")}}, Question{Agent: "examplebot"}, "signal_allow signal_allows", "|ev_rslexamplebot||"},
		{"an agent let in by name, asked for everybody", Case{Evidence: []Evidence{of(rsl(Disallow), "rsl", ""), of(rsl(Allow), "rsl", "examplebot")}}, Question{}, "declined signal_disallows", "|ev_rsl|agent|rsl::agent_specific"},
		{"an agent told what everybody is told", Case{Evidence: []Evidence{of(rsl(Disallow), "rsl", ""), of(rsl(Disallow), "rsl", "examplebot")}}, Question{}, "declined signal_disallows", "|ev_rsl||rsl::agent_specific"},
		{"an agent about which a channel says nothing", Case{Evidence: []Evidence{of(rsl(Disallow), "rsl", ""), of(rsl(Unknown), "rsl", "examplebot"), of(rsl(Allow), "tdmrep", "")}}, Question{Agent: "examplebot"}, "signal_allow signal_allows", "|ev_tdmrep||"},

		// buyers
		{"a grant", Case{Buyer: true, Grants: []Grant{grant}, Evidence: []Evidence{rsl(Disallow)}}, Question{}, "licensed grant_active", "retention|ev1||"},
		{"a grant for a withdrawn entry", Case{Buyer: true, Grants: []Grant{grant}, State: EntryWithdrawn}, Question{}, "withdrawn entry_withdrawn", "|||"},
		{"a grant for a declined use", Case{Buyer: true, Grants: []Grant{grant}, Preferences: []Stated{ragPreference("not_offered", "disallow")}}, Question{}, "licensed grant_active", "retention|ev_stated||"},
		{"a grant without a credential", Case{Grants: []Grant{grant}}, Question{}, "unknown no_statement", "|||"},

		// words that a channel says of another use
		{"a channel that does not reach the use", Case{Evidence: []Evidence{{ID: "ev1", Channel: "tdmrep", Use: exports.UseRAG, Effect: Unknown, Value: "reserved", Why: "channel_does_not_cover_use"}}}, Question{}, "unknown no_statement", "|||tdmrep:reserved:channel_does_not_cover_use"},
		{"evidence on another use", Case{Evidence: []Evidence{{ID: "ev1", Channel: "tdmrep", Use: exports.UseTraining, Effect: Disallow}}}, Question{}, "unknown no_statement", "|||"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.q.At == 0 {
				c.q.At = noon
			}
			c.c.SiteID = "site-a"
			a := Evaluate(&c.c, c.q)
			v := a.Uses[0]
			assert.Equal(t, v.Verdict+" "+v.Reason, c.want, "got")
			var skipped []string
			for _, n := range a.NotApplied {
				if n.Use == "rag" {
					skipped = append(skipped, n.Channel+":"+n.Value+":"+n.Why)
				}
			}
			detail := strings.Join([]string{
				strings.Join(v.Obligations, " "), strings.Join(v.Basis, " "), strings.Join(v.DependsOn, " "), strings.Join(skipped, " "),
			}, "|")
			assert.Equal(t, detail, c.detail, "detail")
			if !slices.Contains(exports.Verdicts, v.Verdict) || !slices.Contains(exports.ReasonCodes, v.Reason) {
				t.Errorf("%s %s is not in the vocabulary", v.Verdict, v.Reason)
			}
		})
	}
}

func withDuties(o Licence) Licence {
	o.Obligations = exports.Obligations{Attribution: "link", DisplayLimitChars: 600, ReportingProfile: "https://p.example/", DeleteOnRevocationHours: 72}
	return o
}
func prohibiting(o Licence, use string) Licence { o.Prohibits = []string{use}; return o }
func since(p Stated, at string) Stated          { p.Since = at; return p }
func between(o Licence, from, until string) Licence {
	o.ValidFrom, o.ValidUntil = from, until
	return o
}
func formats(o Licence, f string) Licence { o.Scope.ContentFormats = []string{f}; return o }
func after(o Licence, at string) Licence  { o.Scope.PublishedAfter = at; return o }
func named(o Licence, id string) Licence  { o.LicenseID = id; return o }
func scoped(o Licence, path string, not ...string) Licence {
	o.Scope.Paths, o.Scope.Excludes = []string{path}, not
	return o
}

// TestHarborLedger is the published example: a publisher that sells grounding
// and summaries, declines training and lets search in.
func TestHarborLedger(t *testing.T) {
	var c Case
	c.Path = "/shipping/tide-tables-2026"
	say := func(id, channel string, effect Effect, why string, until int64, uses ...exports.Use) {
		for _, u := range uses {
			c.Evidence = append(c.Evidence, Evidence{ID: id, Channel: channel, Use: u, Effect: effect, Why: why, Value: "said", CheckedAt: noon - 3600, ValidUntil: until})
		}
	}
	say("ev1", "rsl", Priced, "", noon+30*day, exports.UseRAG)
	c.Evidence[0].Options = []Option{{Effect: Priced, Audience: Audience{Territories: []string{"EU", "GB"}}}}
	say("ev1", "rsl", Disallow, "", noon+30*day, exports.UseTraining, exports.UseFineTuning, exports.UseDatasets)
	say("ev1", "rsl", Allow, "", noon+30*day, exports.UseSearchIndexing)
	say("ev1", "rsl", Unknown, "word_wider_than_use", noon+30*day, exports.UseSummarization)
	say("ev2", "aipref_header", Disallow, "", noon+day, exports.UseTraining, exports.UseFineTuning, exports.UseDatasets)
	say("ev2", "aipref_header", Allow, "", noon+day, exports.UseSearchIndexing)
	c.Evidence = append(c.Evidence, Evidence{ID: "ev4", Channel: "tdmrep", Use: exports.UseSearchIndexing, Effect: Unknown, Value: "reserved", Why: "channel_does_not_cover_use", CheckedAt: noon - 60})
	c.Preferences = []Stated{
		{exports.Preference{Use: "rag", Inquiry: "welcome", Declared: "disallow", Conditions: []string{"attribution"}}, ""},
		{exports.Preference{Use: "search_indexing", Inquiry: "unstated", Declared: "allow", Conditions: []string{"link_back"}}, ""},
	}
	o := ragOffer("offered")
	o.LicenseID, o.Evidence = "lic_5qixfwhozvhvdukowfdcl7dlhh", "ev3"
	o.Permits, o.Prohibits = []string{"rag", "summarization"}, []string{"training", "fine_tuning", "datasets"}
	o.Scope.Paths, o.Scope.Excludes = []string{"/shipping/*", "/tariffs/*"}, []string{"/shipping/wire/*"}
	o.UserTypes, o.Territories = []string{"commercial", "education"}, []string{"EU", "GB"}
	o.Obligations.ReportingProfile = "https://contenttelemetry.example/profile"
	c.Offers = []Licence{o}

	a := Evaluate(&c, Question{UserType: "commercial", Territory: "NL", At: noon})
	if a.Vector != "LDDSLDUU" {
		t.Fatalf("vector %s", a.Vector)
	}
	assert.Equal(t, Evaluate(&c, Question{At: noon}).Vector, "LDDSLDUU", "unnamed")
	assert.Equal(t, Evaluate(&c, Question{UserType: "commercial", Territory: "US", At: noon}).Vector, "DDDSDDUU", "from the US")
	rag, search := a.Uses[0], a.Uses[3]
	if !slices.Equal(rag.Obligations, []string{"payment", "attribution", "reporting"}) || !slices.Equal(rag.Basis, []string{"ev1", "ev3"}) || !slices.Equal(rag.LicenseIDs, []string{o.LicenseID}) {
		t.Errorf("rag %+v", rag)
	}
	if !slices.Equal(search.Obligations, []string{"link_back"}) || !slices.Equal(search.Basis, []string{"ev1", "ev2"}) {
		t.Errorf("search %+v", search)
	}
	if !slices.Contains(a.NotApplied, exports.NotApplied{Use: "search_indexing", Channel: "tdmrep", Value: "reserved", Why: "channel_does_not_cover_use"}) {
		t.Errorf("not applied %+v", a.NotApplied)
	}
	if a.ValidUntil != noon+day {
		t.Errorf("valid until %d, want a day", a.ValidUntil-noon)
	}
	c.State = EntryWithdrawn
	assert.Equal(t, Evaluate(&c, Question{At: noon}).Vector, "WWWWWWWW", "withdrawn")
	assert.Equal(t, Evaluate(&Case{}, Question{At: noon}).Vector, "UUUUUUUU", "nothing known")
}

// heldGrant returns an active grant of an active buyer, from a day ago until
// tomorrow.
func heldGrant(change func(g *Grant)) Grant {
	g := Grant{Holder: &origin.Buyer{BuyerID: "byr_1", State: "active"}}
	g.GrantID = "grt_1"
	g.BuyerID = "byr_1"
	g.Sites = []string{"site-a"}
	g.Uses = []string{"rag"}
	g.State = "active"
	g.ValidFrom = formatInstant(noon - day)
	g.ValidUntil = formatInstant(noon + day)
	change(&g)
	return g
}

func TestGrantsOfABuyer(t *testing.T) {
	active := heldGrant(func(*Grant) {})
	expired := heldGrant(func(g *Grant) { g.ValidUntil = formatInstant(noon) })
	revoked := heldGrant(func(g *Grant) { g.State = "revoked" })
	suspended := heldGrant(func(g *Grant) { g.State = "suspended" })
	suspendedBuyer := heldGrant(func(g *Grant) { g.Holder.State = "suspended" })
	foreign := heldGrant(func(g *Grant) { g.BuyerID = "byr_2" })
	future := heldGrant(func(g *Grant) { g.ValidFrom = formatInstant(noon + 1) })
	longer := heldGrant(func(g *Grant) { g.ValidUntil = formatInstant(noon + 2*day) })
	otherUse := heldGrant(func(g *Grant) { g.Uses = []string{"training"} })
	otherPath := heldGrant(func(g *Grant) { g.Paths = []string{"/other/*"} })
	otherSite := heldGrant(func(g *Grant) { g.Sites = []string{"site-b"} })
	for _, c := range []struct {
		name   string
		grants []Grant
		want   string
	}{
		{"none", nil, "grant_missing"},
		{"active", []Grant{active}, "grant_active"},
		{"expired", []Grant{expired}, "grant_expired"},
		{"suspended", []Grant{suspended}, "grant_suspended"},
		{"suspended and expired", []Grant{expired, suspended}, "grant_suspended"},
		{"of a suspended buyer", []Grant{suspendedBuyer}, "grant_suspended"},
		{"revoked", []Grant{expired, revoked, suspended}, "grant_revoked"},
		{"of another buyer", []Grant{foreign}, "grant_missing"},
		{"for another use", []Grant{otherUse}, "grant_scope_mismatch"},
		{"for another path", []Grant{otherPath}, "grant_scope_mismatch"},
		{"for another site", []Grant{otherSite}, "grant_scope_mismatch"},
		{"not yet", []Grant{future}, "grant_missing"},
		{"the first to end", []Grant{active, longer}, "grant_active"},
		{"one of many", []Grant{revoked, active, otherUse}, "grant_active"},
	} {
		a := Evaluate(&Case{SiteID: "site-a", Path: "/a", Buyer: true, Grants: c.grants, Offers: []Licence{ragOffer("offered")}}, Question{At: noon})
		v := a.Uses[0]
		assert.Equal(t, v.Grant, c.want, "%s", c.name)
		if licensed := c.want == "grant_active"; licensed != (v.Verdict == "licensed") || licensed && (v.ValidUntil != noon+day || !slices.Equal(v.GrantIDs, []string{"grt_1"})) {
			t.Errorf("%s: %+v", c.name, v)
		}
		assert.Equal(t, a.Vector[0], 'L', "%s: the vector tells of a grant: %s", c.name, a.Vector)
	}
}

func TestConflictIsTold(t *testing.T) {
	c := Case{Preferences: []Stated{ragPreference("unstated", "allow")}, Evidence: ragEvidence("content_signal disallow; rsl priced; rsl allow; tdmrep disallow")}
	a := Evaluate(&c, Question{At: noon})
	if len(a.Conflicts) != 1 {
		t.Fatalf("conflicts %+v", a.Conflicts)
	}
	got := a.Conflicts[0]
	if strings.Join(got.Between, " ") != "rsl content_signal tdmrep publisher_statement" || strings.Join(got.Values, " ") != "priced disallow disallow allow" || got.Taken != "disallow" {
		t.Errorf("%+v", got)
	}
}

func TestAnswerEnds(t *testing.T) {
	open := ragOffer("offered")
	for _, c := range []struct {
		name string
		c    Case
		want int64
	}{
		{"nothing known", Case{}, noEnd - noon},
		{"evidence without end", Case{Evidence: []Evidence{rsl(Allow)}}, noEnd - noon},
		{"evidence with an end", Case{Evidence: []Evidence{aged(rsl(Allow), noon+100)}}, 100},
		{"a stale disallow never ends", Case{Evidence: []Evidence{aged(rsl(Disallow), noon-30*day+5)}}, noEnd - noon},
		{"an offer with an end", Case{Offers: []Licence{between(open, "", "2026-11-20T12:01:00Z")}}, 60},
		{"an offer to come", Case{Offers: []Licence{between(open, "2026-11-20T12:02:00Z", "")}}, 120},
		{"a preference to come", Case{Preferences: []Stated{since(ragPreference("welcome", "disallow"), "2026-11-20T12:03:00Z")}}, 180},
	} {
		assert.Equal(t, Evaluate(&c.c, Question{At: noon}).ValidUntil-noon, c.want, "%s", c.name)
	}
}

// TestWhoGetsWhat checks that an answer that depends on the audience lists each
// audience once.
func TestWhoGetsWhat(t *testing.T) {
	toEU := limited(ragOffer("offered"), nil, []string{"EU"}, []string{"NL"})
	forbidden := of(rsl(Disallow), "robots", "gptbot")
	for _, c := range []struct {
		name string
		c    Case
		want string
	}{
		{"sold in the EU but for one member", Case{Offers: []Licence{toEU}}, "EU NL other: declined; EU_other: license_required"},
		{"free for schools", Case{Evidence: []Evidence{rsl(Allow, edu(Allow))}}, "commercial non_commercial government personal: declined; education: signal_allow"},
		{"closed to one agent", Case{Evidence: []Evidence{rsl(Allow), forbidden}}, "other: signal_allow; gptbot: declined"},
		{"the same for all", Case{Evidence: []Evidence{rsl(Disallow, edu(Allow)), forbidden}}, ""},
	} {
		v := Evaluate(&c.c, Question{At: noon}).Uses[0]
		var rows []string
		for _, a := range v.Audiences {
			words := slices.Concat(a.Agents, a.Territories, a.UserTypes)
			rows = append(rows, strings.Join(words, " ")+": "+a.Verdict)
		}
		assert.Equal(t, strings.Join(rows, "; "), c.want, "%s", c.name)
	}
}

// TestNoEndWhereSomebodyMayAsk checks that a refusal says whether someone else
// could get further.
func TestNoEndWhereSomebodyMayAsk(t *testing.T) {
	sold := Case{Offers: []Licence{limited(ragOffer("offered"), []string{"commercial"}, nil, nil)}}
	shut := Case{Preferences: []Stated{ragPreference("not_offered", "disallow")}}
	perhaps := Case{Path: "/a", Offers: []Licence{formats(ragOffer("offered"), "html")}, Evidence: []Evidence{rsl(Disallow)}}
	for _, x := range []struct {
		c    *Case
		q    Question
		want bool
	}{
		{&sold, Question{UserType: "education", At: noon}, true},
		{&sold, Question{UserType: "education", Territory: "DE", Agent: "ExampleBot", At: noon}, true},
		{&shut, Question{UserType: "education", At: noon}, false},
		{&shut, Question{At: noon}, false},
		{&perhaps, Question{At: noon}, true},
	} {
		v := Evaluate(x.c, x.q).Uses[0]
		if v.Verdict != "declined" || v.SomeoneMayAsk != x.want {
			t.Errorf("%+v: %s, somebody may ask %v, want declined, %v", x.q, v.Verdict, v.SomeoneMayAsk, x.want)
		}
	}
}

// TestConfirmationOfOldEvidence checks that a permission no longer in force
// contradicts nothing, while a restriction still does.
func TestConfirmationOfOldEvidence(t *testing.T) {
	for _, x := range []struct {
		declared string
		evidence Evidence
		want     string
	}{
		{"disallow", rsl(Allow), exports.Contradicted},
		{"disallow", aged(rsl(Allow), noon-1), ""},
		{"allow", rsl(Disallow), exports.Contradicted},
		{"allow", aged(rsl(Disallow), noon-1), exports.Contradicted},
	} {
		c := Case{Preferences: []Stated{ragPreference("unstated", x.declared)}, Evidence: []Evidence{x.evidence}}
		assert.Equal(t, Evaluate(&c, Question{At: noon}).Uses[0].Confirmation, x.want, "%s beside %+v", x.declared, x.evidence)
	}
}

// TestAgentsAreToldApart checks that two agents share a reading only if every
// statement that affects an answer is the same for both.
func TestAgentsAreToldApart(t *testing.T) {
	told := func(agent string, change func(*Evidence)) Evidence {
		e := of(rsl(Priced, Option{
			Effect: Priced, Obligations: []string{"payment"},
			Audience: Audience{UserTypes: []string{"education"}, NotUserTypes: []string{"personal"}, Territories: []string{"EU"}, NotTerritories: []string{"NL"}},
		}), "rsl", agent)
		e.ValidUntil = noon + day
		change(&e)
		return e
	}
	same := func(*Evidence) {}
	for name, change := range map[string]func(*Evidence){
		"channel":         func(e *Evidence) { e.Channel = "tdmrep" },
		"use":             func(e *Evidence) { e.Use = exports.UseTraining },
		"effect":          func(e *Evidence) { e.Effect = Disallow },
		"checked at":      func(e *Evidence) { e.CheckedAt-- },
		"valid until":     func(e *Evidence) { e.ValidUntil-- },
		"option":          func(e *Evidence) { e.Options[0].Effect = Allow },
		"obligations":     func(e *Evidence) { e.Options[0].Obligations = nil },
		"user types":      func(e *Evidence) { e.Options[0].Audience.UserTypes = nil },
		"other users":     func(e *Evidence) { e.Options[0].Audience.NotUserTypes = nil },
		"territories":     func(e *Evidence) { e.Options[0].Audience.Territories = nil },
		"not territories": func(e *Evidence) { e.Options[0].Audience.NotTerritories = nil },
	} {
		if got := readingsOf([]Evidence{told("abot", same), told("bbot", change)}, ""); len(got) != 3 {
			t.Errorf("%s: %d readings, want those of everybody and of two agents", name, len(got))
		}
	}
	if got := readingsOf([]Evidence{told("abot", same), told("bbot", same)}, ""); len(got) != 2 || len(got[1].agents) != 2 {
		t.Errorf("two agents that are told the same: %+v", got)
	}
}

// TestWithdrawnIsNoConflict checks that a withdrawn page has no conflicts.
func TestWithdrawnIsNoConflict(t *testing.T) {
	torn := []Evidence{rsl(Disallow), of(rsl(Allow), "content_signal", "")}
	for state, agree := range map[State]bool{EntryWithdrawn: true, PublisherInactive: true, Active: false} {
		a := Evaluate(&Case{State: state, Evidence: torn}, Question{At: noon})
		if a.Uses[0].SignalsAgree != agree || (len(a.Conflicts) == 0) != agree {
			t.Errorf("%q: the signals agree %v, conflicts %v", state, a.Uses[0].SignalsAgree, a.Conflicts)
		}
	}
}

// TestFirstSourceToEnd checks that an answer based on several documents is
// valid until the first of them must be checked again. A document without an
// end does not limit it.
func TestFirstSourceToEnd(t *testing.T) {
	for _, c := range []struct {
		ends []int64
		want int64
	}{
		{nil, 0}, {[]int64{0, 0}, 0}, {[]int64{noon + 5, noon + 9}, noon + 5}, {[]int64{noon + 9, noon + 5}, noon + 5}, {[]int64{0, noon + 5}, noon + 5}, {[]int64{noon + 5, 0}, noon + 5},
	} {
		var a statements.Answer
		for _, end := range c.ends {
			a.Sources = append(a.Sources, statements.Source{ValidUntil: end})
		}
		assert.Equal(t, EvidenceOf(&a).ValidUntil, c.want, "%v: until", c.ends)
	}
}

// TestRefusalEndsWithItsLimit checks that a refusal caused by a limit is valid
// only until the document with the limit must be checked again.
func TestRefusalEndsWithItsLimit(t *testing.T) {
	c := Case{Evidence: []Evidence{aged(rsl(Allow, edu(Allow)), noon+100)}}
	v := Evaluate(&c, Question{UserType: "commercial", At: noon}).Uses[0]
	if v.Reason != "user_type_excluded" || v.ValidUntil != noon+100 {
		t.Errorf("%s until %d, want %d", v.Reason, v.ValidUntil, noon+100)
	}
}

// TestDoubts checks that a contradiction prevails over a missing confirmation,
// whichever is found first, and that there is no doubt about a withdrawn page.
func TestDoubts(t *testing.T) {
	for _, c := range [][3]string{
		{"", "", ""}, {"", exports.Unconfirmed, exports.Unconfirmed}, {exports.Unconfirmed, "", exports.Unconfirmed},
		{exports.Contradicted, "", exports.Contradicted}, {"", exports.Contradicted, exports.Contradicted},
		{exports.Contradicted, exports.Unconfirmed, exports.Contradicted}, {exports.Unconfirmed, exports.Contradicted, exports.Contradicted},
	} {
		if got := strongerDoubt(c[0], c[1]); got != c[2] {
			t.Errorf("%q and %q: %q, want %q", c[0], c[1], got, c[2])
		}
	}
	var a Answer
	a.Uses[0] = UseVerdict{Use: exports.UseRAG, Verdict: "withdrawn", Confirmation: exports.Contradicted}
	a.Uses[1] = UseVerdict{Use: exports.UseTraining, Verdict: "declined", Confirmation: exports.Contradicted}
	if got := a.Confirmations(); len(got) != 1 || got[0].Use != "training" {
		t.Errorf("doubts %v", got)
	}
}
