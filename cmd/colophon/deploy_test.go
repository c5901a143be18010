package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// startedBy finds the arguments with which the files of deploy and the GitHub
// Action start the program.
var startedBy = map[string]*regexp.Regexp{
	"../action.yml":           regexp.MustCompile(`(?m)^      run: '"\$RUNNER_TEMP/colophon" (.*)'$`),
	"colophon.service":        regexp.MustCompile(`(?m)^ExecStart=colophon (.*)$`),
	"colophon-backup.service": regexp.MustCompile(`(?m)^ExecStart=colophon (.*)$`),
	"Containerfile":           regexp.MustCompile(`(?m)^CMD (\[.*\])$`),
	"compose.yaml":            regexp.MustCompile(`(?m)^    command: (\["backup".*\])$`),
}

// TestDeployedCommandsExist checks that the commands, flags and values in the
// files of deploy exist.
func TestDeployedCommandsExist(t *testing.T) {
	t.Parallel()
	o := operator{t, t.TempDir()}
	for name, pattern := range startedBy {
		data, err := os.ReadFile(filepath.Join("..", "..", "deploy", name))
		must(t, err)
		m := pattern.FindStringSubmatch(string(data))
		if m == nil {
			t.Errorf("%s does not start the program", name)
			continue
		}
		args := strings.Fields(m[1])
		if strings.HasPrefix(m[1], "[") {
			must(t, json.Unmarshal([]byte(m[1]), &args))
		}
		if code, out, errs := o.run(append(args, "--help")...); code != 0 || !strings.Contains(out, "Usage:") {
			t.Errorf("%s: colophon %v: exit code %d: %s", name, args, code, errs)
		}
	}
	o.no(2, "unknown flag", "serve", "--no-such-flag", "--help")
}
