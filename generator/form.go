package generator

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"colophon/internal/origin"
	"colophon/internal/segment"
)

// filesLimit is how many entries a first build publishes as files where nothing asks
// for a form: static hosts end at 20,000 files and more. Tests set it lower.
var filesLimit = 20_000

// resolveForm settles the form of a build, and the profile of its segments, before
// anything follows from them. A requested form wins. Otherwise the folder dir
// keeps its form. If nothing is published yet, the number of pages decides.
func (b *build) resolveForm(ctx context.Context, dir string) error {
	opt := &b.opt
	if opt.Form == FormAuto || opt.Form == FormSegments && opt.Profile == "" {
		form, profile, err := findForm(dir)
		if err != nil {
			return err
		}
		opt.Form = cmp.Or(opt.Form, form)
		opt.Profile = cmp.Or(opt.Profile, profile)
	}
	if opt.Form == FormAuto {
		if err := b.chooseForm(ctx); err != nil {
			return err
		}
	}
	if opt.Form == FormSegments {
		opt.Profile = cmp.Or(opt.Profile, segment.Pages)
	}
	b.out.noSiblings = opt.Form == FormSegments
	b.report.Form = opt.Form
	return nil
}

// findForm finds the form that is published, FormAuto where nothing is, and the
// profile of segments. A root that is damaged tells no profile.
func findForm(dir string) (Form, segment.Profile, error) {
	text, published, err := readSegmentsRoot(dir)
	switch {
	case err != nil:
		return FormAuto, "", fmt.Errorf("cannot tell in which form entries are published: %w", err)
	case !published:
		return FormAuto, "", nil
	case text == nil:
		return FormFiles, "", nil
	}
	root, err := segment.ParseRoot(text)
	if err != nil {
		return FormSegments, "", nil
	}
	return FormSegments, root.Profile, nil
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
		b.opt.Form = FormSegments
	}
	b.report.FormChosen = true
	return nil
}

// readSegmentsRoot reads the root of the segments that are published in a folder,
// nil for a release in files. published is false if there is no release.
func readSegmentsRoot(dir string) (root []byte, published bool, err error) {
	root, err = os.ReadFile(filepath.Join(dir, filepath.FromSlash(segment.RootKey)))
	if !errors.Is(err, fs.ErrNotExist) {
		return root, err == nil, err
	}
	_, err = os.Stat(filepath.Join(dir, filepath.FromSlash(stateFile)))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, false, nil
	}
	return nil, err == nil, err
}

// OutgrewFiles tells that entries are published as files, and are so many that a first
// build would choose segments.
func (r *Report) OutgrewFiles() bool { return r.Form == FormFiles && r.Pages > int64(filesLimit) }
