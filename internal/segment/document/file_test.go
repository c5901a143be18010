package document

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"colophon/internal/segment"
	"colophon/internal/segment/entryfacts"
	"colophon/internal/staticindex"
)

func TestFileValues(t *testing.T) {
	value := AppendFile([]byte("before"), "a/b.html", []byte("<p>"))
	if got, want := string(value), "before\x80\x08a/b.html<p>"; got != want {
		t.Fatalf("value %q, want %q", got, want)
	}
	name, data, err := ParseFile(value[len("before"):])
	if err != nil || name != "a/b.html" || string(data) != "<p>" {
		t.Errorf("got %q, %q, %v", name, data, err)
	}
	if _, data, err := ParseFile(AppendFile(nil, "empty", nil)); err != nil || len(data) != 0 {
		t.Errorf("an empty file is %q, %v", data, err)
	}
	for _, damaged := range []string{"", "\x80", "\x80\x05abcd", "\x80\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", "\x00\x01a"} {
		if name, data, err := ParseFile([]byte(damaged)); !errors.Is(err, segment.ErrDamaged) {
			t.Errorf("%q is read as %q, %q, %v", damaged, name, data, err)
		}
	}
}

// TestFactsAreNoFiles holds that the two kinds of values are told apart.
func TestFactsAreNoFiles(t *testing.T) {
	share := func([]byte) entryfacts.FactRef { return entryfacts.FactRef{} }
	facts := entryfacts.AppendEntryFacts(nil, signed("ent_a", 1), share)
	if IsFile(facts) {
		t.Error("facts are taken for a file")
	}
	for _, file := range [][]byte{AppendFile(nil, "a", []byte("b")), AppendCompressedFile(nil, "a", make([]byte, 1000), deflater(t))} {
		if !IsFile(file) {
			t.Errorf("%q is not taken for a file", file)
		}
		if _, err := entryfacts.ParseEntryFacts(file); err == nil {
			t.Errorf("%q is taken for facts", file)
		}
	}
}

func deflater(t *testing.T) *flate.Writer {
	z, err := flate.NewWriter(nil, flate.DefaultCompression)
	if err != nil {
		t.Fatal(err)
	}
	return z
}

// TestCompressedFileValue holds the form of a compressed file: a packed text after
// the name.
func TestCompressedFileValue(t *testing.T) {
	data := bytes.Repeat([]byte("<p>tide</p>"), 100)
	value := AppendCompressedFile([]byte("before"), "a/b.html", data, deflater(t))
	rest, ok := bytes.CutPrefix(value, []byte("before\x81\x08a/b.html\xcc\x08")) // 1,100 bytes
	if !ok {
		t.Fatalf("value %q", value)
	}
	size, n := binary.Uvarint(rest)
	if n <= 0 || int(size) != len(rest)-n {
		t.Errorf("a length of %d before %d bytes", size, len(rest)-n)
	}
	name, got, err := ParseFile(value[len("before"):])
	if err != nil || name != "a/b.html" || !bytes.Equal(got, data) {
		t.Errorf("got %q, %d bytes, %v", name, len(got), err)
	}
}

// TestFilesThatHardlyShrink holds that what saves less than a tenth stands as it is.
func TestFilesThatHardlyShrink(t *testing.T) {
	random := make([]byte, 20_000)
	rand.NewChaCha8([32]byte{1}).Read(random)
	for _, c := range []struct {
		zeroes     int // of 20,000 bytes; the others do not shrink
		compressed bool
	}{{0, false}, {1500, false}, {2500, true}, {20_000, true}} {
		data := append(make([]byte, c.zeroes), random[c.zeroes:]...)
		value := AppendCompressedFile(nil, "a", data, deflater(t))
		if got := value[0] == compressedFileMark; got != c.compressed {
			t.Errorf("%d zeroes: compressed %t", c.zeroes, got)
		}
		if _, got, err := ParseFile(value); err != nil || !bytes.Equal(got, data) {
			t.Errorf("%d zeroes: read as %d bytes, %v", c.zeroes, len(got), err)
		}
	}
	for _, small := range []string{"", "a", "aaaaaaaa"} {
		if got, want := AppendCompressedFile(nil, "a", []byte(small), deflater(t)), AppendFile(nil, "a", []byte(small)); !bytes.Equal(got, want) {
			t.Errorf("%q is %q, want %q", small, got, want)
		}
	}
	large := make([]byte, maxCompressed+1)
	if got := AppendCompressedFile(nil, "a", large, deflater(t)); got[0] != fileMark {
		t.Error("a file above the bound is compressed, and could not be read")
	}
	if _, got, err := ParseFile(AppendCompressedFile(nil, "a", large[1:], deflater(t))); err != nil || len(got) != maxCompressed {
		t.Errorf("a file at the bound is read as %d bytes, %v", len(got), err)
	}
}

