package intake_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"colophon/generator/intake"
)

// prose is enough text for a fingerprint; each page has its own.
func prose(name string) string {
	return "The page " + name + " tells of tides and tariffs at some length, so that it has a fingerprint of its own and no other page has the same."
}

func writeFiles(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func withBase(o *intake.Options) { o.Base = home + "/" }

func TestFolderOfMarkdown(t *testing.T) {
	for _, c := range []struct {
		name  string
		files map[string]string
		want  map[string]string // file's text -> path
	}{
		{"plain", map[string]string{"a.md": prose("a"), "b/index.md": prose("b"), "README.md": prose("home"), "node_modules/x.md": prose("x"), ".git/y.md": prose("y"), "pic.png": "no"},
			map[string]string{"a": "/a/", "b": "/b/", "home": "/"}},
		{"Hugo", map[string]string{"hugo.toml": "", "content/_index.md": prose("home"), "content/posts/one.md": "+++\nslug = \"erste\"\n+++\n" + prose("one"), "content/two.md": "---\nurl: /zwei.html\n---\n" + prose("two"), "other.md": prose("other")},
			map[string]string{"home": "/", "one": "/posts/erste/", "two": "/zwei.html"}},
		{"Jekyll", map[string]string{"_config.yml": "", "_posts/2026-03-04-tide.md": prose("tide"), "about.md": prose("about"), "_posts/2026-03-05-x.md": "---\ncategories: [News]\n---\n" + prose("x"), "_drafts/d.md": prose("d")},
			map[string]string{"tide": "/2026/03/04/tide.html", "about": "/about.html", "x": "/news/2026/03/05/x.html"}},
		{"Docusaurus", map[string]string{"docusaurus.config.js": "", "docs/01-intro.md": prose("intro"), "docs/02-more/index.mdx": "import X from './x'\n\n" + prose("more"), "docs/z.md": "---\nslug: /top\n---\n" + prose("z")},
			map[string]string{"intro": "/docs/intro", "more": "/docs/more", "z": "/docs/top"}},
		{"MkDocs", map[string]string{"mkdocs.yml": "", "docs/index.md": prose("home"), "docs/guide/one.md": prose("one"), "README.md": prose("readme")},
			map[string]string{"home": "/", "one": "/guide/one/"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			sum := w.must(writeFiles(t, c.files), withBase)
			tally(t, sum, len(c.want), 0, 0, 0, 0)
			for name, path := range c.want {
				if text := w.body(path).Text; text != prose(name) {
					t.Errorf("%s has the text %q", path, text)
				}
			}
		})
	}
}

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
	if text := w.body("/rule/").Text; !strings.Contains(text, "begins with a rule") {
		t.Errorf("text %q", text)
	}
	tally(t, w.must(dir, withBase), 0, 0, 3, 1, 1)
}

func TestFolderNeedsBase(t *testing.T) {
	w := newWorld(t)
	if _, err := w.run(writeFiles(t, map[string]string{"a.md": prose("a")})); err == nil || !strings.Contains(err.Error(), "--base") {
		t.Errorf("error %v", err)
	}
	if _, err := w.run(t.TempDir(), withBase); err == nil || !strings.Contains(err.Error(), "no Markdown files") {
		t.Errorf("error %v", err)
	}
}

func TestExports(t *testing.T) {
	wordPress := `<?xml version="1.0" encoding="UTF-8"?><rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:wp="http://wordpress.org/export/1.2/"><channel>
<item><title>Tides</title><link>` + home + `/tides/</link><dc:creator>Ada Tern</dc:creator><content:encoded><![CDATA[` + prose("one") + "\n\n" + prose("two") + `]]></content:encoded><wp:post_date_gmt>2026-03-04 05:06:07</wp:post_date_gmt><wp:status>publish</wp:status><wp:post_type>post</wp:post_type><category>Harbour</category></item>
<item><title>Draft</title><link>` + home + `/?p=2</link><content:encoded>x</content:encoded><wp:status>draft</wp:status><wp:post_type>post</wp:post_type></item>
<item><title>Picture</title><link>` + home + `/pic</link><wp:status>inherit</wp:status><wp:post_type>attachment</wp:post_type></item></channel></rss>`
	ghost := `{"db":[{"meta":{},"data":{"posts":[{"id":"1","title":"Tides","slug":"tides","html":"<p>` + prose("ghost") + `</p>","status":"published","visibility":"public","published_at":"2026-03-04T05:06:07.000Z"},
{"id":"2","title":"Paid","slug":"paid","html":"<p>x</p>","status":"published","visibility":"paid"}],"users":[{"id":"u","name":"Ada Tern"}],"posts_authors":[{"post_id":"1","author_id":"u"}]}}]}`
	feed := `<?xml version="1.0"?><rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel><title>t</title><link>` + home + `</link>
<item><title>Tides</title><link>` + home + `/tides/</link><content:encoded><![CDATA[<p>` + prose("feed") + `</p>]]></content:encoded></item><item><title>Short</title><link>` + home + `/short/</link><description>Teaser</description></item></channel></rss>`
	for _, c := range []struct {
		name, file, text, code string
	}{
		{"WordPress", wordPress, prose("one") + "\n\n" + prose("two"), "draft"},
		{"Ghost", ghost, prose("ghost"), "protected"},
		{"feed", feed, prose("feed"), "no_full_text"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			dir := writeFiles(t, map[string]string{"export": c.file})
			sum := w.must(filepath.Join(dir, "export"), withBase, func(o *intake.Options) { o.FullText = c.name == "feed" })
			tally(t, sum, 1, 0, 0, 1, 0)
			if sum.Skipped.Of(c.code).Count != 1 {
				t.Errorf("skipped %+v", sum.Skipped)
			}
			if text := w.body("/tides/").Text; text != c.text {
				t.Errorf("text %q", text)
			}
			if p := w.find("/tides/"); p.Title != "Tides" || c.name != "feed" && (p.PublishedAt != "2026-03-04T05:06:07Z" || len(p.Byline) != 1) {
				t.Errorf("%+v", p)
			}
		})
	}
}
