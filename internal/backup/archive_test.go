package backup

import (
	"archive/tar"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"filippo.io/age"
	"github.com/klauspost/compress/zstd"

	"colophon/internal/assert"
	"colophon/internal/origin"
)

var must = assert.NoError

// entry is an entry of a forged archive.
type entry struct {
	name, text string
	link       string // target of a symbolic link
}

// forge makes an archive as anyone can who knows the recipient.
func forge(t *testing.T, to age.Recipient, entries []entry) []byte {
	t.Helper()
	var out bytes.Buffer
	sealed, err := age.Encrypt(&out, to)
	must(t, err)
	packed, err := zstd.NewWriter(sealed)
	must(t, err)
	w := tar.NewWriter(packed)
	for _, e := range entries {
		head := &tar.Header{Typeflag: tar.TypeReg, Name: e.name, Size: int64(len(e.text)), Mode: 0o600}
		if e.link != "" {
			head.Typeflag, head.Linkname = tar.TypeSymlink, e.link
		}
		must(t, w.WriteHeader(head))
		must(t, assert.Err(w.Write([]byte(e.text))))
	}
	for _, close := range []func() error{w.Close, packed.Close, sealed.Close} {
		must(t, close())
	}
	return out.Bytes()
}

func fileOf(path, text string) File {
	sum := sha256.Sum256([]byte(text))
	return File{Path: path, Size: int64(len(text)), SHA256: hex.EncodeToString(sum[:])}
}

// TestForgedArchives reads archives that are well-formed and encrypted to the
// right key, but differ from their manifest.
func TestForgedArchives(t *testing.T) {
	id, err := age.GenerateX25519Identity()
	must(t, err)
	good := Manifest{Format: Format, ID: "20260301T100000Z-00000000", Files: []File{fileOf("secret", "one"), fileOf("keys/a.json", "two")}}
	inner := func(m Manifest) entry { return entry{name: manifestName, text: string(m.innerCopy().encodeJSON())} }
	other := good
	other.BaseURL = "https://other.example"
	outside := good
	outside.Files = []File{fileOf("../secret", "one")}
	for _, tc := range []struct {
		name     string
		manifest Manifest
		entries  []entry
		other    bool // the manifest has the digest of another archive
		ok       bool
	}{
		{name: "as it should be", manifest: good, entries: []entry{{name: "secret", text: "one"}, {name: "keys/a.json", text: "two"}, inner(good)}, ok: true},
		{name: "sealed again", manifest: good, entries: []entry{{name: "secret", text: "one"}, {name: "keys/a.json", text: "two"}, inner(good)}, other: true},
		{name: "another text", manifest: good, entries: []entry{{name: "secret", text: "eno"}, {name: "keys/a.json", text: "two"}, inner(good)}},
		{name: "a file too few", manifest: good, entries: []entry{{name: "secret", text: "one"}, inner(good)}},
		{name: "a file too many", manifest: good, entries: []entry{{name: "secret", text: "one"}, {name: "keys/a.json", text: "two"}, {name: "keys/b.json", text: "x"}, inner(good)}},
		{name: "in another order", manifest: good, entries: []entry{{name: "keys/a.json", text: "two"}, {name: "secret", text: "one"}, inner(good)}},
		{name: "a link", manifest: good, entries: []entry{{name: "secret", link: "/etc/passwd"}, {name: "keys/a.json", text: "two"}, inner(good)}},
		{name: "no manifest", manifest: good, entries: []entry{{name: "secret", text: "one"}, {name: "keys/a.json", text: "two"}}},
		{name: "another manifest", manifest: good, entries: []entry{{name: "secret", text: "one"}, {name: "keys/a.json", text: "two"}, inner(other)}},
		{name: "a path outside", manifest: outside, entries: []entry{{name: "../secret", text: "one"}, inner(outside)}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			data := forge(t, id.Recipient(), tc.entries)
			m := tc.manifest
			archive := fileOf(archiveName, string(data))
			if tc.other {
				archive = fileOf(archiveName, "another")
			}
			m.Archive = &archive
			dir := filepath.Join(t.TempDir(), "staging")
			must(t, os.Mkdir(dir, 0o700))
			parsed, err := parseManifest(m.encodeJSON())
			if err == nil {
				err = readArchive(bytes.NewReader(data), dir, parsed, []age.Identity{id})
			}
			if tc.ok != (err == nil) || err != nil && !errors.Is(err, ErrDamaged) {
				t.Errorf("error %v", err)
			}
			assert.Fails(t, assert.Err(os.Stat(filepath.Join(dir, "..", "secret"))), "a file was written outside the folder")
		})
	}
}

func TestAllowedPaths(t *testing.T) {
	for path, want := range map[string]bool{
		"colophon.toml": true, "secret": true, "origin.db": true, "keys/a.json": true, "keys/ledger/a.json": true, "seen/x.txt": true,
		"": false, ".": false, "..": false, "/secret": false, "keys": false, "keys/": false, "keys/../secret": false, "../secret": false,
		"keys/.a": false, "keys/ledger/x/y": false, "origin.db-wal": false, "dist/index.html": false, `keys\a`: false, "keys/a\x00": false,
	} {
		assert.Equal(t, isAllowedPath(path), want, "%q", path)
	}
}

// TestDamageOf checks that an error of a failing disk is not taken for damage
// of the data on it.
func TestDamageOf(t *testing.T) {
	for text, want := range map[string]error{
		"unable to open database file (14)":     origin.ErrUnavailable,
		"database or disk is full (13)":         origin.ErrUnavailable,
		"database is locked (5)":                origin.ErrUnavailable,
		"database disk image is malformed (11)": ErrDamaged,
		"file is not a database (26)":           ErrDamaged,
		"no such table: ledger_leaves":          ErrDamaged,
	} {
		got := damageOf(ErrDamaged, errors.New(text))
		if !errors.Is(got, want) || errors.Is(got, ErrDamaged) != (want == ErrDamaged) {
			t.Errorf("%s: %v", text, got)
		}
	}
}
