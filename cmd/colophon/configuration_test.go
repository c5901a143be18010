package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"colophon/exports"
	"colophon/internal/server"
)

var updateConfiguration = flag.Bool("update", false, "write the tables of docs/configuration.md anew")

// TestConfiguration holds docs/configuration.md to the program: its tables are made of
// the descriptions that the program writes into colophon.toml and prints with --help,
// and every variable that a program reads is named.
// To write the tables anew: go test ./cmd/colophon -run Configuration -update
func TestConfiguration(t *testing.T) {
	const file = "../../docs/configuration.md"
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
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
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if text != string(data) {
		t.Error("the tables of docs/configuration.md are not what the program says; run this test with -update")
	}
	for name, where := range variablesOfPrograms(t) {
		if !strings.Contains(text, "`"+name+"`") {
			t.Errorf("docs/configuration.md does not name %s, which %s reads", name, where)
		}
	}
}

// configurationTables are the tables of docs/configuration.md by their names.
func configurationTables() map[string]string {
	tables := map[string]string{"rates": rateTable()}
	addSettings(tables, "", reflect.ValueOf(settings{Name: "Colophon", Out: "dist", Server: server.Defaults()}))
	for _, name := range []string{"init", "build", "publish", "serve", "deploy", "backup", "restore", "mirror", "guard"} {
		cmd, _, err := newRoot().Find([]string{name})
		if err != nil {
			panic(err)
		}
		tables["colophon "+name] = flagTable(cmd.LocalNonPersistentFlags())
	}
	tables["colophon"] = flagTable(newRoot().PersistentFlags())
	return tables
}

// saidDefaults are the defaults that no value of a program states.
var saidDefaults = map[string]string{
	"proof_bits":            "`18`",
	"form":                  "as published; at first `files`, `segments` above 20,000 entries",
	"segment_profile":       "as published; at first `pages`",
	"limits":                "see [rates](#rates)",
	"server.log_format":     "`text`",
	"server.log_level":      "`info`",
	"server.trusted_header": "four headers, see its description",
	"server.acme_directory": "Let's Encrypt",
	"server.concurrency":    "`files` 64, `search` 2 and `reads` 4 for each core, `writes` 64, `streams` 64",
	"mail.security":         "`starttls`",
	"brand.accent_dark":     "made from `accent`",
	"brand.contact":         "`contact`",
	"witness_quorum":        "none",
}

// addSettings adds the tables of a struct of settings: one for its own keys, and one
// for each table within it.
func addSettings(tables map[string]string, path string, v reflect.Value) {
	var b strings.Builder
	b.WriteString("| setting | default | what it is |\n|---|---|---|\n")
	for i := range v.NumField() {
		field := v.Type().Field(i)
		name, _, _ := strings.Cut(field.Tag.Get("toml"), ",")
		comment := field.Tag.Get("comment")
		full := strings.TrimPrefix(path+"."+name, ".")
		switch {
		case name == "-":
		case comment == "" && field.Type.Kind() == reflect.Struct:
			addSettings(tables, full, v.Field(i))
		case comment == "" && field.Type.Kind() == reflect.Slice:
			addSettings(tables, full, reflect.Zero(field.Type.Elem()))
		default:
			fmt.Fprintf(&b, "| `%s` | %s | %s |\n", name, defaultOf(full, v.Field(i)), cell(comment))
		}
	}
	title := "colophon.toml"
	if path != "" {
		title += " " + path
	}
	tables[title] = b.String()
}

func defaultOf(name string, v reflect.Value) string {
	said, ok := saidDefaults[name]
	switch {
	case ok:
		return said
	case v.Kind() == reflect.Bool:
		return fmt.Sprintf("`%v`", v.Bool())
	case v.IsZero():
		return "none"
	}
	if text, ok := v.Interface().(interface{ MarshalText() ([]byte, error) }); ok {
		data, err := text.MarshalText()
		if err != nil {
			panic(err)
		}
		return "`" + string(data) + "`"
	}
	return fmt.Sprintf("`%v`", v.Interface())
}

func flagTable(flags *pflag.FlagSet) string {
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
		fmt.Fprintf(&b, "| `--%s` | %s | %s |\n", f.Name, def, cell(f.Usage))
	})
	return b.String()
}

func rateTable() string {
	var b strings.Builder
	b.WriteString("| quota | calls | window | what it counts |\n|---|---|---|---|\n")
	windows := map[int64]string{60: "a minute", 3600: "an hour", 86400: "a day"}
	for _, p := range exports.DefaultLimits() {
		for _, q := range p.Quotas {
			fmt.Fprintf(&b, "| `%s` | %d | %s | %s |\n", q.Name, q.Calls, windows[int64(q.Window)], cell(p.Purpose))
		}
	}
	return b.String()
}

// cell makes a description a cell of a table.
func cell(text string) string {
	return strings.TrimSuffix(strings.ReplaceAll(text, "|", `\|`), ".")
}

var (
	variableOfGo     = regexp.MustCompile(`\b[gG]etenv\("([A-Z][A-Z0-9_]+)"\)|"(COLOPHON_[A-Z_]+)"`)
	bindingOfGo      = regexp.MustCompile(`edgejs\.Database\("([A-Z]+)"\)`)
	variableOfScript = regexp.MustCompile(`(?m)\benv\.([A-Z][A-Z0-9_]+)|^  (EDGE_[A-Z_]+): \[`)
)

// variablesOfPrograms are the environment variables and bindings that the program, the
// worker and the guard read, with a file that reads them.
func variablesOfPrograms(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, folder := range []string{"cmd/colophon", "cmd/edge", "cmd/edge/service", "cmd/edgeguard", "internal/server", "worker/edgejs/js", "worker/edgejs/guard"} {
		names, err := filepath.Glob("../../" + folder + "/*")
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			if ext := filepath.Ext(name); ext != ".go" && ext != ".mjs" || strings.HasSuffix(name, "_test.go") {
				continue
			}
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
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
