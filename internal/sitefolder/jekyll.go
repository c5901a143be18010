package sitefolder

import (
	"cmp"
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"

	"colophon/internal/extract"
	"colophon/internal/frontmatter"
)

// jekyllStyles are the patterns that Jekyll has names for.
var jekyllStyles = map[string]string{
	"date": "/:categories/:year/:month/:day/:title:output_ext", "pretty": "/:categories/:year/:month/:day/:title/",
	"ordinal": "/:categories/:year/:y_day/:title:output_ext", "none": "/:categories/:title:output_ext",
}

// jekyllSite is what Jekyll's configuration file says about addresses.
type jekyllSite struct {
	permalink   string
	collections frontmatter.Fields
	defaults    []frontmatter.Fields
	exclude     []string
}

func jekyllLayout(files fs.FS, c frontmatter.Fields) (*layout, error) {
	dir, err := contentFolder(files, c.Text("source"))
	if dir == "" || err != nil {
		return nil, err
	}
	j := &jekyllSite{permalink: cmp.Or(c.Text("permalink"), "date"), collections: c.Object("collections"), defaults: c.Objects("defaults"), exclude: c.Texts("exclude")}
	if names := c.Texts("collections"); j.collections == nil && len(names) > 0 {
		j.collections = frontmatter.Fields{}
		for _, name := range names {
			j.collections[name] = map[string]any{}
		}
	}
	return &layout{
		name: "jekyll", roots: []contentRoot{{dir: dir, language: c.Text("lang", "locale", "language")}}, at: j.address, hidden: j.isHidden,
		unrendered: j.isUnrendered, defaults: j.withDefaults,
		publishes: publicationRules{drafts: c.True("show_drafts"), future: c.True("future"), publishDate: jekyllPublishDate, expiryDate: noDate},
	}, nil
}

// repositoryFiles are files of a repository from which GitHub Pages makes a
// page only if they have front matter (jekyll-optional-front-matter).
var repositoryFiles = []string{"README", "LICENSE", "LICENCE", "COPYING", "CODE_OF_CONDUCT", "CONTRIBUTING", "ISSUE_TEMPLATE", "PULL_REQUEST_TEMPLATE"}

// isUnrendered reports whether a file is excluded or one of repositoryFiles.
func (j *jekyllSite) isUnrendered(rel string, m frontmatter.Fields) bool {
	if slices.Contains(j.exclude, rel) {
		return true
	}
	return m == nil && isRepositoryFile(rel)
}

func isRepositoryFile(rel string) bool {
	name := strings.TrimSuffix(path.Base(rel), path.Ext(rel))
	return slices.Contains(repositoryFiles, strings.ToUpper(name))
}

// isHidden reports whether Jekyll makes no pages from a folder: an excluded
// one, or one that begins with an underscore and is not a collection with
// output.
func (j *jekyllSite) isHidden(rel string) bool {
	name := path.Base(rel)
	if slices.ContainsFunc(j.exclude, func(e string) bool { return strings.Trim(e, "/") == rel }) {
		return true
	}
	if !strings.HasPrefix(name, "_") || name == "_posts" {
		return false
	}
	return strings.Contains(rel, "/") || j.collections.Object(name[1:]).Text("output") != "true"
}

// postName is the name of a post of Jekyll: folders, date, title.
var postName = regexp.MustCompile(`^(?:(.*)/)?_posts/(?:.*/)?(\d{4}-\d{2}-\d{2})-(.+)$`)

// jekyllPublishDate returns the date of a post, see withDefaults, or of a page of
// a collection. Other pages wait for none.
func jekyllPublishDate(rel string, m frontmatter.Fields) string {
	if !postName.MatchString(strings.TrimSuffix(rel, path.Ext(rel))) && !strings.HasPrefix(rel, "_") {
		return ""
	}
	return extract.Instant(m.Text("date"))
}

// address is that of a post, of a page of a collection, or of a page.
func (j *jekyllSite) address(name string, m frontmatter.Fields) string {
	stem := strings.TrimSuffix(name, path.Ext(name))
	if post := postName.FindStringSubmatch(stem); post != nil {
		return j.postAddress(name, post, m)
	}
	folder, rest, _ := strings.Cut(stem, "/")
	if collection, ok := strings.CutPrefix(folder, "_"); ok && rest != "" {
		pattern := cmp.Or(m.Text("permalink"), j.collections.Object(collection).Text("permalink"), j.defaultPermalink(name, collection), "/:collection/:path:output_ext")
		return expandPattern(cmp.Or(jekyllStyles[pattern], pattern), map[string]string{
			"collection": collection, "path": rest, "name": slugOf(path.Base(rest)), "title": cmp.Or(m.Text("slug"), path.Base(rest)), "output_ext": ".html",
		})
	}
	if path.Base(stem) == "index" {
		return strings.TrimSuffix(stem, "index")
	}
	if pattern := cmp.Or(jekyllStyles[j.permalink], j.permalink); strings.HasSuffix(pattern, "/") {
		return stem + "/"
	}
	return stem + ".html"
}

