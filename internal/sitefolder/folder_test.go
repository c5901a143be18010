package sitefolder

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"colophon/internal/assert"
)

var must = assert.NoError

var now = Options{MaxBytes: 1 << 20, Now: time.Date(2026, time.November, 15, 0, 0, 0, 0, time.UTC)}

// readAll returns what a folder holds, by the names of files.
func readAll(t *testing.T, files map[string]string, opt Options) map[string]*File {
	t.Helper()
	system := fstest.MapFS{}
	for name, text := range files {
		system[name] = &fstest.MapFile{Data: []byte(text)}
	}
	folder, err := Open(system)
	must(t, err)
	all := map[string]*File{}
	err = folder.Each(opt, func(f *File) error {
		all[f.Name] = f
		return nil
	})
	must(t, err)
	return all
}

// TestAddresses checks which files have pages, and where, against the
// generators' manuals.
func TestAddresses(t *testing.T) {
	for _, c := range []struct {
		name  string
		files map[string]string
		want  map[string]string // file's text -> path
	}{
		{"plain", map[string]string{"a.md": "a", "b/index.md": "b", "README.md": "home", "node_modules/x.md": "x", ".git/y.md": "y", "pic.png": "no"},
			map[string]string{"a": "/a/", "b": "/b/", "home": "/"}},
		{"Hugo", map[string]string{"hugo.toml": "", "content/_index.md": "home", "content/posts/one.md": "+++\nslug = \"erste\"\n+++\n" + "one", "content/two.md": "---\nurl: /zwei.html\n---\n" + "two", "other.md": "other"},
			map[string]string{"home": "/", "one": "/posts/erste/", "two": "/zwei.html"}},
		{"Jekyll", map[string]string{"_config.yml": "", "_posts/2026-03-04-tide.md": "tide", "about.md": "about", "_posts/2026-03-05-x.md": "---\ncategories: [News]\n---\n" + "x", "_drafts/d.md": "d"},
			map[string]string{"tide": "/2026/03/04/tide.html", "about": "/about.html", "x": "/news/2026/03/05/x.html"}},
		{"Docusaurus", map[string]string{"docusaurus.config.js": "", "docs/01-intro.md": "intro", "docs/02-more/index.mdx": "import X from './x'\n\n" + "more", "docs/z.md": "---\nslug: /top\n---\n" + "z"},
			map[string]string{"intro": "/docs/intro", "more": "/docs/more", "z": "/docs/top"}},
		{"MkDocs", map[string]string{"mkdocs.yml": "", "docs/index.md": "home", "docs/guide/one.md": "one", "README.md": "readme"},
			map[string]string{"home": "/", "one": "/guide/one/"}},
		{"Hugo with languages", map[string]string{"hugo.toml": "defaultContentLanguage = 'en'\n[languages.en]\ncontentDir = 'content/en'\n[languages.DE]\ncontentDir = 'content/de'\n[permalinks]\nposts = '/:year/:slug/'\n",
			"content/en/Big Fish/Net.md": "net", "content/en/about.de.md": "ueber", "content/de/a.md": "hafen", "content/en/posts/one.md": "---\ndate: 2026-03-04\ntitle: The First, One\n---\n" + "one",
			"content/en/_parts/_index.md": "---\ncascade:\n  build:\n    render: never\n---\n", "content/en/_parts/x.md": "x"},
			map[string]string{"net": "/big-fish/net/", "ueber": "/de/about/", "hafen": "/de/a/", "one": "/2026/the-first-one/"}},
		{"Hugo with mounts", map[string]string{"hugo.yaml": "disablePathToLower: true\nuglyURLs: true\nmodule:\n  mounts:\n  - source: pages/en\n    target: content\n  - source: media\n    target: assets\n",
			"pages/en/Net.md": "net", "pages/en/_index.md": "home", "media/x.md": "x"},
			map[string]string{"net": "/Net.html", "home": "/"}},
		{"Jekyll with collections", map[string]string{"_config.yml": "permalink: pretty\nexclude: [vendor, notes/]\ncollections:\n  docs:\n    output: true\n    permalink: /:collection/:path/\n  parts:\n    output: false\n" +
			"defaults:\n- scope: {path: old/_posts}\n  values: {permalink: '/archive/:title.html'}\n",
			"_docs/net/one.md": "one", "_parts/x.md": "x", "notes/y.md": "y", "about.md": "about", "_tabs/z.md": "z",
			"news/_posts/2026-03-04-tide.md": "---\ncategories: high low\n---\n" + "tide", "old/_posts/2020-01-02-ebb.md": "ebb", "_posts/2026-03-05-late.md": "---\ndate: 2026-03-06 23:30:00 -0800\n---\n" + "late"},
			map[string]string{"one": "/docs/net/one/", "about": "/about/", "tide": "/news/high/low/2026/03/04/tide/", "ebb": "/archive/ebb.html", "late": "/2026/03/06/late/"}},
		{"MkDocs without folders", map[string]string{"mkdocs.yml": "docs_dir: manual\nuse_directory_urls: false\nmarkdown_extensions:\n- emoji:\n    generator: !!python/name:materialx.emoji.to_svg\n", "manual/index.md": "home", "manual/guide/one.md": "one"},
			map[string]string{"home": "/", "one": "/guide/one.html"}},
		{"Docusaurus with a blog", map[string]string{"docusaurus.config.ts": "", "blog/2026-03-04-tide.md": "tide", "blog/2026/03/05-ebb/index.md": "ebb", "blog/2026-03-06-slug.md": "---\nslug: flood\n---\n" + "slug", "src/pages/team.md": "team",
			"src/theme/x.md": "x", "versioned_docs/version-1.2/net.md": "net", "i18n/fr/docusaurus-plugin-content-docs/current/net.md": "filet", "static/y.md": "y"},
			map[string]string{"tide": "/blog/2026/03/04/tide", "ebb": "/blog/2026/03/05/ebb", "slug": "/blog/flood", "team": "/team", "net": "/docs/1.2/net", "filet": "/fr/docs/net"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := map[string]string{}
			for _, f := range readAll(t, c.files, now) {
				if f.Problem == nil {
					got[strings.TrimSpace(f.Body)] = "/" + strings.TrimPrefix(f.Address, "./")
				}
			}
			if !maps.Equal(got, c.want) {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
}

// TestDateInAName checks that a post has the date in its name, as its generator
// publishes it, unless it states one.
func TestDateInAName(t *testing.T) {
	for _, c := range []struct{ config, name, text, want string }{
		{"_config.yml", "_posts/2026-03-04-tide.md", "tide", "2026-03-04"},
		{"_config.yml", "news/_posts/2026/2026-03-04-tide.md", "---\ntitle: Tide\n---\n" + "tide", "2026-03-04"},
		{"_config.yml", "_posts/2026-03-04-tide.md", "---\ndate: 2026-03-06 23:30:00 -0800\n---\n" + "tide", "2026-03-06 23:30:00 -0800"},
		{"_config.yml", "_posts/2026-03-04-tide.md", "---\ndate: soon\n---\n" + "tide", "2026-03-04"},
		{"_config.yml", "2026-03-04-tide.md", "tide", ""},
		{"docusaurus.config.js", "blog/2026-03-04-tide.md", "tide", "2026-03-04"},
		{"docusaurus.config.js", "blog/2026/03/04-tide/index.md", "tide", "2026-03-04"},
		{"docusaurus.config.js", "i18n/fr/docusaurus-plugin-content-blog/2026-03-04-tide.md", "tide", "2026-03-04"},
		{"docusaurus.config.js", "blog/2026-03-04-tide.md", "---\ndate: 2026-03-05\n---\n" + "tide", "2026-03-05T00:00:00Z"},
		{"docusaurus.config.js", "docs/2026-03-04-tide.md", "tide", ""},
		{"mkdocs.yml", "docs/2026-03-04-tide.md", "tide", ""},
	} {
		all := readAll(t, map[string]string{c.config: "", c.name: c.text}, now)
		if len(all) != 1 {
			t.Fatalf("%s: %d files", c.name, len(all))
		}
		for _, f := range all {
			if got := f.Front.Text("date"); f.Problem != nil || got != c.want {
				t.Errorf("%s with %s: the date %q, want %q (%v)", c.name, c.config, got, c.want, f.Problem)
			}
		}
	}
}

// TestFilesOfARepository checks that files beside the pages, from which the
// generator makes no page, are reported with the reason.
func TestFilesOfARepository(t *testing.T) {
	for _, c := range []struct {
		name    string
		files   map[string]string
		page    string
		skipped []string
	}{
		{"Docusaurus", map[string]string{"docusaurus.config.js": "", "README.md": "readme", "docs/README.md": "docs"}, "/docs", []string{"README.md"}},
		{"Jekyll", map[string]string{"_config.yml": "exclude: [notes.md]", "about.md": "about", "CONTRIBUTING.md": "c", "sub/License.md": "l", "notes.md": "n"}, "/about.html", []string{"CONTRIBUTING.md", "sub/License.md", "notes.md"}},
		{"Jekyll, with front matter", map[string]string{"_config.yml": "", "CONTRIBUTING.md": "---\n---\n" + "c"}, "/CONTRIBUTING.html", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			all := readAll(t, c.files, now)
			var skipped []string
			for _, f := range all {
				if f.Problem != nil && f.Problem.Code == "not_rendered" {
					skipped = append(skipped, f.Name)
				} else if at := "/" + f.Address; f.Problem != nil || at != c.page {
					t.Errorf("%s is at %s, want %s (%v)", f.Name, at, c.page, f.Problem)
				}
			}
			slices.Sort(skipped)
			slices.Sort(c.skipped)
			if !slices.Equal(skipped, c.skipped) || len(all) != len(skipped)+1 {
				t.Errorf("%d files, of which %v have no page, want %v", len(all), skipped, c.skipped)
			}
		})
	}
}

func TestLanguages(t *testing.T) {
	for _, c := range []struct {
		name  string
		files map[string]string
		want  map[string]string // path -> language
	}{
		{"Hugo", map[string]string{"hugo.toml": "defaultContentLanguage = 'nl'\n[languages.nl]\n[languages.fy]\n", "content/a.md": "a", "content/b.fy.md": "b", "content/c.md": "---\nlang: en\n---\n" + "c"},
			map[string]string{"/a/": "nl", "/fy/b/": "fy", "/c/": "en"}},
		{"Jekyll", map[string]string{"_config.yml": "lang: nl_BE", "a.md": "a"}, map[string]string{"/a.html": "nl-BE"}},
		{"MkDocs", map[string]string{"mkdocs.yml": "theme:\n  language: nl\n", "docs/a.md": "a"}, map[string]string{"/a/": "nl"}},
		{"Docusaurus", map[string]string{"docusaurus.config.js": "", "docs/a.md": "a", "i18n/nl/docusaurus-plugin-content-docs/current/a.md": "b"}, map[string]string{"/docs/a": "", "/nl/docs/a": "nl"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := map[string]string{}
			for _, f := range readAll(t, c.files, now) {
				got["/"+f.Address] = f.Language
			}
			if !maps.Equal(got, c.want) {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
}

func TestBrokenConfiguration(t *testing.T) {
	_, err := Open(fstest.MapFS{"_config.yml": {Data: []byte("permalink: [")}, "a.md": {}})
	assert.ErrorContains(t, err, "error", "_config.yml cannot be read")
}

// TestUnreadableFiles checks that a file or folder which cannot be read is
// reported by its name, and that the others are read.
func TestUnreadableFiles(t *testing.T) {
	all := readAll(t, map[string]string{
		"hugo.toml": "", "content/a.md": "a", "content/large.md": strings.Repeat("x", 100), "content/bad.md": "---\ntitle: [\n---\n",
		"content/shut/_index.md": "---\ncascade: [\n---\n", "content/shut/b.md": "b",
	}, Options{MaxBytes: 99, Now: now.Now})
	for name, want := range map[string]string{"a.md": "", "large.md": "too_large", "bad.md": "bad_front_matter", "content/shut": "bad_front_matter"} {
		f := all[name]
		switch {
		case f == nil:
			t.Errorf("%s is not reported", name)
		case want == "" && f.Problem != nil, want != "" && (f.Problem == nil || f.Problem.Code != want || f.Problem.Unpublished || f.Body != ""):
			t.Errorf("%s: %+v, want %q", name, f, want)
		}
	}
	assert.Equal(t, len(all), 4, "files are reported, want 4: a folder whose index cannot be read stays out")
}

// TestEachStops checks that the error of the caller ends the walk.
func TestEachStops(t *testing.T) {
	folder, err := Open(fstest.MapFS{"a.md": {}, "b.md": {}})
	must(t, err)
	stop, calls := errors.New("stop"), 0
	err = folder.Each(now, func(*File) error { calls++; return stop })
	if !errors.Is(err, stop) || calls != 1 {
		t.Errorf("error %v after %d files", err, calls)
	}
}

// TestConfigurationLeadsOut checks that a configuration file which names a
// folder outside is refused.
func TestConfigurationLeadsOut(t *testing.T) {
	for name, text := range map[string]string{"mkdocs.yml": "docs_dir: ../x", "_config.yml": "source: ../../x", "hugo.toml": "contentDir = '../x'"} {
		_, err := Open(fstest.MapFS{name: {Data: []byte(text)}, "a.md": {}})
		assert.ErrorContains(t, err, name+": error", "outside")
	}
}
