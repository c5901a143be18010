package blob

import (
	"bytes"
	"compress/flate"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"colophon/internal/assert"
	"colophon/internal/staticindex"
)

var must = assert.NoError

// packs is a source in memory.
type packs map[string][]byte

func (p packs) Read(_ context.Context, key string) ([]byte, error) {
	data, ok := p[key]
	if !ok {
		return nil, fs.ErrNotExist
	}
	return data, nil
}

func (p packs) ReadBlob(ctx context.Context, at Location) ([]byte, error) {
	data, err := p.Read(ctx, PackKey(at.Pack))
	if err != nil {
		return nil, err
	}
	if data = data[at.Offset:][:at.Length]; IDOf(data) != at.Digest {
		return nil, ErrDamaged
	}
	return data, nil
}

func (p packs) put(key string, data []byte) error {
	p[key] = bytes.Clone(data)
	return nil
}

// starts puts about four values into a blob, never with different first
// letters; values whose keys begin with "x" have separate blobs.
func starts(previous, key string) bool {
	return previous[0] != key[0] || alone(key) || staticindex.Hash(key)%4 == 0
}

func alone(key string) bool { return key[0] == 'x' }

func writerOf(t *testing.T, p packs, packSize int64) *Writer {
	z, err := flate.NewWriter(nil, 5)
	must(t, err)
	return &Writer{PackSize: packSize, Put: p.put, Deflater: z, Starts: starts, Alone: alone}
}

// changesOf returns changes to values; nil means that the key is gone.
func changesOf(values map[string][]byte) Changes {
	return func(do func(Change) error) error {
		for _, key := range slices.Sorted(maps.Keys(values)) {
			if err := do(Change{Value{key, values[key]}, values[key] == nil}); err != nil {
				return err
			}
		}
		return nil
	}
}

// lay applies changes to what a root names, and removes the packs that the new
// root no longer names.
func lay(t *testing.T, p packs, root *Root, packSize int64, changes map[string][]byte) *Root {
	t.Helper()
	w := writerOf(t, p, packSize)
	var base []Row
	if root != nil {
		table, err := ReadTable(t.Context(), &Reader{root, p})
		must(t, err)
		w.Published, w.Source, base = table, p, table.Rows
		w.Size = func(pack ID) int64 { return int64(len(p[PackKey(pack)])) }
	}
	next, named, err := w.Write(t.Context(), base, changesOf(changes))
	must(t, err)
	keep := map[string]bool{}
	for _, pack := range named {
		if p[PackKey(pack)] == nil {
			t.Fatalf("the pack %s is named and not there", pack)
		}
		keep[PackKey(pack)] = true
	}
	maps.DeleteFunc(p, func(key string, _ []byte) bool { return !keep[key] })
	return &next
}

func digests(t *testing.T, p packs, root *Root) map[string]ID {
	t.Helper()
	table, err := ReadTable(t.Context(), &Reader{root, p})
	must(t, err)
	out := map[string]ID{}
	for _, row := range table.Rows {
		out[row.Key] = row.At.Digest
	}
	return out
}

