package mirror

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"colophon/internal/delivery"
	"colophon/internal/wire"
)

const (
	itemsFolder = "items"
	stateFile   = "state.json"
)

// state is the progress of a mirror.
type state struct {
	Base     string `json:"base_url"`
	Key      string `json:"idempotency_key,omitempty"`
	Snapshot string `json:"snapshot_id,omitempty"`
	Feed     string `json:"feed_cursor,omitempty"` // position in the snapshot
	Loaded   bool   `json:"loaded"`                // the snapshot was read to its end
	Cursor   string `json:"cursor,omitempty"`      // position in the delta
}

// itemFacts holds the members of an item that a mirror uses.
type itemFacts struct {
	ItemID  string `json:"item_id"`
	Version int64  `json:"version"`
	Content struct {
		Format string `json:"format"`
		Text   string `json:"text"`
		SHA256 string `json:"sha256"`
	} `json:"content"`
}

// kept is the content of a metadata file.
type kept struct {
	Version int64           `json:"version"`
	SHA256  string          `json:"sha256"`
	File    string          `json:"file"`
	Item    json.RawMessage `json:"item"`
}

func (m *Folder) filePath(parts ...string) string {
	return filepath.Join(append([]string{m.Dir}, parts...)...)
}

func (m *Folder) readState() (s state, err error) {
	text, err := os.ReadFile(m.filePath(stateFile))
	if errors.Is(err, fs.ErrNotExist) {
		return s, nil
	}
	if err == nil {
		err = json.Unmarshal(text, &s)
	}
	if err != nil {
		return s, fmt.Errorf("the state of the mirror %q: %w", m.Dir, err)
	}
	return s, nil
}

func (p *pull) saveState() error {
	text, err := json.MarshalIndent(p.state, "", "  ")
	if err != nil {
		return err
	}
	return replaceFile(p.filePath(stateFile), append(text, '\n'))
}

// replaceFile writes a new file beside the old one and renames it over it.
func replaceFile(path string, text []byte) error {
	next := path + ".new"
	if err := os.WriteFile(next, text, 0o600); err != nil {
		return err
	}
	return os.Rename(next, path)
}

// putItem writes an item, after checking that its text matches its digest.
func (p *pull) putItem(raw json.RawMessage) error {
	var i itemFacts
	if err := json.Unmarshal(raw, &i); err != nil {
		return err
	}
	if !validItem(i.ItemID) || wire.SHA256Hex([]byte(i.Content.Text)) != i.Content.SHA256 {
		return fmt.Errorf("item %q does not have the digest that it states", i.ItemID)
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(raw, &members); err != nil {
		return err
	}
	for _, name := range []string{"content", "cursor", "type"} {
		delete(members, name)
	}
	item, err := json.Marshal(members)
	if err != nil {
		return err
	}
	k := kept{Version: i.Version, SHA256: i.Content.SHA256, File: i.ItemID + formatExtension(i.Content.Format), Item: item}
	meta, err := json.MarshalIndent(k, "", "  ")
	if err != nil {
		return err
	}
	if _, err := p.removeFiles(i.ItemID); err != nil {
		return err
	}
	if err := replaceFile(p.filePath(itemsFolder, k.File), []byte(i.Content.Text)); err != nil {
		return err
	}
	p.report.Upserts++
	p.tell()
	return replaceFile(p.filePath(itemsFolder, i.ItemID+".json"), append(meta, '\n'))
}

// validItem reports whether an item id is safe in file names.
func validItem(id string) bool {
	rest, ok := strings.CutPrefix(id, "itm_")
	for _, c := range []byte(rest) {
		ok = ok && (c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-')
	}
	return ok && rest != "" && len(rest) <= 64
}

func formatExtension(format string) string {
	switch format {
	case "markdown":
		return ".md"
	case "html":
		return ".html"
	}
	return ".txt"
}

// removeItem deletes an item, if it exists.
func (p *pull) removeItem(itemID string) error {
	if !validItem(itemID) {
		return fmt.Errorf("not an item id: %q", itemID)
	}
	there, err := p.removeFiles(itemID)
	if there {
		p.report.Deleted++
		p.tell()
	}
	return err
}

// removeFiles removes the files of an item and reports whether there were any.
func (p *pull) removeFiles(itemID string) (there bool, err error) {
	for _, ext := range []string{".json", ".md", ".txt", ".html"} {
		err := os.Remove(p.filePath(itemsFolder, itemID+ext))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return there, err
		}
		there = there || err == nil
	}
	return there, nil
}

// clearFolder deletes all items.
func (p *pull) clearFolder() error {
	if err := os.RemoveAll(p.filePath(itemsFolder)); err != nil {
		return err
	}
	return os.MkdirAll(p.filePath(itemsFolder), 0o700)
}

// Items returns the sorted ids of the items in the mirror.
func (m *Folder) Items() ([]string, error) {
	entries, err := os.ReadDir(m.filePath(itemsFolder))
	if err != nil {
		return nil, err
	}
	var ids []string
	for _, e := range entries {
		if id, ok := strings.CutSuffix(e.Name(), ".json"); ok {
			ids = append(ids, id)
		}
	}
	sort.Strings(ids)
	return ids, nil
}

// Root computes the Merkle root of the files as they are, and counts the items.
func (m *Folder) Root() (root string, items int64, err error) {
	ids, err := m.Items()
	if err != nil {
		return "", 0, err
	}
	var r delivery.Root
	for _, id := range ids {
		meta, err := os.ReadFile(m.filePath(itemsFolder, id+".json"))
		if err != nil {
			return "", 0, err
		}
		var k kept
		if err := json.Unmarshal(meta, &k); err != nil {
			return "", 0, err
		}
		text, err := os.ReadFile(m.filePath(itemsFolder, filepath.Base(k.File)))
		if err != nil {
			return "", 0, err
		}
		r.Add(id, k.Version, wire.SHA256Hex(text))
	}
	return r.String(), r.Size(), nil
}

// verifyRoot compares the Merkle root of the files with that of a checkpoint.
func (p *pull) verifyRoot(c *checkpoint) error {
	root, items, err := p.Root()
	if err != nil {
		return err
	}
	p.report.Items, p.report.Root = items, root
	if c.Root == "" {
		return nil // the service does not compute roots over that many items
	}
	if _, err := base64.StdEncoding.DecodeString(c.Root); err != nil || c.Root != root {
		return ErrRoot
	}
	p.report.Verified = true
	return nil
}

func (p *pull) tell() {
	if p.Told != nil {
		p.Told(p.report.Upserts + p.report.Deleted)
	}
}
