package generator

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"colophon/internal/blob"
	"colophon/internal/origin"
	"colophon/internal/originsql"
	"colophon/internal/release"
)

var bothForms = []Form{FormFiles, FormPacks}

// limitFiles sets the maximum number of entries that a first build publishes
// as files.
func limitFiles(t *testing.T, entries int) {
	before := filesLimit
	t.Cleanup(func() { filesLimit = before })
	filesLimit = entries
}

// published is a form of a build with the size of its packs. As an option, a
// zero field leaves the choice to the build.
type published struct {
	form     Form
	packSize int64
}

// formIn determines the form from the files, as readers do, not from the
// build's notes.
func formIn(t *testing.T, dir string) published {
	t.Helper()
	pages, err := filepath.Glob(filepath.Join(dir, "v1", "public", "citations", "*.json"))
	must(t, err)
	r := packsOf(t, dir)
	if (r == nil) != (len(pages) > 0) {
		t.Fatalf("%d citations are files, beside packs: %v", len(pages), r != nil)
	}
	if r == nil {
		return published{FormFiles, 0}
	}
	return published{FormPacks, r.Root.PackSize}
}

var allForms = []published{{FormFiles, 0}, {FormPacks, SmallPacks}, {FormPacks, LargePacks}}

func (p published) name() string { return string(p.form) + " " + fmt.Sprint(p.packSize) }

func (p published) build(t *testing.T, store origin.Catalog, dir string, change ...func(*Options)) Report {
	t.Helper()
	opt := testOptions(t, 2)
	opt.Form, opt.PackSize = p.form, p.packSize
	for _, c := range change {
		c(&opt)
	}
	r, err := Build(t.Context(), store, dir, opt)
	must(t, err)
	if r.Form != formIn(t, dir).form {
		t.Errorf("the build tells of %s, and %s are published", r.Form, formIn(t, dir).form)
	}
	return r
}

// otherLimit sets the limit so that a build that counted the pages would
// choose the other form.
func (p published) otherLimit(t *testing.T) {
	if p.form == FormFiles {
		limitFiles(t, 1)
	}
}

// publishCatalog publishes a small catalog in this form, under a limit with
// which a build that counted its pages would choose the other form. The catalog
// is built once; each test gets a copy.
func (p published) publishCatalog(t *testing.T) (store *originsql.Store, dir string) {
	t.Helper()
	p.otherLimit(t)
	if catalogs[p] == "" {
		folder, err := os.MkdirTemp("", "colophon-catalog")
		must(t, err)
		made := openStore(t, filepath.Join(folder, "origin.db"))
		populate(t, made, 8)
		p.build(t, made, filepath.Join(folder, "dist"))
		must(t, made.DB().Close())
		catalogs[p] = folder
	}
	root := t.TempDir()
	must(t, os.CopyFS(root, os.DirFS(catalogs[p])))
	return openStore(t, filepath.Join(root, "origin.db")), filepath.Join(root, "dist")
}

// catalogs are the folders of the catalogs that publishCatalog has made, by
// form. Its tests are not parallel, because they set the limit of all builds.
var catalogs = map[published]string{}

func removeCatalogs() {
	for _, folder := range catalogs {
		os.RemoveAll(folder) //nolint:errcheck // a temporary folder
	}
}

// TestFormStays checks that a build without options keeps the published form,
// whichever form it would choose by counting pages.
func TestFormStays(t *testing.T) {
	for _, form := range allForms {
		t.Run(form.name(), func(t *testing.T) {
			store, dir := form.publishCatalog(t)
			if r := (published{}).build(t, store, dir); !r.Unchanged {
				t.Error("nothing changed, and the build did not end early")
			}
			addPage(t, store, "alpha", 5000)
			if r := (published{}).build(t, store, dir); r.Due != 1 || r.FormChosen {
				t.Errorf("%d pages are due after one was added; the form was chosen: %v", r.Due, r.FormChosen)
			}
			if got := formIn(t, dir); got != form {
				t.Errorf("it became %s", got.name())
			}
			(published{}).build(t, store, dir, func(o *Options) { o.Whole = true })
			if got := formIn(t, dir); got != form {
				t.Errorf("a whole build made it %s", got.name())
			}
		})
	}
}

// TestPackSizeStays checks that a build keeps the published size of packs if
// only the form is set, and the published form if only the size is set.
func TestPackSizeStays(t *testing.T) {
	t.Parallel()
	store, dir := populated(t, 2)
	for _, step := range []struct{ asked, want published }{
		{published{FormFiles, 0}, published{FormFiles, 0}},
		{published{FormPacks, 0}, published{FormPacks, SmallPacks}},
		{published{FormAuto, LargePacks}, published{FormPacks, LargePacks}},
		{published{FormPacks, 0}, published{FormPacks, LargePacks}},
	} {
		step.asked.build(t, store, dir)
		if got := formIn(t, dir); got != step.want {
			t.Errorf("asked for %s, it became %s", step.asked.name(), got.name())
		}
	}
}

