package intake_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"colophon/internal/assert"
	"colophon/internal/intake"
	"colophon/internal/origin"
	"colophon/internal/originsql/schematest"
)

// sourceItem is one page of a source, or what stands in its place.
type sourceItem struct {
	slug    string // its title too
	text    string
	state   string // "" published, "broken" not a page, else how the source holds it back
	address string // that it states, "" for base/slug
}

// wantPublished is when every item was published. Formats that write a time zone
// write it in another one.
const wantPublished = "2026-03-04T05:06:07Z"

// sourceFormat writes sources of one kind.
type sourceFormat struct {
	name, kind string
	write      func(base string, items []sourceItem) map[string]string // the files of a source
	folder     string                                                  // of the pages of a folder; "" for a single file
	book       bool                                                    // the files are zipped
	texts      bool                                                    // it has the texts of its pages
	undated    bool                                                    // it has no dates
	states     []string                                                // how it can hold back a page
	endless    bool                                                    // nothing shows that it was cut
	limit      string                                                  // what too long a text spoils: "item", "source", "" nothing
}

func (i sourceItem) at(base string) string {
	if i.address != "" {
		return i.address
	}
	return base + "/" + i.slug
}

// joinItems writes the items of a text, each by its state.
func joinItems(items []sourceItem, page, broken func(i sourceItem) string) string {
	var b strings.Builder
	for _, i := range items {
		if i.state == "broken" {
			b.WriteString(broken(i))
		} else {
			b.WriteString(page(i))
		}
	}
	return b.String()
}

func oneFile(name string, write func(base string, items []sourceItem) string) func(string, []sourceItem) map[string]string {
	return func(base string, items []sourceItem) map[string]string {
		return map[string]string{name: write(base, items)}
	}
}

func escaped(i sourceItem) string { return html.EscapeString("<p>" + i.text + "</p>") }

// folderOf writes a folder of Markdown below a configuration file.
func folderOf(mark, folder string) func(string, []sourceItem) map[string]string {
	return func(_ string, items []sourceItem) map[string]string {
		files := map[string]string{mark: ""}
		for _, i := range items {
			head := map[string]string{
				"": "date: 2026-03-04T07:06:07+02:00", "broken": "x: [", "draft": "draft: true", "status": "status: private", "noindex": "robots: noindex", "unlisted": "unlisted: true",
			}[i.state]
			if i.address != "" {
				head += "\npermalink: \"" + i.address + "\""
			}
			files[filepath.Join(folder, i.slug+".md")] = "---\ntitle: " + i.slug + "\n" + head + "\n---\n\n" + i.text + "\n"
		}
		return files
	}
}

var folderStates = []string{"draft", "status", "noindex", "unlisted"}

