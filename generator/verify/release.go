// Package verify checks a written release from its files alone, as a stranger
// would.
package verify

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"colophon/exports"
	"colophon/generator/ledger"
	"colophon/generator/target"
	"colophon/internal/blob"
	"colophon/internal/blob/document"
	"colophon/internal/ledgerlog"
	"colophon/internal/outcome"
	provrecord "colophon/internal/record"
	"colophon/internal/release"
	"colophon/internal/staticindex"
	"colophon/internal/urlkey"
	"colophon/internal/wire"
	"colophon/internal/withdrawn"
)

// ledgerPrefix is the prefix of the names of the log's files.
var ledgerPrefix = strings.TrimPrefix(exports.PathLedgerLog, "/")

// Audit is the result of checking a build.
type Audit struct {
	Files     int64
	Records   int64
	Links     int64
	Addresses int64    // addresses of this service, in all kinds of texts
	Leaves    int64    // leaves of the ledger
	Proofs    int64    // proofs of inclusion in the ledger
	Withdrawn int64    // entries of the release that were withdrawn since
	Findings  []string // faults, with the name of the file
}

// maxFindings limits the findings about a build that is wrong throughout.
const maxFindings = 100

// Release checks a published folder by itself, without the origin: every file
// against the build's list, every JSON file for being canonical, every
// provenance record for its signature, key and digests, every citation
// against its record, every link between files, and every address of this
// service in a text of any kind, channel packs included.
func Release(dir string, told ...func(files, total int64)) (Audit, error) {
	files, err := target.ReadFiles(os.DirFS(dir))
	if err == nil && len(files.Rows) == 0 {
		err = fmt.Errorf("%q holds no build: there is no %s", dir, release.ListKey)
	}
	if err != nil {
		return Audit{}, err
	}
	v, err := openAudit(dir, files)
	if err != nil {
		return v.Audit, err
	}
	v.told = told
	v.checkWithdrawn()
	v.checkLedger()
	v.checkTree()
	v.checkPacks()
	v.checkIndex()
	v.checkTables()
	return v.Audit, nil
}

// openAudit begins an audit.
func openAudit(dir string, files target.Files) (v *audit, err error) {
	v = &audit{dir: dir, files: files, spelled: map[exports.Key]bool{}}
	if v.waiting, err = target.ReadWaiting(dir); err != nil {
		return v, err
	}
	v.openPacks()
	err = v.readKeys()
	v.own = v.readAddresses()
	return v, err
}

// checkTables checks that the tables have the root of the catalog. A release is
// also valid without tables.
func (v *audit) checkTables() {
	data, err := v.readDocument(release.ListKey)
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	list := &release.List{}
	if err == nil {
		list, err = release.ParseList(data, v.set)
	}
	if err != nil {
		v.addFinding(release.ListKey, "%v", err)
		return
	}
	if list.Tables != list.Catalog.Root {
		return
	}
	var facts release.Facts
	for _, f := range v.files.Rows {
		if !release.IsTable(f.Name) {
			continue
		}
		if err := facts.AddTable(filepath.Join(v.dir, filepath.FromSlash(f.Name)), f.Name); err != nil {
			v.addFinding(f.Name, "%v", err)
		}
	}
	if root := facts.Root(); root != list.Tables {
		v.addFinding(release.ListKey, "its tables have the root %s, the catalog %s", root, list.Tables)
	}
}

// checkIndex checks that the files of the index's current generation exist.
func (v *audit) checkIndex() {
	data, err := v.readDocument(staticindex.IndexKey)
	var x staticindex.Index
	if err != nil || wire.Decode(data, &x, wire.Trusted) != nil {
		return
	}
	gen, folder := x.Current.Gen, staticindex.Prefix(x.Current.Gen)
	if v.files.InPacks(string(staticindex.IndexKey)) {
		folder = staticindex.Folder
		if v.packs != nil && v.packs.Root.Generation != gen {
			v.addFinding(blob.RootKey, "has the generation %q of the index, %s names %s", v.packs.Root.Generation, staticindex.IndexKey, gen)
		}
	}
	if gen != "" && len(v.files.Below(folder)) == 0 {
		v.addFinding(string(staticindex.IndexKey), "names the generation %s, of which no file is listed", gen)
	}
}

