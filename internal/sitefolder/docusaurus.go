package sitefolder

import (
	"io/fs"
	"path"
	"regexp"
	"strings"

	"colophon/internal/frontmatter"
)

// docusaurusLayout uses the usual folders, because docusaurus.config.js is a
// program.
func docusaurusLayout(files fs.FS, _ frontmatter.Fields) (*layout, error) {
	pages, err := contentFolder(files, "src/pages")
	if err != nil {
		return nil, err
	}
	hidden := func(rel string) bool {
		switch rel {
		case "src":
			return pages == ""
		case "static":
			return true
		}
		if isPartial(rel) {
			return true
		}
		parts := strings.Split(rel, "/")
		return parts[0] == "src" && len(parts) > 1 && parts[1] != "pages" || parts[0] == "i18n" && len(parts) == 3 && translated(parts[2]) == ""
	}
	language := func(name string) string {
		if rest, ok := strings.CutPrefix(name, "i18n/"); ok {
			folder, _, _ := strings.Cut(rest, "/")
			return folder
		}
		return ""
	}
	beside := func(rel string, _ frontmatter.Fields) bool { return !strings.Contains(rel, "/") || isPartial(rel) } // README.md and its like
	return &layout{
		name: "docusaurus", roots: []contentRoot{{dir: "."}}, at: docusaurusAddress, language: language, hidden: hidden, unrendered: beside, defaults: withBlogDate,
		publishes: publicationRules{publishDate: noDate},
	}, nil
}

// translated returns the folder whose translations lie in a folder of i18n.
func translated(plugin string) string {
	switch plugin {
	case "docusaurus-plugin-content-docs":
		return "docs"
	case "docusaurus-plugin-content-blog":
		return "blog"
	case "docusaurus-plugin-content-pages":
		return "src/pages"
	}
	return ""
}

var (
	// orderPrefix matches the number by which Docusaurus sorts files and
	// folders. Dates and versions begin similarly but are not prefixes.
	orderPrefix = regexp.MustCompile(`^\d+\s*[-_.]+\s*`)
	version     = regexp.MustCompile(`^\d+[-_.]\d+`)
	// blogPost is a post with its date, in its name or in its folders.
	blogPost = regexp.MustCompile(`^(\d{4})[-/](\d{2})[-/](\d{2})[-/](.+?)(?:/index)?$`)
)

// docusaurusAddress has no slash at the end, and no numbers that sort.
func docusaurusAddress(name string, m frontmatter.Fields) string {
	stem := strings.TrimSuffix(name, path.Ext(name))
	if rest, ok := strings.CutPrefix(stem, "i18n/"); ok {
		language, rest, _ := strings.Cut(rest, "/")
		plugin, rest, _ := strings.Cut(rest, "/")
		return path.Join(language, docusaurusAddress(path.Join(translated(plugin), strings.TrimPrefix(rest, "current/"))+".md", m))
	}
	if rest, ok := strings.CutPrefix(stem, "versioned_docs/version-"); ok {
		stem = "docs/" + rest
	}
	if rest, ok := strings.CutPrefix(stem, "blog/"); ok {
		return blogAddress(rest, m)
	}
	parts := strings.Split(strings.TrimPrefix(stem, "src/pages/"), "/")
	for i, part := range parts {
		if cut := orderPrefix.ReplaceAllString(part, ""); cut != "" && !version.MatchString(part) {
			parts[i] = cut
		}
	}
	last := len(parts) - 1
	switch slug := m.Text("slug"); {
	case strings.HasPrefix(slug, "/"):
		return parts[0] + slug
	case slug != "":
		parts[last] = slug
	case m.Text("id") != "":
		parts[last] = m.Text("id")
	case strings.EqualFold(parts[last], "index") || strings.EqualFold(parts[last], "readme"):
		parts = parts[:last]
	}
	return strings.Join(parts, "/")
}

// inBlog matches what precedes the name of a post, of a translated one too.
var inBlog = regexp.MustCompile(`^(?:blog|i18n/[^/]+/docusaurus-plugin-content-blog)/`)

// withBlogDate adds the date in the name of a post that states none.
func withBlogDate(_, rel string, m frontmatter.Fields) frontmatter.Fields {
	prefix := inBlog.FindString(rel)
	post := blogPost.FindStringSubmatch(strings.TrimSuffix(rel[len(prefix):], path.Ext(rel)))
	if prefix == "" || post == nil || m.Text("date") != "" {
		return m
	}
	return withDate(m, strings.Join(post[1:4], "-"))
}

// blogAddress is that of a post: its date and name, or its slug.
func blogAddress(rest string, m frontmatter.Fields) string {
	if slug := strings.Trim(m.Text("slug"), "/"); slug != "" {
		return "blog/" + slug
	}
	if post := blogPost.FindStringSubmatch(rest); post != nil {
		return path.Join(append([]string{"blog"}, post[1:]...)...)
	}
	return path.Join("blog", strings.TrimSuffix(rest, "/index"))
}