// sourceFormats are the kinds of sources, written as their standards say:
// sitemaps.org, RSS 2.0, RFC 4287, JSON Feed 1.1, WXR 1.2, Ghost's JSON, EPUB
// 3.3, the front matter of each generator.
var sourceFormats = []sourceFormat{
	{name: "sitemap", kind: "sitemap", undated: true, write: oneFile("sitemap.xml", func(base string, items []sourceItem) string {
		return `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">` + joinItems(items,
			func(i sourceItem) string { return "<url><loc>" + html.EscapeString(i.at(base)) + "</loc></url>" },
			func(sourceItem) string { return "<url><loc>mailto:clerk@harbor.example</loc></url>" }) + "</urlset>"
	})},
	{name: "list of addresses", kind: "list of addresses", undated: true, endless: true, write: oneFile("list.txt", func(base string, items []sourceItem) string {
		return joinItems(items, func(i sourceItem) string { return i.at(base) + "\n" }, func(sourceItem) string { return "mailto:clerk@harbor.example\n" })
	})},
	{name: "RSS", kind: "feed", texts: true, limit: "source", write: oneFile("rss.xml", func(base string, items []sourceItem) string {
		return `<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel><title>News</title><link>` + base + `/</link>` + joinItems(items, func(i sourceItem) string {
			return "<item><title>" + i.slug + "</title><link>" + html.EscapeString(i.at(base)) + "</link><pubDate>Wed, 04 Mar 2026 07:06:07 +0200</pubDate><content:encoded>" + escaped(i) + "</content:encoded></item>"
		}, func(i sourceItem) string { return "<item><title>1 << 2</title></item>" }) + "</channel></rss>"
	})},
	{name: "Atom", kind: "feed", texts: true, limit: "source", write: oneFile("atom.xml", func(base string, items []sourceItem) string {
		return `<feed xmlns="http://www.w3.org/2005/Atom"><title>News</title>` + joinItems(items, func(i sourceItem) string {
			return `<entry><title>` + i.slug + `</title><link href="` + html.EscapeString(i.at(base)) + `"/><published>2026-03-04T07:06:07+02:00</published><content type="html">` + escaped(i) + `</content></entry>`
		}, func(i sourceItem) string { return `<entry><title>No link</title></entry>` }) + "</feed>"
	})},
	{name: "JSON Feed", kind: "feed", texts: true, limit: "source", write: oneFile("feed.json", func(base string, items []sourceItem) string {
		list := joinItems(items, func(i sourceItem) string {
			return jsonOf(map[string]any{"id": i.slug, "title": i.slug, "url": i.at(base), "date_published": "2026-03-04T07:06:07+02:00", "content_html": "<p>" + i.text + "</p>"}) + ","
		}, func(sourceItem) string { return `"no object",` })
		return `{"version":"https://jsonfeed.org/version/1.1","title":"News","items":[` + strings.TrimSuffix(list, ",") + `]}`
	})},
	{name: "NDJSON", kind: "NDJSON", texts: true, limit: "item", write: oneFile("pages.ndjson", func(base string, items []sourceItem) string {
		return joinItems(items, func(i sourceItem) string {
			return jsonOf(map[string]any{"url": i.at(base), "title": i.slug, "published_at": "2026-03-04T07:06:07+02:00", "text": i.text}) + "\n"
		}, func(sourceItem) string { return "{\"url\":\n" })
	})},
	{name: "WordPress", kind: "export of WordPress", texts: true, limit: "item", states: []string{"draft", "private", "future", "pending", "trash", "password"}, write: oneFile("export.xml", func(base string, items []sourceItem) string {
		return `<?xml version="1.0" encoding="UTF-8"?><rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:wp="http://wordpress.org/export/1.2/"><channel><wp:wxr_version>1.2</wp:wxr_version>` + joinItems(items, func(i sourceItem) string {
			status, password := i.state, ""
			switch i.state {
			case "":
				status = "publish"
			case "password":
				status, password = "publish", "<wp:post_password>tide</wp:post_password>"
			}
			return "<item><title>" + i.slug + "</title><link>" + html.EscapeString(i.at(base)) + "</link><content:encoded><![CDATA[<p>" + i.text + "</p>]]></content:encoded><wp:post_date_gmt>2026-03-04 05:06:07</wp:post_date_gmt><wp:status>" + status + "</wp:status><wp:post_type>post</wp:post_type>" + password + "</item>"
		}, func(sourceItem) string { return "<item><title>Broken</title><wp:meta <</wp:meta></item>" }) + "</channel></rss>"
	})},
	{name: "Ghost", kind: "export of Ghost", texts: true, limit: "item", states: []string{"draft", "scheduled", "members", "paid"}, write: oneFile("ghost.json", func(base string, items []sourceItem) string {
		var posts []any
		for _, i := range items {
			post := map[string]any{"id": i.slug, "slug": i.slug, "title": i.slug, "html": "<p>" + i.text + "</p>", "status": "published", "visibility": "public", "published_at": "2026-03-04T05:06:07.000Z", "canonical_url": i.address}
			switch i.state {
			case "draft", "scheduled":
				post["status"] = i.state
			case "members", "paid":
				post["visibility"] = i.state
			case "broken":
				post["canonical_url"] = "http://[broken/"
			}
			posts = append(posts, post)
		}
		return jsonOf(map[string]any{"db": []any{map[string]any{"data": map[string]any{"posts": posts}}}})
	})},
	{name: "folder", kind: "folder", texts: true, limit: "item", folder: ".", states: folderStates, write: folderOf("notes.txt", ".")},
	{name: "Hugo", kind: "folder", texts: true, limit: "item", folder: "content", states: folderStates, write: folderOf("hugo.toml", "content")},
	{name: "Jekyll", kind: "folder", texts: true, limit: "item", folder: ".", states: folderStates, write: folderOf("_config.yml", ".")},
	{name: "MkDocs", kind: "folder", texts: true, limit: "item", folder: "docs", states: folderStates, write: folderOf("mkdocs.yml", "docs")},
	{name: "Docusaurus", kind: "folder", texts: true, limit: "item", folder: "docs", states: folderStates, write: folderOf("docusaurus.config.js", "docs")},
	{name: "EPUB", kind: "book", texts: true, limit: "item", book: true, states: []string{"encrypted"}, write: func(_ string, items []sourceItem) map[string]string {
		var manifest, spine, encrypted strings.Builder
		files := map[string]string{"META-INF/container.xml": container}
		for _, i := range items {
			name := i.slug + ".xhtml"
			if i.address != "" {
				name = i.address
			}
			fmt.Fprintf(&manifest, `<item id="%s" href="%s" media-type="application/xhtml+xml"/>`, i.slug, name)
			fmt.Fprintf(&spine, `<itemref idref="%s"/>`, i.slug)
			if i.state != "broken" {
				files["OEBPS/"+name] = chapter(i.slug, i.text)
			}
			if i.state == "encrypted" {
				fmt.Fprintf(&encrypted, `<EncryptedData><CipherData><CipherReference URI='OEBPS/%s'/></CipherData></EncryptedData>`, name)
			}
		}
		files["META-INF/encryption.xml"] = "<encryption>" + encrypted.String() + "</encryption>"
		files["OEBPS/book.opf"] = `<package xmlns="http://www.idpf.org/2007/opf" xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata><dc:title>The Book</dc:title><dc:date>2026-03-04T07:06:07+02:00</dc:date></metadata><manifest>` + manifest.String() + `</manifest><spine>` + spine.String() + `</spine></package>`
		return files
	}},
}

