package rights

import (
	"reflect"
	"slices"
	"testing"

	"colophon/exports"

	"pgregory.net/rapid"
)

var (
	someChannels = rapid.SampledFrom([]string{"rsl", "robots", "content_signal", "tdmrep", "tdm_policy", "cawg", "aipref_header"})
	someUses     = rapid.SampledFrom(exports.Uses[:])
	someAgents   = rapid.SampledFrom([]string{"", "", "", "examplebot", "otherbot"})
	somePlaces   = rapid.SampledFrom([]string{"EU", "NL", "US", "GB"})
	someUsers    = rapid.SampledFrom(exports.UserTypes)
	someEffects  = rapid.SampledFrom([]Effect{Unknown, Allow, Priced, Disallow})
	someKeeping  = rapid.SampledFrom([]string{"", "", "none", "P7D", "P30D", "while_licensed"})
	someDuties   = rapid.SampledFrom([]string{"attribution", "reporting", "link_back"})
)

func someAudience(t *rapid.T) Audience {
	return Audience{
		UserTypes:      rapid.SliceOfN(someUsers, 0, 2).Draw(t, "users"),
		NotUserTypes:   rapid.SliceOfN(someUsers, 0, 1).Draw(t, "not users"),
		Territories:    rapid.SliceOfN(somePlaces, 0, 2).Draw(t, "places"),
		NotTerritories: rapid.SliceOfN(somePlaces, 0, 1).Draw(t, "not places"),
	}
}

func someEvidence(t *rapid.T) Evidence {
	e := Evidence{
		ID: rapid.StringMatching(`ev[0-9]`).Draw(t, "id"), Channel: someChannels.Draw(t, "channel"),
		Agent: someAgents.Draw(t, "agent"), Use: someUses.Draw(t, "use"), Effect: someEffects.Draw(t, "effect"),
		CheckedAt: noon + rapid.Int64Range(-40*day, day).Draw(t, "checked"), ValidUntil: noon + rapid.Int64Range(-40*day, 10*day).Draw(t, "until"),
		Retention: someKeeping.Draw(t, "keeps"),
	}
	if e.Effect == Allow || e.Effect == Priced {
		for range rapid.IntRange(0, 2).Draw(t, "options") {
			o := Option{Effect: e.Effect, Audience: someAudience(t), Obligations: rapid.SliceOfN(someDuties, 0, 2).Draw(t, "duties")}
			if rapid.Bool().Draw(t, "priced") {
				o.Effect = Priced
			}
			e.Options = append(e.Options, o)
		}
	}
	return e
}

func someOffer(t *rapid.T) Licence {
	a := someAudience(t)
	return Licence{exports.Offer{
		LicenseID: rapid.StringMatching(`lic_[a-c]`).Draw(t, "licence"),
		Status:    rapid.SampledFrom(exports.OfferStatuses).Draw(t, "status"),
		Permits:   []string{string(someUses.Draw(t, "permits"))}, UserTypes: a.UserTypes, Territories: a.Territories, NotIn: a.NotTerritories,
		Payment:     exports.Payment{Model: rapid.SampledFrom(exports.PaymentModels).Draw(t, "model")},
		Obligations: exports.Obligations{Retention: someKeeping.Draw(t, "offer keeps")},
	}, "evo"}
}

func someCase(t *rapid.T) (Case, Question) {
	c := Case{
		Evidence: rapid.SliceOfN(rapid.Custom(someEvidence), 0, 12).Draw(t, "evidence"),
		Offers:   rapid.SliceOfN(rapid.Custom(someOffer), 0, 3).Draw(t, "offers"),
	}
	for _, u := range exports.Uses {
		if rapid.Bool().Draw(t, "stated") {
			c.Preferences = append(c.Preferences, Stated{exports.Preference{
				Use: string(u), Inquiry: rapid.SampledFrom(exports.Inquiries).Draw(t, "inquiry"), Declared: rapid.SampledFrom(exports.Declarations).Draw(t, "declared"),
				Retention: someKeeping.Draw(t, "stated to keep"),
			}, "evp"})
		}
	}
	q := Question{At: noon, Agent: someAgents.Draw(t, "asked agent")}
	if rapid.Bool().Draw(t, "asks user") {
		q.UserType = someUsers.Draw(t, "asked user")
	}
	if rapid.Bool().Draw(t, "asks place") {
		q.Territory = somePlaces.Draw(t, "asked place")
	}
	return c, q
}

