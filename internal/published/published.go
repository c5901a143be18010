// Package published reads what a service has published, at its address or in the
// folder of a build or a mirror.
package published

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"colophon/exports"
	"colophon/generator"
	"colophon/generator/ledger"
	"colophon/internal/blob"
	"colophon/internal/blob/document"
	"colophon/internal/ledgerlog"
	"colophon/internal/outcome"
	"colophon/internal/record"
	"colophon/internal/rights"
	"colophon/internal/usage"
	"colophon/internal/wire"
	"colophon/templates/entrypage"
)

// Files reads published files, including those in packs.
func Files(source blob.Source) document.Files {
	return document.Files{Source: source, SpellPage: entrypage.Spell, Compress: generator.CompressSibling, Memory: &document.Memory{}}
}

// IsAddress reports whether where is a web address rather than the name of a
// file or folder.
func IsAddress(where string) bool {
	return strings.HasPrefix(where, "http://") || strings.HasPrefix(where, "https://")
}

// ReadKeySet reads a file of public keys, nil for "".
func ReadKeySet(file string) (*record.KeySet, error) {
	if file == "" {
		return nil, nil
	}
	doc, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	set, err := record.ParseKeySet(doc)
	if err != nil {
		return nil, fmt.Errorf("the public keys in %q are not valid: %w; fetch the file again from %s of the service", file, err, exports.WellKnownKeys)
	}
	return &set, nil
}

// ReadCheckpoint reads the checkpoint among published files, in a folder or at
// an address. fs.ErrNotExist says that there is none.
func ReadCheckpoint(ctx context.Context, where string) ([]byte, error) {
	if !IsAddress(where) {
		return ledger.Folder(where)(ledger.CheckpointFile)
	}
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	return ledger.Remote(ctx, where)(ledger.CheckpointFile)
}

// OpenLog returns functions that read the published files of a service
// from a URL or a folder. files lists those of a log if they can be listed.
func OpenLog(ctx context.Context, where string) (read ledgerlog.ReadTile, files []string, err error) {
	if IsAddress(where) {
		return ledger.Remote(ctx, where), nil, nil
	}
	log := filepath.Join(where, filepath.FromSlash(exports.PathLedgerLog))
	if files, err = ledger.FilesOf(log); err != nil {
		return nil, nil, fmt.Errorf("there is no ledger in %q; name an address, or the folder of a build, which \"colophon build\" makes", where)
	}
	packed, err := generator.PackedFiles(where, exports.PathLedgerLog[1:])
	if err != nil {
		return nil, nil, err
	}
	for _, name := range packed {
		files = append(files, strings.TrimPrefix(name, exports.PathLedgerLog[1:]))
	}
	published := Files(blob.Folder(where))
	return func(path string) ([]byte, error) { return published.Read(ctx, path) }, files, nil
}

// LogOf reads the log of a site.
func LogOf(read ledgerlog.ReadTile) ledgerlog.ReadTile {
	return func(path string) ([]byte, error) { return read(exports.PathLedgerLog[1:] + path) }
}

// OpenView opens another view of a log: a published one, or a checkpoint in a
// file, as verify remembers it too.
func OpenView(ctx context.Context, where string) (ledger.View, error) {
	if !IsAddress(where) {
		if info, err := os.Stat(where); err == nil && info.Mode().IsRegular() {
			note, err := os.ReadFile(where)
			if line, rest, ok := strings.Cut(string(note), "\n"); ok {
				if _, bad := ledgerlog.ParseVerifierKey(line); bad == nil {
					note = []byte(rest)
				}
			}
			return ledger.View{Name: where, Note: note}, err
		}
	}
	read, _, err := OpenLog(ctx, where)
	if err != nil {
		return ledger.View{}, err
	}
	view := ledger.View{Name: where, Read: LogOf(read)}
	if view.Note, err = view.Read(ledgerlog.CheckpointPath); err != nil {
		return view, fmt.Errorf("cannot read the checkpoint of %q: %w; name with --other the address of a service or mirror, its folder, or a file with a checkpoint", where, err)
	}
	return view, nil
}

// FindInclusion looks for a record in the ledger of a published service, at the
// place given by its citation document or by the file beside its version.
func FindInclusion(ctx context.Context, doc []byte, where string) (ledgerlog.Inclusion, error) {
	out := ledgerlog.Inclusion{Code: outcome.NotChecked, Index: record.NotLogged}
	parsed, err := wire.Parse(doc, wire.Default)
	if err != nil {
		return out, nil // the verdict on its form says so
	}
	leaf, err := record.LeafOf(parsed)
	if err != nil {
		return out, nil
	}
	read, _, err := OpenLog(ctx, where)
	if err != nil {
		return out, err
	}
	policy, err := read(string(exports.KeyOf(exports.PathLedgerPolicy)))
	if err != nil {
		return out, fmt.Errorf("cannot read the policy of the ledger at %q: %w; name a published service, or the folder of a build, with --ledger", where, err)
	}
	keys, err := ledgerlog.PolicyKeys(policy)
	if err != nil {
		return out, err
	}
	place, err := publishedPlace(read, &leaf)
	if err != nil || place == nil {
		out.Code = outcome.NotInLedger
		return out, err
	}
	l := &ledgerlog.Log{Keys: keys, Read: LogOf(read), Verify: record.Ed25519}
	if out = l.AtIndex(record.LeafBytes(leaf), place.Index); out.Code != outcome.OK {
		return out, nil
	}
	if asked, err := ledger.ParsePolicy(policy); err != nil {
		return out, err
	} else if note, err := l.Read(ledgerlog.CheckpointPath); err != nil {
		return out, err
	} else if asked.Cosigned(note) < asked.Quorum {
		out.Code = outcome.CheckpointCosigners
	}
	return out, nil
}

// publishedPlace returns the published place of a version of a record in the
// ledger, nil if there is none.
func publishedPlace(read ledgerlog.ReadTile, leaf *record.RecordLeaf) (*exports.LedgerPlace, error) {
	data, err := read(string(exports.KeyOf(exports.PlacePath(leaf.EntryID, leaf.RecordVersion))))
	if err == nil {
		place := &exports.LedgerPlace{}
		return place, wire.Decode(data, place, wire.Trusted)
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	data, err = read(string(exports.KeyOf(exports.CitationPath(leaf.EntryID))))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var c exports.Citation
	err = wire.Decode(data, &c, wire.Trusted)
	return c.Ledger, err
}

// ReadPolicy reads what a publisher states, in the folder of a build. It returns
// a usage.Error if siteID is none.
func ReadPolicy(ctx context.Context, dir, siteID string) (*rights.RightsDocument, error) {
	if !exports.ValidSiteID(siteID) {
		return nil, usage.Errorf("--site %q is not a publisher identifier", siteID)
	}
	body, err := Files(blob.Folder(dir)).Read(ctx, string(exports.RightsDocumentKey(siteID)))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("the build in %q has no policy of %q: \"colophon publisher approve %s\" and \"colophon build\" make it", dir, siteID, siteID)
	}
	if err != nil {
		return nil, err
	}
	policy := new(rights.RightsDocument)
	return policy, wire.Decode(body, policy, wire.Trusted)
}

// KeysBeside finds the published keys in the build that holds a record.
func KeysBeside(path string) string {
	dir, err := filepath.Abs(filepath.Dir(path))
	if err != nil {
		return ""
	}
	for range 8 {
		candidate := filepath.Join(dir, filepath.FromSlash(exports.WellKnownKeys))
		if _, err := os.Stat(candidate); err == nil {
			return candidate
		}
		dir = filepath.Dir(dir)
	}
	return ""
}
