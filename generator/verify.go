package generator

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"time"

	"colophon/exports"
	"colophon/generator/ledger"
	"colophon/generator/target"
	"colophon/internal/provenance"
	"colophon/internal/segment"
	"colophon/internal/segment/document"
	"colophon/internal/wire"
)

// Audit is what Verify found in a build.
type Audit struct {
	Files     int64
	Records   int64
	Links     int64
	Addresses int64    // of this service, in texts of all kinds
	Leaves    int64    // of the ledger
	Proofs    int64    // of inclusion in it
	Findings  []string // what is wrong, by name of file
}

// maxFindings bounds how much is told of a build that is wrong throughout.
const maxFindings = 100

// Verify checks a published folder by itself, without the origin: every file
// against the build's list, every JSON file for being canonical, every
// provenance record for its signature, key and digests, every citation
// against its record, every link between files, and every address of this
// service in a text of any kind, channel packs included.
func Verify(dir string) (Audit, error) {
	v := &audit{dir: dir}
	list, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(target.ListFile)))
	if errors.Is(err, fs.ErrNotExist) {
		return v.Audit, fmt.Errorf("%q holds no build: there is no %s", dir, target.ListFile)
	}
	if err != nil {
		return v.Audit, err
	}
	m, err := parseFileList(list)
	if err != nil {
		return v.Audit, err
	}
	v.list = make(map[string]fileNote, len(m.rows))
	for _, row := range m.rows {
		v.list[row.name] = row.fileNote
	}
	if v.expired, err = target.Expired(dir); err != nil {
		return v.Audit, err
	}
	v.openSegments()
	if err := v.keys(); err != nil {
		return v.Audit, err
	}
	v.ledger()
	v.own = v.readAddresses()
	v.tree()
	v.segmented()
	return v.Audit, nil
}

// ledger audits the log, if there is one.
func (v *audit) ledger() {
	if _, ok := v.list[ledgerPrefix+provenance.CheckpointPath]; !ok {
		return
	}
	dir := filepath.Join(v.dir, filepath.FromSlash(ledgerPrefix))
	files, err := ledger.FilesOf(dir)
	if err != nil {
		v.found(ledgerPrefix, "%v", err)
		return
	}
	report, err := ledger.Audit(ledger.Question{Read: ledger.Folder(dir), Files: files})
	if err != nil {
		v.found(ledgerPrefix, "%v", err)
		return
	}
	for _, f := range report.Findings {
		v.found(ledgerPrefix, "%s", f)
	}
	v.Leaves = report.Checkpoint.Size
	v.log = &provenance.Log{Keys: report.Keys, Read: ledger.Folder(dir), Verify: provenance.Ed25519}
}

// proof checks an inclusion proof for a record.
func (v *audit) proof(name string, record, proof []byte) {
	if v.log == nil {
		v.found(name, "carries an inclusion proof, but no ledger is published")
		return
	}
	doc, err := wire.Parse(record, wire.Trusted)
	if err != nil {
		v.found(name, "%v", err)
		return
	}
	leaf, err := provenance.LeafOf(doc)
	if err != nil {
		v.found(name, "%v", err)
		return
	}
	v.Proofs++
	if in := v.log.ByProof(provenance.LeafBytes(leaf), proof); in.Code != provenance.OK {
		v.found(name, "its inclusion proof does not hold: %s", in.Code)
	}
}

type audit struct {
	Audit
	dir     string
	list    map[string]fileNote
	expired map[string]time.Time // immutable files that stay for readers of an earlier release
	set     provenance.KeySet
	log     *provenance.Log
	own     *addresses // nil: the service's address is not known

	segments  *segment.Reader // nil: every document is a file
	documents document.Files
}

func (v *audit) found(name, format string, args ...any) {
	if len(v.Findings) < maxFindings {
		v.Findings = append(v.Findings, name+": "+fmt.Sprintf(format, args...))
	}
}

