package segment

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"slices"
	"testing"
)

// files is a source in memory.
type files struct {
	data  map[string][]byte
	reads int
}

func newFiles() *files { return &files{data: map[string][]byte{}} }

func (f *files) put(key string, data []byte) error {
	f.data[key] = slices.Clone(data)
	return nil
}

func (f *files) Read(_ context.Context, key string) ([]byte, error) {
	f.reads++
	data, ok := f.data[key]
	if !ok {
		return nil, fs.ErrNotExist
	}
	return data, nil
}

// ranged also reads parts.
type ranged struct{ *files }

func (f ranged) ReadRange(_ context.Context, key string, offset, length int64) ([]byte, error) {
	f.reads++
	data, ok := f.data[key]
	if !ok {
		return nil, fs.ErrNotExist
	}
	if offset < 0 || offset+length > int64(len(data)) {
		return nil, errors.New("range not satisfiable")
	}
	return data[offset : offset+length], nil
}

func sortValues(list []Value) []Value {
	slices.SortFunc(list, func(a, b Value) int { return a.Key.Compare(b.Key) })
	return list
}

// randomValues makes n values; some are empty.
func randomValues(r *rand.Rand, n int) []Value {
	var out []Value
	for i := range n {
		data := bytes.Repeat([]byte{byte(i)}, r.IntN(900))
		out = append(out, Value{Key: KeyOf(fmt.Sprint("name ", i)), Data: data})
	}
	return sortValues(out)
}

func writeSegment(t testing.TB, p Profile, values []Value, f *files) Segment {
	t.Helper()
	s, err := Write(t.Context(), p, int64(len(values)), Size(values), SlicesOf(values), f.put)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestEveryValueIsFound(t *testing.T) {
	for _, n := range []int{0, 1, 5, 300, 9000} {
		for _, profile := range []Profile{Pages, Packs} {
			t.Run(fmt.Sprint(profile, n), func(t *testing.T) {
				f := newFiles()
				values := randomValues(rand.New(rand.NewPCG(1, uint64(n))), n)
				s := writeSegment(t, profile, values, f)
				root, err := ParseRoot((&Root{Profile: profile, Layers: []Layer{{Entries: s}}}).Append(nil))
				if err != nil {
					t.Fatal(err)
				}
				r := &Reader{Root: root, Source: ranged{f}}
				for _, v := range values {
					f.reads = 0
					got, err := r.Entry(t.Context(), v.Key)
					if err != nil || got == nil || !bytes.Equal(got, v.Data) {
						t.Fatalf("found %q, %v; want %d bytes", got, err, len(v.Data))
					}
					if f.reads > 3 {
						t.Fatalf("%d reads for one entry", f.reads)
					}
				}
				for i := range 100 {
					got, err := r.Entry(t.Context(), KeyOf(fmt.Sprint("absent ", i)))
					if err != nil || got != nil {
						t.Fatalf("found %q, %v for a name that was not stored", got, err)
					}
				}
				if n == 9000 && profile == Pages && len(s.Directories) == 0 {
					t.Error("a segment of many pages has no directory")
				}
			})
		}
	}
}

// TestLayers lays random deltas over a base and compares every look-up with a
// map that had the same changes.
func TestLayers(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	f := newFiles()
	base := randomValues(r, 2000)
	truth := map[Key][]byte{}
	for _, v := range base {
		truth[v.Key] = v.Data
	}
	layers := []Layer{{Entries: writeSegment(t, Pages, base, f)}}
	var changed []Key
	for round := range 4 {
		var delta []Value
		for i := range 60 {
			key := base[r.IntN(len(base))].Key
			if i%5 == 0 {
				key = KeyOf(fmt.Sprint("new ", round, i))
			}
			data := []byte(fmt.Sprint("round ", round))
			if i%3 == 0 {
				data = nil
			}
			delta = append(delta, Value{key, data})
		}
		delta = sortValues(delta)
		delta = slices.CompactFunc(delta, func(a, b Value) bool { return a.Key == b.Key })
		for _, v := range delta {
			truth[v.Key] = v.Data
			changed = append(changed, v.Key)
		}
		layers = append([]Layer{{Entries: writeSegment(t, Pages, delta, f)}}, layers...)
	}
	root, err := ParseRoot((&Root{Profile: Pages, Layers: layers, Filter: NewFilter(changed)}).Append(nil))
	if err != nil {
		t.Fatal(err)
	}
	reader := &Reader{Root: root, Source: f}
	alive := 0
	for key, want := range truth {
		got, err := reader.Entry(t.Context(), key)
		if err != nil || !bytes.Equal(got, want) || (got == nil) != (want == nil) {
			t.Fatalf("found %q, %v; want %q", got, err, want)
		}
		if want != nil {
			alive++
		}
	}

	var all []Value
	for first := range 256 {
		part, err := reader.Slice(t.Context(), byte(first))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, part...)
	}
	if len(all) != alive || !slices.IsSortedFunc(all, func(a, b Value) int { return a.Key.Compare(b.Key) }) {
		t.Errorf("the slices have %d values, want %d by key", len(all), alive)
	}
	for _, v := range all {
		if !bytes.Equal(truth[v.Key], v.Data) {
			t.Fatal("a slice has an old value")
		}
	}
}

