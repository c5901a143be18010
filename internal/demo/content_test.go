package demo_test

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"colophon/exports"
	"colophon/internal/assert"
	"colophon/internal/canonicaltext"
	"colophon/internal/origin"
	"colophon/internal/originsql"
	"colophon/internal/originsql/schematest"
	"colophon/internal/rights"
	"colophon/internal/urlkey"
)

type stored struct {
	origin.Page
	body   origin.Body
	public bool
}

// sitesOf returns all sites, including hidden ones.
func sitesOf(t *testing.T, store *originsql.Store) []origin.Site {
	t.Helper()
	sites, err := store.Sites(context.Background())
	must(t, err)
	return sites
}

// allPages returns all pages of all sites with their bodies.
func allPages(t *testing.T, store *originsql.Store) []stored {
	t.Helper()
	ctx, sites := context.Background(), sitesOf(t, store)
	var out []stored
	for _, s := range sites {
		pages, err := store.PagesOf(ctx, s.SiteID, "", 10_000)
		must(t, err)
		for _, p := range pages {
			b, err := schematest.RawBody(ctx, store.DB(), p.EntryID)
			must(t, err)
			out = append(out, stored{p, b, rights.Public(s) && p.State == "active"})
		}
	}
	return out
}

func TestPagesAreSound(t *testing.T) {
	store, _, _ := seeded(t)
	urls, ids, short := map[string]bool{}, map[string]bool{}, 0
	for _, p := range allPages(t, store) {
		canonical, err := urlkey.URLKey(p.CanonicalURL)
		if err != nil || canonical != p.CanonicalURL || !strings.HasSuffix(hostOf(p.CanonicalURL), ".example") {
			t.Errorf("%s is not a canonical address of an .example host (%v)", p.CanonicalURL, err)
		}
		if urls[p.CanonicalURL] || ids[p.EntryID] || p.EntryID != urlkey.EntryID(p.SiteID, p.CanonicalURL) {
			t.Errorf("%s: the address or entry id %s stands twice or is wrong", p.CanonicalURL, p.EntryID)
		}
		urls[p.CanonicalURL], ids[p.EntryID] = true, true
		if p.Title == "" || p.Language == "" || len(p.Terms) == 0 || p.RegisteredAt < p.PublishedAt || p.RegisteredAt < p.ModifiedAt {
			t.Errorf("%s lacks something or is registered too early: %+v", p.CanonicalURL, p.Page)
		}
		if !slices.Contains(exports.ContentFormats, p.ContentFormat) || p.State != "active" && p.State != "withdrawn" {
			t.Errorf("%s: format %q, state %q", p.CanonicalURL, p.ContentFormat, p.State)
		}
		if strings.ContainsAny(p.Title, "{}") || p.Language != "en" && strings.ContainsAny(p.body.Text, "{}") {
			t.Errorf("%s: a slot was left open", p.CanonicalURL)
		}
		if p.Portable == "" {
			short++
			continue
		}
		low, high := int64(80), int64(400)
		if p.Language == "zh" || p.Language == "ja" {
			low, high = 150, 800 // characters
		}
		if p.WordCount < low || p.WordCount > high {
			t.Errorf("%s has %d words", p.CanonicalURL, p.WordCount)
		}
	}
	assert.Equal(t, short, 1, "pages too short for a fingerprint")
}

func hostOf(url string) string {
	return strings.SplitN(strings.SplitN(url, "://", 2)[1], "/", 2)[0]
}