// TestHistories applies random changes to a table: after each, every key is
// found with its value and no other key is, and the blobs are the same as if
// all values were written at once.
func TestHistories(t *testing.T) {
	values, size, top := maxValues, maxSize, maxTop
	t.Cleanup(func() { maxValues, maxSize, maxTop = values, size, top })
	maxValues, maxSize, maxTop = 6, 300, 5 // some runs of keys reach them
	histories := uint64(30)
	if testing.Short() {
		histories = 9
	}
	for seed := range histories {
		rnd := rand.New(rand.NewPCG(seed, 1))
		packSize := []int64{400, 3000, 1 << 20}[seed%3]
		p, want := packs{}, map[string][]byte{}
		var root *Root
		for round := range 12 {
			changes := map[string][]byte{}
			for range rnd.IntN([]int{3, 60}[rnd.IntN(2)]) {
				key := fmt.Sprintf("%c%03d", "abx"[rnd.IntN(3)], rnd.IntN(120))
				changes[key] = nil
				if rnd.IntN(3) > 0 {
					changes[key] = fmt.Appendf([]byte{}, "%s of round %d%s", key, round, strings.Repeat("!", rnd.IntN(40)))
				}
			}
			for key, data := range changes {
				want[key] = data
				if data == nil {
					delete(want, key)
				}
			}
			root = lay(t, p, root, packSize, changes)
			r := &Reader{root, p}
			for _, kind := range "abx" {
				for n := range 120 {
					key := fmt.Sprintf("%c%03d", kind, n)
					got, err := r.Find(t.Context(), key)
					if err != nil || string(got) != string(want[key]) || (got == nil) != (want[key] == nil) {
						t.Fatalf("history %d, round %d: %s is %q, %v; want %q", seed, round, key, got, err, want[key])
					}
				}
			}
			all := packs{}
			if got, fresh := digests(t, p, root), digests(t, all, lay(t, all, nil, packSize, want)); !maps.Equal(got, fresh) {
				t.Fatalf("history %d, round %d: %d blobs, writing all gives %d, or others", seed, round, len(got), len(fresh))
			}
			size, used := 0, int64(0)
			for _, pack := range p {
				size += len(pack)
			}
			table, err := ReadTable(t.Context(), r)
			must(t, err)
			for _, n := range table.usedBytes() {
				used += n
			}
			if int64(size) > 2*used+2*packSize {
				t.Errorf("history %d, round %d: packs of %d bytes for %d in use", seed, round, size, used)
			}
		}
	}
}

// TestOneChangeWritesLittle checks that changing one of 20,000 values writes
// one new pack with a blob and the pages above it.
func TestOneChangeWritesLittle(t *testing.T) {
	p, values := packs{}, map[string][]byte{}
	for i := range 20_000 {
		values[fmt.Sprintf("a%05d", i)] = fmt.Appendf(nil, "value %d", i)
	}
	root := lay(t, p, nil, 1<<30, values)
	before := maps.Clone(p)
	root = lay(t, p, root, 1<<30, map[string][]byte{"a07777": []byte("changed")})
	added := 0
	for key, pack := range p {
		if before[key] == nil {
			added += len(pack)
		}
	}
	if len(p) != 2 || added > 30_000 {
		t.Errorf("%d packs, %d bytes are new", len(p), added)
	}
	if got, err := (&Reader{root, p}).Find(t.Context(), "a07777"); err != nil || string(got) != "changed" {
		t.Errorf("got %q, %v", got, err)
	}
	if root.Levels < 2 {
		t.Errorf("%d levels", root.Levels)
	}
	again := maps.Clone(p)
	if lay(t, p, root, 1<<30, nil); !maps.EqualFunc(p, again, bytes.Equal) {
		t.Error("a build without changes wrote packs")
	}
}

// TestHarmIsFound flips each byte of a small store: each read must fail or
// return the value.
func TestHarmIsFound(t *testing.T) {
	p := packs{}
	root := lay(t, p, nil, 1<<20, map[string][]byte{"a1": []byte("one"), "b2": []byte("two"), "x3": []byte("three")})
	wantRead := func(what string, at int, root *Root, err error) {
		for k, want := range map[string]string{"a1": "one", "b2": "two", "x3": "three", "b": ""} {
			var got []byte
			if err == nil {
				got, err = (&Reader{root, p}).Find(t.Context(), k)
			}
			if err != nil && !errors.Is(err, ErrDamaged) || err == nil && string(got) != want {
				t.Errorf("byte %d of %s changed: %s is %q, %v", at, what, k, got, err)
			}
		}
	}
	for key, sound := range maps.Clone(p) {
		for at := range sound {
			p[key] = bytes.Clone(sound)
			p[key][at] ^= 0x10
			wantRead("the pack", at, root, nil)
		}
		p[key] = sound
	}
	text := root.Append(nil)
	for at := range text {
		harmed := bytes.Clone(text)
		harmed[at] ^= 1
		changed, err := ParseRoot(harmed)
		wantRead("the root", at, changed, err)
	}
}

