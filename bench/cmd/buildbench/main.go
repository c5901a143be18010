// Command buildbench builds one catalog with Colophon and with Hugo, which
// writes the same three files for an entry (page, citation, record), and merely
// writes Colophon's tree again, all in one run. It prints the wall time, CPU
// time and memory of each, and their ratios.
package main

import (
	"bufio"
	"bytes"
	"embed"
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

//go:embed all:hugo
var hugoSite embed.FS

// cost is what one command used.
type cost struct {
	Wall, CPU time.Duration
	Peak      int64 // bytes of memory
}

func main() {
	entries := flag.Int("entries", 10000, "how many entries")
	rounds := flag.Int("rounds", 3, "how many times; medians are printed")
	colophon := flag.String("colophon", "bin/colophon", "the program to measure")
	hugo := flag.String("hugo", "", "Hugo beside it; none without")
	dir := flag.String("dir", "", "an empty folder for everything (default: a temporary one)")
	floor := flag.String("floor", "", "only write the tree FLOOR again, into -dir (used by this program itself)")
	measured := flag.Bool("measure", false, "only run the command that follows, and print what it took (used by this program itself)")
	flag.Parse()
	if *measured {
		check(json.NewEncoder(os.Stdout).Encode(measure(flag.Arg(0), flag.Args()[1:]...)))
		return
	}
	if *floor != "" {
		check(json.NewEncoder(os.Stdout).Encode(writeAgain(*floor, *dir)))
		return
	}
	if *dir == "" {
		temp, err := os.MkdirTemp("", "buildbench-*")
		check(err)
		defer os.RemoveAll(temp)
		*dir = temp
	}
	b := &bench{dir: *dir, colophon: *colophon, hugo: *hugo, entries: *entries, costs: map[string][]cost{}}
	b.prepare()
	for n := range *rounds {
		b.round(n)
	}
	b.print()
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "buildbench:", err)
		os.Exit(1)
	}
}

// bench is one run. Trees stay until it ends, since a file system that has just
// deleted many files creates new ones slowly.
type bench struct {
	dir, colophon, hugo string
	entries             int
	costs               map[string][]cost
	changed             []int // number of changed files after each incremental build
	files               int
}

func (b *bench) path(name string) string { return filepath.Join(b.dir, name) }

// origin runs Colophon on the registry.
func (b *bench) origin(args ...string) cost {
	return run(b.colophon, append(args, "--quiet", "--dir", b.path("registry"))...)
}

// prepare makes the catalog, and Hugo's site from what is published of it.
func (b *bench) prepare() {
	run(b.colophon, "init", "--quiet", "--dir", b.path("registry"), "--base-url", "https://registry.example")
	b.origin("corpus", "--publishers", fmt.Sprint(max(1, b.entries/100)), "--pages", fmt.Sprint(b.entries))
	b.add("first build, with signing", b.origin("build", "--form", "files", "--out", b.path("first")))
	b.files = len(list(b.path("first")))
	if b.hugo == "" {
		return
	}
	site, err := fs.Sub(hugoSite, "hugo")
	check(err)
	check(os.CopyFS(b.path("site"), site))
	check(os.MkdirAll(b.path("site/data"), 0o755))
	b.writeEntries(b.path("site/data/entries.json"))
}

// writeEntries writes a JSON array of each entry's citation and record.
func (b *bench) writeEntries(path string) {
	names, err := filepath.Glob(b.path("first/v1/public/citations/*.json"))
	check(err)
	file, err := os.Create(path)
	check(err)
	all := bufio.NewWriter(file)
	all.WriteString("[") //nolint:errcheck // Flush returns the error
	for i, name := range names {
		id := strings.TrimSuffix(filepath.Base(name), ".json")
		citation, err := os.ReadFile(name)
		check(err)
		record, err := os.ReadFile(b.path("first/v1/public/contentdna-provenance/" + id + ".json"))
		check(err)
		if i > 0 {
			all.WriteString(",\n") //nolint:errcheck // Flush returns the error
		}
		fmt.Fprintf(all, `{"entry_id":%q,"citation":%s,"record":%s}`, id, citation, record)
	}
	all.WriteString("]\n") //nolint:errcheck // Flush returns the error
	check(all.Flush())
	check(file.Close())
}

// round measures everything once.
func (b *bench) round(n int) {
	full := b.path(fmt.Sprint("full-", n))
	b.add("full build, nothing to sign", b.origin("build", "--form", "files", "--out", full))
	b.add("the same files, written again", runSelf("-floor", full, "-dir", b.path(fmt.Sprint("again-", n))))
	if b.hugo != "" {
		out := b.path(fmt.Sprint("hugo-", n))
		b.add("Hugo, three files an entry", run(b.hugo, "--quiet", "--source", b.path("site"), "--destination", out, "--cacheDir", b.path("cache")))
		if pages, err := filepath.Glob(out + "/citations/*/record.json"); err != nil || len(pages) != b.entries {
			check(fmt.Errorf("hugo wrote %d records, not %d: %v", len(pages), b.entries, err))
		}
	}
	b.add("full build, packs", b.origin("build", "--form", "packs", "--out", b.path(fmt.Sprint("packs-", n))))
	b.add("nothing changed", b.origin("build", "--form", "files", "--out", full))
	before := list(full)
	b.change(n)
	b.add("100 entries changed", b.origin("build", "--form", "files", "--out", full))
	changed := 0
	for name, row := range list(full) {
		if before[name] != row {
			changed++
		}
	}
	b.changed = append(b.changed, changed)
}

