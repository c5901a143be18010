package intake

import (
	"context"
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// layout is how a site generator arranges files and addresses.
type layout struct {
	name string
	root string                                       // folder of the pages, below that of the site
	at   func(name string, m frontMatter) (at string) // address of a file, below the base
}

// layouts are told by a file of the generator.
var layouts = []struct {
	marks  []string
	layout layout
}{
	{[]string{"docusaurus.config.js", "docusaurus.config.ts"}, layout{"docusaurus", "", docusaurusAddress}},
	{[]string{"mkdocs.yml", "mkdocs.yaml"}, layout{"mkdocs", "docs", folderAddress}},
	{[]string{"_config.yml", "_config.yaml"}, layout{"jekyll", "", jekyllAddress}},
	{[]string{"hugo.toml", "hugo.yaml", "hugo.json", "config.toml", "config.yaml"}, layout{"hugo", "content", folderAddress}},
}

func layoutOf(dir string) layout {
	for _, l := range layouts {
		for _, mark := range l.marks {
			if _, err := os.Stat(filepath.Join(dir, mark)); err != nil {
				continue
			}
			if info, err := os.Stat(filepath.Join(dir, l.layout.root)); err == nil && info.IsDir() {
				return l.layout
			}
		}
	}
	return layout{"folder", "", folderAddress}
}

// notPages are folders of generators and programs, not of pages.
var notPages = []string{"node_modules", "vendor", "themes", "archetypes", "_site", "_includes", "_layouts", "_drafts", "public", "build"}

// folder yields the Markdown files below a folder in the order of their names.
func (l *lister) folder(ctx context.Context, dir string) error {
	base, err := address(l.opt.Base, nil)
	if err != nil {
		return usage("a folder needs --base, the address that its pages are published under: %v", err)
	}
	if !strings.HasSuffix(base.Path, "/") {
		base.Path += "/"
	}
	plan := layoutOf(dir)
	root := filepath.Join(dir, plan.root)
	pages := 0
	err = filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case ctx.Err() != nil:
			return ctx.Err()
		case d.IsDir():
			if name != root && (strings.HasPrefix(d.Name(), ".") || slices.Contains(notPages, d.Name())) {
				return fs.SkipDir
			}
			return nil
		case !isMarkdownFile(name) || !d.Type().IsRegular():
			return nil
		}
		rel, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		pages++
		return l.yield(l.markdownRef(name, filepath.ToSlash(rel), base, plan))
	})
	if err == nil && pages == 0 {
		return sourceError("%s has no Markdown files", dir)
	}
	if _, ok := err.(*fs.PathError); ok {
		return sourceError("%v", err)
	}
	return err
}

func isMarkdownFile(name string) bool {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".md", ".markdown", ".mdx":
		return true
	}
	return false
}

// markdownRef reads one file.
func (l *lister) markdownRef(name, rel string, base *url.URL, plan layout) ref {
	r := ref{where: rel}
	info, err := os.Stat(name)
	if err == nil && info.Size() > l.opt.MaxBytes {
		r.problem = failed("too_large", "the file has more than %d bytes", l.opt.MaxBytes)
		return r
	}
	file, err := os.ReadFile(name)
	if err != nil {
		r.problem = failed("unreadable", "%v", err)
		return r
	}
	m, body, err := splitFrontMatter(file)
	if err != nil {
		r.problem = failed("bad_front_matter", "%v", err)
		return r
	}
	if m.isDraft() {
		r.problem = skipped("draft", "its front matter says that it is not published")
		return r
	}
	at := m.text("url", "permalink")
	if at == "" || strings.Contains(at, ":") && !isWeb(at) {
		at = plan.at(rel, m)
	}
	u, err := base.Parse(escapePath(strings.TrimPrefix(at, "/")))
	if isWeb(at) {
		u, err = address(at, nil)
	}
	if err != nil {
		r.problem = failed("bad_url", "%q: %v", at, err)
		return r
	}
	r.supplied = &suppliedPage{url: u, facts: m.facts(), body: withoutDirectives(body), format: "markdown"}
	return r
}