// checkWithdrawn checks the list of withdrawals since the release.
func (v *audit) checkWithdrawn() {
	data, err := os.ReadFile(filepath.Join(v.dir, filepath.FromSlash(withdrawn.Key)))
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	list := &release.Withdrawn{}
	if err == nil {
		list, err = release.ParseWithdrawn(data, v.set)
	}
	if err != nil {
		v.addFinding(withdrawn.Key, "%v", err)
		return
	}
	for _, id := range slices.Concat(list.Entries, list.Erased) {
		if v.isPublished(exports.KeyOf(exports.CitationPath(id))) {
			v.Withdrawn++
		}
	}
}

// checkLedger audits the log, if there is one.
func (v *audit) checkLedger() {
	if _, ok := v.files.Find(ledgerPrefix + ledgerlog.CheckpointPath); !ok {
		return
	}
	var files []string
	for _, f := range v.files.Below(ledgerPrefix) {
		files = append(files, strings.TrimPrefix(f.Name, ledgerPrefix))
	}
	read := func(path string) ([]byte, error) { return v.readDocument(exports.Key(ledgerPrefix + path)) }
	report, err := ledger.Audit(ledger.Question{Read: read, Files: files})
	if err != nil {
		v.addFinding(ledgerPrefix, "%v", err)
		return
	}
	for _, f := range report.Findings {
		v.addFinding(ledgerPrefix, "%s", f)
	}
	v.Leaves = report.Checkpoint.Size
	v.log = &ledgerlog.Log{Keys: report.Keys, Read: read, Verify: provrecord.Ed25519}
}

// checkPlace checks that a record is at its stated place in the ledger.
func (v *audit) checkPlace(name string, record []byte, at int64) {
	if v.log == nil {
		v.addFinding(name, "claims a place in the ledger, but no ledger is published")
		return
	}
	doc, err := wire.Parse(record, wire.Trusted)
	if err != nil {
		v.addFinding(name, "%v", err)
		return
	}
	leaf, err := provrecord.LeafOf(doc)
	if err != nil {
		v.addFinding(name, "%v", err)
		return
	}
	v.Proofs++
	if in := v.log.AtIndex(provrecord.LeafBytes(leaf), at); in.Code != outcome.OK {
		v.addFinding(name, "its record is not at that place in the ledger: %s", in.Code)
	}
}

type audit struct {
	Audit
	told    []func(files, total int64)
	dir     string
	files   target.Files
	waiting map[string]target.Waiting // immutable files that are kept for readers of an earlier release
	set     provrecord.KeySet

	log *ledgerlog.Log
	own *addresses // nil if the service's address is unknown

	packs     *blob.Reader // nil if every document is a file
	documents document.Files
	spelled   map[exports.Key]bool // whether packs have a document, for those already looked up
}

func (v *audit) addFinding(name, format string, args ...any) {
	if len(v.Findings) < maxFindings {
		v.Findings = append(v.Findings, name+": "+fmt.Sprintf(format, args...))
	}
}

func (v *audit) readKeys() error {
	doc, err := v.readDocument(exports.KeyOf(exports.WellKnownKeys))
	if err != nil {
		return fmt.Errorf("cannot read the public keys: %w", err)
	}
	v.set, err = provrecord.ParseKeySet(doc)
	if err != nil {
		return fmt.Errorf("the public keys are not valid: %w", err)
	}
	return nil
}

// checkTree walks the folder: listed files must be there as listed, and there
// must be no others.
func (v *audit) checkTree() {
	total := int64(len(v.files.InFolder().Rows))
	err := v.files.Compare(os.DirFS(v.dir), v.waiting, func(name string, listed *release.File, there fs.DirEntry) error {
		switch {
		case there == nil:
			v.addFinding(name, "missing")
			return nil
		case listed == nil:
			v.Files++
			v.addFinding(name, "not in the build's list")
		default:
			v.checkFile(listed)
		}
		for _, tell := range v.told {
			tell(v.Files, total)
		}
		return nil
	})
	if err != nil {
		v.addFinding(".", "%v", err)
	}
}

// checkFile checks a file of the folder.
func (v *audit) checkFile(f *release.File) {
	data, err := os.ReadFile(filepath.Join(v.dir, filepath.FromSlash(f.Name)))
	if err != nil {
		v.addFinding(f.Name, "%v", err)
		return
	}
	v.checkBytes(f, data)
}

// checkBytes checks the content of a file.
func (v *audit) checkBytes(f *release.File, data []byte) {
	v.Files++
	if int64(len(data)) != f.Size || sha256.Sum256(data) != f.SHA256 {
		v.addFinding(f.Name, "not as it was published")
		return
	}
	v.checkContent(f.Name, data)
}

