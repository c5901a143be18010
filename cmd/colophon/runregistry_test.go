package main

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestRunARegistry does what the page for operators tells under "Run a
// registry", line by line.
func TestRunARegistry(t *testing.T) {
	page, err := os.ReadFile("../../site/docs/operators.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, found := strings.Cut(string(page), "## Run a registry\n")
	part, _, ends := strings.Cut(rest, "\n## ")
	if !found || !ends {
		t.Fatal("the page has no part \"Run a registry\"")
	}
	t.Chdir(t.TempDir())
	told := map[string]string{}
	for _, step := range shellSteps(part) {
		told[step] = runStep(t, step) + told[step]
	}
	if len(told) < 20 {
		t.Fatalf("only %d steps were found", len(told))
	}
	for step, want := range map[string]string{
		"colophon apply house.json --dir registry --dry-run":                         "+ offer harbor-ledger/grounding",
		"colophon apply house.json --dir registry":                                   "changed 0 records", // the second time
		"colophon group show pub_north-house --dir registry":                         "North House (2 sites)",
		"colophon offer list --site harbor-ledger --dir registry":                    "retired",
		"colophon demand list --dir registry":                                        "closed",
		"colophon entry show https://harbor-ledger.example/tides --dir registry":     "record 3",
		"colophon entry withdraw https://harbor-ledger.example/tides --dir registry": "withdrawn",
		"colophon publisher close quay-times --reason \"ceased\" --dir registry":     "closed",
	} {
		if !strings.Contains(told[step], want) {
			t.Errorf("%q tells %q, not %q", step, told[step], want)
		}
	}
	for _, name := range []string{"registry.json", filepath.Join("registry", "dist", "index.html")} {
		if _, err := os.Stat(name); err != nil {
			t.Error(err)
		}
	}
}

// TestLaptop does what the page about deploying on a laptop tells, line by line.
func TestLaptop(t *testing.T) {
	page, err := os.ReadFile("../../docs/deploy/laptop.md")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	told := map[string]string{}
	for _, step := range shellSteps(string(page)) {
		told[step] = runStep(t, step)
	}
	if got := told["colophon verify registry/dist"]; !strings.Contains(got, "1 records") || !strings.Contains(got, "0 findings") {
		t.Errorf("the build that the page makes is verified as %q", got)
	}
}

// shellSteps are the commands of the shell blocks of a page; a here-document
// is one with its lines.
func shellSteps(page string) []string {
	var steps []string
	blocks := strings.Split(page, "```")
	for i := 1; i < len(blocks); i += 2 {
		text, isShell := strings.CutPrefix(blocks[i], "sh\n")
		if !isShell {
			continue
		}
		here := ""
		for _, line := range strings.Split(strings.TrimSpace(text), "\n") {
			switch {
			case here != "":
				here += "\n" + line
				if line == "END" {
					steps, here = append(steps, here+"\n"), ""
				}
			case strings.HasSuffix(line, "<<'END'"):
				here = line
			default:
				steps = append(steps, line)
			}
		}
	}
	return steps
}

// runStep runs one step: the program in this process, with its arguments split
// by the shell, and all else by the shell.
func runStep(t *testing.T, step string) string {
	t.Helper()
	rest, isProgram := strings.CutPrefix(step, "colophon ")
	script := step
	if isProgram {
		script = "printf '%s\\0' " + rest
	}
	out, err := exec.Command("sh", "-c", script).Output()
	if err != nil {
		t.Fatalf("%s: %v", step, err)
	}
	if !isProgram {
		return string(out)
	}
	args := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
	var stdout, stderr bytes.Buffer
	if code := runProgram(context.Background(), args, strings.NewReader(""), &stdout, &stderr, func(string) string { return "" }); code != 0 {
		t.Fatalf("%s: exit code %d: %s", step, code, stderr.String())
	}
	return stdout.String()
}