// change changes the texts of 100 entries, spread over all publishers.
func (b *bench) change(n int) {
	names, err := filepath.Glob(b.path("first/v1/public/citations/*.json"))
	check(err)
	lines := map[string]*bytes.Buffer{}
	for i := n; i < len(names); i += max(1, len(names)/100) {
		data, err := os.ReadFile(names[i])
		check(err)
		var c struct {
			URL       string `json:"canonical_url"`
			Publisher struct {
				SiteID string `json:"site_id"`
			} `json:"publisher"`
		}
		check(json.Unmarshal(data, &c))
		if lines[c.Publisher.SiteID] == nil {
			lines[c.Publisher.SiteID] = &bytes.Buffer{}
		}
		text := strings.Repeat(fmt.Sprintf("In round %d this article was changed and tells of something else, at %s. ", n, c.URL), 12)
		check(json.NewEncoder(lines[c.Publisher.SiteID]).Encode(map[string]string{"url": c.URL, "title": fmt.Sprintf("Changed %d", n), "text": text}))
	}
	for site, text := range lines {
		path := b.path("changed.ndjson")
		check(os.WriteFile(path, text.Bytes(), 0o644))
		b.origin("import", path, "--site", site)
	}
}

func (b *bench) add(what string, c cost) { b.costs[what] = append(b.costs[what], c) }

// run runs a command to its end through another process of this program: the
// system counts the memory of the parent as that of the process it starts, and
// this process holds lists of files.
func run(program string, args ...string) cost {
	return runSelf(append([]string{"-measure", "--", program}, args...)...)
}

// runSelf runs this program with flags that make it print a cost.
func runSelf(args ...string) (c cost) {
	self, err := os.Executable()
	check(err)
	cmd := exec.Command(self, args...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	check(err)
	check(json.Unmarshal(out, &c))
	return c
}

// measure runs a command to its end and returns its cost.
func measure(program string, args ...string) cost {
	cmd := exec.Command(program, args...)
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	start := time.Now()
	if err := cmd.Run(); err != nil {
		check(fmt.Errorf("%s %s: %w: %s", program, args[0], err, said.String()))
	}
	wall := time.Since(start)
	usage, _ := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	return cost{wall, cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), usage.Maxrss << 10}
}

// list returns the digests of a build's files, by name.
func list(dir string) map[string]string {
	tiles, err := filepath.Glob(filepath.Join(dir, "v1/public/release/files/*/*.txt"))
	check(err)
	out := map[string]string{}
	for _, tile := range tiles {
		data, err := os.ReadFile(tile)
		check(err)
		for line := range strings.Lines(string(data)) {
			words := strings.Fields(line)
			out[words[2]] = words[0]
		}
	}
	return out
}

// median returns the cost of one kind with the median CPU time, which other
// work on the machine disturbs least.
func (b *bench) median(what string) cost {
	all := slices.Clone(b.costs[what])
	slices.SortFunc(all, func(x, y cost) int { return int(x.CPU - y.CPU) })
	if len(all) == 0 {
		return cost{}
	}
	return all[len(all)/2]
}

func (b *bench) print() {
	const full, floor, hugo, packs, first = "full build, nothing to sign", "the same files, written again", "Hugo, three files an entry", "full build, packs", "first build, with signing"
	fmt.Printf("%d entries, %d files\n\n| work | wall s | CPU s | peak MiB |\n|---|---|---|---|\n", b.entries, b.files)
	for _, what := range []string{first, full, floor, hugo, packs, "nothing changed", "100 entries changed"} {
		if len(b.costs[what]) == 0 {
			continue
		}
		c := b.median(what)
		fmt.Printf("| %s | %.2f | %.2f | %d |\n", what, c.Wall.Seconds(), c.CPU.Seconds(), c.Peak>>20)
	}
	slices.Sort(b.changed)
	fmt.Printf("\nfiles that differ after 100 changes: %d\n", b.changed[len(b.changed)/2])
	ratio := func(name, over, under string, aim string) {
		if x, y := b.median(over), b.median(under); x.CPU > 0 && y.CPU > 0 {
			fmt.Printf("%s: %.2f by wall, %.2f by CPU (aim %s)\n", name, x.Wall.Seconds()/y.Wall.Seconds(), x.CPU.Seconds()/y.CPU.Seconds(), aim)
		}
	}
	ratio("full build over the floor", full, floor, "at most 1.6")
	ratio("Hugo over the full build", hugo, full, "at least 3")
	ratio("Hugo over the first build", hugo, first, "at least 2")
	ratio("Hugo over the full build in packs", hugo, packs, "at least 10")
}
