package manual

import (
	"fmt"
	"io"
	"runtime/debug"

	"github.com/spf13/cobra"

	"colophon/exports"
	"colophon/internal/cli"
)

// versionReport says which program this is, and which API it serves.
type versionReport struct {
	Program string `json:"program"` // the module's version
	Commit  string `json:"commit"`  // "" where the build recorded none
	Date    string `json:"date"`    // of the commit
	Altered bool   `json:"altered"` // built with changes that are not committed
	API     string `json:"api"`
}

// VersionCommand shows which program this is.
func VersionCommand(e *cli.Env) *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Show the program's version, and that of the API it serves", Args: cli.ExactArgs(),
		Long: "Version shows the program's version, its commit and the date of the commit, as the build recorded them.\n" +
			"A build outside of a Git repository records no commit.",
		RunE: func(*cobra.Command, []string) error {
			v := ReadVersion()
			return e.PrintResult(v, func(w io.Writer) { fmt.Fprint(w, v.Text()) })
		},
	}
}

// ReadVersion reads what the build recorded about the program.
func ReadVersion() versionReport {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = &debug.BuildInfo{}
	}
	return newVersion(info)
}

func newVersion(info *debug.BuildInfo) versionReport {
	v := versionReport{Program: info.Main.Version, API: exports.Version}
	if v.Program == "" {
		v.Program = "(devel)"
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			v.Commit = s.Value
		case "vcs.time":
			v.Date = s.Value
		case "vcs.modified":
			v.Altered = s.Value == "true"
		}
	}
	return v
}

// Text returns the report for people.
func (v versionReport) Text() string {
	commit, date := v.Commit, v.Date
	if commit == "" {
		commit = "not recorded"
	}
	if v.Altered {
		commit += ", with changes that are not committed"
	}
	if date == "" {
		date = "not recorded"
	}
	return fmt.Sprintf("colophon %s\ncommit   %s\ndate     %s\nAPI      %s\n", v.Program, commit, date, v.API)
}
