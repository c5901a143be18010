package backup

import (
	"bytes"
	"crypto/rand"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"regexp"
	"strings"
	"time"

	"colophon/internal/ledgerlog"
)

// Format names the layout that this package writes and reads.
const Format = "colophon-backup/1"

// The objects of a backup, below its id.
const (
	manifestName = "manifest.json"
	archiveName  = "registry.tar.zst.age"
)

// DatabaseName is the path of the origin store inside a backup.
const DatabaseName = "origin.db"

// Errors that callers judge.
var (
	ErrDamaged = errors.New("the backup is damaged")
	ErrNewer   = errors.New("the backup was made by a newer program")
)

// Manifest describes a backup.
type Manifest struct {
	Format        string `json:"format"`
	ID            string `json:"id"`
	CreatedAt     string `json:"created_at"` // RFC 3339, UTC
	ToolVersion   string `json:"tool_version"`
	BaseURL       string `json:"base_url"`
	SchemaVersion int    `json:"schema_version"`
	Changes       int64  `json:"changes"` // changes of the origin so far
	LatestChange  string `json:"latest_change,omitempty"`
	Ledger        Head   `json:"ledger"`
	Files         []File `json:"files"`
	Archive       *File  `json:"archive,omitempty"` // not in the copy inside the archive
}

// File is a file and its digest.
type File struct {
	Path   string `json:"path"`
	Size   int64  `json:"size"`   // bytes
	SHA256 string `json:"sha256"` // hex
}

// Head is the newest signed state of the provenance ledger. Size 0 means that
// nothing was signed yet.
type Head struct {
	Origin string `json:"origin,omitempty"`
	Size   int64  `json:"size"`
	Root   string `json:"root,omitempty"` // base64
	Note   string `json:"note,omitempty"` // signed checkpoint
}

// ParseHead reads a signed checkpoint. It checks no signature.
func ParseHead(note []byte) (Head, error) {
	c, err := ledgerlog.ReadCheckpoint(note)
	if err != nil {
		return Head{}, err
	}
	root := base64.StdEncoding.EncodeToString(c.Root[:])
	return Head{Origin: c.Origin, Size: c.Size, Root: root, Note: string(note)}, nil
}

var idPattern = regexp.MustCompile(`^[0-9]{8}T[0-9]{6}Z-[0-9a-f]{8}$`)

// newID returns an id that sorts by time.
func newID(now time.Time) (string, error) {
	var random [4]byte
	if _, err := rand.Read(random[:]); err != nil {
		return "", err
	}
	return now.UTC().Format("20060102T150405Z") + "-" + hex.EncodeToString(random[:]), nil
}

// encodeJSON returns the manifest as indented JSON.
func (m Manifest) encodeJSON() []byte {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	_ = enc.Encode(m) // strings and numbers into memory: it cannot fail
	return out.Bytes()
}

// innerCopy returns the copy of the manifest that goes into the archive.
func (m Manifest) innerCopy() Manifest {
	m.Archive = nil
	return m
}

// parseManifest reads a manifest and checks its form. ErrNewer and ErrDamaged
// wrap what is wrong.
func parseManifest(data []byte) (Manifest, error) {
	var m Manifest
	if err := json.Unmarshal(data, &m); err != nil {
		return m, fmt.Errorf("%w: its manifest is no JSON: %w", ErrDamaged, err)
	}
	if m.Format != Format {
		if strings.HasPrefix(m.Format, "colophon-backup/") {
			return m, fmt.Errorf("%w: its format is %q, this program reads %q", ErrNewer, m.Format, Format)
		}
		return m, fmt.Errorf("%w: its manifest has the format %q", ErrDamaged, m.Format)
	}
	if !idPattern.MatchString(m.ID) {
		return m, fmt.Errorf("%w: its manifest has the id %q", ErrDamaged, m.ID)
	}
	for _, f := range m.Files {
		if !isAllowedPath(f.Path) || f.Size < 0 || len(f.SHA256) != 64 {
			return m, fmt.Errorf("%w: its manifest lists the file %q", ErrDamaged, f.Path)
		}
	}
	return m, nil
}

// Folders and files of a registry that a backup may hold.
var (
	plainFiles  = []string{"colophon.toml", "secret", DatabaseName}
	fileFolders = []string{"keys", "keys/ledger", "seen", "brand"}
)

// isAllowedPath reports whether a file of this path belongs into a registry:
// nothing else is ever written by a restore.
func isAllowedPath(name string) bool {
	if name != path.Clean(name) || strings.ContainsAny(name, "\\\x00") {
		return false
	}
	for _, f := range plainFiles {
		if name == f {
			return true
		}
	}
	dir, base := path.Split(name)
	for _, f := range fileFolders {
		if dir == f+"/" && base != "" && !strings.HasPrefix(base, ".") {
			return true
		}
	}
	return false
}