func escapePath(p string) string { return (&url.URL{Path: p}).EscapedPath() }

// folderAddress is that of Hugo and MkDocs: a folder for each page.
func folderAddress(name string, m frontMatter) string {
	stem := strings.TrimSuffix(name, path.Ext(name))
	dir, file := path.Split(stem)
	if slug := m.text("slug"); slug != "" {
		return dir + slug + "/"
	}
	switch strings.ToLower(file) {
	case "index", "_index", "readme":
		return dir
	}
	return stem + "/"
}

// orderPrefix is the number by which Docusaurus sorts files and folders.
var orderPrefix = regexp.MustCompile(`^\d+\s*[-_.]+\s*`)

// docusaurusAddress has no slash at the end, and no numbers that sort.
func docusaurusAddress(name string, m frontMatter) string {
	parts := strings.Split(strings.TrimSuffix(name, path.Ext(name)), "/")
	for i, part := range parts {
		if cut := orderPrefix.ReplaceAllString(part, ""); cut != "" {
			parts[i] = cut
		}
	}
	last := len(parts) - 1
	switch slug := m.text("slug"); {
	case strings.HasPrefix(slug, "/"):
		return parts[0] + slug
	case slug != "":
		parts[last] = slug
	case m.text("id") != "":
		parts[last] = m.text("id")
	case strings.EqualFold(parts[last], "index") || strings.EqualFold(parts[last], "readme"):
		parts = parts[:last]
	}
	return strings.Join(parts, "/")
}

// postName is the name of a post of Jekyll.
var postName = regexp.MustCompile(`^(.*/)?_posts/(.*/)?(\d{4})-(\d{2})-(\d{2})-(.+)$`)

// jekyllAddress is that of Jekyll's default permalinks.
func jekyllAddress(name string, m frontMatter) string {
	stem := strings.TrimSuffix(name, path.Ext(name))
	post := postName.FindStringSubmatch(stem)
	if post == nil {
		if path.Base(stem) == "index" {
			return strings.TrimSuffix(stem, "index")
		}
		return stem + ".html"
	}
	var parts []string
	for _, category := range m.list("categories", "category") {
		parts = append(parts, strings.ToLower(strings.ReplaceAll(category, " ", "-")))
	}
	title := post[6]
	if slug := m.text("slug"); slug != "" {
		title = slug
	}
	return path.Join(append(parts, post[3], post[4], post[5], title)...) + ".html"
}

// directives are what generators replace before they render: shortcodes of
// Hugo, tags of Liquid, fences of admonitions, imports of MDX.
var directives = regexp.MustCompile(`(?s)\{\{[<%].*?[%>]\}\}|\{%.*?%\}|\{\{.*?\}\}`)

var directiveLine = regexp.MustCompile(`^(:::.*|import .+ from ['"].+['"];?|export (const|default) .*|<!--\s*(more|truncate)\s*-->)$`)

// withoutDirectives takes out of Markdown what is no text of the page. Lines
// of code stay as they are.
func withoutDirectives(text string) string {
	var out []string
	fence := ""
	for _, line := range strings.Split(text, "\n") {
		trimmed := strings.TrimSpace(line)
		if mark := fenceOf(trimmed); mark != "" && (fence == "" || strings.HasPrefix(trimmed, fence)) {
			if fence == "" {
				fence = mark
			} else {
				fence = ""
			}
			out = append(out, line)
			continue
		}
		if fence == "" {
			if directiveLine.MatchString(trimmed) {
				continue
			}
			line = directives.ReplaceAllString(line, "")
		}
		out = append(out, line)
	}
	return strings.Join(out, "\n")
}

// fenceOf returns the fence that a line of code begins or ends with.
func fenceOf(line string) string {
	for _, mark := range []string{"```", "~~~"} {
		if strings.HasPrefix(line, mark) {
			return mark
		}
	}
	return ""
}

// isFolder reports a source that is a folder.
func isFolder(source string) bool {
	info, err := os.Stat(source)
	return err == nil && info.IsDir()
}