func jsonOf(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// put writes a source of the format and returns its name.
func (f *sourceFormat) put(t *testing.T, base string, items ...sourceItem) string {
	t.Helper()
	files := f.write(base, items)
	if f.book {
		return writeBook(t, files)
	}
	dir := writeFiles(t, files)
	if f.folder != "" {
		return dir
	}
	return filepath.Join(dir, slices.Collect(maps.Keys(files))[0])
}

// needsBase reports sources whose pages have no addresses of their own.
func (f *sourceFormat) needsBase() bool { return f.folder != "" || f.book || f.name == "Ghost" }

// list lists a source. It fails for texts of what is not a page, and for
// addresses that are not absolute ones of the web.
func (f *sourceFormat) list(t *testing.T, source string, change ...func(*intake.Options)) ([]intake.Listed, error) {
	t.Helper()
	opt := intake.Options{Source: source, FullText: true, AllowPrivate: true, Retries: -1}
	if f.needsBase() {
		opt.Base = home + "/"
	}
	for _, c := range change {
		c(&opt)
	}
	var list []intake.Listed
	_, err := intake.List(t.Context(), opt, func(one intake.Listed) error {
		list = append(list, one)
		return nil
	})
	for _, one := range list {
		u, err := url.Parse(one.URL)
		switch {
		case one.Code != "" && one.Text != "":
			t.Errorf("%s has the problem %s and a text", one.Where, one.Code)
		case one.Code == "" && f.texts && one.Text == "":
			t.Errorf("%s has neither a text nor a problem", one.Where)
		case one.Where == "":
			t.Errorf("%+v says not where it is", one)
		case one.URL == "" && one.Code != "":
		case err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || u.User != nil || u.Fragment != "":
			t.Errorf("the address %q is not absolute", one.URL)
		}
		if one.Busy {
			t.Errorf("at %s the source keeps its host", one.Where)
		}
	}
	return list, err
}

// codes returns the problems of a list, "" for pages.
func codes(list []intake.Listed) []string {
	out := []string{}
	for _, one := range list {
		out = append(out, one.Code)
	}
	return out
}

// page returns an item that is a page. Tests name them a, b and c, because files
// are read in the order of their names.
func page(slug string) sourceItem { return sourceItem{slug: slug, text: prose(slug)} }

// TestReadersConform holds the readers of all kinds of sources to the same
// properties.
func TestReadersConform(t *testing.T) {
	kinds := intake.Kinds()
	for i := range sourceFormats {
		f := &sourceFormats[i]
		kinds = slices.DeleteFunc(kinds, func(kind string) bool { return kind == f.kind })
		t.Run(f.name, func(t *testing.T) {
			for _, property := range []struct {
				name  string
				check func(*testing.T, *sourceFormat)
			}{
				{"order", listsInOrder}, {"broken", reportsBroken}, {"held back", holdsBack}, {"cut", reportsCut}, {"cancelled", endsWhenCancelled},
				{"too large", keepsLimits}, {"addresses", refusesAddresses}, {"climbing", refusesClimbing}, {"closed", closesSource}, {"web", readsTheWeb},
			} {
				t.Run(property.name, func(t *testing.T) { property.check(t, f) })
			}
		})
	}
	if !slices.Equal(kinds, []string{"page"}) { // which lists nothing
		t.Errorf("no source is written of the kinds %q", kinds)
	}
}

// listsInOrder checks that a source gives its pages in its own order, with what
// it says of them, and the same when it is read again.
func listsInOrder(t *testing.T, f *sourceFormat) {
	source := f.put(t, home, page("a"), page("b"), page("c"))
	first, err := f.list(t, source)
	if err != nil || len(first) != 3 {
		t.Fatalf("%d pages, error %v", len(first), err)
	}
	for i, slug := range []string{"a", "b", "c"} {
		one := first[i]
		stem, _, _ := strings.Cut(strings.TrimSuffix(one.URL[strings.LastIndex(strings.TrimSuffix(one.URL, "/"), "/")+1:], "/"), ".")
		if one.Code != "" || stem != slug || !strings.HasPrefix(one.URL, home+"/") || f.texts && !strings.Contains(one.Text, "The page "+slug+" tells") {
			t.Errorf("page %d, not %s: %+v", i, slug, one)
		}
		if want := map[bool]string{false: wantPublished}[f.undated]; one.Published != want {
			t.Errorf("%s is published %q, want %q", slug, one.Published, want)
		}
	}
	again, err := f.list(t, source)
	if err != nil || !slices.Equal(first, again) {
		t.Errorf("again: %+v, error %v\nat first: %+v", again, err, first)
	}
	opt := intake.Options{Source: source, Base: home + "/"}
	kind := intake.KindOf(source)
	listsAll, err := intake.List(t.Context(), opt, func(intake.Listed) error { return nil })
	if wantAll := slices.Contains([]string{"sitemap", "list of addresses", "folder"}, f.kind); err != nil || kind != f.kind || listsAll != wantAll {
		t.Errorf("it is a %q, lists all: %t, error %v", kind, listsAll, err)
	}
}

// reportsBroken checks that an item which is no page is named, and that those
// around it are read.
func reportsBroken(t *testing.T, f *sourceFormat) {
	list, err := f.list(t, f.put(t, home, page("a"), sourceItem{slug: "b", state: "broken"}, page("c")))
	if err != nil || len(list) != 3 || list[0].Code != "" || list[1].Code == "" || list[1].Detail == "" || list[2].Code != "" {
		t.Fatalf("%+v, error %v", list, err)
	}
	place := map[string]string{"RSS": "item 2", "Atom": "item 2", "JSON Feed": "item 2", "WordPress": "item 2", "NDJSON": "line 2", "Ghost": "post b"}[f.name]
	if place == "" {
		place = map[bool]string{true: "b.", false: "mailto:clerk@harbor.example"}[f.needsBase()]
	}
	assert.Contains(t, "it is at", list[1].Where, place)
}

// holdsBack checks that pages come in neither with a text nor without a reason
// if their source holds them back.
func holdsBack(t *testing.T, f *sourceFormat) {
	for _, state := range f.states {
		held := page("b")
		held.state = state
		list, err := f.list(t, f.put(t, home, page("a"), held, page("c")))
		if err != nil || len(list) != 3 || list[1].Code == "" || list[1].Text != "" || list[0].Code != "" || list[2].Code != "" {
			t.Errorf("%s: %+v, error %v", state, list, err)
		}
	}
}

// reportsCut cuts a file at every tenth of its length. What is left either
// cannot be read as a source, or has an item that cannot be read.
func reportsCut(t *testing.T, f *sourceFormat) {
	if f.folder != "" || f.endless {
		t.Skip("nothing shows that files of a folder, or lines, are missing")
	}
	source := f.put(t, home, page("a"), page("b"), page("c"))
	whole, err := os.ReadFile(source)
	must(t, err)
	for tenth := 1; tenth < 10; tenth++ {
		must(t, os.WriteFile(source, whole[:len(whole)*tenth/10], 0o600))
		list, err := f.list(t, source)
		named := slices.ContainsFunc(list, func(one intake.Listed) bool { return one.Code != "" })
		if !named && !errors.Is(err, intake.ErrSource) || err != nil && !strings.Contains(err.Error(), filepath.Base(source)) && !errors.Is(err, intake.ErrUsage) {
			t.Errorf("after %d tenths: problems %q, error %v", tenth, codes(list), err)
		}
		if len(list) > 3 {
			t.Errorf("after %d tenths: %d pages", tenth, len(list))
		}
	}
}

// endsWhenCancelled cancels a list at its first page.
func endsWhenCancelled(t *testing.T, f *sourceFormat) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	opt := intake.Options{Source: f.put(t, home, page("a"), page("b"), page("c")), Base: home + "/"}
	seen := 0
	count := func(intake.Listed) error {
		seen++
		cancel()
		return nil
	}
	if _, err := intake.List(ctx, opt, count); !errors.Is(err, context.Canceled) || errors.Is(err, intake.ErrSource) || seen != 1 {
		t.Errorf("%d pages, error %v", seen, err)
	}
	if _, err := intake.List(ctx, opt, count); !errors.Is(err, context.Canceled) || seen != 1 {
		t.Errorf("cancelled before: %d pages, error %v", seen, err)
	}
	stopped := errors.New("enough")
	assert.ErrorIs(t, assert.Err(intake.List(t.Context(), opt, func(intake.Listed) error { return stopped })), stopped, "stopped: error")
}

