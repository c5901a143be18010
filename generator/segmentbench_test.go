package generator

import (
	"context"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"
	"time"

	"colophon/exports"
	"colophon/internal/citation"
	"colophon/internal/origin"
	"colophon/internal/processcost"
	"colophon/internal/segment"
	"colophon/internal/wire"
)

// BenchmarkSegments writes the segments of COLOPHON_SEGMENT_ENTRIES entries
// (50,000) in both profiles, then those after 100 of them changed, then after
// one was withdrawn. It measures the form alone: entries come signed and
// logged, as from the store, and all of them are compared with what is
// published. Times are of one run, CPU of all cores.
func BenchmarkSegments(b *testing.B) {
	entries := 50_000
	if text := os.Getenv("COLOPHON_SEGMENT_ENTRIES"); text != "" {
		n, err := strconv.Atoi(text)
		must(b, err)
		entries = n
	}
	for _, profile := range []segment.Profile{segment.Pages, segment.Packs} {
		b.Run(fmt.Sprintf("%s/entries=%d", profile, entries), func(b *testing.B) {
			for b.Loop() {
				measureSegments(b, profile, entries)
			}
			b.ReportMetric(0, "ns/op")
		})
	}
}

func measureSegments(b *testing.B, profile segment.Profile, entries int) {
	maker := newEntryMaker(entries)
	b.ReportMetric(makeEntries(maker).Seconds(), "making-them-cpu-s")
	dir := filepath.Join(b.TempDir(), "out")
	for _, step := range []struct {
		name    string
		changed int
	}{{"full", 0}, {"100-changed", 100}, {"1-withdrawn", 1}, {"unchanged", 0}} {
		if step.changed == 1 {
			maker.withdrawn = 7
		} else {
			maker.edited = max(maker.edited, step.changed)
		}
		debug.FreeOSMemory()
		before := resident()
		peak := watchMemory()
		cpu := processcost.CPU()
		had := segmentFiles(b, dir)
		writeEntries(b, maker, dir, profile)
		cpu = processcost.CPU() - cpu
		grown := peak() - before
		objects, size := 0, int64(0)
		for name, n := range segmentFiles(b, dir) {
			if _, old := had[name]; !old || name == segment.RootKey && (step.changed > 0 || len(had) == 0) {
				objects++
				size += n
			}
		}
		b.ReportMetric(cpu.Seconds(), step.name+"-cpu-s")
		b.ReportMetric(float64(grown)/(1<<20), step.name+"-MiB")
		b.ReportMetric(float64(objects), step.name+"-objects")
		b.ReportMetric(float64(size)/1024, step.name+"-KiB")
	}
}

// makeEntries is the CPU time that making the entries takes, which is part of
// every step.
func makeEntries(m *entryMaker) time.Duration {
	before := processcost.CPU()
	for i := range m.entries {
		m.entry(i)
	}
	return processcost.CPU() - before
}

// segmentFiles are the sizes of the files of segments in a build.
func segmentFiles(b *testing.B, dir string) map[string]int64 {
	out := map[string]int64{}
	for _, pattern := range []string{segment.RootKey, segment.ObjectPrefix + "*/*"} {
		names, err := filepath.Glob(filepath.Join(dir, filepath.FromSlash(pattern)))
		must(b, err)
		for _, name := range names {
			info, err := os.Stat(name)
			must(b, err)
			rel, err := filepath.Rel(dir, name)
			must(b, err)
			out[filepath.ToSlash(rel)] = info.Size()
		}
	}
	return out
}

// writeEntries publishes entries into dir, and nothing else.
func writeEntries(b *testing.B, maker *entryMaker, dir string, profile segment.Profile) {
	out, err := newTree(dir)
	must(b, err)
	defer out.discardStage()
	ctx := context.Background()
	f := newSegmentForm(out, profile, readSegments(ctx, dir, profile), &exports.PageFrame{}, newPlan())
	defer f.close()
	build := build{opt: Options{Workers: 2}}
	const batch = 10_000
	for from := 0; from < maker.entries; from += batch {
		n := min(batch, maker.entries-from)
		must(b, build.runParallel(n, func(i int) error { return f.write(maker.entry(from + i)) }))
	}
	must(b, f.finish(ctx))
	gone := func(string) bool { return false }
	notes := func(int64, int64) (map[string][]byte, error) { return map[string][]byte{}, nil }
	must(b, out.sealRelease(gone, notes))
	must(b, out.publishTree(ctx))
}

// entryMaker invents entries: a publisher has a hundred.
type entryMaker struct {
	entries   int
	edited    int // so many of the first entries have another title
	withdrawn int // number of an entry that is, 0: none
}

func newEntryMaker(entries int) *entryMaker {
	return &entryMaker{entries: entries}
}

// entry makes entry number i, always the same.
func (m *entryMaker) entry(i int) *entryDocuments {
	r := rand.New(rand.NewPCG(uint64(i), 1))
	raw := func(n int) []byte {
		b := make([]byte, n)
		for i := range b {
			b[i] = byte(r.Uint32())
		}
		return b
	}
	site := fmt.Sprintf("publisher-%d", i/100)
	id := "ent_" + hex.EncodeToString(raw(12))
	title := fmt.Sprintf("Harbour dues and tide tables of section %d", i)
	if i < m.edited {
		title += ", revised"
	}
	published := exports.Source{
		Title: title, Byline: []string{"Data desk"}, Section: "section", Language: "en", ContentFormat: "html",
		PublishedAt: "2026-03-04T05:06:07Z", WordCount: 800, Extraction: "main",
	}
	record := exports.Record{
		PublisherID: "pub_" + site, SiteID: site, EntryID: id, CanonicalURL: fmt.Sprintf("https://%s.example/section/%d/page-of-this-name", site, i),
		Version: 1, Withdrawn: m.withdrawn > 0 && i == m.withdrawn, Source: published,
		Portable: hex.EncodeToString(raw(32)), Registry: hex.EncodeToString(raw(32)),
		Passport: exports.Passport{
			PassportID: "rp_" + site, Version: 1, HolderName: site + " B.V.", HolderBasis: "stated_by_publisher", RightsVector: strings.Repeat("u", 24),
			LicenseIDs: []string{"lic_" + site}, LiveURL: testBase + exports.RightsCheckPath(id), AsOf: "2026-03-04T05:06:07Z",
		},
		Proof: exports.Proof{KeyID: strings.Repeat("k", 43), Created: "2026-03-04T05:06:07Z", Signature: base64.RawURLEncoding.EncodeToString(raw(64))},
	}
	place := &exports.LedgerPlace{Origin: "registry.example/ledger", Index: int64(i)}
	e := &entryDocuments{entryID: id}
	e.current = signedRecord{origin.Record{EntryID: id, Version: 1, JSON: string(wire.Append(nil, &record))}, place}
	if record.Withdrawn {
		return e
	}
	e.citation = &exports.Citation{
		EntryID: id, CanonicalURL: record.CanonicalURL, SiteID: site, Publisher: "Publisher " + site, PublisherURL: "https://" + site + ".example/",
		Source:   exports.CitedSource{Title: title, Byline: published.Byline, PublishedAt: published.PublishedAt, Language: "en", Section: "section"},
		Portable: record.Portable, Registry: record.Registry, LedgerIndex: int64(i), Ledger: place, Status: "active",
		RightsVector: record.Passport.RightsVector, RightsAsOf: "2026-03-04T05:06:07Z", GeneratedAt: "2026-03-04T05:06:07Z",
	}
	citation.Spell(e.citation)
	return e
}
