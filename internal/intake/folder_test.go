package intake_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/text/encoding/charmap"

	"colophon/internal/assert"
	"colophon/internal/extract"
	"colophon/internal/intake"
)

// prose returns enough text for a fingerprint, different for each name.
func prose(name string) string {
	return "The page " + name + " tells of tides and tariffs at some length, so that it has a fingerprint of its own and no other page has the same."
}

func writeFiles(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		must(t, os.MkdirAll(filepath.Dir(path), 0o700))
		must(t, os.WriteFile(path, []byte(text), 0o600))
	}
	return dir
}

func withBase(o *intake.Options) { o.Base = home + "/" }

func TestFrontMatterIsMetadata(t *testing.T) {
	w := newWorld(t)
	dir := writeFiles(t, map[string]string{
		"yaml.md": "---\ntitle: Tides\nauthors:\n  - name: Ada Tern\n  - Bo Gull <bo@harbor.example>\ndate: 2026-03-04\nlastmod: 2026-03-05T06:07:08Z\ntags: [harbour]\nlang: en-gb\n---\n# Heading\n\n" + prose("yaml") + "\n\n{{< figure src=\"x.png\" >}}\n\n```\n{{< kept >}}\n```\n",
		"toml.md": "+++\ntitle = \"Flut\"\nauthor = \"Ada Tern\"\ndate = 2026-03-04T05:06:07Z\n+++\n" + prose("toml"),
		"rule.md": "---\n\nA text that begins with a rule. " + prose("rule"),
		"off.md":  "---\ndraft: true\n---\n" + prose("off"),
		"bad.md":  "---\ntitle: [\n---\n" + prose("bad"),
	})
	sum := w.must(dir, withBase)
	tally(t, sum, 3, 0, 0, 1, 1)
	reason(t, sum.Skipped, "draft", "off.md")
	reason(t, sum.Failed, "bad_front_matter", "bad.md")

	p := w.find("/yaml/")
	if p.Title != "Tides" || strings.Join(p.Byline, "|") != "Ada Tern|Bo Gull" || p.PublishedAt != "2026-03-04T00:00:00Z" || p.ModifiedAt != "2026-03-05T06:07:08Z" || p.Language != "en-GB" {
		t.Errorf("%+v", p)
	}
	if text := w.body("/yaml/").Text; strings.Contains(text, "title:") || strings.Contains(text, "figure") || !strings.Contains(text, "{{< kept >}}") {
		t.Errorf("text %q", text)
	}
	if p := w.find("/toml/"); p.Title != "Flut" || p.PublishedAt != "2026-03-04T05:06:07Z" {
		t.Errorf("%+v", p)
	}
	assert.Contains(t, "text", w.body("/rule/").Text, "begins with a rule")
	tally(t, w.must(dir, withBase), 0, 0, 3, 1, 1)
}

// TestSuppliedTextsHaveFacts checks that texts supplied without their page meet
// the same demands as pages: language, sources of facts, review of what is
// broken.
func TestSuppliedTextsHaveFacts(t *testing.T) {
	w := newWorld(t)
	german := strings.Repeat("Die Hafenbehörde hat heute morgen ihre Zahlen veröffentlicht, und das Verzeichnis der Ankünfte ist gewachsen. ", 4)
	sum := w.must(writeFiles(t, map[string]string{
		"a.md": "# Zahlen\n\n" + german + "\n\n```\nfor the code in this is not what it is written in\n```\n",
		"b.md": "---\ntitle: Tal\nlang: nl\nauthor: Ada Tern\n---\n" + german + prose("b"),
		"c.md": strings.NewReplacer("ö", "Ã¶", "ü", "Ã¼").Replace(german) + prose("c"),
	}), withBase)
	tally(t, sum, 3, 0, 0, 0, 0)
	if n := sum.Review.Of(extract.ReviewMojibake).Count; n != 1 || w.find("/c/").Portable != "" {
		t.Errorf("%d texts in review, fingerprint %q", n, w.find("/c/").Portable)
	}
	for path, want := range map[string][]string{
		"/a/": {"title Zahlen heading", "language de content_statistics"},
		"/b/": {"title Tal supplied", "author Ada Tern supplied", "language nl supplied"},
	} {
		x, err := w.store.Extraction(context.Background(), w.find(path).EntryID)
		var got []string
		for _, f := range x.Facts {
			got = append(got, f.Name+" "+f.Value+" "+f.Source)
		}
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q (%v)", path, got, want, err)
		}
	}
	if p := w.find("/a/"); p.Language != "de" {
		t.Errorf("language %q", p.Language)
	}
}