// keepsLimits gives one page a text beyond the limit of a page.
func keepsLimits(t *testing.T, f *sourceFormat) {
	large := page("b")
	large.text = strings.Repeat(large.text+" ", 80)
	list, err := f.list(t, f.put(t, home, page("a"), large, page("c")), func(o *intake.Options) { o.MaxBytes = 4 << 10 })
	switch f.limit {
	case "item":
		if err != nil || !slices.Equal(codes(list), []string{"", "too_large", ""}) || !strings.Contains(list[1].Detail, "4096 bytes") {
			t.Errorf("%+v, error %v", list, err)
		}
	case "source":
		if len(list) > 0 || !errors.Is(err, intake.ErrSource) || !strings.Contains(err.Error(), "4096 bytes") {
			t.Errorf("%+v, error %v", list, err)
		}
	default: // the protocol has limits of its own, and the texts are not in it
		if err != nil || len(list) != 3 {
			t.Errorf("%+v, error %v", list, err)
		}
	}
}

// refusesAddresses gives a page an address that is not one of the web.
func refusesAddresses(t *testing.T, f *sourceFormat) {
	for _, address := range []string{"file:///etc/passwd", "javascript:alert(1)", "https://clerk:tide@www.harbor.example/b", "ftp://www.harbor.example/b", "http://[broken/b", "https:///b"} {
		odd := page("b")
		odd.address = address
		switch {
		case f.book:
			continue // its pages have names
		case f.folder != "" && !strings.HasPrefix(address, "http"): // not taken for an address
			list, err := f.list(t, f.put(t, home, odd))
			if err != nil || len(list) != 1 || !strings.Contains(list[0].URL, home+"/") || !strings.Contains(list[0].URL, "/b") {
				t.Errorf("%s: %+v, error %v", address, list, err)
			}
			continue
		}
		list, err := f.list(t, f.put(t, home, page("a"), odd, page("c")))
		code := "bad_url"
		if f.name == "NDJSON" {
			code = "bad_line"
		}
		if err != nil || !slices.Equal(codes(list), []string{"", code, ""}) {
			t.Errorf("%s: %+v, error %v", address, list, err)
		}
	}
}

