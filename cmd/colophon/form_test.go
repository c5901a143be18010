package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"colophon/internal/cli"
	"colophon/internal/registrydir"

	"colophon/generator"
	"colophon/internal/blob"
)

// builtForm is what a build tells of its form.
type builtForm struct {
	Form      string `json:"form"`
	Unchanged bool   `json:"unchanged"`
	Due       int64  `json:"pages_due"`
}

// wantForm builds, and looks in which form the default folder is.
func (o operator) wantForm(form string, args ...string) (b builtForm) {
	o.Helper()
	o.data(&b, append([]string{"build"}, args...)...)
	_, err := os.Stat(filepath.Join(o.dir, "dist", filepath.FromSlash(blob.RootKey)))
	if b.Form != form || (err == nil) != (form == "packs") {
		o.Errorf("%q: built in %q", args, b.Form)
	}
	return b
}

// TestFormOfBuilds: the flag wins over the setting, that over what is published, and
// without any of them a build goes on.
func TestFormOfBuilds(t *testing.T) {
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

	o.addSettings("\nform = \"segments\"\npack_size = \"large\"\n")
	o.wantForm("packs")
	o.wantForm("files", "--form", "files")
	o.wantForm("packs")
}

// TestNoteOfTheForm: one line where the other form may be meant, for people only.
func TestNoteOfTheForm(t *testing.T) {
	files := generator.Report{Form: generator.FormFiles, Pages: 20_001}
	few := files
	few.Pages = 20_000
	chosen := generator.Report{Form: generator.FormPacks, FormChosen: true, Pages: 20_001}
	kept := chosen
	kept.FormChosen = false
	unchanged := files
	unchanged.Unchanged = true
	for name, tc := range map[string]struct {
		report generator.Report
		env    env
		set    registrydir.Settings
		want   string
	}{
		"many files":    {report: files, want: "--form packs"},
		"few files":     {report: few},
		"packs, chosen": {report: chosen, want: "--form files"},
		"packs, kept":   {report: kept},
		"unchanged":     {report: unchanged},
		"a setting":     {report: files, set: registrydir.Settings{Form: "files"}},
		"quiet":         {report: files, env: env{Env: cli.Env{Quiet: true}}},
		"json":          {report: files, env: env{Env: cli.Env{JSON: true}}},
	} {
		var told bytes.Buffer
		tc.env.Stderr = &told
		tc.env.noteForm(tc.set, &tc.report)
		if !strings.Contains(told.String(), tc.want) || (tc.want == "") != (told.Len() == 0) || strings.Count(told.String(), "\n") > 1 {
			t.Errorf("%s: told %q", name, told.String())
		}
	}
}