func TestDiffRebuildsCurrent(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 9))
	for range 200 {
		pick := func() (out []Value) {
			for i := range 30 {
				if r.IntN(2) == 0 {
					out = append(out, Value{KeyOf(fmt.Sprint(i)), []byte{byte(r.IntN(3))}})
				}
			}
			return sortValues(out)
		}
		old, current := pick(), pick()
		delta := Diff(old, current)
		got := dropTombstones(Merge(delta, old))
		same := func(a, b Value) bool { return a.Key == b.Key && bytes.Equal(a.Data, b.Data) }
		if !slices.EqualFunc(got, current, same) {
			t.Fatalf("delta over old is %v, want %v", got, current)
		}
		if len(Diff(current, current)) != 0 {
			t.Fatal("equal lists differ")
		}
	}
}

// TestSharedItemsAreVerified puts another item under a key.
func TestSharedItemsAreVerified(t *testing.T) {
	item := []byte("a fact of many")
	for _, tc := range []struct {
		name string
		data []byte
		want error
	}{
		{"true", item, nil},
		{"false", []byte("another fact"), ErrDamaged},
	} {
		t.Run(tc.name, func(t *testing.T) {
			f := newFiles()
			s := writeSegment(t, Packs, []Value{{KeyOf(string(item)), tc.data}}, f)
			s.Bytes = packTarget // as if it were large
			r := &Reader{Root: &Root{Profile: Packs, Layers: []Layer{{Shared: s}}}, Source: ranged{f}}
			got, err := r.Shared(t.Context(), KeyOf(string(item)))
			if !errors.Is(err, tc.want) || err == nil && !bytes.Equal(got, item) {
				t.Errorf("got %q, %v; want %v", got, err, tc.want)
			}
		})
	}
}

func TestPacksNeedRanges(t *testing.T) {
	f := newFiles()
	s := writeSegment(t, Packs, randomValues(rand.New(rand.NewPCG(1, 1)), 10), f)
	s.Bytes = packTarget // as if it were large
	r := &Reader{Root: &Root{Profile: Packs, Layers: []Layer{{Entries: s}}}, Source: f}
	if _, err := r.Entry(t.Context(), KeyOf("name 1")); !errors.Is(err, ErrNoRange) {
		t.Errorf("got %v, want ErrNoRange", err)
	}
}

// TestDamageIsSeen changes single bytes of objects that are read whole.
func TestDamageIsSeen(t *testing.T) {
	f := newFiles()
	values := randomValues(rand.New(rand.NewPCG(2, 2)), 20)
	s := writeSegment(t, Pages, values, f)
	key := ObjectKey(s.Objects[0])
	for at := range f.data[key] {
		f.data[key][at] ^= 1
		r := &Reader{Root: &Root{Profile: Pages, Layers: []Layer{{Entries: s}}}, Source: f}
		if _, err := r.Entry(t.Context(), values[0].Key); !errors.Is(err, ErrDamaged) {
			t.Fatalf("byte %d: got %v, want ErrDamaged", at, err)
		}
		f.data[key][at] ^= 1
	}
}