// refusesClimbing lets names in a source lead out of it.
func refusesClimbing(t *testing.T, f *sourceFormat) {
	secret := filepath.Join(writeFiles(t, map[string]string{"secret.md": "A secret. " + prose("secret"), "draft.md": "---\ndraft: false\n---\n"}), "secret.md")
	switch {
	case f.book:
		out := page("b")
		out.address = "../../secret.xhtml"
		list, err := f.list(t, f.put(t, home, page("a"), out, page("c")))
		if err != nil || !slices.Equal(codes(list), []string{"", "bad_url", ""}) {
			t.Errorf("%+v, error %v", list, err)
		}
	case f.folder != "":
		source := f.put(t, home, page("a"), page("c"))
		link := func(from, to string) {
			must(t, os.Symlink(to, filepath.Join(source, from)))
		}
		link(filepath.Join(f.folder, "b.md"), secret)
		link(filepath.Join(f.folder, "d"), filepath.Dir(secret))
		if list, err := f.list(t, source); err != nil || len(list) != 2 {
			t.Errorf("%+v, error %v", list, err)
		}
		if f.folder == "." {
			return
		}
		must(t, os.RemoveAll(filepath.Join(source, f.folder)))
		link(f.folder, filepath.Dir(secret))
		if list, err := f.list(t, source); len(list) > 0 || !errors.Is(err, intake.ErrSource) {
			t.Errorf("linked: %+v, error %v", list, err)
		}
	}
}

