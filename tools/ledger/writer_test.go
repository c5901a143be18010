package ledger_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/transparency-dev/tessera"
	"github.com/transparency-dev/tessera/storage/posix"

	"colophon/generator/ledger"
	"colophon/internal/ledgerlog"
	"colophon/internal/record"
)

const origin = "registry.example/ledger"

// noteSigner lets x/mod sign notes with our key.
type noteSigner struct {
	ledgerlog.VerifierKey
	signer *record.SeedSigner
}

func (s noteSigner) Name() string { return s.VerifierKey.Name }

func (s noteSigner) KeyHash() uint32 { return s.Hash() }

func (s noteSigner) Sign(msg []byte) ([]byte, error) { return s.signer.Sign(msg) }

// grow writes leaves with Tessera's POSIX writer, with a checkpoint at each
// size.
func grow(tb testing.TB, dir string, leaves [][]byte, sizes []int64, s noteSigner) {
	tb.Helper()
	at := int64(0)
	for _, size := range sizes {
		ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
		driver, err := posix.New(ctx, posix.Config{Path: dir})
		must(tb, err)
		opt := tessera.NewAppendOptions().WithCheckpointSigner(s).WithBatching(uint(size-at), time.Minute).
			WithCheckpointInterval(100 * time.Millisecond).WithCheckpointRepublishInterval(0).WithGarbageCollectionInterval(0).WithPushback(1 << 20)
		appender, shutdown, _, err := tessera.NewAppender(ctx, driver, opt)
		must(tb, err)
		var last tessera.IndexFuture
		for _, leaf := range leaves[at:size] {
			last = appender.Add(ctx, tessera.NewEntry(leaf))
		}
		i, err := last()
		must(tb, err)
		if int64(i.Index) != size-1 {
			tb.Fatalf("leaf %d went to %d", size-1, i.Index)
		}
		must(tb, shutdown(ctx))
		cancel()
		at = size
	}
}

// spell writes the same with our builder.
func spell(tb testing.TB, dir string, leaves [][]byte, sizes []int64, s noteSigner) {
	tb.Helper()
	final := sizes[len(sizes)-1]
	put := func(path string, data []byte) error {
		name := filepath.Join(dir, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return err
		}
		return os.WriteFile(name, data, 0o644)
	}
	b := &ledger.Builder{Put: put, Sizes: sizes, Final: final}
	for _, leaf := range leaves[:final] {
		must(tb, b.Add(leaf))
	}
	root, err := b.Root()
	must(tb, err)
	text, err := ledgerlog.SignCheckpoint(ledgerlog.Checkpoint{Origin: origin, Size: final, Root: root}, s.Public, s.signer)
	must(tb, err)
	must(tb, put(ledgerlog.CheckpointPath, text))
}

// TestTesseraWritesTheSame gives Tessera's writer the same leaves, key and
// sizes. Tessera keeps partial files that a full one has replaced, which we
// remove as the format allows; every other file must be the same.
func TestTesseraWritesTheSame(t *testing.T) {
	public, signer := key(t, "log")
	s := noteSigner{ledgerlog.VerifierKey{Name: origin, Public: public.Public}, signer}
	for _, c := range []struct {
		name  string
		sizes []int64
	}{
		{"edges of tiles", []int64{1, 2, 255, 256, 257, 300, 512, 700}},
		{"three levels", []int64{5000, 65535, 65536, 66000}},
	} {
		t.Run(c.name, func(t *testing.T) {
			leaves := make([][]byte, c.sizes[len(c.sizes)-1])
			for i := range leaves {
				leaves[i] = []byte(fmt.Sprintf(`{"leaf":"service.test.v1","n":%d,"text":%q}`, i, strings.Repeat("x", i%97)))
			}
			theirs, ours := t.TempDir(), t.TempDir()
			grow(t, theirs, leaves, c.sizes, s)
			spell(t, ours, leaves, c.sizes, s)
			compare(t, files(t, theirs), files(t, ours), c.sizes)
			server := httptest.NewServer(http.FileServer(http.Dir(ours)))
			defer server.Close()
			if err := audit(t, server.URL+"/", s.String()); err != nil {
				t.Errorf("the auditor: %v", err)
			}
		})
	}
}

func compare(t *testing.T, theirs, ours map[string][]byte, sizes []int64) {
	final, same := sizes[len(sizes)-1], 0
	for name, data := range theirs {
		if strings.HasPrefix(name, ".state/") {
			continue
		}
		tile, isTile := ledgerlog.ParseTilePath(name)
		got, ok := ours[name]
		switch {
		case !ok && isTile && tile.W < 256 && final>>(8*(max(tile.L, 0)+1)) > tile.N:
		case !ok:
			t.Errorf("we lack %s", name)
		case string(got) != string(data):
			t.Errorf("%s differs", name)
		default:
			same++
		}
	}
	for name := range ours {
		if _, ok := theirs[name]; !ok {
			t.Errorf("Tessera lacks %s", name)
		}
	}
	t.Logf("%d files are the same, checkpoint included", same)
	if same < 8 {
		t.Error("too few files were compared")
	}
}
