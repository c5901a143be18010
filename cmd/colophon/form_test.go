package main

import (
	"os"
	"path/filepath"
	"testing"

	"colophon/internal/blob"
)

// builtForm is what a build reports about its form.
type builtForm struct {
	Form      string `json:"form"`
	Unchanged bool   `json:"unchanged"`
	Due       int64  `json:"pages_due"`
}

// wantForm builds and checks the form of the default folder.
func (o operator) wantForm(form string, args ...string) (b builtForm) {
	o.Helper()
	o.data(&b, append([]string{"build"}, args...)...)
	_, err := os.Stat(filepath.Join(o.dir, "dist", filepath.FromSlash(blob.RootKey)))
	if b.Form != form || (err == nil) != (form == "packs") {
		o.Errorf("%q: built in %q", args, b.Form)
	}
	return b
}

// TestFormOfBuilds checks that the flag takes precedence over the setting and
// the setting over the published form, and that without any of these a build
// continues in its form.
func TestFormOfBuilds(t *testing.T) {
	t.Parallel()
	o := newOperator(t)
	o.ok("corpus", "--publishers", "2", "--pages", "10")
	o.wantForm("files")
	o.wantForm("packs", "--form", "packs")
	if b := o.wantForm("packs"); !b.Unchanged {
		t.Errorf("nothing changed, and the next build tells %+v", b)
	}
	o.ok("publisher", "suspend", "harbor-ledger", "--reason", "a test")
	o.wantForm("packs")
	o.wantForm("files", "--form", "files")
	if b := o.wantForm("files"); !b.Unchanged {
		t.Errorf("nothing changed, and the next build tells %+v", b)
	}

	o.addSettings("\nform = \"packs\"\npack_size = \"large\"\n")
	o.wantForm("packs")
	o.wantForm("files", "--form", "files")
	o.wantForm("packs")
}
