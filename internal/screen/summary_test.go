package screen

import (
	"fmt"
	"strings"
	"testing"
)

func TestDomainOf(t *testing.T) {
	for address, want := range map[string]string{
		"https://www.harbor.example/a":    "harbor.example",
		"http://news.bbc.co.uk:8080/x":    "bbc.co.uk",
		"https://someone.github.io/page":  "someone.github.io",
		"HTTPS://Bücher.Example/":         "xn--bcher-kva.example",
		"https://192.0.2.7/a":             "192.0.2.7",
		"https://localhost/a":             "localhost",
		"https://co.uk/":                  "co.uk",
		"https://harbor.example/100%":     "harbor.example",
		"http://localhost:PORT/":          "localhost",
		"https://:443/":                   "",
		"ftp://harbor.example/a":          "",
		"harbor.example/a":                "",
		"":                                "",
		"https://user@harbor.example/a?b": "harbor.example",
	} {
		if got := domainOf(address); got != want {
			t.Errorf("%q: %q, want %q", address, got, want)
		}
	}
}

// TestRulesOfDomains checks the sizes of the samples: a tenth, or a twentieth
// and at most 1,000, rounded up.
func TestRulesOfDomains(t *testing.T) {
	for _, c := range []struct{ all, tenth, twentieth int }{
		{0, 0, 0}, {1, 1, 1}, {10, 1, 1}, {11, 2, 1}, {20, 2, 1}, {21, 3, 2}, {20000, 2000, 1000}, {20001, 2001, 1000}, {1000000, 100000, 1000},
	} {
		if a, b := tenth(c.all), twentieth(c.all); a != c.tenth || b != c.twentieth {
			t.Errorf("of %d domains %d and %d, want %d and %d", c.all, a, b, c.tenth, c.twentieth)
		}
	}
}

// TestLargestDomains checks that domains are sorted by the bytes of their
// texts, or by rows if there are no texts, and equal ones by name.
func TestLargestDomains(t *testing.T) {
	all := func(n int) int { return n }
	c := newContent()
	for domain, bytes := range map[string][]int64{"b.example": {10, 20}, "a.example": {30}, "c.example": {40}, "d.example": {0, 0, 0}} {
		for _, n := range bytes {
			c.add(&origins{domain: domain, bytes: n}, true)
		}
	}
	c.add(&origins{bytes: 7}, false)
	if got, want := fmt.Sprint(c.measure(), c.largest(c.measure(), all)), "bytes[{c.example {1 40} 40} {a.example {1 30} 30} {b.example {2 30} 30} {d.example {3 0} 0}]"; got != want {
		t.Errorf("by bytes: %s, want %s", got, want)
	}
	if c.Bytes != 107 || c.Nowhere != 1 || c.NoText != 3 || c.Written != 7 {
		t.Errorf("%d bytes, %d rows without an address, %d without a text, %d written", c.Bytes, c.Nowhere, c.NoText, c.Written)
	}
	c = newContent()
	for _, domain := range strings.Fields("b.example a.example b.example c.example") {
		c.add(&origins{domain: domain}, true)
	}
	c.add(&origins{bytes: 500}, true) // a text without an address says nothing about domains
	if got, want := fmt.Sprint(c.measure(), c.largest(c.measure(), func(int) int { return 2 })), "rows[{b.example {2 0} 50} {a.example {1 0} 25}]"; got != want {
		t.Errorf("by rows: %s, want %s", got, want)
	}
}

// TestReservationsAreCounted checks, for each channel, the rows, those that
// were left out, and the first and last instant at which it was read.
func TestReservationsAreCounted(t *testing.T) {
	c := newContent()
	robots := reserved{use: "training", channel: "robots", first: "2026-03-02T00:00:00Z", last: "2026-03-02T00:00:00Z"}
	later := robots
	later.first, later.last, later.origin = "2026-03-01T00:00:00Z", "2026-03-05T00:00:00Z", "cdn"
	c.add(&origins{reservations: []reserved{robots, {use: "training", channel: "publisher_statement"}}}, false)
	c.add(&origins{reservations: []reserved{later}}, true)
	c.add(&origins{reservations: []reserved{{use: "rag", channel: "robots"}}}, true)
	for key, want := range map[string]Reservation{
		"training robots":              {Rows: 2, LeftOut: 1, FirstRead: "2026-03-01T00:00:00Z", LastRead: "2026-03-05T00:00:00Z", FromNetwork: 1},
		"training publisher_statement": {Rows: 1, LeftOut: 1},
		"rag robots":                   {Rows: 1},
	} {
		use, channel, _ := strings.Cut(key, " ")
		if got := c.Reservations[use][channel]; got == nil || *got != want {
			t.Errorf("%s: %+v, want %+v", key, got, want)
		}
	}
}

// TestSummarySaysWhatItKnows checks that nothing counts as left out if there
// are no results, and that a foreign name becomes neither markup nor a formula.
func TestSummarySaysWhatItKnows(t *testing.T) {
	r := &Report{Uses: []string{"training"}, Rows: 3, Content: newContent(), Verdicts: map[string]map[string]int64{"training": {"declined": 3}}}
	for range 3 {
		r.Content.add(&origins{domain: "=cmd<b>", reservations: []reserved{{use: "training", channel: "robots"}}}, false)
	}
	kept, none := r.Summarize(false, "kept"), r.Summarize(true, "none")
	if kept.Reservations[0].LeftOut != 3 || none.Reservations[0].LeftOut != 0 {
		t.Errorf("left out %d and %d", kept.Reservations[0].LeftOut, none.Reservations[0].LeftOut)
	}
	if kept.Rule != ruleTenth || none.Rule != ruleTwentieth || kept.Measure != "rows" {
		t.Errorf("%s, %s, %s", kept.Rule, none.Rule, kept.Measure)
	}
	page, err := none.HTML()
	if err != nil || strings.Contains(string(page), "<b>") || strings.Contains(string(page), "Left out of the results") {
		t.Errorf("%v\n%s", err, page)
	}
	if page, err = kept.HTML(); err != nil || !strings.Contains(string(page), "Left out of the results") {
		t.Errorf("%v\n%s", err, page)
	}
	table, err := kept.CSV()
	if want := "domain,rows,bytes,share_percent,rule,measure,release,judged_at\n'=cmd<b>,3,0,100.0000,top_10_percent,rows,,\n"; err != nil || string(table) != want {
		t.Errorf("%v\n%s", err, table)
	}
}