func TestDigestsDescribeTheBodies(t *testing.T) {
	store, _, _ := seeded(t)
	same := map[string][]string{}
	for _, p := range allPages(t, store) {
		canonical, err := canonicaltext.CanonicalText(p.body.Text)
		must(t, err)
		portable, registry := "", ""
		if utf8.RuneCountInString(canonical) >= canonicaltext.MinTextRunes {
			portable = canonicaltext.PortableDigest([]byte(canonical))
			registry = urlkey.RegistryDigest(p.SiteID, p.EntryID, p.CanonicalURL, portable)
			same[portable] = append(same[portable], p.SiteID)
		}
		if p.Portable != portable || p.Registry != registry {
			t.Errorf("%s: digests are wrong", p.CanonicalURL)
		}
		assert.Equal(t, p.body.SHA256, canonicaltext.PortableDigest([]byte(p.body.Text)), "%s: the digest of the body is wrong", p.CanonicalURL)
		first, _, _ := strings.Cut(p.body.Text, "\n")
		if !strings.Contains(p.body.Markdown, "\n\n") || !strings.HasPrefix(p.body.HTML, "<article") || strings.Contains(p.body.HTML, "<script") {
			t.Errorf("%s: Markdown or HTML is not as it should be", p.CanonicalURL)
		}
		if !strings.ContainsAny(first, `<>&'"*_[]#\`+"`") && !(strings.Contains(p.body.Markdown, first) && strings.Contains(p.body.HTML, first)) {
			t.Errorf("%s: the three forms of the body differ", p.CanonicalURL)
		}
	}
	var twice []string
	for _, sites := range same {
		if len(sites) > 1 {
			twice = append(twice, strings.Join(sites, "+"))
		}
	}
	if len(twice) != 1 || twice[0] != "harbor-ledger+patchwork-manual" {
		t.Errorf("texts that stand twice: %v", twice)
	}
}

func TestHostilePage(t *testing.T) {
	store, _, _ := seeded(t)
	for _, p := range allPages(t, store) {
		if p.Title == `<script>alert(1)</script> & "quotes" — 100% real` && p.public {
			assert.Contains(t, "its own HTML does not escape the title", p.body.HTML, "<h1>&lt;script&gt;")
			return
		}
	}
	t.Error("there is none")
}

// TestCanariesInEveryPrivateColumn checks that every table with rows holds
// canaries in each column that the schema calls private.
func TestCanariesInEveryPrivateColumn(t *testing.T) {
	_, db, _ := seeded(t)
	filled := map[string]bool{}
	for _, name := range tables(t, db) {
		filled[name] = true
	}
	seen := 0
	for _, c := range privateColumns(t) {
		if !filled[c[0]] {
			continue
		}
		seen++
		rows := c[0]
		if rows == "offers" {
			rows += " WHERE source = ''" // what a publisher's own site says has no private part
		} else {
			rows += " WHERE 1 = 1"
		}
		total := count(t, column(t, db, "SELECT count(*) FROM "+rows))
		marked := "substr(" + c[1] + ", 1, 8) = 'PRIVATE-'"
		switch {
		case strings.HasSuffix(c[1], "_email"):
			marked = "substr(" + c[1] + ", 1, 8) = 'private-' AND " + c[1] + " LIKE '%.example'"
		case c[0] == "bodies":
			marked = "length(" + c[1] + ") > 30" // not marked, because it is delivered to licensed buyers
		}
		if got := count(t, column(t, db, "SELECT count(*) FROM "+rows+" AND "+marked)); got != total {
			t.Errorf("%s.%s: %d of %d rows hold a canary", c[0], c[1], got, total)
		}
	}
	if seen < 17 {
		t.Errorf("only %d private columns were found", seen)
	}
}

func count(t *testing.T, column []string) int {
	t.Helper()
	n, err := strconv.Atoi(column[0])
	must(t, err)
	return n
}

// privateColumns returns the pairs of table and column whose comment in the
// migrations begins with "private".
func privateColumns(t *testing.T) [][2]string {
	t.Helper()
	files, err := originsql.Migrations.ReadDir("migrations")
	must(t, err)
	var out [][2]string
	for _, f := range files {
		text, err := originsql.Migrations.ReadFile("migrations/" + f.Name())
		must(t, err)
		table := ""
		for _, line := range strings.Split(string(text), "\n") {
			words := strings.Fields(line)
			if len(words) > 2 && words[0] == "CREATE" && words[1] == "TABLE" {
				table = words[2]
			}
			if _, comment, ok := strings.Cut(line, "-- "); ok && len(words) > 2 && table != "" && strings.HasPrefix(comment, "private") {
				out = append(out, [2]string{table, words[0]})
			}
		}
	}
	return out
}
