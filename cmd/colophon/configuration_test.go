package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"colophon/internal/registrydir"
	"colophon/worker/limit"
)

var updateConfiguration = flag.Bool("update", false, "rewrite the tables of docs/configuration.md")

// TestConfiguration compares docs/configuration.md with the program: its tables
// are made from the descriptions that the program writes into colophon.toml and
// prints with --help, and it must name every variable that a program reads. To
// rewrite the tables: go test ./cmd/colophon -run Configuration -update
func TestConfiguration(t *testing.T) {
	t.Parallel()
	const file = "../../docs/configuration.md"
	data, err := os.ReadFile(file)
	must(t, err)
	text := string(data)
	for name, table := range configurationTables() {
		begin, end := "<!-- "+name+" -->\n", "<!-- end -->\n"
		before, rest, found := strings.Cut(text, begin)
		_, after, closed := strings.Cut(rest, end)
		if !found || !closed {
			t.Fatalf("docs/configuration.md has no table %q between %q and %q", name, begin, end)
		}
		text = before + begin + "\n" + table + "\n" + end + after
	}
	if *updateConfiguration {
		must(t, os.WriteFile(file, []byte(text), 0o644))
	} else if text != string(data) {
		t.Error("the tables of docs/configuration.md are not what the program says; run this test with -update")
	}
	for name, where := range variablesOfPrograms(t) {
		if !strings.Contains(text, "`"+name+"`") {
			t.Errorf("docs/configuration.md does not name %s, which %s reads", name, where)
		}
	}
}

// TestConfigTellsWhereValuesComeFrom checks that for each setting a flag takes
// precedence over a variable, a variable over the file, and the file over the
// default.
func TestConfigTellsWhereValuesComeFrom(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, registrydir.SettingsFile)
	write := func(text string) {
		t.Helper()
		must(t, os.WriteFile(file, []byte(text), 0o600))
	}
	variables := map[string]string{"COLOPHON_DIR": dir}
	run := func(args ...string) (code int, out string) {
		var all strings.Builder
		code = runProgram(t.Context(), args, strings.NewReader(""), &all, &all, environment(variables))
		return code, all.String()
	}
	wants := func(want map[string][2]any, args ...string) {
		t.Helper()
		code, out := run(append([]string{"config", "--json"}, args...)...)
		var answer struct{ Data []registrydir.Setting }
		if err := json.Unmarshal([]byte(out), &answer); code != 0 || err != nil {
			t.Fatalf("exit code %d, %v: %s", code, err, out)
		}
		for _, s := range answer.Data {
			if w, asked := want[s.Name]; asked && (s.Value != w[0] || s.From != w[1]) {
				t.Errorf("%s is %v from %s, not %v", s.Name, s.Value, s.From, w)
			}
			delete(want, s.Name)
		}
		if len(want) > 0 {
			t.Errorf("not told: %v", want)
		}
	}
	write("base_url = \"https://registry.example\"\n[server]\nmax_bodies = 7\n[[witness]]\nvkey = \"w+1+A\"\nurl = \"https://w.example\"\n")
	wants(map[string][2]any{
		"dir": {dir, "$COLOPHON_DIR"}, "base_url": {"https://registry.example", "colophon.toml"}, "name": {"Colophon", "default"}, "out": {"dist", "default"},
		"server.max_bodies": {7.0, "colophon.toml"}, "server.max_connections": {4096.0, "default"}, "witness[0].url": {"https://w.example", "colophon.toml"},
	})
	variables["COLOPHON_BASE_URL"] = "https://other.example"
	wants(map[string][2]any{"dir": {dir, "--dir"}, "base_url": {"https://other.example", "$COLOPHON_BASE_URL"}}, "--dir", dir)
	delete(variables, "COLOPHON_BASE_URL")

	if code, out := run("config", "check"); code != 0 {
		t.Errorf("exit code %d: %s", code, out)
	}
	write("base_url = \"https://registry.example\"\n[brand]\naccent = \"blue\"\n[server.concurrency]\nwrongs = 1\n")
	if code, out := run("config", "check"); code != 1 || !strings.Contains(out, "accent") || !strings.Contains(out, "wrongs") {
		t.Errorf("exit code %d, and not both mistakes: %s", code, out)
	}
}

