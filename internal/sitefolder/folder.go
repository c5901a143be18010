package sitefolder

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"path"
	"strings"
	"time"
	"unicode/utf8"

	"colophon/internal/extract"
	"colophon/internal/frontmatter"
)

// Folder is the folder of a site.
type Folder struct {
	files  fs.FS
	layout *layout
}

// Open finds out which generator a folder belongs to. It returns an error if
// the configuration file of the generator cannot be read, or names a folder
// outside.
func Open(files fs.FS) (*Folder, error) {
	l, err := layoutOf(files)
	return &Folder{files, l}, err
}

// Options say how the files of a folder are read.
type Options struct {
	MaxBytes    int64     // of a file
	Now         time.Time // pages are published by this instant, or not yet
	KeepNoIndex bool      // pages that search engines are asked to leave out are published too
}

// File is a Markdown file of which the generator makes a page.
type File struct {
	Name     string // below the folder of pages
	Address  string // of the page, relative to that of the site or whole
	Front    frontmatter.Fields
	Body     string // Markdown, without what the generator alone understands
	Language string // "" if not known
	Decoded  extract.Decoded

	// Problem says why there is no page, nil if there is one. Unless it is
	// Unpublished, only Name is set, which may be that of a folder then.
	Problem *Problem
}

// Problem says why a file has no page. Its code is stable.
type Problem struct {
	Code, Detail string
	Unpublished  bool // the site itself says that the page is not public
}

func (p *Problem) Error() string { return p.Code + ": " + p.Detail }

func newProblem(code, format string, args ...any) *Problem {
	return &Problem{Code: code, Detail: fmt.Sprintf(format, args...)}
}

func unpublished(code, format string, args ...any) *Problem {
	return &Problem{Code: code, Detail: fmt.Sprintf(format, args...), Unpublished: true}
}

// Each calls yield with the files in the order of their names. It returns the
// error of yield, or an *fs.PathError if a folder cannot be read.
func (f *Folder) Each(opt Options, yield func(*File) error) error {
	for _, root := range f.layout.roots {
		if err := f.eachBelow(root, opt, yield); err != nil {
			return err
		}
	}
	return nil
}

// eachBelow calls yield with the files below one folder of pages.
func (f *Folder) eachBelow(root contentRoot, opt Options, yield func(*File) error) error {
	return fs.WalkDir(f.files, root.dir, func(name string, d fs.DirEntry, err error) error {
		rel := strings.TrimPrefix(name, root.dir+"/")
		switch {
		case err != nil:
			return err
		case d.IsDir():
			if name != root.dir && f.layout.skips(rel, d.Name()) {
				return fs.SkipDir
			}
			return f.enter(name, yield)
		case !isMarkdown(name) || !d.Type().IsRegular():
			return nil
		}
		file := f.readFile(name, rel, root, opt)
		return yield(&file)
	})
}

func isMarkdown(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".md", ".markdown", ".mdx":
		return true
	}
	return false
}

// enter reads what a folder says of its pages. It returns fs.SkipDir if they are
// not written, or if that cannot be known.
func (f *Folder) enter(dir string, yield func(*File) error) error {
	if f.layout.enter == nil {
		return nil
	}
	hidden, p := f.layout.enter(dir)
	if p != nil {
		if err := yield(&File{Name: dir, Problem: p}); err != nil {
			return err
		}
	}
	if hidden {
		return fs.SkipDir
	}
	return nil
}

// readFile reads one file.
func (f *Folder) readFile(name, rel string, root contentRoot, opt Options) File {
	file, p := readMarkdown(f.files, name, opt.MaxBytes)
	if p != nil {
		return File{Name: rel, Problem: p}
	}
	if f.layout.defaults != nil {
		file.front = f.layout.defaults(root.dir, rel, file.front)
	}
	at := f.layout.address(rel, file.front, root)
	if !extract.IsWeb(at) {
		at = cmp.Or((&url.URL{Path: strings.TrimPrefix(at, "/")}).EscapedPath(), "./")
	}
	stated := extract.LanguageTag(file.front.Text("lang", "language", "locale"))
	return File{
		Name: rel, Address: at, Front: file.front, Body: withoutDirectives(file.body, f.layout.name), Decoded: file.decoded,
		Language: f.layout.languageOf(rel, stated, root), Problem: f.layout.withheld(rel, file.front, opt),
	}
}

// markdownFile is a file of Markdown with its front matter.
type markdownFile struct {
	decoded extract.Decoded
	front   frontmatter.Fields
	body    string
}

// readMarkdown reads a file of at most limit bytes.
func readMarkdown(files fs.FS, name string, limit int64) (*markdownFile, *Problem) {
	raw, p := ReadFile(files, name, limit)
	if p != nil {
		return nil, p
	}
	file := &markdownFile{decoded: extract.Decoded{Text: string(raw), Encoding: "utf-8"}}
	var err error
	if !utf8.Valid(raw) {
		if file.decoded, err = extract.Decode(raw, ""); err != nil {
			return nil, newProblem("bad_charset", "%v", err)
		}
	}
	if file.front, file.body, err = frontmatter.Split(file.decoded.Text); err != nil {
		return nil, newProblem("bad_front_matter", "%v", err)
	}
	return file, nil
}

// ReadFile reads a file of at most limit bytes. Readers of other sources, such as
// books, use it too.
func ReadFile(files fs.FS, name string, limit int64) ([]byte, *Problem) {
	f, err := files.Open(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, newProblem("unreadable", "it has no %s", name)
	case err != nil:
		return nil, newProblem("unreadable", "%v", err)
	}
	defer f.Close()
	body, err := io.ReadAll(io.LimitReader(f, limit+1))
	switch {
	case err != nil:
		return nil, newProblem("unreadable", "%s: %v", name, err)
	case int64(len(body)) > limit:
		return nil, newProblem("too_large", "the file %s has more than %d bytes", name, limit)
	}
	return body, nil
}