func TestFilter(t *testing.T) {
	var keys []Key
	for i := range 1000 {
		keys = append(keys, KeyOf(fmt.Sprint(i)))
	}
	f := NewFilter(keys)
	for _, k := range keys {
		if !f.MayHave(k) {
			t.Fatal("the filter denies a key that it was made of")
		}
	}
	wrong := 0
	for i := range 10_000 {
		if f.MayHave(KeyOf(fmt.Sprint("other ", i))) {
			wrong++
		}
	}
	if wrong > 300 { // 1.2 % are expected of ten bits a key and four hashes
		t.Errorf("%d of 10,000 other keys pass", wrong)
	}
	if NewFilter(nil).MayHave(keys[0]) {
		t.Error("an empty filter has a key")
	}
}

func TestRootIsChecked(t *testing.T) {
	f := newFiles()
	s := writeSegment(t, Pages, randomValues(rand.New(rand.NewPCG(1, 1)), 300), f)
	ok := Root{Profile: Pages, Layers: []Layer{{Entries: s}}}
	if _, err := ParseRoot(ok.Append(nil)); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*Root){
		"no layer":         func(r *Root) { r.Layers = nil },
		"too many layers":  func(r *Root) { r.Layers = make([]Layer, MaxLayers+1) },
		"a missing object": func(r *Root) { r.Layers[0].Entries.Objects = s.Objects[1:] },
		"a shape too deep": func(r *Root) { r.Layers[0].Entries.PrefixBits = MaxPrefixBits + 1 },
		"another profile":  func(r *Root) { r.Profile = "tar" },
		"both":             func(r *Root) { r.Layers[0].Entries.Directories = s.Objects[:1] },
	} {
		t.Run(name, func(t *testing.T) {
			r := Root{Profile: Pages, Layers: []Layer{{Entries: s}}}
			change(&r)
			if _, err := ParseRoot(r.Append(nil)); !errors.Is(err, ErrDamaged) {
				t.Errorf("got %v, want ErrDamaged", err)
			}
		})
	}
}

// TestHostileObjects harms an object in every byte, cuts it anywhere, and gives
// lengths that no object has: reading ends with an answer or ErrDamaged.
func TestHostileObjects(t *testing.T) {
	store := newFiles()
	values := randomValues(rand.New(rand.NewPCG(6, 6)), 6)
	s := writeSegment(t, Pages, values, store)
	sound := store.data[ObjectKey(s.Objects[0])]
	check := func(object []byte) {
		t.Helper()
		if _, err := Values(object, s.Shape, 0); err != nil && !errors.Is(err, ErrDamaged) {
			t.Fatal(err)
		}
		for _, v := range values {
			data, _, err := FindInObject(object, s.Shape, v.Key)
			if err != nil && !errors.Is(err, ErrDamaged) || len(data) > len(object) {
				t.Fatal(err)
			}
		}
	}
	for at := range sound {
		check(sound[:at:at])
		for _, b := range []byte{0, 0x7f, 0x80, 0xff} {
			harmed := slices.Clone(sound)
			harmed[at] = b
			check(harmed)
		}
	}

	halves := Shape{BucketBits: 1}
	misplaced, err := AppendObject(nil, halves, 0, []Value{{Key{0x80}, []byte("x")}})
	if err != nil {
		t.Fatal(err)
	}
	misplaced[halves.tableEnd()] = 0 // a key of the first bucket in the second
	if _, err := Values(misplaced, halves, 0); !errors.Is(err, ErrDamaged) {
		t.Errorf("a key in another bucket: %v", err)
	}

	for _, length := range []uint64{MaxValue + 2, 1 << 31, 1 << 63, 1<<64 - 1} {
		bucket := binary.AppendUvarint(slices.Clone(values[0].Key[:]), length)
		if _, _, err := findInBucket(append(bucket, "some bytes"...), values[0].Key); !errors.Is(err, ErrDamaged) {
			t.Errorf("a value of %d bytes: %v", length, err)
		}
	}
}