// TestDamagedRootStaysInPacks checks that a build recognizes packs even if
// their root is damaged.
func TestDamagedRootStaysInPacks(t *testing.T) {
	t.Parallel()
	store, dir := populated(t, 2)
	published{FormPacks, SmallPacks}.build(t, store, dir)
	must(t, os.WriteFile(filepath.Join(dir, filepath.FromSlash(blob.RootKey)), []byte("{"), 0o644))
	addPage(t, store, "alpha", 5000)
	published{}.build(t, store, dir)
	if got := formIn(t, dir); got.form != FormPacks {
		t.Errorf("it became %s", got.name())
	}
}

// TestFormOfFirstBuild checks that a first build chooses files up to the limit,
// and packs above it.
func TestFormOfFirstBuild(t *testing.T) {
	store := newStore(t)
	populate(t, store, 2)
	pages, err := store.PagesChanged(t.Context(), origin.PageChange{}, 1000)
	must(t, err)
	for _, tc := range []struct {
		limit    int
		packSize int64
		want     published
	}{
		{len(pages), 0, published{FormFiles, 0}},
		{len(pages) - 1, 0, published{FormPacks, SmallPacks}},
		{len(pages) - 1, LargePacks, published{FormPacks, LargePacks}},
	} {
		limitFiles(t, tc.limit)
		opt := testOptions(t, 2)
		opt.PackSize = tc.packSize
		dir := filepath.Join(t.TempDir(), "dist")
		dry, err := DryRun(t.Context(), store, dir, opt)
		must(t, err)
		r, err := Build(t.Context(), store, dir, opt)
		must(t, err)
		if got := formIn(t, dir); got != tc.want || r.Form != tc.want.form || !r.FormChosen {
			t.Errorf("of %d pages, %d allowed: %s, told %s, chosen: %v", len(pages), tc.limit, got.name(), r.Form, r.FormChosen)
		}
		if dry.Form != tc.want.form || !dry.FormChosen {
			t.Errorf("a dry run tells %s, chosen: %v", dry.Form, dry.FormChosen)
		}
		again, err := Build(t.Context(), store, dir, opt)
		must(t, err)
		if !again.Unchanged || again.Form != tc.want.form {
			t.Errorf("the next build tells %s, unchanged: %v", again.Form, again.Unchanged)
		}
	}
}

// TestFormAskedFor checks that the option takes precedence over the published
// form and over the number of pages.
func TestFormAskedFor(t *testing.T) {
	for i, before := range allForms {
		asked := allForms[(i+2)%len(allForms)]
		t.Run(before.name()+" to "+asked.name(), func(t *testing.T) {
			before.otherLimit(t)
			store, dir := populated(t, 2)
			if r := before.build(t, store, dir); r.FormChosen || formIn(t, dir) != before {
				t.Errorf("first %s, chosen: %v", formIn(t, dir).name(), r.FormChosen)
			}
			asked.build(t, store, dir)
			if got := formIn(t, dir); got != asked {
				t.Errorf("it became %s", got.name())
			}
		})
	}
}

// TestOutgrownFiles checks that OutgrewFiles returns true only if more entries
// than the limit are published as files.
func TestOutgrownFiles(t *testing.T) {
	store := newStore(t)
	populate(t, store, 2)
	r := published{}.build(t, store, filepath.Join(t.TempDir(), "dist"))
	for _, tc := range []struct {
		limit int
		want  bool
	}{{int(r.Pages), false}, {int(r.Pages) - 1, true}} {
		limitFiles(t, tc.limit)
		if got := r.OutgrewFiles(); got != tc.want {
			t.Errorf("%d pages, %d allowed: %v", r.Pages, tc.limit, got)
		}
	}
	r.Form = FormPacks
	if r.OutgrewFiles() {
		t.Error("packs are no files")
	}
}

// TestFilesPerTile checks that the list of files has large tiles beside large
// packs, and small ones otherwise. With large packs every change writes an
// object larger than a large tile anyway.
func TestFilesPerTile(t *testing.T) {
	t.Parallel()
	for _, form := range allForms {
		b := &build{opt: Options{Form: form.form, PackSize: form.packSize}}
		want := int64(release.TileFiles)
		if form.packSize == LargePacks {
			want = release.LargeTileFiles
		}
		if got := b.filesPerTile(); got != want {
			t.Errorf("%s: %d files a tile, want %d", form.name(), got, want)
		}
	}
}