// TestPageAsSource checks that a page is listed as one, and that its host is free
// then.
func TestPageAsSource(t *testing.T) {
	w := newWorld(t)
	w.page("/a", "A")
	f := sourceFormat{texts: true}
	list, err := f.list(t, w.url+"/a", func(o *intake.Options) { o.MaxBytes = 4 << 10 })
	if err != nil || len(list) != 1 || list[0].URL != w.url+"/a" || !strings.Contains(list[0].Text, "<h1>A</h1>") {
		t.Errorf("%+v, error %v", list, err)
	}
	list, err = f.list(t, w.url+"/a", func(o *intake.Options) { o.MaxBytes = 100 })
	if err != nil || !slices.Equal(codes(list), []string{"too_large"}) {
		t.Errorf("%+v, error %v", list, err)
	}
}

// TestConfigurationLeadsOut lets configuration files name folders of pages that
// are outside of the imported one.
func TestConfigurationLeadsOut(t *testing.T) {
	for mark, config := range map[string]string{
		"mkdocs.yml": "docs_dir: ../secret", "_config.yml": "source: ../secret", "hugo.toml": "contentDir = '../secret'",
		"hugo.yaml": "module: {mounts: [{source: ../secret, target: content}, {source: content, target: content}]}", "config.toml": "[languages.en]\ncontentDir = 'content/../../secret'",
	} {
		dir := writeFiles(t, map[string]string{"secret/secret.md": prose("secret"), "site/" + mark: config, "site/content/a.md": prose("a"), "site/docs/a.md": prose("a")})
		f := sourceFormat{folder: ".", texts: true}
		list, err := f.list(t, filepath.Join(dir, "site"))
		if len(list) > 0 || !errors.Is(err, intake.ErrSource) || !strings.Contains(err.Error(), mark) || !strings.Contains(err.Error(), "outside") {
			t.Errorf("%s: %+v, error %v", mark, list, err)
		}
	}
}