// TestFolderInAnotherEncoding checks that files meet the same demands as pages.
func TestFolderInAnotherEncoding(t *testing.T) {
	latin := func(s string) string {
		raw, err := charmap.Windows1252.NewEncoder().String(s)
		must(t, err)
		return raw
	}
	german := strings.Repeat("Die Hafenbehörde veröffentlichte früh ihre Zahlen, und die Lotsen führen eigene Bücher über alles, was am Kai geschieht. ", 4)
	w := newWorld(t)
	sum := w.must(writeFiles(t, map[string]string{
		"a.md": latin("---\ntitle: Über die Flut\n---\n" + german), "b.md": "Some code: `<meta charset=\"shift_jis\">`. " + german, "c.md": prose("c") + "\x81\x8d\xff",
	}), withBase)
	tally(t, sum, 3, 0, 0, 0, 0)
	if text := w.body("/a/").Text; text != strings.TrimSpace(german) || w.find("/a/").Title != "Über die Flut" {
		t.Errorf("%q, text %q", w.find("/a/").Title, text)
	}
	assert.Contains(t, "text", w.body("/b/").Text, "Hafenbehörde")
	assert.Equal(t, w.find("/c/").Portable, "", "broken bytes are signed")
}

func TestFolderNeedsBase(t *testing.T) {
	w := newWorld(t)
	assert.ErrorContains(t, assert.Err(w.run(writeFiles(t, map[string]string{"a.md": prose("a")}))), "error", "--base")
	assert.ErrorContains(t, assert.Err(w.run(t.TempDir(), withBase)), "error", "no Markdown files")
}

