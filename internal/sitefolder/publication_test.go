package sitefolder

import (
	"testing"
	"time"
)

// TestUnpublished checks that a page which its generator does not publish is
// reported with the reason.
func TestUnpublished(t *testing.T) {
	yaml := func(head string) string { return "---\n" + head + "\n---\n" + "text" }
	for _, c := range []struct{ name, mark, config, file, text, want string }{
		{"Hugo, date ahead", "hugo.toml", "", "content/a.md", yaml("date: 2199-01-01"), "not_yet"},
		{"Hugo, publishDate ahead", "hugo.toml", "", "content/a.md", yaml("date: 2020-01-01\npublishDate: 2199-01-01T10:00:00+02:00"), "not_yet"},
		{"Hugo, date ahead, published already", "hugo.toml", "", "content/a.md", yaml("date: 2199-01-01\npublishDate: 2020-01-01"), ""},
		{"Hugo, pubdate in TOML", "hugo.toml", "", "content/a.md", "+++\npubdate = 2199-01-01\n+++\n" + "text", "not_yet"},
		{"Hugo, builds the future", "hugo.toml", "buildFuture = true", "content/a.md", yaml("date: 2199-01-01"), ""},
		{"Hugo, expired", "hugo.toml", "", "content/a.md", yaml("expiryDate: 2020-01-01"), "expired"},
		{"Hugo, unpublished", "hugo.toml", "", "content/a.md", yaml("unpublishdate: 2020-01-01"), "expired"},
		{"Hugo, expires later", "hugo.toml", "", "content/a.md", yaml("expiryDate: 2199-01-01"), ""},
		{"Hugo, never rendered", "hugo.toml", "", "content/a.md", yaml("build:\n  render: never"), "not_rendered"},
		{"Hugo, link only", "hugo.toml", "", "content/a.md", yaml("_build:\n  render: link"), "not_rendered"},
		{"Hugo, never listed", "hugo.toml", "", "content/a.md", yaml("build:\n  list: never"), "unlisted"},
		{"JSON, draft", "hugo.toml", "", "content/a.md", "{\n  \"draft\": true\n}\n" + "text", "draft"},
		{"JSON, published", "hugo.toml", "", "content/a.md", "{\"title\": \"A {b}\"}\n" + "text", ""},
		{"a template is no JSON", "hugo.toml", "", "content/a.md", "{{< note >}}\n" + "text", ""},
		{"draft: yes", "hugo.toml", "", "content/a.md", yaml("draft: yes"), "draft"},
		{"plain folder, date ahead", "x.txt", "", "a.md", yaml("date: 2199-01-01"), "not_yet"},
		{"Jekyll, post of the future", "_config.yml", "", "_posts/2199-01-01-a.md", "text", "not_yet"},
		{"Jekyll, date of the future", "_config.yml", "", "_posts/2020-01-01-a.md", yaml("date: 2199-01-01 10:00:00 +0000"), "not_yet"},
		{"Jekyll, date of the past in a name ahead", "_config.yml", "", "_posts/2199-01-01-a.md", yaml("date: 2020-01-01"), ""},
		{"Jekyll, future", "_config.yml", "future: true", "_posts/2199-01-01-a.md", "text", ""},
		{"Jekyll, page with a date", "_config.yml", "", "a.md", yaml("date: 2199-01-01"), ""},
		{"Jekyll, unpublished", "_config.yml", "", "a.md", yaml("published: no"), "draft"},
		{"Docusaurus, unlisted", "docusaurus.config.js", "", "docs/a.md", yaml("unlisted: true"), "unlisted"},
		{"Docusaurus, partial", "docusaurus.config.js", "", "docs/_a.mdx", "text", "not_rendered"},
		{"Docusaurus, date ahead", "docusaurus.config.js", "", "blog/a.md", yaml("date: 2199-01-01"), ""},
		{"Hugo, dates by configuration", "hugo.toml", "[frontmatter]\npublishDate = ['embargo', ':default']\nexpiryDate = ['bestBefore']", "content/a.md", yaml("date: 2020-01-01\nembargo: 2199-01-01"), "not_yet"},
		{"Hugo, expiry by configuration", "hugo.toml", "[frontmatter]\nexpiryDate = ['bestBefore']", "content/a.md", yaml("bestBefore: 2020-01-01"), "expired"},
		{"Hugo, a field that is not configured", "hugo.toml", "[frontmatter]\nexpiryDate = ['bestBefore']", "content/a.md", yaml("expiryDate: 2020-01-01"), ""},
		{"Hugo, date of the name", "hugo.toml", "[frontmatter]\npublishDate = [':filename', ':default']", "content/2199-01-01-a.md", yaml("date: 2020-01-01"), "not_yet"},
		{"Hugo, cascade of the site", "hugo.toml", "[cascade]\ndraft = true", "content/a.md", "text", "draft"},
		{"Hugo, cascade of the site to other pages", "hugo.toml", "[[cascade]]\ndraft = true\n[cascade.target]\npath = '/news/**'", "content/a.md", "text", ""},
		{"Hugo, cascade of the site to its path", "hugo.toml", "[[cascade]]\ndraft = true\n[cascade.target]\npath = '/news/**'", "content/news/a.md", "text", "draft"},
		{"Hugo, cascade to one of two paths", "hugo.toml", "[[cascade]]\ndraft = true\n[cascade.target]\npath = '{/news/**,/old/*}'\nkind = '{section,page}'", "content/old/a.md", "text", "draft"},
		{"Hugo, cascade to other kinds", "hugo.toml", "[[cascade]]\ndraft = true\n[cascade.target]\nkind = '{home,section}'", "content/a.md", "text", ""},
		{"Hugo, cascade to a pattern that is none", "hugo.toml", "[[cascade]]\ndraft = true\n[cascade.target]\npath = '{/news'", "content/news/a.md", "text", ""},
		{"Hugo, cascade that the page overrides", "hugo.toml", "[cascade]\ndraft = true", "content/a.md", yaml("draft: false"), ""},
		{"Jekyll, default of the site", "_config.yml", "defaults: [{scope: {path: old}, values: {published: false}}]", "old/a.md", yaml("title: A"), "draft"},
		{"Jekyll, default of another folder", "_config.yml", "defaults: [{scope: {path: old}, values: {published: false}}]", "older/a.md", yaml("title: A"), ""},
		{"Jekyll, default for posts", "_config.yml", "defaults: [{scope: {path: '', type: posts}, values: {published: false}}]", "_posts/2020-01-01-a.md", yaml("title: A"), "draft"},
		{"Jekyll, default that the page overrides", "_config.yml", "defaults: [{scope: {path: ''}, values: {published: false}}]", "a.md", yaml("published: true"), ""},
		{"Jekyll, narrower default", "_config.yml", "defaults: [{scope: {path: old/kept}, values: {published: true}}, {scope: {path: old}, values: {published: false}}]", "old/kept/a.md", yaml("title: A"), ""},
		{"Eleventy, no address", "x.txt", "", "a.md", yaml("permalink: false"), "not_rendered"},
		{"Zola, not rendered", "x.txt", "", "a.md", "+++\nrender = false\n+++\n" + "text", "not_rendered"},
		{"not published", "x.txt", "", "a.md", yaml("publish: false"), "draft"},
		{"noindex", "x.txt", "", "a.md", yaml("noindex: true"), "noindex"},
		{"robots without noindex", "x.txt", "", "a.md", yaml("robots: nofollow"), ""},
		{"MkDocs, excluded", "mkdocs.yml", "exclude_docs: |\n  *.tmp.md\n  /old/\n", "docs/old/a.md", "text", "not_rendered"},
		{"MkDocs, excluded by name", "mkdocs.yml", "exclude_docs: a.md", "docs/x/a.md", "text", "not_rendered"},
		{"MkDocs, excluded at the root only", "mkdocs.yml", "exclude_docs: /a.md", "docs/x/a.md", "text", ""},
		{"MkDocs, kept", "mkdocs.yml", "exclude_docs: |\n  x/*\n  !a.md\n", "docs/x/a.md", "text", ""},
		{"MkDocs, draft", "mkdocs.yml", "draft_docs: |\n  drafts/\n", "docs/drafts/a.md", "text", "draft"},
	} {
		t.Run(c.name, func(t *testing.T) {
			all := readAll(t, map[string]string{c.mark: c.config, c.file: c.text}, now)
			if len(all) != 1 {
				t.Fatalf("%d files", len(all))
			}
			for _, f := range all {
				got := ""
				if f.Problem != nil {
					got = f.Problem.Code
				}
				if got != c.want || f.Problem != nil && !f.Problem.Unpublished || f.Address == "" {
					t.Errorf("%q at %q, want %q (%v)", got, f.Address, c.want, f.Problem)
				}
			}
		})
	}
}

