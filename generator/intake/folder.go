package intake

import (
	"context"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"colophon/generator/extract"
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

// markdownRef reads one file.
func (l *lister) markdownRef(name, rel string, base *url.URL, plan *layout, root contentRoot) ref {
	r := ref{where: rel}
	info, err := os.Stat(name)
	if err == nil && info.Size() > l.opt.MaxBytes {
		r.problem = failedProblem("too_large", "the file has more than %d bytes", l.opt.MaxBytes)
		return r
	}
	file, err := os.ReadFile(name)
	if err != nil {
		r.problem = failedProblem("unreadable", "%v", err)
		return r
	}
	decoded := extract.Decoded{Text: string(file), Encoding: "utf-8"}
	if !utf8.Valid(file) {
		if decoded, err = extract.Decode(file, ""); err != nil {
			r.problem = failedProblem("bad_charset", "%v", err)
			return r
		}
	}
	m, body, err := splitFrontMatter(decoded.Text)
	if err != nil {
		r.problem = failedProblem("bad_front_matter", "%v", err)
		return r
	}
	if r.problem = plan.withheld(rel, m, l.opt.Now()); r.problem != nil {
		return r
	}
	at := plan.address(rel, m, root)
	u, err := base.Parse(escapePath(strings.TrimPrefix(at, "/")))
	if isWeb(at) {
		u, err = parseAddress(at, nil)
	}
	if err != nil {
		r.problem = failedProblem("bad_url", "%q: %v", at, err)
		return r
	}
	facts := m.toDraft()
	facts.encoding = decoded.Encoding
	if decoded.Suspect != "" {
		facts.addReason(extract.ReviewMojibake, decoded.Suspect)
	}
	facts.language = plan.languageOf(rel, facts.language, root)
	r.supplied = &suppliedPage{url: u, facts: facts, body: withoutDirectives(body, plan.name), format: "markdown"}
	return r
}

func escapePath(p string) string { return (&url.URL{Path: p}).EscapedPath() }

// isFolder reports a source that is a folder.
func isFolder(source string) bool {
	info, err := os.Stat(source)
	return err == nil && info.IsDir()
}
