package generator

import (
	"fmt"
	"testing"

	"colophon/internal/origin"
)

// Hosts are sorted on disk where there are too many for the memory.
func TestManyHosts(t *testing.T) {
	b := &build{out: &tree{stage: t.TempDir()}}
	const sites, hosts = 3, 400
	for n := range sites {
		f := &siteFacts{}
		f.Site.SiteID = fmt.Sprintf("site-%d", n)
		for m := range hosts {
			f.Websites = append(f.Websites, origin.Website{Host: fmt.Sprintf("www%d.site-%d.example", m, n), Associated: m > 0})
		}
		b.sites = append(b.sites, *f)
	}
	inMemory, onDisk := newValueSpool(t.TempDir(), spoolMemory), newValueSpool(t.TempDir(), 1000)
	must(t, b.spoolHosts(inMemory))
	must(t, b.spoolHosts(onDisk))
	defer onDisk.close()
	if onDisk.dir == "" {
		t.Fatal("nothing was written to disk")
	}

	count := 0
	for first := range 256 {
		want, err := inMemory.valuesWithByte(byte(first))
		must(t, err)
		got, err := onDisk.valuesWithByte(byte(first))
		must(t, err)
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("hosts that begin with %#x differ", first)
		}
		count += len(got)
	}
	if count != sites*(hosts-1) {
		t.Errorf("%d hosts", count)
	}
}