// TestKeepNoIndex checks that pages which search engines are asked to leave out
// are published where the importer says so.
func TestKeepNoIndex(t *testing.T) {
	keep := now
	keep.KeepNoIndex = true
	if f := readAll(t, map[string]string{"a.md": "---\nnoindex: true\n---\ntext"}, keep)["a.md"]; f.Problem != nil {
		t.Error(f.Problem)
	}
}

// TestDatesOfPublication checks that a page is published from the instant of its
// date on, and not from that at which it expires.
func TestDatesOfPublication(t *testing.T) {
	files := map[string]string{"hugo.toml": "", "content/a.md": "---\ndate: 2026-11-10\nexpiryDate: 2026-11-20\n---\ntext"}
	for _, c := range []struct {
		day, hour int
		want      string
	}{{9, 23, "not_yet: it is published on 2026-11-10T00:00:00Z"}, {10, 0, ""}, {19, 23, ""}, {20, 0, "expired: it expired on 2026-11-20T00:00:00Z"}} {
		opt := now
		opt.Now = now.Now.AddDate(0, 0, c.day-now.Now.Day()).Add(time.Duration(c.hour) * time.Hour)
		got := ""
		if p := readAll(t, files, opt)["a.md"].Problem; p != nil {
			got = p.Error()
		}
		if got != c.want {
			t.Errorf("day %d, hour %d: %q, want %q", c.day, c.hour, got, c.want)
		}
	}
}