func TestExports(t *testing.T) {
	wordPress := `<?xml version="1.0" encoding="UTF-8"?><rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:wp="http://wordpress.org/export/1.2/"><channel><language>nl-NL</language>
<wp:author><wp:author_id>1</wp:author_id><wp:author_login>atern</wp:author_login><wp:author_display_name><![CDATA[atern]]></wp:author_display_name><wp:author_first_name>Ada</wp:author_first_name><wp:author_last_name>Tern</wp:author_last_name></wp:author>
<item><title>Tides</title><link>` + home + `/tides/</link><dc:creator>atern</dc:creator><content:encoded><![CDATA[` + prose("one") + "\n\n" + prose("two") + `]]></content:encoded><wp:post_date_gmt>2026-03-04 05:06:07</wp:post_date_gmt><wp:status>publish</wp:status><wp:post_type>post</wp:post_type><category>Harbour</category></item>
<item><title>Draft</title><link>` + home + `/?p=2</link><content:encoded>x</content:encoded><wp:status>draft</wp:status><wp:post_type>post</wp:post_type></item>
<item><title>Picture</title><link>` + home + `/pic</link><wp:status>inherit</wp:status><wp:post_type>attachment</wp:post_type></item></channel></rss>`
	ghost := `{"db":[{"meta":{},"data":{"posts":[{"id":"1","title":"Tides","slug":"tides","html":"<p>` + prose("ghost") + `</p>","status":"published","visibility":"public","published_at":"2026-03-04T05:06:07.000Z"},
{"id":"2","title":"Paid","slug":"paid","html":"<p>x</p>","status":"published","visibility":"paid"}],"users":[{"id":"u","name":"Ada Tern"}],"posts_authors":[{"post_id":"1","author_id":"u"}]}}]}`
	oldGhost := `{"meta":{"exported_on":1426263451924,"version":"003"},"data":{"posts":[{"id":1,"title":"Tides","slug":"tides","html":"<p>` + prose("old") + `</p>","status":"published","language":"nl_NL","author_id":7,"published_at":1772600767000},
{"id":2,"title":"Draft","slug":"draft","html":"<p>x</p>","status":"draft","published_at":null}],"users":[{"id":7,"name":"Ada Tern"}]}}`
	feed := `<?xml version="1.0"?><rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel><title>t</title><link>` + home + `</link>
<item><title>Tides</title><link>` + home + `/tides/</link><content:encoded><![CDATA[<p>` + prose("feed") + `</p>]]></content:encoded></item><item><title>Short</title><link>` + home + `/short/</link><description>Teaser</description></item></channel></rss>`
	for _, c := range []struct {
		name, file, text, code string
	}{
		{"WordPress", wordPress, prose("one") + "\n\n" + prose("two"), "draft"},
		{"Ghost", ghost, prose("ghost"), "protected"},
		{"Ghost of old", oldGhost, prose("old"), "draft"},
		{"feed", feed, prose("feed"), "no_full_text"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			dir := writeFiles(t, map[string]string{"export": c.file})
			sum := w.must(filepath.Join(dir, "export"), withBase, func(o *intake.Options) { o.FullText = c.name == "feed" })
			tally(t, sum, 1, 0, 0, 1, 0)
			assert.Equal(t, sum.Skipped.Of(c.code).Count, 1, "skipped %+v", sum.Skipped)
			if text := w.body("/tides/").Text; text != c.text {
				t.Errorf("text %q", text)
			}
			if p := w.find("/tides/"); p.Title != "Tides" || c.name != "feed" && (p.PublishedAt != "2026-03-04T05:06:07Z" || strings.Join(p.Byline, "|") != "Ada Tern") || c.name == "WordPress" && p.Language != "nl-NL" {
				t.Errorf("%+v", p)
			}
		})
	}
}

// TestTextOfAJSONFeed imports an item whose text is plain (JSON Feed 1.1,
// content_text), with the facts that the feed states.
func TestTextOfAJSONFeed(t *testing.T) {
	w := newWorld(t)
	dir := writeFiles(t, map[string]string{"feed.json": `{"version":"https://jsonfeed.org/version/1.1","title":"F","language":"nl","items":[{"id":"1","url":"` + home + `/a","title":"Tides",` +
		`"content_text":"` + prose("a") + ` 1 < 2\n\nThe <b> of tides.","authors":[{"name":"Ada Tern"},{"url":"https://x.example/"}],"tags":["harbour"],` +
		`"date_published":"2026-03-04T07:06:07+02:00","date_modified":"2026-03-05T07:06:07+02:00"}]}`})
	w.must(filepath.Join(dir, "feed.json"), func(o *intake.Options) { o.FullText = true })
	p := w.find("/a")
	if p.Title != "Tides" || strings.Join(p.Byline, "|") != "Ada Tern" || p.PublishedAt != "2026-03-04T05:06:07Z" || p.ModifiedAt != "2026-03-05T05:06:07Z" || p.Language != "nl" || !slices.Contains(p.Terms, "harbour") {
		t.Errorf("%+v", p)
	}
	assert.Equal(t, w.body("/a").Text, prose("a")+" 1 < 2\n\nThe <b> of tides.", "text")
}

// TestRelativeLinksOfAFeed imports feeds from files whose items link to
// "../tides/".
func TestRelativeLinksOfAFeed(t *testing.T) {
	feed := func(links string) string {
		return `<feed xmlns="http://www.w3.org/2005/Atom"><title>t</title>` + links + `<entry><title>Tides</title><link href="../tides/"/><content type="html">&lt;p>` + prose("feed") + `&lt;/p></content></entry></feed>`
	}
	self, other := `<link rel="self" href="`+home+`/blog/index.atom"/>`, `<link href="/blog/"/>`
	for _, c := range []struct{ name, links, base, want string }{
		{"its own address", self + other, "", "/tides/"},
		{"--base first", self, home + "/a/b/", "/a/tides/"},
		{"its site", `<link href="` + home + `/c/d/"/>`, "", "/c/tides/"},
	} {
		w := newWorld(t)
		dir := writeFiles(t, map[string]string{"feed.atom": feed(c.links)})
		sum := w.must(filepath.Join(dir, "feed.atom"), func(o *intake.Options) { o.FullText, o.Base = true, c.base })
		if sum.New != 1 {
			t.Errorf("%s: %+v", c.name, sum)
			continue
		}
		w.find(c.want)
	}
}