// freedom returns how much may be done without asking. unknown and
// license_required rank the same: both mean that one must ask first.
func freedom(verdict string) int {
	switch verdict {
	case "withdrawn", "declined":
		return 0
	case "unknown", "license_required":
		return 1
	case "signal_allow":
		return 2
	}
	return 3
}

// loosens reports whether a verdict became freer. An answer for several
// audiences at once is license_required as soon as one of them can get a
// licence, so there only a permission counts as freer.
func loosens(q Question, was, is string) bool {
	if q.UserType == "" || q.Territory == "" || q.Agent == "" {
		return is == "signal_allow" && was != "signal_allow"
	}
	return freedom(is) > freedom(was)
}

func TestAProhibitionNeverLoosens(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c, q := someCase(t)
		before := Evaluate(&c, q)
		no := someEvidence(t)
		no.Effect, no.Options, no.Agent = Disallow, nil, ""
		c.Evidence = append(slices.Clone(c.Evidence), no)
		after := Evaluate(&c, q)
		for i := range after.Uses {
			if loosens(q, before.Uses[i].Verdict, after.Uses[i].Verdict) {
				t.Fatalf("%s: %s became %s", exports.Uses[i], before.Uses[i].Verdict, after.Uses[i].Verdict)
			}
		}
	})
}

func TestALimitNeverLoosens(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c, q := someCase(t)
		if len(c.Evidence) == 0 {
			return
		}
		before := Evaluate(&c, q)
		c.Evidence = slices.Clone(c.Evidence)
		e := &c.Evidence[rapid.IntRange(0, len(c.Evidence)-1).Draw(t, "which")]
		if e.Effect != Allow && e.Effect != Priced {
			return
		}
		e.Options = slices.Clone(e.Options)
		if len(e.Options) == 0 {
			e.Options = []Option{{Effect: e.Effect}}
		}
		shut := someUsers.Draw(t, "shut out")
		for i := range e.Options {
			e.Options[i].Audience.NotUserTypes = append(slices.Clone(e.Options[i].Audience.NotUserTypes), shut)
		}
		after := Evaluate(&c, q)
		for i := range after.Uses {
			if loosens(q, before.Uses[i].Verdict, after.Uses[i].Verdict) {
				t.Fatalf("%s: %s became %s", exports.Uses[i], before.Uses[i].Verdict, after.Uses[i].Verdict)
			}
		}
	})
}

func TestOrderNeverMatters(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c, q := someCase(t)
		before := Evaluate(&c, q)
		c.Evidence = rapid.Permutation(c.Evidence).Draw(t, "evidence in another order")
		c.Offers = rapid.Permutation(c.Offers).Draw(t, "offers in another order")
		c.Preferences = rapid.Permutation(c.Preferences).Draw(t, "preferences in another order")
		for i := range c.Evidence {
			c.Evidence[i].Options = rapid.Permutation(c.Evidence[i].Options).Draw(t, "options in another order")
		}
		if after := Evaluate(&c, q); !reflect.DeepEqual(before, after) {
			t.Fatalf("order mattered:\n%+v\n%+v", before, after)
		}
	})
}

func TestNoEvidenceIsUnknown(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c, q := someCase(t)
		c.Evidence, c.Offers, c.Preferences = nil, nil, nil
		if a := Evaluate(&c, q); a.Vector != "UUUUUUUU" || len(a.Conflicts)+len(a.NotApplied) != 0 {
			t.Fatalf("%+v", a)
		}
	})
}

// someAudienceNamed names a user type, a territory and an agent.
func someAudienceNamed(t *rapid.T) Question {
	return Question{
		UserType: someUsers.Draw(t, "user"), Agent: rapid.SampledFrom([]string{"examplebot", "OtherBot", "nobot"}).Draw(t, "agent"),
		Territory: rapid.SampledFrom([]string{"EU", "NL", "US", "GB", "FR", "JP"}).Draw(t, "place"), At: noon,
	}
}

