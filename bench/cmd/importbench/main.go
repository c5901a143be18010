// Command importbench measures what an import of a large site needs: it serves
// a site of invented pages on loopback, runs "colophon import" on it as a user
// would, and reports the peak memory and the CPU time of that process.
//
//	importbench -colophon FILE -pages 100000
//
// The site is imported from a sitemap, imported again without changes, and its
// template is learned again. Each line is one run of the program.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

func main() {
	var o options
	flag.StringVar(&o.program, "colophon", "", "the program to measure")
	flag.IntVar(&o.pages, "pages", 100_000, "pages of the site")
	flag.IntVar(&o.most, "most", 128, "MB that no run may exceed")
	flag.StringVar(&o.dir, "dir", "", "folder for the registry, default a temporary one")
	flag.Parse()
	if err := o.run(); err != nil {
		fmt.Fprintln(os.Stderr, "importbench:", err)
		os.Exit(1)
	}
}

type options struct {
	program, dir string
	pages, most  int
	over         []string // runs that exceeded the bounds
}

func (o *options) run() error {
	dir, err := os.MkdirTemp(o.dir, "importbench-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir) //nolint:errcheck // a temporary folder
	server := httptest.NewServer(newSite(o.pages))
	defer server.Close()
	registry, sitemap := filepath.Join(dir, "registry"), server.URL+"/sitemap.xml"
	fmt.Printf("%-16s %8s %10s %12s %10s\n", "run", "pages", "memory", "CPU a page", "wall")
	site := []string{"--site", "harbor-ledger", "--dir", registry}
	for _, r := range []struct {
		name string
		args []string
	}{
		{"", []string{"init", "--dir", registry, "--base-url", "https://registry.example", "--contact", "desk@registry.example"}},
		{"", []string{"publisher", "add", "harbor-ledger", "--dir", registry, "--name", "Harbor Ledger", "--site-url", "https://harbor-ledger.example/"}},
		{"import", append([]string{"import", sitemap, "--allow-private", "--per-host", "8"}, site...)},
		{"import again", append([]string{"import", sitemap, "--allow-private", "--per-host", "8"}, site...)},
		{"template learn", append([]string{"template", "learn", sitemap, "--allow-private"}, site...)},
	} {
		if err := o.measure(r.name, r.args); err != nil {
			return err
		}
	}
	if len(o.over) > 0 {
		return fmt.Errorf("more than %d MB: %s", o.most, strings.Join(o.over, ", "))
	}
	return nil
}

// measure runs the program; a run without a name is only a preparation.
func (o *options) measure(name string, args []string) error {
	cmd := exec.Command(o.program, args...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	start := time.Now()
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s: %w\n%s", strings.Join(args, " "), err, out.Bytes())
	}
	if name == "" {
		return nil
	}
	use := cmd.ProcessState.SysUsage().(*syscall.Rusage) //nolint:errcheck // it is a Rusage on all systems that have one
	memory := use.Maxrss >> 10
	cpu := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	fmt.Printf("%-16s %8d %7d MB %12v %10v\n", name, o.pages, memory, (cpu / time.Duration(o.pages)).Round(time.Microsecond), time.Since(start).Round(time.Second))
	if memory > int64(o.most) {
		o.over = append(o.over, fmt.Sprintf("%s %d MB", name, memory))
	}
	if from := strings.Index(out.String(), "new "); from >= 0 {
		told, _, _ := strings.Cut(out.String()[from:], "\n")
		fmt.Printf("  %s\n", told)
	}
	return nil
}
