package verify

import (
	"context"
	"errors"
	"io/fs"
	"strings"

	"colophon/exports"
	"colophon/internal/blob"
	"colophon/internal/blob/document"
	"colophon/internal/blob/entryfacts"
	"colophon/internal/release"
	"colophon/templates/entrypage"
)

// openPacks opens the packs of the release, if it has any.
func (v *audit) openPacks() {
	source := blob.Folder(v.dir)
	v.documents = document.Files{Source: source, SpellPage: entrypage.Spell, Memory: &document.Memory{}}
	r, err := document.Open(context.Background(), source)
	switch {
	case err == nil:
		v.packs = r
	case !errors.Is(err, fs.ErrNotExist):
		v.addFinding(blob.RootKey, "%v", err)
	}
}

// readDocument reads a published file, or a document that is in packs.
func (v *audit) readDocument(key exports.Key) ([]byte, error) {
	return v.documents.Read(context.Background(), string(key))
}

// isPublished reports whether there is a file or a document with this key.
func (v *audit) isPublished(key exports.Key) bool {
	if _, ok := v.files.Find(string(key)); ok {
		return true
	}
	if exports.Packed(key) && v.packs != nil { // happens while a release is being published
		_, err := v.readDocument(key)
		return err == nil
	}
	d, ok := document.ParseKey(string(key))
	if !ok || v.packs == nil {
		return false
	}
	if d.Kind == entryfacts.DocPage { // exists if the citation does, which is cheaper to make
		key = exports.KeyOf(exports.CitationPath(d.EntryID))
	}
	found, asked := v.spelled[key]
	if !asked {
		_, err := v.readDocument(key)
		found = err == nil
		v.spelled[key] = found
	}
	return found
}

// checkPacks checks everything in packs as if it were files.
func (v *audit) checkPacks() {
	seen := map[string]bool{}
	v.checkValues(seen)
	for _, f := range v.files.Rows {
		if v.files.InPacks(f.Name) && !seen[f.Name] {
			v.addFinding(f.Name, "missing in the packs")
		}
	}
}

// checkValues checks every value in the packs, and notes in seen which files it
// has checked.
func (v *audit) checkValues(seen map[string]bool) {
	if v.packs == nil {
		return
	}
	owners := map[string]*packedOwner{}
	err := v.packs.EachValue(context.Background(), func(value blob.Value) error {
		kind, rest, _ := strings.Cut(value.Key, "/")
		switch kind {
		case "file":
			v.checkPacked(rest, value.Data, seen)
		case "id":
			owners[rest] = &packedOwner{siteID: string(value.Data)}
		case "site":
			v.checkFacts(rest, value.Data, owners)
		default:
			v.addFinding(blob.RootKey, "there is a value under the key %q", value.Key)
		}
		return nil
	})
	if err != nil {
		v.addFinding(blob.RootKey, "what stands in the packs cannot be read: %v", err)
	}
	for entryID, owner := range owners {
		if !owner.hasFacts && err == nil {
			v.addFinding(blob.RootKey, "the entry %s of %s has no facts", entryID, owner.siteID)
		}
	}
}

// packedOwner is the publisher of an entry according to the packs.
type packedOwner struct {
	siteID   string
	hasFacts bool // there are facts of the entry under the publisher
}

// checkPacked checks a file that is in packs, and notes its name in seen.
func (v *audit) checkPacked(name string, data []byte, seen map[string]bool) {
	seen[name] = true
	data, err := document.FileText(context.Background(), v.packs, name, data)
	if err != nil {
		v.addFinding(name, "%v", err)
		return
	}
	f, listed := v.files.Find(name)
	if !listed || !v.files.InPacks(name) {
		f = release.FileOf(name, data)
		v.addFinding(name, "not in the build's list")
	}
	v.checkBytes(&f, data)
}

// checkFacts checks the documents that are made from facts. rest is the rest of
// their key: "PUBLISHER/ENTRY" or "PUBLISHER/ENTRY/v/2".
func (v *audit) checkFacts(rest string, data []byte, owners map[string]*packedOwner) {
	siteID, entry, _ := strings.Cut(rest, "/")
	id, _, _ := strings.Cut(entry, "/")
	facts, err := entryfacts.Parse(id, data)
	if err != nil {
		v.addFinding(blob.RootKey, "the entry under %q cannot be read: %v", rest, err)
		return
	}
	version, key := facts.Version, document.SitePrefix+rest
	current := key == document.FactsKey(siteID, id)
	if !current && key != document.VersionKey(siteID, id, version) {
		v.addFinding(blob.RootKey, "the facts of %s stand under another key", id)
		return
	}
	if owner := owners[id]; owner != nil && owner.siteID == siteID {
		owner.hasFacts = true
	} else {
		v.addFinding(blob.RootKey, "the packs do not name %s as the publisher of %s", siteID, id)
	}
	names := []string{exports.PlacePath(id, version)}
	if !current || version > 1 {
		names = append(names, exports.RecordVersionPath(id, version))
	}
	if current {
		names = append(names, exports.RecordPath(id), exports.CitationPath(id), exports.CitationPage(id))
	}
	for _, path := range names {
		name := exports.KeyOf(path)
		data, err := v.readDocument(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			v.addFinding(string(name), "%v", err)
			continue
		}
		v.checkContent(string(name), data)
	}
}

// checkContent checks a published document according to its kind.
func (v *audit) checkContent(name string, data []byte) {
	v.checkAddresses(name, data)
	if strings.HasSuffix(name, ".json") {
		v.checkDocument(name, data)
	}
}
