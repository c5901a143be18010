package backup

import (
	"archive/tar"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"filippo.io/age"
	"github.com/klauspost/compress/zstd"
)

// maxManifest bounds the copy of the manifest inside an archive.
const maxManifest = 1 << 20

// meter counts and digests what passes.
type meter struct {
	size int64
	hash hash.Hash
}

func newMeter() *meter { return &meter{hash: sha256.New()} }

func (m *meter) Write(p []byte) (int, error) {
	m.size += int64(len(p))
	return m.hash.Write(p)
}

func (m *meter) progressFile(path string) File {
	return File{Path: path, Size: m.size, SHA256: hex.EncodeToString(m.hash.Sum(nil))}
}

// input is a file that goes into an archive: a path on disk, or bytes.
type input struct {
	path string // inside the archive
	from string // on disk, "" for data
	data []byte
}

// writeArchive writes the files, and m with their digests as the last entry. It
// returns m with the files, and m.Archive describing what was written.
func writeArchive(w io.Writer, inputs []input, m Manifest, to []age.Recipient) (Manifest, error) {
	written := newMeter()
	sealed, err := age.Encrypt(io.MultiWriter(w, written), to...)
	if err != nil {
		return m, err
	}
	packed, err := zstd.NewWriter(sealed, zstd.WithEncoderConcurrency(1))
	if err != nil {
		return m, err
	}
	out := tar.NewWriter(packed)
	stamp, err := time.Parse(time.RFC3339, m.CreatedAt)
	if err != nil {
		return m, err
	}
	for _, in := range inputs {
		f, err := in.writeTo(out, stamp)
		if err != nil {
			return m, fmt.Errorf("cannot archive %s: %w", in.path, err)
		}
		m.Files = append(m.Files, f)
	}
	last := input{path: manifestName, data: m.innerCopy().encodeJSON()}
	if _, err := last.writeTo(out, stamp); err != nil {
		return m, err
	}
	for _, c := range []io.Closer{out, packed, sealed} {
		if err := c.Close(); err != nil {
			return m, err
		}
	}
	archive := written.progressFile(archiveName)
	m.Archive = &archive
	return m, nil
}

func (in input) writeTo(out *tar.Writer, stamp time.Time) (File, error) {
	var from io.Reader = bytes.NewReader(in.data)
	size := int64(len(in.data))
	if in.from != "" {
		f, err := os.Open(in.from)
		if err != nil {
			return File{}, err
		}
		defer f.Close()
		info, err := f.Stat()
		if err != nil {
			return File{}, err
		}
		from, size = f, info.Size()
	}
	head := &tar.Header{Typeflag: tar.TypeReg, Name: in.path, Size: size, Mode: 0o600, ModTime: stamp, Format: tar.FormatPAX}
	if err := out.WriteHeader(head); err != nil {
		return File{}, err
	}
	digest := newMeter()
	if _, err := io.Copy(io.MultiWriter(out, digest), from); err != nil {
		return File{}, err
	}
	return digest.progressFile(in.path), nil
}

// readArchive decrypts an archive into the folder dir, which must be empty, and
// checks every byte against m. The files are on disk when it returns nil. Its
// errors wrap ErrKey or ErrDamaged.
func readArchive(r io.Reader, dir string, m Manifest, ids []age.Identity) error {
	if m.Archive == nil {
		return fmt.Errorf("%w: its manifest does not describe the archive", ErrDamaged)
	}
	read := newMeter()
	raw := io.TeeReader(r, read)
	opened, err := age.Decrypt(raw, ids...)
	if err != nil {
		var none *age.NoIdentityMatchError
		if errors.As(err, &none) {
			return fmt.Errorf("%w: it is encrypted to another key or passphrase", ErrKey)
		}
		return fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	if err := extractArchive(opened, dir, m); err != nil {
		return err
	}
	if _, err := io.Copy(io.Discard, raw); err != nil {
		return fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	if read.progressFile(archiveName) != *m.Archive {
		return fmt.Errorf("%w: the archive is not the one of its manifest", ErrDamaged)
	}
	return nil
}

// extractArchive writes the entries of a compressed tar that m lists, and nothing
// else.
func extractArchive(r io.Reader, dir string, m Manifest) error {
	unpacked, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(64<<20))
	if err != nil {
		return fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	defer unpacked.Close()

	in := tar.NewReader(unpacked)
	seen := 0
	for {
		head, err := in.Next()
		if err != nil {
			return fmt.Errorf("%w: it ends before its manifest: %w", ErrDamaged, err)
		}
		if head.Name == manifestName {
			break
		}
		if seen >= len(m.Files) || head.Typeflag != tar.TypeReg || head.Name != m.Files[seen].Path || head.Size != m.Files[seen].Size {
			return fmt.Errorf("%w: the file %q in it is not in its manifest", ErrDamaged, head.Name)
		}
		if err := extractFile(in, filepath.Join(dir, filepath.FromSlash(head.Name)), m.Files[seen]); err != nil {
			return err
		}
		seen++
	}
	if seen != len(m.Files) {
		return fmt.Errorf("%w: it lacks the file %q", ErrDamaged, m.Files[seen].Path)
	}
	text, err := io.ReadAll(io.LimitReader(in, maxManifest))
	if err != nil {
		return fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	if !slices.Equal(text, m.innerCopy().encodeJSON()) {
		return fmt.Errorf("%w: the manifest beside the archive is not the one inside it", ErrDamaged)
	}
	if _, err := io.Copy(io.Discard, unpacked); err != nil {
		return fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	return nil
}

func extractFile(in io.Reader, path string, want File) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	digest := newMeter()
	to := &diskWriter{f: f}
	_, err = io.Copy(io.MultiWriter(to, digest), in)
	if err == nil {
		err = f.Sync()
		to.err = err
	}
	if closed := f.Close(); err == nil {
		err, to.err = closed, closed
	}
	if to.err != nil {
		return to.err // this machine's trouble, not the backup's
	}
	if err != nil {
		return fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	if digest.progressFile(want.Path) != want {
		return fmt.Errorf("%w: the file %q is not the one that was backed up", ErrDamaged, want.Path)
	}
	return nil
}

// diskWriter remembers the first error of writing, to distinguish it from errors of
// reading.
type diskWriter struct {
	f   *os.File
	err error
}

func (d *diskWriter) Write(p []byte) (int, error) {
	n, err := d.f.Write(p)
	if err != nil && d.err == nil {
		d.err = err
	}
	return n, err
}
