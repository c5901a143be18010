package generator

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"colophon/exports"
	"colophon/internal/segment"
	"colophon/internal/segment/document"
	"colophon/internal/segment/entryfacts"
	"colophon/templates/entrypage"
)

// openSegments lets an audit read documents that stand in segments.
func (v *audit) openSegments() {
	source := &cachedObjects{dir: v.dir}
	v.documents = document.Files{Source: source, SpellPage: entrypage.Spell}
	text, err := source.Read(context.Background(), segment.RootKey)
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	if err != nil {
		v.addFinding(segment.RootKey, "%v", err)
		return
	}
	root, err := segment.ParseRoot(text)
	if err != nil {
		v.addFinding(segment.RootKey, "%v", err)
		return
	}
	v.segments = &segment.Reader{Root: root, Source: source}
}

// readDocument reads a published file, or a document that stands in segments.
func (v *audit) readDocument(key exports.Key) ([]byte, error) {
	data, err := os.ReadFile(filepath.Join(v.dir, filepath.FromSlash(string(key))))
	if v.segments == nil || !errors.Is(err, fs.ErrNotExist) {
		return data, err
	}
	return v.documents.Read(context.Background(), string(key))
}

// isPublished tells whether there is a file or a document of that key.
func (v *audit) isPublished(key exports.Key) bool {
	if _, ok := v.list[string(key)]; ok {
		return true
	}
	if _, ok := v.packed[string(key)]; ok {
		return true
	}
	if exports.Packed(key) && v.segments != nil { // as while a release is put in place
		_, err := v.readDocument(key)
		return err == nil
	}
	d, ok := document.ParseKey(string(key))
	if !ok || v.segments == nil {
		return false
	}
	if d.Kind == entryfacts.DocPage { // there is one where there is a citation, which is cheaper to spell
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

// checkSegments checks everything that stands in segments as its file would be.
func (v *audit) checkSegments() {
	seen := map[string]bool{}
	v.checkValues(seen)
	v.reportMissing(v.packed, seen, "missing in the segments")
}

// checkValues checks every value of the segments, and notes of which files it saw
// the content.
func (v *audit) checkValues(seen map[string]bool) {
	if v.segments == nil {
		return
	}
	ctx := context.Background()
	packed := fileNotes{segment.RootKey, v.packed, "not in the build's list"}
	for first := range 256 {
		values, err := v.segments.Slice(ctx, byte(first))
		if err != nil {
			v.addFinding(segment.RootKey, "its entries from %02x on cannot be read: %v", first, err)
			return
		}
		for _, value := range values {
			if document.IsFile(value.Data) {
				v.checkPacked(&packed, value, seen)
				continue
			}
			facts, err := document.Facts(ctx, v.segments, value.Key)
			if err != nil {
				v.addFinding(segment.RootKey, "the entry under %x cannot be read: %v", value.Key, err)
				continue
			}
			v.checkEntry(value.Key, facts)
		}
	}
}

// fileNotes are the files that stand in segments below one root, as a list notes them.
type fileNotes struct {
	rootKey  string
	notes    map[string]fileNote
	unlisted string // the finding about a file without a note; "" where that is none
}

// checkPacked checks a file that stands in segments, and notes its name in seen.
func (v *audit) checkPacked(list *fileNotes, value segment.Value, seen map[string]bool) {
	name, data, err := document.ParseFile(value.Data)
	if err != nil || segment.KeyOf(name) != value.Key {
		v.addFinding(list.rootKey, "the file under %x is damaged, or stands under another key", value.Key)
		return
	}
	seen[name] = true
	note, listed := list.notes[name]
	if !listed {
		note = fileNote{sum: sumSHA256(data), size: int64(len(data))}
		if list.unlisted != "" {
			v.addFinding(name, "%s", list.unlisted)
		}
	}
	v.checkBytes(fileRow{name, note}, data)
}

// checkEntry checks the documents that are spelled from facts.
func (v *audit) checkEntry(key segment.Key, facts *entryfacts.EntryFacts) {
	id, version := facts.EntryID, facts.Version
	current := key == segment.KeyOf(entryfacts.EntryFactsName(id))
	if !current && key != segment.KeyOf(entryfacts.VersionFactsName(id, version)) {
		v.addFinding(segment.RootKey, "the facts of %s stand under another key", id)
		return
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

// checkContent checks a published document by what it is.
func (v *audit) checkContent(name string, data []byte) {
	v.checkAddresses(name, data)
	if strings.HasSuffix(name, ".json") {
		v.checkDocument(name, data)
	}
}
