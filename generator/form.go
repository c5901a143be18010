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

// filesLimit is how many entries a first build publishes as files where nothing asks
// for a form: static hosts end at 20,000 files and more. Tests set it lower.
var filesLimit = 20_000

// How large packs become.
const (
	SmallPacks = 64 << 10 // bytes: for servers that send whole files
	LargePacks = 32 << 20 // bytes: for those that send ranges
)

// resolveForm settles the form of a build, and the size of its packs, before
// anything follows from them. What is asked for wins. Else the build continues as the
// folder dir is published. Where nothing is published at all, pages are counted.
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

// findForm finds the form that is published, FormAuto where nothing is, and the
// size of packs. A root that is damaged tells no size.
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

// chooseForm chooses the form of a first build. It counts the pages that ever were in
// the origin, up to the limit, by the index of their changes. So pages of publishers
// that are not public count, and pages that are gone. Pages that were not written since
// the origin has that index (migration 9) do not.
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

// segmentsRoot is the root of a release in segments, the form before packs: it is not
// readable, and says that the release is not in files.
const segmentsRoot = "v1/_segments.json"

// readPacksRoot reads the root of the packs that are published in a folder, nil of a
// release in files. published is false where there is no release.
func readPacksRoot(dir string) (root []byte, published bool, err error) {
	root, err = os.ReadFile(filepath.Join(dir, filepath.FromSlash(blob.RootKey)))
	if _, former := os.Stat(filepath.Join(dir, filepath.FromSlash(segmentsRoot))); errors.Is(err, fs.ErrNotExist) && former == nil {
		return []byte{}, true, nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return root, err == nil, err
	}
	_, err = os.Stat(filepath.Join(dir, filepath.FromSlash(NotesFile)))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, false, nil
	}
	return nil, err == nil, err
}

// OutgrewFiles says that entries are published as files, and are so many that a first
// build would choose packs.
func (r *Report) OutgrewFiles() bool { return r.Form == FormFiles && r.Pages > int64(filesLimit) }
