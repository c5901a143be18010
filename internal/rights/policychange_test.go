package rights_test

import (
	"slices"
	"strings"
	"testing"

	"colophon/exports"
	"colophon/internal/channel"
	"colophon/internal/channel/statements"
	"colophon/internal/origin"
	"colophon/internal/rights"
	"colophon/internal/wire"
)

const (
	beforeChange = "2026-11-01T00:00:00Z"
	afterChange  = "2026-11-02T00:00:00Z"
)

// readAs returns a row of evidence for a document with a body; "" means that it
// is absent.
func readAs(kind statements.Name, url, since, body string) origin.Evidence {
	e := origin.Evidence{SiteID: "harbor", Channel: string(kind), URL: url, Since: since, State: "absent"}
	if body == "" {
		return e
	}
	r := channel.Parse(kind, channel.Input{URL: url, Body: []byte(body)})
	e.State, e.Digest, e.Document = "valid", body, string(wire.Append(nil, &r.Document))
	return e
}

// TestPolicyChangesNameAuthors compares two readings of one document.
func TestPolicyChangesNameAuthors(t *testing.T) {
	const (
		home   = "https://harbor.example/"
		robots = home + "robots.txt"
		own    = "User-agent: CCBot\nDisallow: /\n"
		other  = "User-agent: GPTBot\nDisallow: /\n"
		cdn    = "# BEGIN Cloudflare Managed content\nUser-agent: ClaudeBot\nDisallow: /\n# END Cloudflare Managed Content\n"
		closed = `{"colophon_publisher":"1","name":"Harbor","preferences":[{"use":"training","declared":"disallow"}]}`
		meta   = `<html><head><meta name="tdm-reservation" content="1"></head></html>`
	)
	for _, c := range []struct {
		kind          statements.Name
		url           string
		before, after string
		want          string // what happened to it and by whom; "" means nothing
	}{
		{statements.Robots, robots, own, own, ""},
		{statements.Robots, robots, "", own, "added unknown"},
		{statements.Robots, robots, own, "", "removed unknown"},
		{statements.Robots, robots, own, other, "changed unknown"},
		{statements.Robots, robots, own, "# a comment\n" + own, "rewritten unknown"},
		{statements.Robots, robots, own, cdn + own, "changed cdn"},
		{statements.Robots, robots, cdn + own, own, "changed cdn"},
		{statements.Robots, robots, cdn + own, cdn + other, "changed publisher"},
		{statements.Robots, robots, own, cdn + other, "changed cdn,publisher"},
		{statements.PublisherFile, home + ".well-known/colophon-publisher.json", "", closed, "added publisher"},
		{"html_meta", home, "", meta, "added unknown"},
		{"html_meta", home, meta, "", "removed unknown"},
		{"html_meta", home + "tides", "", meta, ""}, // another page than the home page
	} {
		f := rights.SiteSnapshot{
			Site: origin.Site{SiteID: "harbor", SiteURL: home},
			Policies: []origin.PolicyVersion{
				{Version: 1, EffectiveFrom: beforeChange, Vector: "ULSUUUUU"}, {Version: 2, EffectiveFrom: afterChange, Vector: "UDsUUUUU"},
			},
			Evidence: []origin.Evidence{readAs(c.kind, c.url, beforeChange, c.before), readAs(c.kind, c.url, afterChange, c.after)},
		}
		changes := f.PolicyChanges()
		if len(changes) != 1 || changes[0].Version != 2 || changes[0].From != afterChange {
			t.Fatalf("changes %+v", changes)
		}
		var got []string
		for _, d := range changes[0].Channels {
			got = append(got, d.Change+" "+strings.Join(d.By, ","))
		}
		if strings.Join(got, "; ") != c.want {
			t.Errorf("%s from %q to %q: %q, not %q", c.kind, c.before, c.after, got, c.want)
		}
		if want := []exports.UseChange{{Use: "training", Before: "license_required", After: "declined"}}; !slices.Equal(changes[0].Uses, want) {
			t.Errorf("uses %+v", changes[0].Uses)
		}
	}
}

// TestPolicyChangesOfOneSecond checks that the second of two versions from the same second
// has the documents that changed in it, and none that changed before.
func TestPolicyChangesOfOneSecond(t *testing.T) {
	const home = "https://harbor.example/"
	f := rights.SiteSnapshot{
		Site:     origin.Site{SiteID: "harbor", SiteURL: home},
		Policies: []origin.PolicyVersion{{Version: 1, EffectiveFrom: beforeChange}, {Version: 2, EffectiveFrom: afterChange}, {Version: 3, EffectiveFrom: afterChange}},
		Evidence: []origin.Evidence{
			readAs(statements.AITxt, home+"ai.txt", beforeChange, "User-Agent: *\nDisallow: /\n"),
			readAs(statements.Robots, home+"robots.txt", afterChange, "User-agent: CCBot\nDisallow: /\n"),
		},
	}
	for _, c := range f.PolicyChanges() {
		if len(c.Channels) != 1 || c.Channels[0].Channel != "robots" {
			t.Errorf("version %d has the channels %+v", c.Version, c.Channels)
		}
	}
}

// TestOutageChangesNoPolicy compares policies before and while documents cannot be
// reached: one that was absent, and one that was read, which keeps what it said.
func TestOutageChangesNoPolicy(t *testing.T) {
	ai := readAs("ai_txt", "https://harbor.example/ai.txt", beforeChange, "")
	robots := readAs(statements.Robots, "https://harbor.example/robots.txt", beforeChange, "User-agent: CCBot\nDisallow: /\n")
	digest := func() string {
		return rights.PolicyDigest(&rights.SiteSnapshot{Site: origin.Site{SiteID: "harbor", SiteURL: "https://harbor.example/"}, Evidence: []origin.Evidence{ai, robots}})
	}
	before := digest()
	ai.State, robots.State = "unreachable", "unreachable"
	if got := digest(); got != before {
		t.Errorf("an outage makes another policy: %s, before %s", got, before)
	}
	robots = readAs(statements.Robots, robots.URL, beforeChange, "User-agent: CCBot\nAllow: /\n")
	if got := digest(); got == before {
		t.Error("another robots.txt makes no other policy")
	}
}