// TestHostilePages checks that reading pages and blobs that no writer makes
// always ends.
func TestHostilePages(t *testing.T) {
	rows := []Row{{"a", &Location{Pack: ID{1}, Offset: 5, Length: 7, Digest: ID{2}}}, {"ab", &Location{Offset: 9, Length: 1}}}
	page := appendPage(nil, rows)
	got, err := rowsOf(page, ID{3})
	if err != nil || len(got) != 2 || *got[0].At != *rows[0].At || got[1].At.Pack != (ID{3}) {
		t.Fatalf("%v, %v", got, err)
	}
	for at := range page {
		for _, b := range []byte{0, 1, 0x7f, 0x80, 0xff} {
			harmed := bytes.Clone(page)
			harmed[at] = b
			rowsOf(harmed, ID{}) //nolint:errcheck // must only end
			assert.Fails(t, assert.Err(rowsOf(harmed[:at], ID{})), "a page cut at %d is read", at)
		}
	}
	unsorted := appendPage(nil, []Row{{"b", rows[0].At}, {"c", rows[0].At}})
	unsorted[bytes.IndexByte(unsorted, 'c')] = 'a'
	assert.ErrorIs(t, assert.Err(rowsOf(unsorted, ID{})), ErrDamaged, "unsorted rows")
	for _, text := range []string{"", "\x05\x00abcd", "\x02\x00\x05a", "\xff\xff\xff\xff\xff\xff\xff\xff\x7f\x00"} {
		assert.ErrorIs(t, assert.Err(Values([]byte(text))), ErrDamaged, "%q is read as a blob", text)
	}
}

func TestWriterRefusesUnsortedValues(t *testing.T) {
	_, _, err := writerOf(t, packs{}, 100).Write(t.Context(), nil, func(do func(Change) error) error {
		return errors.Join(do(Change{Value: Value{Key: "a2"}}), do(Change{Value: Value{Key: "a1"}}))
	})
	if !errors.Is(err, errUnsorted) {
		t.Errorf("got %v", err)
	}
	_, _, err = writerOf(t, packs{}, 100).Write(t.Context(), nil, func(do func(Change) error) error {
		return do(Change{Value: Value{Key: "a1", Data: make([]byte, MaxBlob)}})
	})
	assert.ErrorIs(t, err, errTooLong, "a long value")
}

// TestKeysThatStartNoBlob writes many values of which none starts a blob, as
// someone who chooses keys can: blobs must stay small.
func TestKeysThatStartNoBlob(t *testing.T) {
	p, values := packs{}, map[string][]byte{}
	for i := 0; len(values) < 3*maxValues+1; i++ {
		if key := fmt.Sprintf("a%06d", i); !starts("a", key) {
			values[key] = []byte("value")
		}
	}
	if n := len(digests(t, p, lay(t, p, nil, 1<<20, values))); n != 4 {
		t.Errorf("%d blobs", n)
	}
}

// TestBlobsThatAreFull writes long values of which none starts a blob: a blob
// takes none after it has maxSize bytes.
func TestBlobsThatAreFull(t *testing.T) {
	p, values := packs{}, map[string][]byte{}
	for i := 0; len(values) < 10; i++ {
		if key := fmt.Sprintf("a%06d", i); !starts("a", key) {
			values[key] = make([]byte, maxSize/2)
		}
	}
	if n := len(digests(t, p, lay(t, p, nil, 1<<20, values))); n != 5 {
		t.Errorf("%d blobs", n)
	}
}

// TestSmallerPacks writes large packs and then, with a smaller pack size,
// changes one value: none of the large packs may be named any more.
func TestSmallerPacks(t *testing.T) {
	p, values := packs{}, map[string][]byte{}
	for i := range 3000 {
		values[fmt.Sprintf("a%05d", i)] = fmt.Appendf(nil, "value %d %x", i, staticindex.Hash(fmt.Sprint(i)))
	}
	root := lay(t, p, nil, 1<<20, values)
	root = lay(t, p, root, 2000, map[string][]byte{"a00001": []byte("changed")})
	for key, pack := range p {
		if len(pack) > 10_000 {
			t.Errorf("%s has %d bytes", key, len(pack))
		}
	}
	if root.PackSize != 2000 || len(p) < 10 {
		t.Errorf("%d packs of %d bytes", len(p), root.PackSize)
	}
}