// checkDocument checks a JSON file according to its kind.
func (v *audit) checkDocument(name string, data []byte) {
	doc, err := wire.Parse(data, wire.Limits{Bytes: 1 << 30, Depth: 32, Members: 1 << 20, Floats: true})
	if err != nil {
		v.addFinding(name, "%v", err)
		return
	}
	if string(doc.Append(nil)) != string(data) {
		v.addFinding(name, "not canonical JSON")
	}
	switch {
	case isPlace(name):
		v.checkPlaceOfVersion(name, data)
	case isRecord(name):
		v.checkRecord(name, data)
	case strings.HasPrefix(name, "v1/public/citations/"):
		v.checkCitation(name, data)
	}
	v.checkLinks(name, &doc)
}

const (
	recordFolder = "v1/public/contentdna-provenance/"
	placeSuffix  = "/ledger.json"
)

func isRecord(name string) bool {
	return strings.HasPrefix(name, recordFolder)
}

func isPlace(name string) bool { return isRecord(name) && strings.HasSuffix(name, placeSuffix) }

// checkPlaceOfVersion checks the published place in the ledger of a version of
// a record.
func (v *audit) checkPlaceOfVersion(name string, data []byte) {
	record, err := v.readDocument(exports.Key(strings.TrimSuffix(name, placeSuffix) + ".json"))
	if errors.Is(err, fs.ErrNotExist) { // of a first version that is still the current one
		record, err = v.readDocument(exports.Key(name[:strings.Index(name, "/v/")] + ".json"))
	}
	var place exports.LedgerPlace
	if err != nil || wire.Decode(data, &place, wire.Trusted) != nil {
		v.addFinding(name, "is the place of a record that is not published")
		return
	}
	v.checkPlace(name, record, place.Index)
}

func (v *audit) checkRecord(name string, data []byte) {
	v.Records++
	result := provrecord.Verify(data, provrecord.Question{Keys: v.set, Verify: provrecord.Ed25519, Leaf: v.ledgerPlace(name)})
	if code := result.Code(); code != outcome.OK && !(code == outcome.KeyRevoked && v.isSuperseded(name)) {
		v.addFinding(name, "%s", code)
		return
	}
	var r exports.Record
	if err := wire.Decode(data, &r, wire.Trusted); err != nil {
		v.addFinding(name, "%v", err)
		return
	}
	if id, _ := exports.EntryOfKey(exports.Key(name)); id != r.EntryID {
		v.addFinding(name, "is the record of %s", r.EntryID)
	}
	if !followsFrom(r.EntryID, r.SiteID, r.CanonicalURL) {
		v.addFinding(name, "entry id does not follow from site and address")
	}
	if r.Registry != urlkey.RegistryDigest(r.SiteID, r.EntryID, r.CanonicalURL, r.Portable) {
		v.addFinding(name, "registry digest does not follow from the record")
	}
	if r.Version > 1 {
		v.checkChain(name, &r)
	}
}

// followsFrom reports whether an entry id is the digest of a site and an
// address, or of the address with http, for an entry that moved to https.
func followsFrom(entryID, siteID, address string) bool {
	rest, secure := strings.CutPrefix(address, "https://")
	return entryID == urlkey.EntryID(siteID, address) || secure && entryID == urlkey.EntryID(siteID, "http://"+rest)
}

// isSuperseded reports whether a file is a superseded version of a record. Such
// a version stays published even if its key was revoked.
func (v *audit) isSuperseded(name string) bool {
	entry, version, _ := strings.Cut(strings.TrimSuffix(strings.TrimPrefix(name, recordFolder), ".json"), "/v/")
	n, err := strconv.ParseInt(version, 10, 64)
	if err != nil {
		return false
	}
	return v.isPublished(exports.KeyOf(exports.RecordVersionPath(entry, n+1)))
}

// ledgerPlace returns the published position of a record in the ledger, or nil if none is
// published. The position is verified with the document that states it, not here.
func (v *audit) ledgerPlace(name string) *int64 {
	entry, version, isVersion := strings.Cut(strings.TrimSuffix(strings.TrimPrefix(name, recordFolder), ".json"), "/v/")
	if isVersion {
		var place exports.LedgerPlace
		data, err := v.readDocument(exports.Key(recordFolder + entry + "/v/" + version + placeSuffix))
		if err == nil && wire.Decode(data, &place, wire.Trusted) == nil {
			return &place.Index
		}
	}
	var c exports.Citation
	data, err := v.readDocument(exports.KeyOf(exports.CitationPath(entry)))
	if err != nil || wire.Decode(data, &c, wire.Trusted) != nil || c.Ledger == nil {
		return nil
	}
	return &c.Ledger.Index
}

