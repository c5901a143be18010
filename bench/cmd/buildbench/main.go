// Command buildbench builds one catalog with Colophon, in files and in packs,
// and with Hugo, which writes the same three files for an entry (page, citation,
// record), and merely writes Colophon's tree again, all in one run. It prints the
// wall time, CPU time and memory of each, and their ratios.
package main

import (
	"bufio"
	"bytes"
	"embed"
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"colophon/internal/demo/corpus"
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
	packs := flag.Bool("packs", false, "build no files, for catalogs that are too large for them")
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
	b := &bench{dir: *dir, colophon: *colophon, hugo: *hugo, costs: map[string][]cost{}, written: map[string]written{}}
	b.corpus = corpus.New(corpus.Options{Publishers: max(1, *entries/100), Pages: *entries, Seed: 1})
	b.prepare()
	if *packs {
		b.add("packs, first build, with signing", b.build("packs", b.path("first")))
	} else {
		b.add("files, first build, with signing", b.build("files", b.path("first")))
		b.prepareHugo()
	}
	for n := range *rounds {
		if !*packs {
			b.measureFiles(n)
		}
		b.measureForm("packs", n)
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
	corpus              *corpus.Generator
	changes             int // of the catalog so far
	order               []string
	costs               map[string][]cost
	written             map[string]written // by the last builds of each form
}

// written is what is in a folder, and what an incremental build changed of it.
type written struct{ all, changed amount }

type amount struct {
	files int
	bytes int64
}

func (a *amount) add(size int64) { a.files, a.bytes = a.files+1, a.bytes+size }

func (a amount) String() string {
	return fmt.Sprintf("%d files, %.1f MB", a.files, float64(a.bytes)/1e6)
}

func (b *bench) path(name string) string { return filepath.Join(b.dir, name) }

// origin runs Colophon on the registry.
func (b *bench) origin(args ...string) cost {
	return run(b.colophon, append(args, "--quiet", "--dir", b.path("registry"))...)
}

// build builds the catalog in a form.
func (b *bench) build(form, out string) cost {
	return b.origin("build", "--form", form, "--out", out)
}

// prepare makes the catalog, whose packs are large.
func (b *bench) prepare() {
	run(b.colophon, "init", "--quiet", "--dir", b.path("registry"), "--base-url", "https://registry.example")
	settings, err := os.ReadFile(b.path("registry/colophon.toml"))
	check(err)
	check(os.WriteFile(b.path("registry/colophon.toml"), append([]byte("pack_size = \"large\"\n"), settings...), 0o644))
	b.origin("corpus", "--publishers", fmt.Sprint(b.corpus.Publishers), "--pages", fmt.Sprint(b.corpus.Pages), "--seed", fmt.Sprint(b.corpus.Seed))
}

// prepareHugo makes Hugo's site from what is published of the catalog.
func (b *bench) prepareHugo() {
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

// measureFiles measures once what is compared with builds in files.
func (b *bench) measureFiles(n int) {
	full := b.measureForm("files", n)
	b.add("files, written again", runSelf("-floor", full, "-dir", b.path(fmt.Sprint("again-", n))))
	if b.hugo == "" {
		return
	}
	out := b.path(fmt.Sprint("hugo-", n))
	b.add("Hugo", run(b.hugo, "--quiet", "--source", b.path("site"), "--destination", out, "--cacheDir", b.path("cache")))
	if pages, err := filepath.Glob(out + "/citations/*/record.json"); err != nil || len(pages) != b.corpus.Pages {
		check(fmt.Errorf("hugo wrote %d records, not %d: %v", len(pages), b.corpus.Pages, err))
	}
}

// measureForm measures the builds of a form once, and returns their folder.
func (b *bench) measureForm(form string, n int) string {
	out := b.path(fmt.Sprint(form, "-", n))
	b.add(form+", full, nothing to sign", b.build(form, out))
	b.add(form+", nothing changed", b.build(form, out))
	before := list(out)
	b.change()
	b.add(form+", 100 entries changed", b.build(form, out))
	var w written
	for name, f := range list(out) {
		w.all.add(f.size)
		if before[name] != f {
			w.changed.add(f.size)
		}
	}
	b.written[form] = w
	return out
}

// change changes the texts of 100 entries, spread over the publishers.
func (b *bench) change() {
	b.changes++
	lines := map[string]*bytes.Buffer{}
	for i := b.changes; i < b.corpus.Pages; i += max(1, b.corpus.Pages/100) {
		page := b.corpus.Page(i)
		if lines[page.SiteID] == nil {
			lines[page.SiteID] = &bytes.Buffer{}
		}
		text := strings.Repeat(fmt.Sprintf("Change %d tells of something else at %s. ", b.changes, page.URL), 16)
		check(json.NewEncoder(lines[page.SiteID]).Encode(map[string]string{"url": page.URL, "title": fmt.Sprint("Change ", b.changes), "text": text}))
	}
	for site, text := range lines {
		path := b.path("changed.ndjson")
		check(os.WriteFile(path, text.Bytes(), 0o644))
		b.origin("import", path, "--site", site)
	}
}

func (b *bench) add(what string, c cost) {
	if b.costs[what] == nil {
		b.order = append(b.order, what)
	}
	b.costs[what] = append(b.costs[what], c)
}

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

// file is the state of a file, which a build that leaves it alone does not change.
type file struct {
	size int64
	at   time.Time
}

// list returns the files of a tree by their paths.
func list(dir string) map[string]file {
	out := map[string]file{}
	check(filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		check(err)
		out[path] = file{info.Size(), info.ModTime()}
		return nil
	}))
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
	fmt.Printf("%d entries of %d publishers\n\n| work | wall s | CPU s | peak MiB |\n|---|---|---|---|\n", b.corpus.Pages, b.corpus.Publishers)
	for _, what := range b.order {
		c := b.median(what)
		fmt.Printf("| %s | %.2f | %.2f | %d |\n", what, c.Wall.Seconds(), c.CPU.Seconds(), c.Peak>>20)
	}
	fmt.Println()
	for _, form := range slices.Sorted(maps.Keys(b.written)) {
		w := b.written[form]
		fmt.Printf("%s: %s; 100 entries changed: %s\n", form, w.all, w.changed)
	}
	ratio := func(over, under string) {
		if x, y := b.median(over), b.median(under); x.CPU > 0 && y.CPU > 0 {
			fmt.Printf("%q over %q: %.2f by wall, %.2f by CPU\n", over, under, x.Wall.Seconds()/y.Wall.Seconds(), x.CPU.Seconds()/y.CPU.Seconds())
		}
	}
	const full = "files, full, nothing to sign"
	ratio(full, "files, written again")
	ratio("Hugo", full)
	ratio("Hugo", "files, first build, with signing")
	ratio("Hugo", "packs, full, nothing to sign")
}