func (v *audit) keys() error {
	doc, err := v.read(exports.KeyOf(exports.WellKnownKeys))
	if err != nil {
		return fmt.Errorf("cannot read the public keys: %w", err)
	}
	v.set, err = provenance.ParseKeySet(doc)
	if err != nil {
		return fmt.Errorf("the public keys are not valid: %w", err)
	}
	return nil
}

// tree walks the folder: what is listed must be there as listed, and nothing
// else.
func (v *audit) tree() {
	seen := map[string]bool{}
	err := filepath.WalkDir(v.dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(v.dir, path)
		if err != nil {
			return err
		}
		name := filepath.ToSlash(rel)
		_, listed := v.list[name]
		_, stays := v.expired[name]
		if target.IsNote(name) || stays && !listed {
			return nil
		}
		seen[name] = true
		v.file(name, path)
		return nil
	})
	if err != nil {
		v.found(".", "%v", err)
	}
	var missing []string
	for name := range v.list {
		if !seen[name] {
			missing = append(missing, name)
		}
	}
	sort.Strings(missing)
	for _, name := range missing {
		v.found(name, "missing")
	}
}

func (v *audit) file(name, path string) {
	v.Files++
	note, listed := v.list[name]
	if !listed {
		v.found(name, "not in the build's list")
		return
	}
	data, err := os.ReadFile(path)
	if err != nil {
		v.found(name, "%v", err)
		return
	}
	if int64(len(data)) != note.size || sum(data) != note.sum {
		v.found(name, "not as it was published")
		return
	}
	v.content(name, data)
}

// document checks one JSON file by what it is.
func (v *audit) document(name string, data []byte) {
	doc, err := wire.Parse(data, wire.Limits{Bytes: 1 << 30, Depth: 32, Members: 1 << 20, Floats: true})
	if err != nil {
		v.found(name, "%v", err)
		return
	}
	if string(doc.Append(nil)) != string(data) {
		v.found(name, "not canonical JSON")
	}
	switch {
	case isRecord(name):
		v.record(name, data)
	case strings.HasPrefix(name, "v1/public/citations/"):
		v.citation(name, data)
	}
	v.links(name, &doc)
}

const (
	recordFolder = "v1/public/contentdna-provenance/"
	proofSuffix  = "/proof.txt"
)

func isRecord(name string) bool {
	return strings.HasPrefix(name, recordFolder)
}

func (v *audit) record(name string, data []byte) {
	v.Records++
	result := provenance.Verify(data, provenance.Question{Keys: v.set, Verify: provenance.Ed25519, Leaf: v.place(name)})
	if code := result.Code(); code != provenance.OK && !(code == provenance.KeyRevoked && v.superseded(name)) {
		v.found(name, "%s", code)
		return
	}
	var r exports.Record
	if err := wire.Decode(data, &r, wire.Trusted); err != nil {
		v.found(name, "%v", err)
		return
	}
	if !strings.HasPrefix(name, string(exports.KeyOf(exports.RecordPath(r.EntryID)))[:len(exports.RecordPath(r.EntryID))-1]) {
		v.found(name, "is the record of %s", r.EntryID)
	}
	if r.EntryID != provenance.EntryID(r.SiteID, r.CanonicalURL) {
		v.found(name, "entry id does not follow from site and address")
	}
	if r.Registry != provenance.RegistryDigest(r.SiteID, r.EntryID, r.CanonicalURL, r.Portable) {
		v.found(name, "registry digest does not follow from the record")
	}
	if r.Version > 1 {
		v.chain(name, &r)
	}
}

// superseded reports whether a file is a version of a record that another
// took the place of: it stays published even when its key was revoked.
func (v *audit) superseded(name string) bool {
	entry, version, _ := strings.Cut(strings.TrimSuffix(strings.TrimPrefix(name, recordFolder), ".json"), "/v/")
	n, err := strconv.ParseInt(version, 10, 64)
	if err != nil {
		return false
	}
	return v.published(exports.KeyOf(exports.RecordVersionPath(entry, n+1)))
}