// configurationTables returns the tables of docs/configuration.md by name.
func configurationTables() map[string]string {
	tables := map[string]string{"rates": rateTable()}
	addSettings(tables)
	for _, name := range []string{"init", "build", "publish", "serve", "deploy", "backup", "restore", "mirror", "guard"} {
		cmd, _, err := newRoot().Find([]string{name})
		if err != nil {
			panic(err)
		}
		tables["colophon "+name] = flagTable(name, cmd.LocalNonPersistentFlags())
	}
	tables["colophon"] = flagTable("", newRoot().PersistentFlags())
	return tables
}

// addSettings adds a table for top-level settings, and one for each table of
// settings.
func addSettings(tables map[string]string) {
	registrydir.VisitSettings("", reflect.ValueOf(registrydir.DefaultSettings()), func(table, name, about string, v reflect.Value) {
		title := strings.TrimSpace("colophon.toml " + table)
		if tables[title] == "" {
			tables[title] = "| setting | default | what it is |\n|---|---|---|\n"
		}
		whole := strings.TrimPrefix(table+"."+name, ".")
		tables[title] += fmt.Sprintf("| %s | %s | %s |\n", anchored(whole, name), defaultOf(whole, v), cell(about))
	})
}

// anchored returns the name of a setting as the first cell of its row, with a
// unique id to link to.
func anchored(id, name string) string {
	return `<a id="` + id + "\"></a>`" + name + "`"
}

func defaultOf(name string, v reflect.Value) string {
	text := registrydir.SettingText(v.Interface())
	if said, ok := registrydir.SaidDefaults[name]; ok {
		return said
	} else if v.IsZero() && v.Kind() != reflect.Bool {
		return "none"
	}
	return "`" + text + "`"
}

func flagTable(command string, flags *pflag.FlagSet) string {
	var b strings.Builder
	b.WriteString("| flag | default | what it is |\n|---|---|---|\n")
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Name == "help" || f.Hidden {
			return
		}
		def := "none"
		if f.DefValue != "" && f.DefValue != "[]" {
			def = "`" + f.DefValue + "`"
		}
		fmt.Fprintf(&b, "| %s | %s | %s |\n", anchored(command+"--"+f.Name, "--"+f.Name), def, cell(f.Usage))
	})
	return b.String()
}

func rateTable() string {
	var b strings.Builder
	b.WriteString("| quota | calls | window | what it counts |\n|---|---|---|---|\n")
	windows := map[int64]string{60: "a minute", 3600: "an hour", 86400: "a day"}
	for _, p := range limit.DefaultPolicies() {
		for _, q := range p.Quotas {
			fmt.Fprintf(&b, "| %s | %d | %s | %s |\n", anchored("limits."+q.Name, q.Name), q.Calls, windows[int64(q.Window)], cell(p.Purpose))
		}
	}
	return b.String()
}

// cell returns a description as the cell of a table.
func cell(text string) string {
	return strings.TrimSuffix(strings.ReplaceAll(text, "|", `\|`), ".")
}

var (
	variableOfGo     = regexp.MustCompile(`\b[gG]etenv\("([A-Z][A-Z0-9_]+)"\)|"(COLOPHON_[A-Z_]+)"`)
	bindingOfGo      = regexp.MustCompile(`edgejs\.Database\("([A-Z]+)"\)`)
	variableOfScript = regexp.MustCompile(`(?m)\benv\.([A-Z][A-Z0-9_]+)|^  (EDGE_[A-Z_]+): \[`)
)

// variablesOfPrograms returns the environment variables and bindings that the
// program, the worker and the guard read, each with a file that reads it.
func variablesOfPrograms(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, folder := range []string{"cmd/colophon", "cmd/edge", "cmd/edge/service", "cmd/edgeguard", "internal/server", "worker/edgejs/js", "worker/edgejs/guard"} {
		names, err := filepath.Glob("../../" + folder + "/*")
		must(t, err)
		for _, name := range names {
			if ext := filepath.Ext(name); ext != ".go" && ext != ".mjs" || strings.HasSuffix(name, "_test.go") {
				continue
			}
			data, err := os.ReadFile(name)
			must(t, err)
			for _, pattern := range []*regexp.Regexp{variableOfGo, bindingOfGo, variableOfScript} {
				for _, m := range pattern.FindAllStringSubmatch(string(data), -1) {
					for _, v := range m[1:] {
						if v != "" && v != "PATH" && v != "TERM" && v != "CI" {
							all[v] = strings.TrimPrefix(name, "../../")
						}
					}
				}
			}
		}
	}
	if len(all) < 30 {
		t.Errorf("%d variables were found", len(all))
	}
	return all
}