// TestPartialFolder checks that a partials folder of Docusaurus holds no pages.
func TestPartialFolder(t *testing.T) {
	all := readAll(t, map[string]string{"docusaurus.config.js": "", "docs/_partials/p.md": "p", "docs/a.md": "a"}, now)
	if len(all) != 1 || all["docs/a.md"] == nil {
		t.Errorf("%v", all)
	}
}

// TestCascade checks that values which a section's index gives to its pages
// apply to all pages below it, and that the nearest index wins.
func TestCascade(t *testing.T) {
	all := readAll(t, map[string]string{
		"hugo.toml": "", "content/_index.md": "---\ntitle: Home\n---\nhome",
		"content/draft/_index.md": "---\ncascade: {draft: true}\n---\nindex", "content/draft/a.md": "a", "content/draft/deep/b.md": "b",
		"content/draft/out/_index.md": "---\ncascade: [{draft: false}]\n---\nout", "content/draft/out/c.md": "c", "content/d.md": "d",
	}, now)
	for name, draft := range map[string]bool{
		"_index.md": false, "d.md": false, "draft/_index.md": true, "draft/a.md": true, "draft/deep/b.md": true, "draft/out/_index.md": false, "draft/out/c.md": false,
	} {
		if f := all[name]; f == nil || (f.Problem != nil) != draft {
			t.Errorf("%s: %+v, want a draft: %v", name, f, draft)
		}
	}
}