// TestExportItemWithoutType checks that an item which does not say what it is
// is counted, with its title, and affects no other.
func TestExportItemWithoutType(t *testing.T) {
	item := func(path, kind string) string {
		return `<item><title>At ` + path + `</title><link>` + home + path + `</link><content:encoded><![CDATA[<p>` + prose(path) + `</p>]]></content:encoded><wp:status>publish</wp:status>` + kind + `</item>`
	}
	dir := writeFiles(t, map[string]string{"export": `<?xml version="1.0"?><rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:wp="http://wordpress.org/export/1.2/"><channel>` +
		item("/one/", "<wp:post_type>post</wp:post_type>") + item("/two/", "") + item("/three/", "<wp:post_type>page</wp:post_type>") + `</channel></rss>`})
	sum := newWorld(t).must(filepath.Join(dir, "export"))
	tally(t, sum, 2, 0, 0, 0, 1)
	if why := sum.Failed.Of("no_post_type"); why.Count != 1 || !strings.Contains(why.Samples[0].Detail, `"At /two/"`) {
		t.Errorf("failed: %+v", sum.Failed)
	}
}

// TestExportOfAnotherHost imports an export that was made at another host than
// the published site: below --base its addresses are those of the site.
func TestExportOfAnotherHost(t *testing.T) {
	item := func(link string) string {
		return `<item><title>Tides</title><link>` + link + `</link><content:encoded><![CDATA[<p>` + prose(link) + `</p>]]></content:encoded><wp:status>publish</wp:status><wp:post_type>page</wp:post_type></item>`
	}
	export := `<?xml version="1.0"?><rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:wp="http://wordpress.org/export/1.2/"><channel><wp:base_blog_url>http://localhost:8080/wp</wp:base_blog_url>` +
		item("http://localhost:8080/wp/") + item("http://localhost:8080/wp/tides/?page_id=2") + item("http://localhost:8080/wpx/") + `</channel></rss>`
	dir := writeFiles(t, map[string]string{"export": export})
	w := newWorld(t)
	sum := w.must(filepath.Join(dir, "export"), func(o *intake.Options) { o.Base = home + "/blog" })
	tally(t, sum, 2, 0, 0, 1, 0)
	w.find("/blog/")
	w.find("/blog/tides/?page_id=2")
	assert.Equal(t, sum.Skipped.Of("foreign_host").Count, 1, "skipped %+v", sum.Skipped)
	sum = newWorld(t).must(filepath.Join(dir, "export"))
	tally(t, sum, 0, 0, 0, 3, 0)
}

// TestPageComesInAtItsTime checks that a page is imported at its publication
// time.
func TestPageComesInAtItsTime(t *testing.T) {
	w := newWorld(t)
	dir := writeFiles(t, map[string]string{"hugo.toml": "", "content/a.md": "---\ndate: 2026-11-10\nexpiryDate: 2026-11-20\n---\n" + prose("a")})
	at := func(day, hour int) func(*intake.Options) {
		return func(o *intake.Options) {
			o.Now = func() time.Time { return time.Date(2026, time.November, day, hour, 0, 0, 0, time.UTC) }
		}
	}
	reason(t, w.must(dir, withBase, at(9, 23)).Skipped, "not_yet", "a.md", "2026-11-10")
	tally(t, w.must(dir, withBase, at(10, 0)), 1, 0, 0, 0, 0)
	reason(t, w.must(dir, withBase, at(20, 0)).Skipped, "expired", "a.md", "2026-11-20")
}