func FuzzObject(f *testing.F) {
	store := newFiles()
	s := writeSegment(f, Pages, randomValues(rand.New(rand.NewPCG(5, 5)), 40), store)
	f.Add(store.data[ObjectKey(s.Objects[0])], byte(s.PrefixBits), byte(s.BucketBits), []byte("key of sixteen b"))
	f.Add([]byte("CSG1"), byte(0), byte(0), []byte{})
	f.Fuzz(func(t *testing.T, object []byte, prefix, bucket byte, name []byte) {
		shape := Shape{PrefixBits: int(prefix), BucketBits: int(bucket)}
		var k Key
		copy(k[:], name)
		data, found, err := FindInObject(object, shape, k)
		if err != nil && found || len(data) > len(object) {
			t.Fatal("an error that found something, or more than there is")
		}
		list, err := Values(object, shape, shape.ObjectOf(k))
		if err != nil {
			return
		}
		again, err := AppendObject(nil, shape, shape.ObjectOf(k), list)
		if err != nil {
			t.Fatalf("a sound object cannot be written again: %v", err)
		}
		if shape2, err := Values(again, shape, shape.ObjectOf(k)); err != nil || len(shape2) != len(list) {
			t.Fatal("written again it has other values")
		}
		for _, v := range list {
			if data, found, err := FindInObject(object, shape, v.Key); err != nil || !found || !bytes.Equal(data, v.Data) {
				t.Fatal("a value that is listed is not found")
			}
		}
	})
}

func FuzzRoot(f *testing.F) {
	f.Add((&Root{Profile: Pages, Layers: []Layer{{}}}).Append(nil), []byte("CSD1"))
	f.Fuzz(func(t *testing.T, root, file []byte) {
		InDirectory(file, 5000) //nolint:errcheck // must only not panic
		r, err := ParseRoot(root)
		if err != nil {
			return
		}
		source := everyFile(file)
		reader := &Reader{Root: r, Source: source}
		reader.Entry(context.Background(), KeyOf("a"))  //nolint:errcheck
		reader.Shared(context.Background(), KeyOf("a")) //nolint:errcheck
	})
}

// everyFile answers every key with the same bytes.
type everyFile []byte

func (f everyFile) Read(context.Context, string) ([]byte, error) { return f, nil }

func (f everyFile) ReadRange(_ context.Context, _ string, offset, length int64) ([]byte, error) {
	if offset > int64(len(f)) || length > int64(len(f))-offset {
		return nil, fs.ErrNotExist
	}
	return f[offset : offset+length], nil
}

const kib, mib = 1 << 10, 1 << 20

// countOfSize says how many objects a segment of so many bytes has.
type countOfSize struct {
	profile Profile
	size    int64
	objects int
}

// wantObjects holds how segments of a thousand values are cut.
func wantObjects(t *testing.T, choose func(p Profile, count, size int64) Shape, cases []countOfSize) {
	t.Helper()
	for _, c := range cases {
		if got := choose(c.profile, 1000, c.size).Objects(); got != c.objects {
			t.Errorf("%s of %d bytes: %d objects, want %d", c.profile, c.size, got, c.objects)
		}
	}
}

func TestChooseShape(t *testing.T) {
	wantObjects(t, ChooseShape, []countOfSize{
		{Pages, 0, 1}, {Pages, 96 * kib, 1}, {Pages, 96*kib + 1, 2}, {Pages, 8192 * 96 * kib, 8192},
		{Pages, 8192 * 200 * kib, 8192}, {Pages, 8192*256*kib + 8192, 16384},
		{Packs, 48 * mib, 1}, {Packs, 49 * mib, 2},
	})
}

func TestChooseFileShape(t *testing.T) {
	cases := []countOfSize{
		{Pages, 0, 1}, {Pages, 256 * kib, 1}, {Pages, 256*kib + 1, 2}, {Pages, 4096 * 256 * kib, 4096},
		{Pages, 4096*256*kib + 4096, 8192},
		{Packs, 48 * mib, 1}, {Packs, 49 * mib, 2},
	}
	wantObjects(t, ChooseFileShape, cases)
	for _, c := range cases {
		for _, count := range []int64{1, 700, 3800, 39000} {
			s := ChooseFileShape(c.profile, count, c.size)
			if buckets := int64(s.Objects() * s.countBuckets()); buckets < 2*count || s.BucketBits > 0 && buckets > 4*count {
				t.Errorf("%s of %d files: %d buckets", c.profile, count, buckets)
			}
		}
	}
}