// place is where the proof that is published with a record says that it is in
// the ledger; that the proof holds is checked beside it.
func (v *audit) place(name string) *int64 {
	entry, version, _ := strings.Cut(strings.TrimSuffix(strings.TrimPrefix(name, recordFolder), ".json"), "/v/")
	text, err := v.read(exports.Key(recordFolder + entry + "/v/" + version + proofSuffix))
	if version == "" || err != nil {
		var c exports.Citation
		data, err := v.read(exports.KeyOf(exports.CitationPath(entry)))
		if err != nil || wire.Decode(data, &c, wire.Trusted) != nil || c.Ledger == nil {
			return nil
		}
		text = []byte(c.Ledger.Proof)
	}
	p, err := provenance.ParseProof(text)
	if err != nil {
		return nil
	}
	return &p.Index
}

// chain checks that a later version supersedes exactly the one before.
func (v *audit) chain(name string, r *exports.Record) {
	before, err := v.read(exports.KeyOf(exports.RecordVersionPath(r.EntryID, r.Version-1)))
	if err != nil {
		v.found(name, "the record that it supersedes is missing")
		return
	}
	if provenance.RecordSHA256(before) != r.Supersedes {
		v.found(name, "does not supersede version %d", r.Version-1)
	}
}

// citation checks a citation document against its record.
func (v *audit) citation(name string, data []byte) {
	var c exports.Citation
	if err := wire.Decode(data, &c, wire.Trusted); err != nil {
		v.found(name, "%v", err)
		return
	}
	record, err := v.read(exports.KeyOf(exports.RecordPath(c.EntryID)))
	if c.Portable == "" || errors.Is(err, fs.ErrNotExist) {
		return
	}
	if err != nil {
		v.found(name, "%v", err)
		return
	}
	var r exports.Record
	if err := wire.Decode(record, &r, wire.Trusted); err != nil || r.Portable != c.Portable || r.CanonicalURL != c.CanonicalURL || r.SiteID != c.SiteID {
		v.found(name, "differs from its provenance record")
	}
	if c.Ledger == nil {
		if v.log != nil {
			v.found(name, "its record is not in the ledger")
		}
		return
	}
	v.proof(name, record, []byte(c.Ledger.Proof))
	if p, err := provenance.ParseProof([]byte(c.Ledger.Proof)); err != nil || p.Index != c.Ledger.Index || p.Index != c.LedgerIndex {
		v.found(name, "names another place in the ledger than its proof")
	}
}

// links checks that the links of a document lead to published files. Those in
// the examples of the OpenAPI description lead to the demo.
func (v *audit) links(name string, doc *wire.Value) {
	for i := range doc.Members {
		m := &doc.Members[i]
		if m.Name == "example" && strings.HasSuffix(name, string(exports.KeyOf(exports.PathOpenAPI))) {
			continue
		}
		if m.Name == "links" {
			v.linkTargets(name, &m.Value)
			continue
		}
		v.links(name, &m.Value)
	}
	for i := range doc.Items {
		v.links(name, &doc.Items[i])
	}
}

func (v *audit) linkTargets(name string, links *wire.Value) {
	for _, l := range links.Members {
		path, ok := l.Value.Str()
		if !ok || !strings.HasPrefix(path, "/") || strings.ContainsAny(path, "?#{") {
			continue
		}
		v.Links++
		key := string(exports.KeyOf(path))
		if strings.HasPrefix(name, exports.SandboxPrefix) { // leads to sandbox data; it has no pages
			key = exports.SandboxPrefix + key
		}
		if !v.published(exports.Key(key)) && !computed(path) && !(key != string(exports.KeyOf(path)) && strings.HasSuffix(path, "/")) {
			v.found(name, "links to %s, which is not published", path)
		}
	}
}

// computed reports whether a path is answered without a file.
func computed(path string) bool {
	e, _, allowed := exports.Find("GET", path)
	return len(allowed) > 0 && (e == nil || e.Made == exports.Computed || e.Made == exports.Live)
}
