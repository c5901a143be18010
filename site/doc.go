package site

import (
	"bytes"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"sort"
	"strconv"
	"strings"
	"sync"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"

	"colophon"
)

// Doc is one page of the documentation. Its file begins with a head between two
// lines of "---": title, description and order.
type Doc struct {
	Slug        string // file name without .md; "index" is the first page
	Title       string
	Description string
	Order       int
	Markdown    string

	html string // with exampleBase
}

// Docs returns the documentation including the changelog, sorted by order, then
// slug. It is rendered once: callers must not change the list.
func Docs() ([]Doc, error) { return docs() }

var docs = sync.OnceValues(renderDocs)

func renderDocs() ([]Doc, error) {
	names, err := fs.Glob(files, "docs/*.md")
	if err != nil {
		return nil, err
	}
	out := make([]Doc, 0, len(names))
	for _, name := range names {
		data, err := files.ReadFile(name)
		if err != nil {
			return nil, err
		}
		d, err := parseDoc(string(data))
		if err != nil {
			return nil, fmt.Errorf("documentation %q: %w", name, err)
		}
		d.Slug = strings.TrimSuffix(path.Base(name), ".md")
		out = append(out, d)
	}
	out = append(out, changelog())
	for i := range out {
		if err := out[i].render(); err != nil {
			return nil, fmt.Errorf("documentation %q: %w", out[i].Slug, err)
		}
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].Order < out[j].Order })
	return out, nil
}

// changelog returns the program's changelog as a page of the documentation.
func changelog() Doc {
	return Doc{
		Slug: "changelog", Title: "Changelog", Order: 90,
		Description: "What changed in the program and its API, what counts as compatible, and how a removal would be announced.",
		Markdown:    colophon.Changelog,
	}
}

// exampleBase is the base URL in the sources of guides: that of the demo which
// "make run" serves, so that the examples run as written in the repository.
const exampleBase = "http://127.0.0.1:8787"

// guideLink matches a link from one guide to another, or from the changelog to
// a guide, by file name.
var guideLink = regexp.MustCompile(`\]\((?:site/docs/|\.\./\.\./)?([A-Za-z-]+)\.md`)

// sourceLink matches a link from a guide to a document that no registry serves.
var sourceLink = regexp.MustCompile(`\[([^\]]*)\]\(\.\./\.\./((?:docs|deploy)/[^)#]+)[^)]*\)`)

// linkPages turns links between files into links between pages. A link to a page
// of the registry keeps only its path; a document that no registry serves is
// named by its path.
func linkPages(markdown string) string {
	markdown = sourceLink.ReplaceAllString(markdown, "$1 (`$2` of the source)")
	markdown = guideLink.ReplaceAllStringFunc(markdown, func(link string) string {
		slug := strings.ToLower(guideLink.FindStringSubmatch(link)[1])
		if slug == "index" {
			return "](/developers/"
		}
		return "](/developers/" + slug + "/"
	})
	return strings.ReplaceAll(markdown, "]("+exampleBase+"/", "](/")
}

// parseDoc parses the head and splits it from the Markdown.
func parseDoc(s string) (d Doc, err error) {
	rest, ok := strings.CutPrefix(s, "---\n")
	head, body, ok2 := strings.Cut(rest, "\n---\n")
	if !ok || !ok2 {
		return d, fmt.Errorf("no head between two lines of ---")
	}
	for _, line := range strings.Split(head, "\n") {
		key, value, _ := strings.Cut(line, ":")
		value = strings.TrimSpace(value)
		switch key {
		case "title":
			d.Title = value
		case "description":
			d.Description = value
		case "order":
			if d.Order, err = strconv.Atoi(value); err != nil {
				return d, fmt.Errorf("order: %w", err)
			}
		default:
			return d, fmt.Errorf("unknown head line %q", line)
		}
	}
	if d.Title == "" || d.Description == "" {
		return d, fmt.Errorf("title and description are required")
	}
	d.Markdown = strings.TrimSpace(body) + "\n"
	return d, nil
}

// newMarkdown returns a renderer that omits raw HTML and style attributes.
func newMarkdown() goldmark.Markdown {
	return goldmark.New(
		goldmark.WithExtensions(extension.NewTable(extension.WithTableCellAlignMethod(extension.TableCellAlignNone))),
		goldmark.WithParserOptions(parser.WithAutoHeadingID()),
	)
}

// scrollable lets what may be wider than a phone scroll by itself, within reach
// of the keyboard.
var scrollable = strings.NewReplacer("<pre>", `<pre tabindex="0">`, "<table>", `<div class="scroll" tabindex="0"><table>`, "</table>", "</table></div>")

// HTML returns the page for the registry at a base URL.
func (d Doc) HTML(base string) string { return strings.ReplaceAll(d.html, exampleBase, base) }

// render renders the page for the registry at exampleBase.
func (d *Doc) render() (err error) {
	if d.html, err = RenderMarkdown(linkPages(d.Markdown)); err != nil {
		return err
	}
	if len(d.Markdown) > foldFrom {
		d.html = foldSections(d.html)
	}
	return nil
}

// foldFrom is the length in bytes from which a text's sections are folded: on a
// phone it would take more than a dozen screens.
const foldFrom = 8000

// foldSections folds each section of a page under its heading. The element with
// the heading's id is inside, so that a link to it opens the section.
func foldSections(page string) string {
	head, rest, more := strings.Cut(page, "<h2 ")
	var b strings.Builder
	b.WriteString(head)
	for more {
		var section string
		section, rest, more = strings.Cut(rest, "<h2 ")
		id, section, _ := strings.Cut(section, ">")
		heading, body, _ := strings.Cut(section, "</h2>")
		b.WriteString("<details class=\"part\"><summary><h2>" + heading + "</h2></summary><div " + id + ">" + body + "</div></details>\n")
	}
	return b.String()
}

// RenderMarkdown renders a text as HTML. It omits raw HTML, and allows links
// only to web addresses, mail and places on the same site.
func RenderMarkdown(text string) (string, error) {
	var b bytes.Buffer
	if err := newMarkdown().Convert([]byte(text), &b); err != nil {
		return "", err
	}
	return scrollable.Replace(b.String()), nil
}
