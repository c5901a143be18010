package generator

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"colophon/internal/origin"
)

// partTest makes parts of an origin and joins them.
type partTest struct {
	*testing.T
	store origin.Catalog
	parts PartStore
	dir   string
	form  Form
	opt   func(*Options)
}

// partEntries is how many entries newPartTest has: one was withdrawn.
const partEntries = 61

// newPartTest has three publishers of 20 pages, whose records are in the ledger
// already if logged, and pieces of a few rows.
func newPartTest(t *testing.T, form Form, logged bool) *partTest {
	before := pieceSize
	t.Cleanup(func() { pieceSize = before })
	pieceSize = 20_000
	store := newStore(t)
	populate(t, store, 20)
	if logged {
		buildForm(t, store, filepath.Join(t.TempDir(), "dist"), form, "")
	}
	dir := filepath.Join(t.TempDir(), "dist")
	return &partTest{T: t, store: store, parts: PartsBeside(dir), dir: dir, form: form}
}

func (p *partTest) options() Options {
	opt := testOptions(p, 3)
	opt.Form = p.form
	if p.opt != nil {
		p.opt(&opt)
	}
	return opt
}

func (p *partTest) make(texts ...string) (all PartReport) {
	p.Helper()
	for _, text := range texts {
		part, err := ParsePart(text)
		must(p, err)
		r, err := BuildPart(context.Background(), p.store, p.dir, part, p.parts, p.options())
		must(p, err)
		all.Entries += r.Entries
		all.Signatures += r.Signatures
		all.Publishers += r.Publishers
	}
	return all
}

func (p *partTest) join() Report {
	p.Helper()
	p.opt = nil
	opt := p.options()
	opt.Parts = p.parts
	r, err := Build(context.Background(), p.store, p.dir, opt)
	must(p, err)
	return r
}

// sameAsWhole compares what was joined with a whole build of the same origin,
// byte for byte, notes included.
func (p *partTest) sameAsWhole() {
	p.Helper()
	whole := filepath.Join(p.TempDir(), "dist")
	buildForm(p, p.store, whole, p.form, "")
	sameTrees(p.T, whole, p.dir)
}

func sameTrees(t *testing.T, whole, joined string) {
	t.Helper()
	want, got := readTree(t, whole), readTree(t, joined)
	for name, data := range want {
		if !bytes.Equal(data, got[name]) {
			t.Errorf("%s is not as in a whole build", name)
		}
	}
	if len(got) != len(want) || len(want) < 100 {
		t.Errorf("%d files, a whole build has %d", len(got), len(want))
	}
}

var bothForms = []Form{FormFiles, FormSegments}

// TestPartsAndJoin makes parts in any order, some of them twice, and one of
// another cut: everything that is of one entry comes from them.
func TestPartsAndJoin(t *testing.T) {
	for _, form := range bothForms {
		for _, order := range [][]string{{"1/1"}, {"1/3", "2/3", "3/3"}, {"5/5", "2/5", "5/5", "1/5", "4/5", "3/5", "2/5"}, {"2/2", "1/2", "3/7"}} {
			t.Run(string(form)+" "+strings.Join(order, " "), func(t *testing.T) {
				p := newPartTest(t, form, true)
				made := p.make(order...)
				r := p.join()
				if r.Parts.Entries != partEntries || r.Pages != 60 || made.Entries < partEntries || made.Signatures != 0 {
					t.Errorf("parts made %+v, the join took %d entries", made, r.Parts.Entries)
				}
				if wrong := len(r.Parts.Unused); wrong > 0 != slices.Contains(order, "3/7") {
					t.Errorf("not used: %q", r.Parts.Unused)
				}
				p.sameAsWhole()
			})
		}
	}
}

