package generator

import (
	"fmt"
	"os"
	"testing"

	"colophon/generator/render"
	"colophon/internal/blob"
	"colophon/internal/extsort"
	"colophon/internal/origin"
)

// TestManyHosts checks that hosts that do not fit in memory are sorted on
// disk, with the same result.
func TestManyHosts(t *testing.T) {
	t.Parallel()
	var publishers []*render.Publisher
	const sites, hosts = 3, 400
	for n := range sites {
		f := &render.Publisher{}
		f.Site.SiteID = fmt.Sprintf("site-%d", n)
		for m := range hosts {
			f.Websites = append(f.Websites, origin.Website{Host: fmt.Sprintf("www%d.site-%d.example", m, n), Associated: m > 0})
		}
		publishers = append(publishers, f)
	}
	folder := t.TempDir()
	inMemory, onDisk := extsort.New(t.TempDir(), extsort.Memory), extsort.New(folder, 10_000)
	must(t, spoolHosts(inMemory, publishers))
	must(t, spoolHosts(onDisk, publishers))
	defer onDisk.Close()
	if runs, err := os.ReadDir(folder); err != nil || len(runs) == 0 {
		t.Fatal("nothing was written to disk")
	}
	list := func(s *extsort.Sorter) (values []blob.Value) {
		must(t, s.Each(func(v blob.Value) error {
			values = append(values, v)
			return nil
		}))
		return values
	}
	want, got := list(inMemory), list(onDisk)
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Error("hosts that are sorted on disk differ")
	}
	if len(got) != sites*(hosts-1) {
		t.Errorf("%d hosts", len(got))
	}
}