// TestIndexThatCannotBeRead checks that the pages of a section stay out if its
// index may hold them back and cannot be read.
func TestIndexThatCannotBeRead(t *testing.T) {
	outside := writeFiles(t, map[string]string{"_index.md": "---\ncascade: {draft: true}\n---\n"})
	for why, write := range map[string]func(name string) error{
		"bad_front_matter": func(name string) error { return os.WriteFile(name, []byte("---\ncascade: [\n---\n"), 0o600) },
		"unreadable":       func(name string) error { return os.Symlink(filepath.Join(outside, "_index.md"), name) },
	} {
		dir := writeFiles(t, map[string]string{"hugo.toml": "", "content/a.md": prose("a"), "content/news/b.md": prose("b"), "content/z.md": prose("z")})
		must(t, write(filepath.Join(dir, "content", "news", "_index.md")))
		f := sourceFormat{folder: "content", texts: true}
		list, err := f.list(t, dir)
		if err != nil || !slices.Equal(codes(list), []string{"", why, ""}) || !strings.Contains(list[1].Where, "news") {
			t.Errorf("%s: %+v, error %v", why, list, err)
		}
	}
}

// closesSource checks that no file of a source stays open and no goroutine is
// left, however its list ends.
func closesSource(t *testing.T, f *sourceFormat) {
	source := f.put(t, home, page("a"), sourceItem{slug: "b", state: "broken"}, page("c"))
	before := runtime.NumGoroutine()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	opt := intake.Options{Source: source, Base: home + "/"}
	for _, each := range []func(intake.Listed) error{
		func(intake.Listed) error { return nil }, func(intake.Listed) error { return errors.New("enough") }, func(intake.Listed) error { cancel(); return nil },
	} {
		intake.List(ctx, opt, each) //nolint:errcheck // however it ends
	}
	open, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Skip("the open files are not known here")
	}
	for _, fd := range open {
		if name, _ := os.Readlink("/proc/self/fd/" + fd.Name()); strings.HasPrefix(name, source) {
			t.Errorf("%s is open", name)
		}
	}
	for wait := 0; runtime.NumGoroutine() > before; wait++ {
		if time.Sleep(10 * time.Millisecond); wait == 200 {
			t.Fatalf("%d goroutines, %d before", runtime.NumGoroutine(), before)
		}
	}
}