// TestCompressedFilesOfGo takes the files of Go's standard library.
func TestCompressedFilesOfGo(t *testing.T) {
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	z, files, saved := deflater(t), 0, 0
	for _, folder := range []string{"net/http", "html", "encoding", "time"} {
		root := filepath.Join(strings.TrimSpace(string(goroot)), "src", filepath.FromSlash(folder))
		err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || !entry.Type().IsRegular() {
				return err
			}
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			value := AppendCompressedFile(nil, path, data, z)
			name, got, err := ParseFile(value)
			if err != nil || name != path || !bytes.Equal(got, data) {
				t.Errorf("%s: read as %q, %d bytes, %v", path, name, len(got), err)
			}
			files++
			saved += len(AppendFile(nil, path, data)) - len(value)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if files < 200 || saved < 1<<20 {
		t.Errorf("%d files, %d bytes saved", files, saved)
	}
}

// TestDamagedCompressedFiles holds that no part of a file is ever given for the
// whole, and that nobody can ask for more memory than a file may have.
func TestDamagedCompressedFiles(t *testing.T) {
	data := bytes.Repeat([]byte("tide tables of the harbour "), 400)
	whole := AppendCompressedFile(nil, "a", data, deflater(t))
	for n := range len(whole) {
		if _, got, err := ParseFile(whole[:n]); !errors.Is(err, segment.ErrDamaged) {
			t.Fatalf("the first %d of %d bytes are read as %d bytes, %v", n, len(whole), len(got), err)
		}
	}
	if _, _, err := ParseFile(append(bytes.Clone(whole), 0)); !errors.Is(err, segment.ErrDamaged) {
		t.Errorf("a byte after it: %v", err)
	}
	stream := whole[len("\x81\x01a")+2:]
	_, n := binary.Uvarint(stream)
	stream = stream[n:]
	for _, size := range []int{0, 1, len(data) - 1, len(data) + 1, maxCompressed, maxCompressed + 1, 1 << 40} {
		value := staticindex.AppendUint([]byte("\x81\x01a"), size)
		value = append(staticindex.AppendUint(value, len(stream)), stream...)
		if _, got, err := ParseFile(value); !errors.Is(err, segment.ErrDamaged) {
			t.Errorf("a size of %d before %d bytes: read as %d bytes, %v", size, len(data), len(got), err)
		}
	}
}

func FuzzParseFile(f *testing.F) {
	z, _ := flate.NewWriter(nil, flate.BestSpeed) // the level is valid
	f.Add(AppendFile(nil, "a/b.html", []byte("<p>")))
	f.Add(AppendCompressedFile(nil, "a/b.html", bytes.Repeat([]byte("<p>"), 100), z))
	f.Fuzz(func(t *testing.T, value []byte) {
		name, data, err := ParseFile(value)
		if err != nil {
			if name != "" || data != nil || !errors.Is(err, segment.ErrDamaged) {
				t.Errorf("%q, %d bytes with %v", name, len(data), err)
			}
			return
		}
		if again, got, err := ParseFile(AppendCompressedFile(nil, name, data, z)); err != nil || again != name || !bytes.Equal(got, data) {
			t.Errorf("%q, %d bytes are read as %q, %d bytes, %v", name, len(data), again, len(got), err)
		}
	})
}
