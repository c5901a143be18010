package intake

import (
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path"
	"strings"
	"unicode/utf8"

	"colophon/internal/extract"
)

// listFolder yields the Markdown files below a folder in the order of their
// names. Nothing outside the folder is read, wherever a link or the site's
// configuration points.
func (l *lister) listFolder(_ context.Context, d *document, yield yieldFunc) error {
	root, err := os.OpenRoot(d.where)
	if err != nil {
		return sourceError("%v", err)
	}
	defer root.Close()
	f := &folder{lister: l, files: root.FS(), base: d.base, yield: yield}
	if f.layout, err = layoutOf(f.files); err != nil {
		return sourceError("%s: %v", d.where, err)
	}
	for _, root := range f.layout.roots {
		err := f.listRoot(root)
		if _, ok := err.(*fs.PathError); ok {
			return sourceError("%s: %v", d.where, err)
		}
		if err != nil {
			return err
		}
	}
	if f.pages == 0 {
		return sourceError("%s has no Markdown files", d.where)
	}
	return nil
}

// folder is a folder of Markdown being listed.
type folder struct {
	*lister
	files  fs.FS
	base   *url.URL
	yield  yieldFunc
	layout *layout
	pages  int // files that were yielded
}

// listRoot yields the Markdown files below one folder of a site.
func (f *folder) listRoot(root contentRoot) error {
	return fs.WalkDir(f.files, root.dir, func(name string, d fs.DirEntry, err error) error {
		rel := strings.TrimPrefix(name, root.dir+"/")
		switch {
		case err != nil:
			return err
		case d.IsDir():
			if name != root.dir && f.layout.skips(rel, d.Name()) {
				return fs.SkipDir
			}
			return f.enter(name)
		case !isMarkdownFile(name) || !d.Type().IsRegular():
			return nil
		}
		f.pages++
		return f.yield(f.markdownRef(name, rel, root))
	})
}

func isMarkdownFile(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".md", ".markdown", ".mdx":
		return true
	}
	return false
}

// enter reads what a folder says of its pages. It returns fs.SkipDir if they are
// not written, or if that cannot be known.
func (f *folder) enter(dir string) error {
	if f.layout.enter == nil {
		return nil
	}
	hidden, p := f.layout.enter(dir)
	if p != nil {
		if err := f.yield(ref{where: dir, problem: p, unplaced: true}); err != nil {
			return err
		}
	}
	if hidden {
		return fs.SkipDir
	}
	return nil
}

// markdownRef reads one file. If it cannot, the address of the page is unknown.
func (f *folder) markdownRef(name, rel string, root contentRoot) ref {
	file, p := readMarkdown(f.files, name, f.opt.MaxBytes)
	if p != nil {
		return ref{where: rel, problem: p, unplaced: true}
	}
	if f.layout.defaults != nil {
		file.front = f.layout.defaults(root.dir, rel, file.front)
	}
	at := f.layout.address(rel, file.front, root)
	if !isWeb(at) {
		at = escapePath(strings.TrimPrefix(at, "/"))
	}
	u, err := parseAddress(cmp.Or(at, "./"), f.base)
	if err != nil {
		return ref{where: rel, problem: failedProblem("bad_url", "%q: %v", at, err), unplaced: true}
	}
	if p := f.layout.withheld(rel, file.front, f.opt.Now(), f.opt.NoIndex == "keep"); p != nil {
		return ref{url: u, where: rel, problem: p}
	}
	facts := file.front.toDraft()
	facts.encoding = file.decoded.Encoding
	if file.decoded.Suspect != "" {
		facts.addReason(extract.ReviewMojibake, file.decoded.Suspect)
	}
	facts.language = f.layout.languageOf(rel, facts.language, root)
	return ref{url: u, where: rel, supplied: &suppliedPage{url: u, facts: facts, body: withoutDirectives(file.body, f.layout.name), format: "markdown"}}
}

// markdownFile is a file of Markdown with its front matter.
type markdownFile struct {
	decoded extract.Decoded
	front   frontMatter
	body    string
}

// readMarkdown reads a file of at most limit bytes.
func readMarkdown(files fs.FS, name string, limit int64) (*markdownFile, *problem) {
	raw, p := readWithin(files, name, limit)
	if p != nil {
		return nil, p
	}
	file := &markdownFile{decoded: extract.Decoded{Text: string(raw), Encoding: "utf-8"}}
	var err error
	if !utf8.Valid(raw) {
		if file.decoded, err = extract.Decode(raw, ""); err != nil {
			return nil, failedProblem("bad_charset", "%v", err)
		}
	}
	if file.front, file.body, err = splitFrontMatter(file.decoded.Text); err != nil {
		return nil, failedProblem("bad_front_matter", "%v", err)
	}
	return file, nil
}

// readWithin reads a file of a folder or a book, of at most limit bytes.
func readWithin(files fs.FS, name string, limit int64) ([]byte, *problem) {
	f, err := files.Open(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, failedProblem("unreadable", "it has no %s", name)
	case err != nil:
		return nil, failedProblem("unreadable", "%v", err)
	}
	defer f.Close()
	body, err := io.ReadAll(io.LimitReader(f, limit+1))
	switch {
	case err != nil:
		return nil, failedProblem("unreadable", "%s: %v", name, err)
	case int64(len(body)) > limit:
		return nil, failedProblem("too_large", "the file %s has more than %d bytes", name, limit)
	}
	return body, nil
}

func escapePath(p string) string { return (&url.URL{Path: p}).EscapedPath() }
