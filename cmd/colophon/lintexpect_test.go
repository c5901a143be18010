package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestLintExpectations compares the verdicts of a robots.txt with expected
// ones, and with those of an earlier file.
func TestLintExpectations(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	robots := filepath.Join(dir, "robots.txt")
	write := func(text string) {
		t.Helper()
		must(t, os.WriteFile(robots, []byte(text), 0o600))
	}
	const everybody = "User-agent: *\nContent-Signal: search=yes, ai-train=no\nAllow: /\n"
	write(everybody)
	for _, c := range []struct {
		args string
		code int
		want []string
	}{
		{"--assert training=deny,search_indexing=allow", exitOK, nil},
		{"--assert training=allow", exitFailed, []string{"training: want signal_allow, is declined (signal_disallows)"}},
		{"--assert rag=deny,research=unknown", exitFailed, []string{"rag: want declined, is unknown (no_statement)"}},
		{"--agents gptbot --assert rag=deny", exitFailed, []string{"agents", "rag for gptbot: want declined"}},
		{"--assert training=never", exitUsage, []string{`--assert "training=never"`}},
		{"--assert trainig=deny", exitUsage, []string{`--assert "trainig=deny"`}},
		{"--assert training", exitUsage, nil},
		{"--agents GPTBot/1.2", exitUsage, []string{`--agents "GPTBot/1.2" is not a product token as in robots.txt, such as "GPTBot"`}},
		{"--baseline " + filepath.Join(dir, "none.json"), exitFailed, []string{"none.json"}},
		{"--baseline " + robots, exitFailed, []string{"is no output of colophon lint --json"}},
	} {
		code, out, errs := call(append([]string{"lint", robots}, strings.Fields(c.args)...)...)
		if code != c.code {
			t.Errorf("%s: exit %d, want %d: %s%s", c.args, code, c.code, out, errs)
		}
		for _, w := range c.want {
			if !strings.Contains(out+errs, w) {
				t.Errorf("%s: does not say %q:\n%s%s", c.args, w, out, errs)
			}
		}
	}

	write(everybody + "\nUser-agent: ccbot\nDisallow: /\n")
	for args, want := range map[string]int{"--agents ccbot,gptbot --assert rag=deny": exitFailed, "--agents ccbot --assert rag=deny": exitOK, "--assert rag=deny": exitOK} {
		if code, out, errs := call(append([]string{"lint", robots}, strings.Fields(args)...)...); code != want {
			t.Errorf("%s: exit %d, want %d: %s%s", args, code, want, out, errs)
		}
	}

	code, before, errs := call("lint", robots, "--json", "--agents", "ccbot")
	if code != exitOK {
		t.Fatal(errs)
	}
	baseline := filepath.Join(dir, "before.json")
	must(t, os.WriteFile(baseline, []byte(before), 0o600))
	if code, out, errs := call("lint", robots, "--baseline", baseline); code != exitOK {
		t.Errorf("the same file: exit %d: %s%s", code, out, errs)
	}
	if code, _, errs := call("lint", robots, "--baseline", baseline, "--agents", "gptbot"); code != exitFailed || !strings.Contains(errs, `no verdicts for the agent "gptbot"`) {
		t.Errorf("an agent that the baseline does not have: exit %d: %s", code, errs)
	}
	write("User-agent: *\nContent-Signal: search=yes, ai-train=yes\nAllow: /\n")
	code, out, _ := call("lint", robots, "--baseline", baseline)
	if code != exitFailed || !strings.Contains(out, "training: want declined, is signal_allow") || strings.Contains(out, "syndication: want") {
		t.Errorf("a changed file: exit %d:\n%s", code, out)
	}
	code, out, _ = call("lint", robots, "--baseline", baseline, "--agents", "ccbot", "--json")
	if code != exitFailed || !strings.Contains(out, `"agent":"ccbot"`) || !strings.Contains(out, `"differences":[{"agent":"ccbot"`) {
		t.Errorf("a changed file for an agent: exit %d:\n%s", code, out)
	}
}
