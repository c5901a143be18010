package building

import (
	"bytes"
	"strings"
	"testing"

	"colophon/generator"
	"colophon/internal/cli"
	"colophon/internal/registrydir"
)

// TestNoteOfTheForm checks that people, and only people, get a line if the
// other form may be intended.
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
		env    cli.Env
		set    registrydir.Settings
		want   string
	}{
		"many files":    {report: files, want: "--form packs"},
		"few files":     {report: few},
		"packs, chosen": {report: chosen, want: "--form files"},
		"packs, kept":   {report: kept},
		"unchanged":     {report: unchanged},
		"a setting":     {report: files, set: registrydir.Settings{Form: "files"}},
		"quiet":         {report: files, env: cli.Env{Quiet: true}},
		"json":          {report: files, env: cli.Env{JSON: true}},
	} {
		var told bytes.Buffer
		tc.env.Stderr = &told
		noteForm(&tc.env, tc.set, &tc.report)
		if !strings.Contains(told.String(), tc.want) || (tc.want == "") != (told.Len() == 0) || strings.Count(told.String(), "\n") > 1 {
			t.Errorf("%s: told %q", name, told.String())
		}
	}
}
