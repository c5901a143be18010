package intake_test

import (
	"testing"
	"time"

	"colophon/internal/intake"
)

// TestPagesThatAreNotPublished checks that a page which its generator does not
// publish is skipped with the reason, and imported once nothing prevents its
// publication.
func TestPagesThatAreNotPublished(t *testing.T) {
	yaml := func(head string) string { return "---\n" + head + "\n---\n" + prose(head) }
	for _, c := range []struct{ name, mark, config, file, text, want string }{
		{"Hugo, date ahead", "hugo.toml", "", "content/a.md", yaml("date: 2199-01-01"), "not_yet"},
		{"Hugo, publishDate ahead", "hugo.toml", "", "content/a.md", yaml("date: 2020-01-01\npublishDate: 2199-01-01T10:00:00+02:00"), "not_yet"},
		{"Hugo, date ahead, published already", "hugo.toml", "", "content/a.md", yaml("date: 2199-01-01\npublishDate: 2020-01-01"), ""},
		{"Hugo, pubdate in TOML", "hugo.toml", "", "content/a.md", "+++\npubdate = 2199-01-01\n+++\n" + prose("p"), "not_yet"},
		{"Hugo, builds the future", "hugo.toml", "buildFuture = true", "content/a.md", yaml("date: 2199-01-01"), ""},
		{"Hugo, expired", "hugo.toml", "", "content/a.md", yaml("expiryDate: 2020-01-01"), "expired"},
		{"Hugo, unpublished", "hugo.toml", "", "content/a.md", yaml("unpublishdate: 2020-01-01"), "expired"},
		{"Hugo, expires later", "hugo.toml", "", "content/a.md", yaml("expiryDate: 2199-01-01"), ""},
		{"Hugo, never rendered", "hugo.toml", "", "content/a.md", yaml("build:\n  render: never"), "not_rendered"},
		{"Hugo, link only", "hugo.toml", "", "content/a.md", yaml("_build:\n  render: link"), "not_rendered"},
		{"Hugo, never listed", "hugo.toml", "", "content/a.md", yaml("build:\n  list: never"), "unlisted"},
		{"JSON, draft", "hugo.toml", "", "content/a.md", "{\n  \"draft\": true\n}\n" + prose("j"), "draft"},
		{"JSON, published", "hugo.toml", "", "content/a.md", "{\"title\": \"A {b}\"}\n" + prose("j"), ""},
		{"a template is no JSON", "hugo.toml", "", "content/a.md", "{{< note >}}\n" + prose("j"), ""},
		{"draft: yes", "hugo.toml", "", "content/a.md", yaml("draft: yes"), "draft"},
		{"plain folder, date ahead", "x.txt", "", "a.md", yaml("date: 2199-01-01"), "not_yet"},
		{"Jekyll, post of the future", "_config.yml", "", "_posts/2199-01-01-a.md", prose("a"), "not_yet"},
		{"Jekyll, date of the future", "_config.yml", "", "_posts/2020-01-01-a.md", yaml("date: 2199-01-01 10:00:00 +0000"), "not_yet"},
		{"Jekyll, date of the past in a name ahead", "_config.yml", "", "_posts/2199-01-01-a.md", yaml("date: 2020-01-01"), ""},
		{"Jekyll, future", "_config.yml", "future: true", "_posts/2199-01-01-a.md", prose("a"), ""},
		{"Jekyll, page with a date", "_config.yml", "", "a.md", yaml("date: 2199-01-01"), ""},
		{"Jekyll, unpublished", "_config.yml", "", "a.md", yaml("published: no"), "draft"},
		{"Docusaurus, unlisted", "docusaurus.config.js", "", "docs/a.md", yaml("unlisted: true"), "unlisted"},
		{"Docusaurus, partial", "docusaurus.config.js", "", "docs/_a.mdx", prose("a"), "not_rendered"},
		{"Docusaurus, date ahead", "docusaurus.config.js", "", "blog/a.md", yaml("date: 2199-01-01"), ""},
		{"Hugo, dates by configuration", "hugo.toml", "[frontmatter]\npublishDate = ['embargo', ':default']\nexpiryDate = ['bestBefore']", "content/a.md", yaml("date: 2020-01-01\nembargo: 2199-01-01"), "not_yet"},
		{"Hugo, expiry by configuration", "hugo.toml", "[frontmatter]\nexpiryDate = ['bestBefore']", "content/a.md", yaml("bestBefore: 2020-01-01"), "expired"},
		{"Hugo, a field that is not configured", "hugo.toml", "[frontmatter]\nexpiryDate = ['bestBefore']", "content/a.md", yaml("expiryDate: 2020-01-01"), ""},
		{"Hugo, date of the name", "hugo.toml", "[frontmatter]\npublishDate = [':filename', ':default']", "content/2199-01-01-a.md", yaml("date: 2020-01-01"), "not_yet"},
		{"Hugo, cascade of the site", "hugo.toml", "[cascade]\ndraft = true", "content/a.md", prose("a"), "draft"},
		{"Hugo, cascade of the site to other pages", "hugo.toml", "[[cascade]]\ndraft = true\n[cascade.target]\npath = '/news/**'", "content/a.md", prose("a"), ""},
		{"Hugo, cascade of the site to its path", "hugo.toml", "[[cascade]]\ndraft = true\n[cascade.target]\npath = '/news/**'", "content/news/a.md", prose("a"), "draft"},
		{"Hugo, cascade to one of two paths", "hugo.toml", "[[cascade]]\ndraft = true\n[cascade.target]\npath = '{/news/**,/old/*}'\nkind = '{section,page}'", "content/old/a.md", prose("a"), "draft"},
		{"Hugo, cascade to other kinds", "hugo.toml", "[[cascade]]\ndraft = true\n[cascade.target]\nkind = '{home,section}'", "content/a.md", prose("a"), ""},
		{"Hugo, cascade to a pattern that is none", "hugo.toml", "[[cascade]]\ndraft = true\n[cascade.target]\npath = '{/news'", "content/news/a.md", prose("a"), ""},
		{"Hugo, cascade that the page overrides", "hugo.toml", "[cascade]\ndraft = true", "content/a.md", yaml("draft: false"), ""},
		{"Jekyll, default of the site", "_config.yml", "defaults: [{scope: {path: old}, values: {published: false}}]", "old/a.md", yaml("title: A"), "draft"},
		{"Jekyll, default of another folder", "_config.yml", "defaults: [{scope: {path: old}, values: {published: false}}]", "older/a.md", yaml("title: A"), ""},
		{"Jekyll, default for posts", "_config.yml", "defaults: [{scope: {path: '', type: posts}, values: {published: false}}]", "_posts/2020-01-01-a.md", yaml("title: A"), "draft"},
		{"Jekyll, default that the page overrides", "_config.yml", "defaults: [{scope: {path: ''}, values: {published: false}}]", "a.md", yaml("published: true"), ""},
		{"Jekyll, narrower default", "_config.yml", "defaults: [{scope: {path: old/kept}, values: {published: true}}, {scope: {path: old}, values: {published: false}}]", "old/kept/a.md", yaml("title: A"), ""},
		{"Eleventy, no address", "x.txt", "", "a.md", yaml("permalink: false"), "not_rendered"},
		{"Zola, not rendered", "x.txt", "", "a.md", "+++\nrender = false\n+++\n" + prose("z"), "not_rendered"},
		{"not published", "x.txt", "", "a.md", yaml("publish: false"), "draft"},
		{"noindex", "x.txt", "", "a.md", yaml("noindex: true"), "noindex"},
		{"robots without noindex", "x.txt", "", "a.md", yaml("robots: nofollow"), ""},
		{"MkDocs, excluded", "mkdocs.yml", "exclude_docs: |\n  *.tmp.md\n  /old/\n", "docs/old/a.md", prose("a"), "not_rendered"},
		{"MkDocs, excluded by name", "mkdocs.yml", "exclude_docs: a.md", "docs/x/a.md", prose("a"), "not_rendered"},
		{"MkDocs, excluded at the root only", "mkdocs.yml", "exclude_docs: /a.md", "docs/x/a.md", prose("a"), ""},
		{"MkDocs, kept", "mkdocs.yml", "exclude_docs: |\n  x/*\n  !a.md\n", "docs/x/a.md", prose("a"), ""},
		{"MkDocs, draft", "mkdocs.yml", "draft_docs: |\n  drafts/\n", "docs/drafts/a.md", prose("a"), "draft"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := writeFiles(t, map[string]string{c.mark: c.config, c.file: c.text})
			sum := newWorld(t).must(dir, withBase)
			if c.want == "" {
				tally(t, sum, 1, 0, 0, 0, 0)
				return
			}
			tally(t, sum, 0, 0, 0, 1, 0)
			if sum.Skipped.Of(c.want).Count != 1 {
				t.Errorf("skipped %+v, want %s", sum.Skipped, c.want)
			}
		})
	}
}