// readsTheWeb serves a source, in gzip too, and compares it with the file. Those
// that are not read from the web say what to do instead.
func readsTheWeb(t *testing.T, f *sourceFormat) {
	if f.folder != "" || f.book {
		t.Skip("it is not served")
	}
	w := newWorld(t)
	source := f.put(t, home, page("a"), sourceItem{slug: "b", state: "broken"}, page("c"))
	whole, err := os.ReadFile(source)
	must(t, err)
	want, err := f.list(t, source)
	must(t, err)
	var zipped bytes.Buffer
	z := gzip.NewWriter(&zipped)
	z.Write(whole) //nolint:errcheck // to memory
	z.Close()      //nolint:errcheck // to memory
	for path, body := range map[string]string{"/source": string(whole), "/source.gz": zipped.String()} {
		w.serve(path, "application/octet-stream", body)
		got, err := f.list(t, w.url+path, func(o *intake.Options) { o.PerHost = 1 })
		switch f.name {
		case "NDJSON", "Ghost":
			if len(got) > 0 || !errors.Is(err, intake.ErrSource) || !strings.Contains(err.Error(), "save it and give the file") {
				t.Errorf("%s: %+v, error %v", path, got, err)
			}
		case "WordPress": // on the web it is a feed, whose pages are fetched
			if err != nil || len(got) != 3 {
				t.Errorf("%s: %+v, error %v", path, got, err)
			}
		default:
			if err != nil || len(got) != 3 || !slices.Equal(codes(got), codes(want)) || got[0].URL != want[0].URL || got[2].Published != want[2].Published {
				t.Errorf("%s: %+v, error %v, want %+v", path, got, err, want)
			}
		}
		w.serve(path, "application/octet-stream", body[:len(body)*2/3])
		if got, err := f.list(t, w.url+path); !f.endless && err == nil && !slices.ContainsFunc(got, func(one intake.Listed) bool { return one.Where != "" && one.Code != "" }) {
			t.Errorf("%s, cut: %+v", path, got)
		}
	}
}

// TestSourcesConform checks that every kind of source gives the same pages,
// that an item which cannot be a page harms no other, and that a second import
// changes nothing.
func TestSourcesConform(t *testing.T) {
	text := func(title string) string {
		return strings.Repeat("On page "+title+" the clerk of the port writes down what every ship brings, and reads it out to the pilots when the tide has turned. ", 4)
	}
	for i := range sourceFormats {
		f := &sourceFormats[i]
		t.Run(f.name, func(t *testing.T) {
			based := func(o *intake.Options) {
				o.FullText = f.texts
				if f.needsBase() {
					o.Base = home + "/"
				}
			}
			start := func() (*world, string) {
				w := newWorld(t)
				base := home
				if !f.texts {
					base = w.url
				}
				for _, title := range []string{"one", "two"} {
					w.serve("/"+title, "text/html; charset=utf-8", "<!doctype html><html lang=en><head><title>"+title+"</title></head><body><main><h1>"+title+"</h1><p>"+text(title)+"</p></main></body></html>")
				}
				return w, f.put(t, base, sourceItem{slug: "one", text: text("one")}, sourceItem{slug: "other", state: "broken"}, sourceItem{slug: "two", text: text("two")})
			}
			w, source := start()
			first := w.must(source, based)
			if first.New != 2 || first.Changed+first.Unchanged != 0 || first.Skipped.Count()+first.Failed.Count() != 1 {
				t.Fatalf("first: %+v", first)
			}
			titles := []string{}
			for _, p := range w.all() {
				titles = append(titles, p.Title)
				conforms(t, w, &p)
			}
			if slices.Sort(titles); !slices.Equal(titles, []string{"one", "two"}) {
				t.Errorf("titles: %q", titles)
			}
			again := w.must(source, based)
			if again.New+again.Changed != 0 || again.Unchanged != 2 {
				t.Errorf("again: new %d, changed %d, unchanged %d", again.New, again.Changed, again.Unchanged)
			}
			w, source = start()
			if cut := w.must(source, based, func(o *intake.Options) { o.MaxPages = 1 }); cut.New > 1 || !cut.Full {
				t.Errorf("one page at most: new %d, full %t", cut.New, cut.Full)
			}
		})
	}
}

func conforms(t *testing.T, w *world, p *origin.Page) {
	t.Helper()
	if p.State != "active" || p.Portable == "" || p.WordCount < 80 {
		t.Errorf("%s: state %q, fingerprint %q, %d words", p.CanonicalURL, p.State, p.Portable, p.WordCount)
	}
	body, err := schematest.RawBody(t.Context(), w.store.DB(), p.EntryID)
	must(t, err)
	for form, text := range map[string]string{"text": body.Text, "Markdown": body.Markdown, "HTML": body.HTML} {
		if !strings.Contains(text, "when the tide has turned.") {
			t.Errorf("%s: its %s is %q", p.CanonicalURL, form, text)
		}
	}
}