// checkChain checks that a version of a record supersedes exactly the version
// before.
func (v *audit) checkChain(name string, r *exports.Record) {
	before, err := v.readDocument(exports.KeyOf(exports.RecordVersionPath(r.EntryID, r.Version-1)))
	if err != nil {
		v.addFinding(name, "the record that it supersedes is missing")
		return
	}
	if provrecord.RecordSHA256(before) != r.Supersedes {
		v.addFinding(name, "does not supersede version %d", r.Version-1)
	}
}

// checkCitation checks a citation document against its record.
func (v *audit) checkCitation(name string, data []byte) {
	var c exports.Citation
	if err := wire.Decode(data, &c, wire.Trusted); err != nil {
		v.addFinding(name, "%v", err)
		return
	}
	record, err := v.readDocument(exports.KeyOf(exports.RecordPath(c.EntryID)))
	if c.Portable == "" || errors.Is(err, fs.ErrNotExist) {
		return
	}
	if err != nil {
		v.addFinding(name, "%v", err)
		return
	}
	var r exports.Record
	if err := wire.Decode(record, &r, wire.Trusted); err != nil || r.Portable != c.Portable || r.CanonicalURL != c.CanonicalURL || r.SiteID != c.SiteID {
		v.addFinding(name, "differs from its provenance record")
	}
	if c.Ledger == nil {
		if v.log != nil {
			v.addFinding(name, "its record is not in the ledger")
		}
		return
	}
	v.checkPlace(name, record, c.Ledger.Index)
	if c.LedgerIndex != c.Ledger.Index {
		v.addFinding(name, "claims two places in the ledger")
	}
}

// addressMembers are the members of published documents that hold relative
// addresses of the service, besides "links" and members named like history_url.
// Other members that begin with a slash are patterns of a publisher's site, or
// its words.
var addressMembers = map[string]bool{
	"acquire": true, "body_schema": true, "check": true, "checkpoint": true, "citation": true, "comp": true, "csv": true, "csv_metadata": true,
	"docs": true, "errors": true, "evidence": true, "gateway": true, "href": true, "keys": true, "ledger": true, "list": true, "manifest": true,
	"map": true, "mcp": true, "next": true, "odrl": true, "openapi": true, "page": true, "passport": true, "policy": true, "provenance": true,
	"public": true, "publisher": true, "record": true, "rsl": true, "schema": true, "search": true, "self": true, "sitemap": true,
	"surfaces": true, "url": true, "well_known": true,
}

// checkLinks checks that the links of a document are answered. Those in the
// examples of the OpenAPI description refer to the demo and are not checked.
func (v *audit) checkLinks(name string, doc *wire.Value) {
	for i := range doc.Members {
		m := &doc.Members[i]
		if m.Name == "example" && strings.HasSuffix(name, string(exports.KeyOf(exports.PathOpenAPI))) {
			continue
		}
		if m.Name == "links" {
			v.linkTargets(name, &m.Value)
			continue
		}
		if addressMembers[m.Name] || strings.HasSuffix(m.Name, "_url") {
			v.linkTarget(name, &m.Value)
		}
		v.checkLinks(name, &m.Value)
	}
	for i := range doc.Items {
		v.checkLinks(name, &doc.Items[i])
	}
}

func (v *audit) linkTargets(name string, links *wire.Value) {
	for i := range links.Members {
		v.linkTarget(name, &links.Members[i].Value)
	}
}

// linkTarget checks a relative link, or each link of a list. It skips
// everything else, and templates such as /mcp/publisher/{site_id}.
func (v *audit) linkTarget(name string, link *wire.Value) {
	for i := range link.Items {
		v.linkTarget(name, &link.Items[i])
	}
	if target, ok := link.Str(); ok {
		v.relative(name, target)
	}
}

// relative checks a relative address.
func (v *audit) relative(name, target string) {
	target, _, _ = strings.Cut(target, "?")
	target, _, _ = strings.Cut(target, "#")
	if !strings.HasPrefix(target, "/") || strings.HasPrefix(target, "//") || strings.Contains(target, "{") {
		return
	}
	if strings.HasPrefix(name, exports.SandboxPrefix) { // the sandbox has only the files that its handlers read
		return
	}
	v.Links++
	if !v.isAnswered(target) {
		v.addFinding(name, "links to %s, at which nothing is published or answered", target)
	}
}