// TestPartsHaveCards: what a part makes shows the same cards as a whole build.
func TestPartsHaveCards(t *testing.T) {
	for _, form := range bothForms {
		p := newPartTest(t, form, true)
		p.opt = func(o *Options) { o.Brand.Cards, o.Brand.EntryCards = true, true }
		p.make("2/2", "1/2")
		opt := p.options()
		whole := filepath.Join(t.TempDir(), "dist")
		_, err := Build(t.Context(), p.store, whole, opt)
		must(t, err)
		opt.Parts = p.parts
		r, err := Build(t.Context(), p.store, p.dir, opt)
		must(t, err)
		if r.Parts.Entries != partEntries {
			t.Errorf("%s: the join took %d entries", form, r.Parts.Entries)
		}
		sameTrees(t, whole, p.dir)
	}
}

// TestPartsSignBeforeTheLedger makes parts of an origin of which nothing was
// built: they sign, and write nothing to the origin.
func TestPartsSignBeforeTheLedger(t *testing.T) {
	whole := newPartTest(t, FormSegments, false)
	first := whole.join()
	p := newPartTest(t, FormSegments, false)
	before, err := p.store.Sequence(t.Context())
	must(t, err)
	made := p.make("2/2", "1/2")
	after, err := p.store.Sequence(t.Context())
	must(t, err)
	waiting, err := p.store.RecordsToLog(t.Context(), 100)
	must(t, err)
	if made.Signatures != first.Issued || before != after || len(waiting) > 0 {
		t.Errorf("%+v of %d, changes %d to %d, %d records in the origin", made, first.Issued, before, after, len(waiting))
	}
	r := p.join()
	if r.Issued != first.Issued || r.Parts.Signatures != first.Issued {
		t.Errorf("%d issued with %d signatures of parts, a whole build issued %d", r.Issued, r.Parts.Signatures, first.Issued)
	}
	sameTrees(t, whole.dir, p.dir)
}

// killedStore keeps so many files, and then none.
type killedStore struct {
	PartStore
	left int
}

var errKilled = errors.New("killed")

func (k *killedStore) PutPart(ctx context.Context, name string, data []byte) error {
	if k.left--; k.left < 0 {
		return errKilled
	}
	return k.PartStore.PutPart(ctx, name, data)
}

// TestKilledParts ends a part after each number of files: the join makes what is
// missing, and says so; where the part is run again, nothing is missing.
func TestKilledParts(t *testing.T) {
	for left := 0; ; left++ {
		p := newPartTest(t, FormSegments, true)
		p.make("1/2")
		_, err := BuildPart(t.Context(), p.store, p.dir, Part{2, 2}, &killedStore{p.parts, left}, p.options())
		if err == nil {
			if left < 3 {
				t.Fatalf("a part has %d files", left)
			}
			return
		}
		must(t, os.WriteFile(filepath.Join(string(p.parts.(PartsFolder)), unfinished+"1"), []byte("half"), 0o600))
		again := left%2 == 1
		if again {
			p.make("2/2")
		}
		r := p.join()
		if missing := len(r.Parts.Unused) == 1 && strings.Contains(r.Parts.Unused[0].Error(), "part 2/2 is not there"); missing == again {
			t.Errorf("killed after %d files: not used %q", left, r.Parts.Unused)
		}
		if all := r.Parts.Entries == partEntries; all != again || r.Parts.Entries == 0 {
			t.Errorf("killed after %d files: %d entries", left, r.Parts.Entries)
		}
		p.sameAsWhole()
		must(t, p.parts.RemoveParts(t.Context(), r.Parts.Names))
		if _, err := os.Stat(string(p.parts.(PartsFolder))); err == nil {
			t.Error("something of the parts is left")
		}
	}
}

