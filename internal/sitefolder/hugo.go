package sitefolder

import (
	"cmp"
	"errors"
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"colophon/internal/extract"
	"colophon/internal/frontmatter"
)

// hugoSite is what Hugo's configuration file says about addresses.
type hugoSite struct {
	languages  map[string]string  // name of a language, small -> prefix of its addresses
	permalinks frontmatter.Fields // section -> pattern
	keepCase   bool
	ugly       bool
	files      fs.FS
	given      []frontmatter.Fields            // to all pages
	cascades   map[string][]frontmatter.Fields // to those of a folder, once it was entered
}

// hugoLayout returns a layout with a folder of pages for each language, or one
// for all.
func hugoLayout(files fs.FS, c frontmatter.Fields) (*layout, error) {
	h := &hugoSite{
		files: files, languages: map[string]string{}, permalinks: c.Object("permalinks"),
		keepCase: c.Text("disablepathtolower") == "true", ugly: c.Text("uglyurls") == "true",
		given: cascadesOf(c), cascades: map[string][]frontmatter.Fields{},
	}
	if pages := c.Object("permalinks", "page"); pages != nil {
		h.permalinks = pages
	}
	main := strings.ToLower(cmp.Or(c.Text("defaultcontentlanguage"), "en"))
	languages := c.Object("languages")
	for name := range languages {
		h.languages[name] = name + "/"
		if name == main && c.Text("defaultcontentlanguageinsubdir") != "true" {
			h.languages[name] = ""
		}
	}
	publishes := publicationRules{
		drafts: c.True("builddrafts"), future: c.True("buildfuture"), expired: c.True("buildexpired"),
		publishDate: hugoDates(c.Object("frontmatter"), "publishdate"), expiryDate: hugoDates(c.Object("frontmatter"), "expirydate"),
	}
	l := &layout{name: "hugo", publishes: publishes, at: h.address, defaults: h.cascade, enter: h.readIndex, language: func(name string) string {
		language, _, _ := h.cutLanguage(strings.TrimSuffix(name, path.Ext(name)))
		return language
	}}
	add := func(folder, language string) error {
		if folder == "" {
			return nil
		}
		dir, err := contentFolder(files, folder)
		root := contentRoot{dir: dir, prefix: h.languages[strings.ToLower(language)], language: language}
		same := func(r contentRoot) bool { return r.dir == root.dir }
		if dir != "" && !slices.ContainsFunc(l.roots, same) {
			l.roots = append(l.roots, root)
		}
		return err
	}
	var err error
	for _, mount := range c.Object("module").Objects("mounts") {
		if target := mount.Text("target"); target == "content" {
			err = errors.Join(err, add(mount.Text("source"), cmp.Or(mount.Text("lang"), mount.Object("sites", "matrix").Text("languages"))))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(languages)) {
		err = errors.Join(err, add(languages.Object(name).Text("contentdir"), name))
	}
	if len(l.roots) == 0 {
		err = errors.Join(err, add(cmp.Or(c.Text("contentdir"), "content"), main))
	}
	if len(l.roots) == 0 {
		return nil, err
	}
	return l, err
}

// readIndex reads the index of a folder, remembers what it sets for the pages
// below, and reports whether it says that they are not written. The problem is
// that of an index that cannot be read.
func (h *hugoSite) readIndex(dir string) (hidden bool, p *Problem) {
	for _, name := range []string{"_index.md", "index.md"} {
		name = path.Join(dir, name)
		if _, err := fs.Stat(h.files, name); errors.Is(err, fs.ErrNotExist) {
			continue
		}
		index, p := readMarkdown(h.files, name, maxConfig)
		if p != nil {
			return true, p
		}
		hidden = hidden || index.front.True("headless")
		if path.Base(name) == "_index.md" {
			h.cascades[dir] = cascadesOf(index.front)
		}
	}
	return hidden, nil
}

// cascade adds to a file's front matter the values that the indexes of the
// folders around it, the nearest first, and the site set for all pages below
// (gohugo.io/content-management/front-matter).
func (h *hugoSite) cascade(root, rel string, m frontmatter.Fields) frontmatter.Fields {
	out := maps.Clone(m)
	for dir := path.Dir(rel); ; dir = path.Dir(dir) {
		out = withDefaults(out, h.cascades[path.Join(root, dir)], rel)
		if dir == "." {
			return withDefaults(out, h.given, rel)
		}
	}
}

// cascadesOf returns the values that an object sets for pages: one set, or a list
// of them with targets.
func cascadesOf(m frontmatter.Fields) []frontmatter.Fields {
	if one := m.Object("cascade"); one != nil {
		return []frontmatter.Fields{one}
	}
	return m.Objects("cascade")
}

// withDefaults adds the values of the sets that apply to a page, if it has none
// of its own.
func withDefaults(m frontmatter.Fields, sets []frontmatter.Fields, rel string) frontmatter.Fields {
	for _, set := range sets {
		target := set.Object("target")
		if target == nil {
			target = set.Object("_target")
		}
		if pattern := target.Text("path"); pattern != "" && !globPattern(pattern).MatchString("/"+strings.TrimSuffix(rel, path.Ext(rel))) {
			continue
		}
		if kind := target.Text("kind"); kind != "" && !globPattern(kind).MatchString("page") {
			continue
		}
		for name, value := range set {
			if _, own := m[name]; !own && name != "target" && name != "_target" {
				if m == nil {
					m = frontmatter.Fields{}
				}
				m[name] = value
			}
		}
	}
	return m
}

// globPattern returns a pattern of Hugo, such as "{/news/**,/blog/*}", as a
// regular expression.
func globPattern(p string) *regexp.Regexp {
	p = strings.NewReplacer(`\*\*`, `.*`, `\*`, `[^/]*`, `\?`, `[^/]`, `\{`, `(?:`, `\}`, `)`, `,`, `|`).Replace(regexp.QuoteMeta(p))
	expression, err := regexp.Compile(`(?i)^(?:` + p + `)$`)
	if err != nil {
		return regexp.MustCompile(`^$`) // its braces do not match
	}
	return expression
}

// address returns the address of a file: its folders and name in lower case, or
// the result of its section's pattern.
func (h *hugoSite) address(name string, m frontmatter.Fields) string {
	_, prefix, stem := h.cutLanguage(strings.TrimSuffix(name, path.Ext(name)))
	dir, file := path.Split(stem)
	section, _, _ := strings.Cut(dir, "/")
	if pattern := h.permalinks.Text(section); pattern != "" && file != "_index" {
		return prefix + strings.TrimPrefix(h.path(expandPattern(pattern, patternWords(stem, m))), "/")
	}
	at := h.path(folderAddress(stem+".md", m))
	if h.ugly && at != "" && file != "_index" {
		at = strings.TrimSuffix(at, "/") + ".html"
	}
	return prefix + at
}

// cutLanguage removes the language from a file name, and returns the prefix of
// its addresses.
func (h *hugoSite) cutLanguage(name string) (language, prefix, stem string) {
	language = strings.ToLower(strings.TrimPrefix(path.Ext(name), "."))
	prefix, ok := h.languages[language]
	if !ok {
		return "", "", name
	}
	return language, prefix, strings.TrimSuffix(name, path.Ext(name))
}

func (h *hugoSite) path(p string) string {
	p = strings.ReplaceAll(p, " ", "-")
	if h.keepCase {
		return p
	}
	return strings.ToLower(p)
}

// patternWords returns the words that patterns of addresses may hold, for a
// page of Hugo.
func patternWords(stem string, m frontmatter.Fields) map[string]string {
	dir, file := path.Split(stem)
	if file == "index" {
		dir, file = path.Split(strings.TrimSuffix(dir, "/"))
	}
	sections := strings.Trim(dir, "/")
	section, _, _ := strings.Cut(sections, "/")
	words := map[string]string{
		"filename": file, "contentbasename": file, "section": section, "sections": sections,
		"title": slugOf(cmp.Or(m.Text("title"), file)), "slug": cmp.Or(m.Text("slug"), slugOf(cmp.Or(m.Text("title"), file))),
		"slugorfilename": cmp.Or(m.Text("slug"), file), "slugorcontentbasename": cmp.Or(m.Text("slug"), file),
	}
	addDate(words, cmp.Or(extract.Instant(m.Text("date", "publishdate")), extract.Instant(m.Text("lastmod"))))
	return words
}