func (j *jekyllSite) postAddress(name string, post []string, m frontmatter.Fields) string {
	var categories []string
	for _, folder := range strings.Split(post[1], "/") {
		if folder != "" {
			categories = append(categories, strings.ToLower(folder))
		}
	}
	for _, category := range categoriesOf(m) {
		category = strings.ToLower(strings.ReplaceAll(category, " ", "-"))
		if !slices.Contains(categories, category) {
			categories = append(categories, category)
		}
	}
	title := cmp.Or(m.Text("slug"), post[3])
	words := map[string]string{"categories": strings.Join(categories, "/"), "title": title, "slug": slugOf(title), "output_ext": ".html", "collection": "posts"}
	date := m.Text("date")
	addDate(words, extract.Instant(date[:min(len(date), len(time.DateOnly))])) // as written, in the site's time zone
	pattern := cmp.Or(m.Text("permalink"), j.collections.Object("posts").Text("permalink"), j.defaultPermalink(name, "posts"), j.permalink)
	return expandPattern(cmp.Or(jekyllStyles[pattern], pattern), words)
}

// defaultPermalink returns the pattern that the defaults of the site set for a
// file, "" for none.
func (j *jekyllSite) defaultPermalink(name, kind string) string {
	return j.defaultsOf(name, kind).Text("permalink")
}

// withDefaults adds what the defaults of the site set for a file, except its
// address, which depends on the site's styles. A post that states no date has
// that of its name.
func (j *jekyllSite) withDefaults(_, rel string, m frontmatter.Fields) frontmatter.Fields {
	if m == nil && isRepositoryFile(rel) {
		return nil
	}
	kind := "pages"
	post := postName.FindStringSubmatch(strings.TrimSuffix(rel, path.Ext(rel)))
	if post != nil {
		kind = "posts"
	} else if collection, ok := strings.CutPrefix(rel, "_"); ok {
		kind, _, _ = strings.Cut(collection, "/")
	}
	given := j.defaultsOf(rel, kind)
	delete(given, "permalink")
	out := withDefaults(maps.Clone(m), []frontmatter.Fields{given}, rel)
	if post != nil && extract.Instant(out.Text("date")) == "" {
		return withDate(out, post[2])
	}
	return out
}

// withDate returns a copy of m with a date.
func withDate(m frontmatter.Fields, date string) frontmatter.Fields {
	out := frontmatter.Fields{}
	maps.Copy(out, m)
	out["date"] = date
	return out
}

// defaultsOf returns the values that the defaults of the site set for a file:
// of two that set the same, the one with the narrower scope.
func (j *jekyllSite) defaultsOf(name, kind string) frontmatter.Fields {
	longest, given := map[string]int{}, frontmatter.Fields{}
	for _, d := range j.defaults {
		scope := d.Object("scope")
		under := scope.Text("path")
		if scope.Text("type") != "" && scope.Text("type") != kind || !isUnder(name, under) {
			continue
		}
		for field, value := range d.Object("values") {
			if n, set := longest[field]; !set || len(under) > n {
				longest[field], given[field] = len(under), value
			}
		}
	}
	return given
}

// isUnder reports whether a file is in a folder, or is the named file itself.
func isUnder(name, folder string) bool {
	folder = strings.Trim(folder, "/")
	return folder == "" || name == folder || strings.HasPrefix(name, folder+"/")
}

// categoriesOf returns the categories of a post. A single text separates them by
// blanks.
func categoriesOf(m frontmatter.Fields) []string {
	if text, ok := m["categories"].(string); ok {
		return strings.Fields(text)
	}
	return m.Texts("categories", "category")
}

// addDate adds the parts of a date to the words for a pattern.
func addDate(words map[string]string, date string) {
	t, err := time.Parse(time.RFC3339, date)
	if err != nil {
		return
	}
	for name, format := range map[string]string{
		"year": "2006", "short_year": "06", "month": "01", "i_month": "1", "short_month": "Jan", "long_month": "January", "monthname": "January",
		"day": "02", "i_day": "2", "y_day": "002", "yearday": "002",
	} {
		words[name] = t.Format(format)
	}
}

var patternWord = regexp.MustCompile(`:[a-z]+(?:_[a-z]+)*`)

// expandPattern replaces the names in a pattern of addresses by the words of a
// page. Parts without a word are left out.
func expandPattern(pattern string, words map[string]string) string {
	at := patternWord.ReplaceAllStringFunc(pattern, func(word string) string { return words[word[1:]] })
	slash := strings.HasSuffix(at, "/")
	if at = strings.TrimPrefix(path.Clean("/"+at), "/"); slash && at != "" {
		at += "/"
	}
	return at
}

// slugOf returns a title as part of an address: its letters and digits in lower
// case, with hyphens between words.
func slugOf(title string) string {
	words := strings.FieldsFunc(strings.ToLower(title), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsNumber(r) && r != '_' && r != '.'
	})
	return strings.Join(words, "-")
}
