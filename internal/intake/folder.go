package intake

import (
	"context"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"colophon/internal/extract"
)

// listFolder yields the Markdown files below a folder in the order of their names.
func (l *lister) listFolder(ctx context.Context, dir string) error {
	base, err := l.readBase("a folder")
	if err != nil {
		return err
	}
	plan, err := layoutOf(dir)
	if err != nil {
		return sourceError("%v", err)
	}
	*l.listsAll = true
	pages := 0
	for _, root := range plan.roots {
		n, err := l.contentRoot(ctx, root, base, plan)
		if _, ok := err.(*fs.PathError); ok {
			return sourceError("%v", err)
		}
		if err != nil {
			return err
		}
		pages += n
	}
	if pages == 0 {
		return sourceError("%s has no Markdown files", dir)
	}
	return nil
}

// contentRoot yields the Markdown files below one folder of a site, and counts
// them.
func (l *lister) contentRoot(ctx context.Context, root contentRoot, base *url.URL, plan *layout) (pages int, err error) {
	err = filepath.WalkDir(root.dir, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case ctx.Err() != nil:
			return ctx.Err()
		}
		rel, err := filepath.Rel(root.dir, name)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		switch {
		case d.IsDir():
			if rel != "." && plan.skips(rel, d.Name()) || root.hides(name) {
				return fs.SkipDir
			}
			return nil
		case !isMarkdownFile(name) || !d.Type().IsRegular():
			return nil
		}
		pages++
		return l.yield(l.markdownRef(name, rel, base, plan, root))
	})
	return pages, err
}

func isMarkdownFile(name string) bool {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".md", ".markdown", ".mdx":
		return true
	}
	return false
}

// markdownRef reads one file. If it cannot, the address of the page is unknown.
func (l *lister) markdownRef(name, rel string, base *url.URL, plan *layout, root contentRoot) ref {
	file, p := readMarkdown(name, l.opt.MaxBytes)
	if p != nil {
		return ref{where: rel, problem: p, unplaced: true}
	}
	if plan.defaults != nil {
		file.front = plan.defaults(root.dir, rel, file.front)
	}
	at := plan.address(rel, file.front, root)
	u, err := base.Parse(escapePath(strings.TrimPrefix(at, "/")))
	if isWeb(at) {
		u, err = parseAddress(at, nil)
	}
	if err != nil {
		return ref{where: rel, problem: failedProblem("bad_url", "%q: %v", at, err), unplaced: true}
	}
	if p := plan.withheld(rel, file.front, l.opt.Now(), l.opt.NoIndex == "keep"); p != nil {
		return ref{url: u, where: rel, problem: p}
	}
	facts := file.front.toDraft()
	facts.encoding = file.decoded.Encoding
	if file.decoded.Suspect != "" {
		facts.addReason(extract.ReviewMojibake, file.decoded.Suspect)
	}
	facts.language = plan.languageOf(rel, facts.language, root)
	return ref{url: u, where: rel, supplied: &suppliedPage{url: u, facts: facts, body: withoutDirectives(file.body, plan.name), format: "markdown"}}
}

// markdownFile is a file of Markdown with its front matter.
type markdownFile struct {
	decoded extract.Decoded
	front   frontMatter
	body    string
}

// readMarkdown reads a file of at most limit bytes.
func readMarkdown(name string, limit int64) (*markdownFile, *problem) {
	info, err := os.Stat(name)
	if err == nil && info.Size() > limit {
		return nil, failedProblem("too_large", "the file has more than %d bytes", limit)
	}
	raw, err := os.ReadFile(name)
	if err != nil {
		return nil, failedProblem("unreadable", "%v", err)
	}
	f := &markdownFile{decoded: extract.Decoded{Text: string(raw), Encoding: "utf-8"}}
	if !utf8.Valid(raw) {
		if f.decoded, err = extract.Decode(raw, ""); err != nil {
			return nil, failedProblem("bad_charset", "%v", err)
		}
	}
	if f.front, f.body, err = splitFrontMatter(f.decoded.Text); err != nil {
		return nil, failedProblem("bad_front_matter", "%v", err)
	}
	return f, nil
}

func escapePath(p string) string { return (&url.URL{Path: p}).EscapedPath() }

// isFolder reports a source that is a folder.
func isFolder(source string) bool {
	info, err := os.Stat(source)
	return err == nil && info.IsDir()
}
