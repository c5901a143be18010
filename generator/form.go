package generator

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"colophon/internal/blob"
	"colophon/internal/origin"
)

// filesLimit is the maximum number of entries that a first build publishes as
// files if no form is asked for, because many static hosts accept at most
// 20,000 files. Tests lower it.
var filesLimit = 20_000

// The sizes of packs.
const (
	SmallPacks = 64 << 10 // for servers that send whole files
	LargePacks = 32 << 20 // for servers that send ranges
)

// resolveForm determines the form of a build and the size of its packs, before
// anything depends on them. What the operator asks for wins; otherwise the
// build continues in the form published in dir. If nothing is published, the
// number of pages decides.
func (b *build) resolveForm(ctx context.Context, dir string) error {
	opt := &b.opt
	if opt.Form == FormAuto || opt.Form == FormPacks && opt.PackSize == 0 {
		form, packSize, err := findForm(dir)
		if err != nil {
			return err
		}
		opt.Form = cmp.Or(opt.Form, form)
		opt.PackSize = cmp.Or(opt.PackSize, packSize)
	}
	if opt.Form == FormAuto {
		if err := b.chooseForm(ctx); err != nil {
			return err
		}
	}
	if opt.Form == FormPacks {
		opt.PackSize = cmp.Or(opt.PackSize, SmallPacks)
	}
	b.out.noSiblings = opt.Form == FormPacks
	b.report.Form = opt.Form
	return nil
}

// findForm returns the published form, FormAuto if nothing is published, and
// the size of packs. The size is unknown if the root is damaged.
func findForm(dir string) (Form, int64, error) {
	text, published, err := readPacksRoot(dir)
	switch {
	case err != nil:
		return FormAuto, 0, fmt.Errorf("cannot tell in which form entries are published: %w", err)
	case !published:
		return FormAuto, 0, nil
	case text == nil:
		return FormFiles, 0, nil
	}
	root, err := blob.ParseRoot(text)
	if err != nil {
		return FormPacks, 0, nil
	}
	return FormPacks, root.PackSize, nil
}

// chooseForm chooses the form of a first build. It counts the pages that the
// index of their changes has, up to the limit. That includes pages of
// publishers that are not public and pages that are gone, but not those last
// written before the origin had the index (migration 9).
func (b *build) chooseForm(ctx context.Context) error {
	pages, err := b.store.PagesChanged(ctx, origin.PageChange{}, filesLimit+1)
	if err != nil {
		return err
	}
	b.opt.Form = FormFiles
	if len(pages) > filesLimit {
		b.opt.Form = FormPacks
	}
	b.report.FormChosen = true
	return nil
}

// readPacksRoot reads the root of the packs published in a folder, nil if the
// release is in files. published is false if there is no release.
func readPacksRoot(dir string) (root []byte, published bool, err error) {
	root, err = os.ReadFile(filepath.Join(dir, filepath.FromSlash(blob.RootKey)))
	if !errors.Is(err, fs.ErrNotExist) {
		return root, err == nil, err
	}
	_, err = os.Stat(filepath.Join(dir, filepath.FromSlash(NotesFile)))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, false, nil
	}
	return nil, err == nil, err
}

// OutgrewFiles reports whether entries are published as files although a first
// build would choose packs for so many.
func (r *Report) OutgrewFiles() bool { return r.Form == FormFiles && r.Pages > int64(filesLimit) }