// TestHalfOfAPack changes some of ten values that fill a pack: the pack must be
// kept as long as half of it is in use.
func TestHalfOfAPack(t *testing.T) {
	for changed, stays := range map[int]bool{3: true, 7: false} {
		p, values, changes := packs{}, map[string][]byte{}, map[string][]byte{}
		rnd := rand.New(rand.NewPCG(1, 2))
		noise := func() []byte {
			data := make([]byte, 1000)
			for i := range data {
				data[i] = byte(rnd.Uint32())
			}
			return data
		}
		for i := range 10 {
			key := fmt.Sprintf("x%d", i)
			values[key] = noise()
			if i < changed {
				changes[key] = noise()
			}
		}
		root := lay(t, p, nil, 1<<20, values)
		first := slices.Collect(maps.Keys(p))[0]
		root = lay(t, p, root, 1<<20, changes)
		lay(t, p, root, 1<<20, nil) // that counted what was in use before the change
		if (p[first] != nil) != stays {
			t.Errorf("%d of 10 values changed: the first pack is named: %v", changed, !stays)
		}
	}
}

// TestSmallPacksAreJoined makes many small changes and checks that there are
// few packs.
func TestSmallPacksAreJoined(t *testing.T) {
	p, values := packs{}, map[string][]byte{}
	for i := range 200 {
		values[fmt.Sprintf("x%03d", i)] = fmt.Appendf(nil, "%x", staticindex.Hash(fmt.Sprint(i)))
	}
	root := lay(t, p, nil, 1<<20, values)
	for i := range 60 {
		root = lay(t, p, root, 1<<20, map[string][]byte{fmt.Sprintf("x%03d", i): []byte("changed")})
		if len(p) > maxSmallPacks+2 {
			t.Fatalf("%d packs after %d changes", len(p), i+1)
		}
	}
}

// TestUnlistedPacks applies a change over packs that no list names: the new
// root must name none of them.
func TestUnlistedPacks(t *testing.T) {
	p := packs{}
	root := lay(t, p, nil, 1<<20, map[string][]byte{"x1": []byte("one"), "x2": []byte("two")})
	table, err := ReadTable(t.Context(), &Reader{root, p})
	must(t, err)
	w := writerOf(t, p, 1<<20)
	w.Published, w.Source, w.Size = table, p, func(ID) int64 { return 0 }
	_, named, err := w.Write(t.Context(), table.Rows, changesOf(map[string][]byte{"x1": []byte("other")}))
	must(t, err)
	for _, row := range table.Rows {
		if slices.Contains(named, row.At.Pack) {
			t.Errorf("%s is named", row.At.Pack)
		}
	}
}

// TestPagesAreBounded indexes keys of which none begins a page.
func TestPagesAreBounded(t *testing.T) {
	var rows []Row
	for i := 0; len(rows) < 2*maxRows+1; i++ {
		if key := fmt.Sprintf("x%06d", i); !endsBefore(0, key) {
			rows = append(rows, Row{key, &Location{}})
		}
	}
	pages := 0
	for part := range pagesOf(0, rows) {
		pages++
		if len(part) > maxRows {
			t.Errorf("a page of %d rows", len(part))
		}
	}
	if pages != 3 {
		t.Errorf("%d pages", pages)
	}
}