// TestTheUnnamedAnswerHoldsForAll checks that what is permitted without naming
// an audience is permitted to every audience, and that the answer is to ask if
// some audience can get a licence.
func TestTheUnnamedAnswerHoldsForAll(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c, _ := someCase(t)
		open := Evaluate(&c, Question{At: noon})
		named := Evaluate(&c, someAudienceNamed(t))
		for i, use := range exports.Uses {
			o, n := &open.Uses[i], &named.Uses[i]
			switch {
			case o.Verdict == "signal_allow" && n.Verdict != "signal_allow":
				t.Fatalf("%s: %s for anybody, %s for %s", use, o.Verdict, n.Verdict, n.Reason)
			case n.Verdict == "license_required" && o.Verdict != "license_required":
				t.Fatalf("%s: %s for anybody, though somebody can get a licence", use, o.Verdict)
			case len(o.DependsOn) == 0 && o.Verdict != n.Verdict:
				t.Fatalf("%s: %s for anybody, %s for one, and it depends on nothing", use, o.Verdict, n.Verdict)
			case (len(o.DependsOn) > 0) != (len(o.Audiences) > 1):
				t.Fatalf("%s: depends on %v, audiences %+v", use, o.DependsOn, o.Audiences)
			}
		}
	})
}

// TestTimeNeverOpens checks that, while nothing new is stated or observed, a
// verdict only becomes stricter or unknown.
func TestTimeNeverOpens(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c, q := someCase(t)
		begins := noon
		for i := range c.Offers {
			ends := rapid.Int64Range(-20*day, 20*day).Draw(t, "offer ends")
			c.Offers[i].ValidUntil = formatInstant(noon + ends)
		}
		for i := range c.Evidence {
			begins = max(begins, c.Evidence[i].CheckedAt)
		}
		q.At = begins + rapid.Int64Range(0, 5*day).Draw(t, "first look")
		before := Evaluate(&c, q)
		q.At += rapid.Int64Range(0, 400*day).Draw(t, "time passes")
		after := Evaluate(&c, q)
		for i, use := range exports.Uses {
			was, is := before.Uses[i].Verdict, after.Uses[i].Verdict
			if is != "unknown" && freedom(is) > freedom(was) {
				t.Fatalf("%s: %s became %s while nothing was said", use, was, is)
			}
			if is == "signal_allow" && was == "signal_allow" && len(after.Uses[i].Obligations) < len(before.Uses[i].Obligations) {
				t.Fatalf("%s: duties %v became %v", use, before.Uses[i].Obligations, after.Uses[i].Obligations)
			}
		}
	})
}

func TestWithdrawnWhateverTheSignals(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c, q := someCase(t)
		c.State = EntryWithdrawn
		if a := Evaluate(&c, q); a.Vector != "WWWWWWWW" || len(a.Conflicts) != 0 {
			t.Fatalf("%+v", a)
		}
	})
}

// TestWhatIsNotKnownOfAResourceNeverOpens checks that a question without a
// page's date and format never gets a freer answer than one with them.
func TestWhatIsNotKnownOfAResourceNeverOpens(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c, _ := someCase(t)
		q := someAudienceNamed(t)
		c.Path = "/a"
		for i := range c.Offers {
			scope := &c.Offers[i].Scope
			scope.ContentFormats = rapid.SampledFrom([][]string{nil, {"html"}, {"pdf"}}).Draw(t, "formats")
			scope.PublishedAfter = rapid.SampledFrom([]string{"", "2020-01-01T00:00:00Z", "2026-01-01T00:00:00Z"}).Draw(t, "after")
			c.Offers[i].ValidUntil = rapid.SampledFrom([]string{"", "2026-01-01T00:00:00Z"}).Draw(t, "until")
		}
		blind := Evaluate(&c, q)

		c.ContentFormat = rapid.SampledFrom([]string{"html", "pdf", "epub"}).Draw(t, "format")
		published := rapid.SampledFrom([]string{"2019-01-01T00:00:00Z", "2021-01-01T00:00:00Z", "2026-06-01T00:00:00Z"}).Draw(t, "published")
		c.PublishedAt, _ = parseUnix(published)
		known := Evaluate(&c, q)

		for i, use := range exports.Uses {
			is, would := blind.Uses[i].Verdict, known.Uses[i].Verdict
			if freedom(is) > freedom(would) || is == "unknown" && would == "license_required" {
				t.Fatalf("%s: %s where the date and the format are not known, %s where they are", use, is, would)
			}
		}
	})
}
