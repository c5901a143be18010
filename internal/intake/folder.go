package intake

import (
	"context"
	"io/fs"
	"net/url"
	"os"

	"colophon/internal/extract"
	"colophon/internal/frontmatter"
	"colophon/internal/sitefolder"
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
	folder, err := sitefolder.Open(root.FS())
	if err != nil {
		return sourceError("%s: %v", d.where, err)
	}
	pages := 0
	err = folder.Each(sitefolder.Options{MaxBytes: l.opt.MaxBytes, Now: l.opt.Now(), KeepNoIndex: l.opt.NoIndex == "keep"}, func(file *sitefolder.File) error {
		pages++
		return yield(folderRef(file, d.base))
	})
	if _, ok := err.(*fs.PathError); ok {
		return sourceError("%s: %v", d.where, err)
	}
	if err != nil {
		return err
	}
	if pages == 0 {
		return sourceError("%s has no Markdown files", d.where)
	}
	return nil
}

// folderRef returns a file of a folder as a page. If it cannot be read, the
// address of its page is unknown.
func folderRef(file *sitefolder.File, base *url.URL) ref {
	if p := file.Problem; p != nil && !p.Unpublished {
		return ref{where: file.Name, problem: failedProblem(p.Code, "%s", p.Detail), unplaced: true}
	}
	u, err := parseAddress(file.Address, base)
	if err != nil {
		return ref{where: file.Name, problem: failedProblem("bad_url", "%q: %v", file.Address, err), unplaced: true}
	}
	if p := file.Problem; p != nil {
		return ref{url: u, where: file.Name, problem: unpublishedProblem(p.Code, "%s", p.Detail)}
	}
	facts := draftOf(file.Front)
	facts.language = file.Language
	facts.encoding = file.Decoded.Encoding
	if file.Decoded.Suspect != "" {
		facts.addReason(extract.ReviewMojibake, file.Decoded.Suspect)
	}
	return ref{url: u, where: file.Name, supplied: &suppliedPage{url: u, facts: facts, body: file.Body, format: "markdown"}}
}

// draftOf returns what front matter states of a page.
func draftOf(m frontmatter.Fields) draft {
	return draft{
		title: m.Text("title", "linktitle", "sidebar_label"), byline: m.Texts("authors", "author"), section: m.Text("section", "category", "categories"),
		terms: append(m.Texts("tags"), m.Texts("keywords")...), published: extract.Instant(m.Text("date", "publishdate", "pubdate")),
		modified: extract.Instant(m.Text("lastmod", "last_modified_at", "last_update", "updated", "modified")),
	}
}