// TestForeignPages puts pages and blobs into places where they do not belong:
// walks must refuse them and end.
func TestForeignPages(t *testing.T) {
	p := packs{}
	put := func(data []byte) *Location {
		at := &Location{Pack: IDOf(data), Length: int64(len(data)), Digest: IDOf(data)}
		p[PackKey(at.Pack)] = data
		return at
	}
	z, err := flate.NewWriter(nil, 5)
	must(t, err)
	of := func(key string) *Location {
		return put(staticindex.AppendPacked(nil, appendText(nil, []Value{{key, []byte("1")}}), z))
	}
	blob := of("b")
	leaf := put(appendPage(nil, []Row{{"b", blob}}))
	walk := func(rows []Row, levels int64) error {
		r := &Reader{&Root{Top: appendPage(nil, rows), Levels: levels}, p}
		return r.EachValue(t.Context(), func(Value) error { return nil })
	}
	must(t, walk([]Row{{"b", leaf}}, 2))
	var same []Row
	for i := range maxRows {
		same = append(same, Row{fmt.Sprintf("b%04d", i), leaf})
	}
	for name, err := range map[string]error{
		"a page of other keys": walk([]Row{{"a", leaf}}, 2), "a page again and again": walk(append([]Row{{"b", leaf}}, same...)[:maxRows], 2),
		"a page beyond the next": walk([]Row{{"b", put(appendPage(nil, []Row{{"b", blob}, {"d", of("d")}}))}, {"c", put(appendPage(nil, []Row{{"c", of("c")}}))}}, 2), "a blob of other keys": walk([]Row{{"a", blob}}, 1),
	} {
		assert.ErrorIs(t, err, ErrDamaged, "%s", name)
	}
}

func TestParseRoot(t *testing.T) {
	root := Root{Facts: 3, Levels: 2, PackSize: 9, Top: []byte("page")}
	got, err := ParseRoot(root.Append(nil))
	if err != nil || !reflect.DeepEqual(*got, root) {
		t.Fatalf("%+v, %v", got, err)
	}
	for name, harm := range map[string]func(*Root){
		"no level": func(r *Root) { r.Levels = 0 }, "seven levels": func(r *Root) { r.Levels = MaxLevels + 1 },
		"no size": func(r *Root) { r.PackSize = 0 }, "a huge size": func(r *Root) { r.PackSize = maxPack + 1 },
	} {
		harmed := root
		harm(&harmed)
		assert.ErrorIs(t, assert.Err(ParseRoot(harmed.Append(nil))), ErrDamaged, "%s", name)
	}
	for part, other := range map[string]string{"cGFnZQ": "dGFnZQ", `"cGFnZQ"`: `"!"`, IDOf(root.Top).String(): "04"} {
		assert.ErrorIs(t, assert.Err(ParseRoot(bytes.Replace(root.Append(nil), []byte(part), []byte(other), 1))), ErrDamaged, "%s in place of %s", other, part)
	}
}

// TestFolder reads blobs of a folder, among them missing and incomplete ones.
func TestFolder(t *testing.T) {
	dir := t.TempDir()
	pack := []byte("before the blob after")
	at := Location{Pack: IDOf(pack), Offset: 7, Length: 8, Digest: IDOf([]byte("the blob"))}
	path := filepath.Join(dir, filepath.FromSlash(PackKey(at.Pack)))
	must(t, os.MkdirAll(filepath.Dir(path), 0o755))
	must(t, os.WriteFile(path, pack, 0o600))
	if got, err := Folder(dir).ReadBlob(t.Context(), at); err != nil || string(got) != "the blob" {
		t.Errorf("got %q, %v", got, err)
	}
	for name, c := range map[string]struct {
		harm func(at *Location)
		want error
	}{
		"another digest": {func(at *Location) { at.Digest = ID{} }, ErrDamaged}, "beyond the end": {func(at *Location) { at.Length = 100 }, ErrDamaged},
		"before the beginning": {func(at *Location) { at.Offset = -1 }, ErrDamaged}, "another pack": {func(at *Location) { at.Pack = ID{} }, fs.ErrNotExist},
	} {
		harmed := at
		c.harm(&harmed)
		if got, err := Folder(dir).ReadBlob(t.Context(), harmed); !errors.Is(err, c.want) {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	must(t, os.Symlink("loop", filepath.Join(dir, "loop")))
	if got, err := Folder(dir).Read(t.Context(), "loop"); err == nil || errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file that cannot be read: %q, %v", got, err)
	}
	for _, key := range []string{"missing", "_packs", "../x", "", PackKey(at.Pack) + "/x", strings.Repeat("x", 5000)} {
		if got, err := Folder(dir).Read(t.Context(), key); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%q: %q, %v", key, got, err)
		}
	}
}