// TestOriginChangesBetweenPartAndJoin lets only what did not change come from
// parts.
func TestOriginChangesBetweenPartAndJoin(t *testing.T) {
	for _, form := range bothForms {
		p := newPartTest(t, form, true)
		p.make("2/2")
		site, err := p.store.Site(t.Context(), "gamma")
		must(t, err)
		site.Name, site.ChangedAt = "Another Gamma", "2026-11-01T00:00:00Z"
		must(t, p.store.PutSite(t.Context(), site))
		pages, err := p.store.PagesOf(t.Context(), "beta", "", 3)
		must(t, err)
		pages[0].Title, pages[0].ChangedAt = "Another title", "2026-11-01T00:00:00Z"
		pages[1].State, pages[1].ChangedAt = "withdrawn", "2026-11-02T00:00:00Z"
		must(t, p.store.PutPage(t.Context(), pages[0], nil))
		must(t, p.store.PutPage(t.Context(), pages[1], nil))
		addPage(t, p.store, "alpha", 1000)
		p.make("1/2")
		r := p.join()
		if r.Parts.Entries < 30 || r.Parts.Entries > partEntries-20-2 || r.Pages != 60 {
			t.Errorf("%s: %d entries of %d from parts", form, r.Parts.Entries, r.Pages)
		}
		p.sameAsWhole()
	}
}

// TestForeignPartsAreNotUsed damages parts, or makes them otherwise.
func TestForeignPartsAreNotUsed(t *testing.T) {
	for _, tc := range []struct {
		name, why string
		opt       func(*Options)
		damage    func(name string, data []byte) []byte
	}{
		{"another name of the service", "other settings", func(o *Options) { o.Name = "Another" }, nil},
		{"another form", "other settings", func(o *Options) { o.Form = FormFiles }, nil},
		{"another key", "another key", func(o *Options) {
			_, other := logKey(t, "one that signs no records here ..", 1704067200)
			o.Signer = other
		}, nil},
		{"a piece with another byte", "damaged", nil, func(name string, data []byte) []byte {
			if strings.HasSuffix(name, pieceSuffix) {
				data[len(data)/2] ^= 1
			}
			return data
		}},
		{"a manifest of another state", "damaged", nil, func(name string, data []byte) []byte {
			if strings.HasSuffix(name, manifestSuffix) {
				return bytes.Replace(data, []byte(`"of":2`), []byte(`"of":3`), 1)
			}
			return data
		}},
		{"a piece that is gone", "missing", nil, func(name string, data []byte) []byte {
			if strings.HasSuffix(name, pieceSuffix) {
				return nil
			}
			return data
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			p := newPartTest(t, FormSegments, true)
			p.opt = tc.opt
			p.make("1/2", "2/2")
			names, err := p.parts.ListParts(t.Context())
			must(t, err)
			for _, name := range names {
				if tc.damage == nil {
					continue
				}
				data, err := p.parts.ReadPart(t.Context(), name, maxPiece)
				must(t, err)
				if data = tc.damage(name, data); data == nil {
					must(t, p.parts.RemoveParts(t.Context(), []string{name}))
					continue
				}
				must(t, p.parts.PutPart(t.Context(), name, data))
			}
			r := p.join()
			if r.Parts.Entries != 0 || !strings.Contains(errors.Join(r.Parts.Unused...).Error(), tc.why) {
				t.Errorf("%d entries from parts; not used: %q", r.Parts.Entries, r.Parts.Unused)
			}
			p.sameAsWhole()
		})
	}
}

func TestParsePart(t *testing.T) {
	for text, want := range map[string]Part{"1/1": {1, 1}, "3/8": {3, 8}, "10000/10000": {10000, 10000}} {
		if got, err := ParsePart(text); err != nil || got != want {
			t.Errorf("%q: %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "1", "0/1", "2/1", "1/10001", "-1/2", "1/2/3", "a/b", "1/"} {
		if got, err := ParsePart(text); err == nil {
			t.Errorf("%q is read as %v", text, got)
		}
	}
}

// Ranges cover all sites once, whatever their number.
func TestPartsCoverAllSites(t *testing.T) {
	for sites := range 20 {
		for of := 1; of < 25; of++ {
			at := 0
			all := make([]siteFacts, sites)
			for n := range of {
				at += len(Part{n + 1, of}.sitesOf(all))
			}
			if at != sites {
				t.Errorf("%d parts have %d of %d sites", of, at, sites)
			}
		}
	}
}