// TestPartialFolder checks that a partials folder of Docusaurus holds no pages.
func TestPartialFolder(t *testing.T) {
	dir := writeFiles(t, map[string]string{"docusaurus.config.js": "", "docs/_partials/p.md": prose("p"), "docs/a.md": prose("a")})
	tally(t, newWorld(t).must(dir, withBase), 1, 0, 0, 0, 0)
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

// TestCascade checks that values which a section's index gives to its pages
// apply to all pages below it, and that the nearest index wins.
func TestCascade(t *testing.T) {
	dir := writeFiles(t, map[string]string{
		"hugo.toml": "", "content/_index.md": "---\ntitle: Home\n---\n" + prose("home"),
		"content/draft/_index.md": "---\ncascade: {draft: true}\n---\n" + prose("index"), "content/draft/a.md": prose("a"), "content/draft/deep/b.md": prose("b"),
		"content/draft/out/_index.md": "---\ncascade: [{draft: false}]\n---\n" + prose("out"), "content/draft/out/c.md": prose("c"), "content/d.md": prose("d"),
	})
	w := newWorld(t)
	sum := w.must(dir, withBase)
	if sum.Skipped.Of("draft").Count != 3 || sum.New != 4 {
		t.Errorf("new %d, skipped %+v", sum.New, sum.Skipped)
	}
	w.find("/draft/out/c/")
	w.find("/d/")
}
