package provenance

import "strconv"

// The shape of the ledger's files (C2SP tlog-tiles).
const (
	CheckpointPath = "checkpoint"
	TileHeight     = 8
	TileWidth      = 1 << TileHeight // hashes in a full tile, entries in a full bundle
	maxTileLevel   = 63
)

// Tile names one file of the ledger: TileWidth hashes of a level of the tree,
// or that many entries. Level -1 (EntriesLevel) is the entries. Width below
// TileWidth is a partial tile.
type Tile struct {
	Level int
	N     int64
	Width int
}

// EntriesLevel is the level of the entry bundles.
const EntriesLevel = -1

// Path is the name of the file below the ledger's prefix: tile/0/x001/067,
// tile/entries/000.p/5. N is written in groups of three digits.
func (t Tile) Path() string {
	level := "entries"
	if t.Level != EntriesLevel {
		level = strconv.Itoa(t.Level)
	}
	path := "tile/" + level + "/" + tilePathGroups(t.N)
	if t.Width < TileWidth {
		path += ".p/" + strconv.Itoa(t.Width)
	}
	return path
}

func tilePathGroups(n int64) string {
	s := strconv.FormatInt(1000+n%1000, 10)[1:]
	for n /= 1000; n > 0; n /= 1000 {
		s = "x" + strconv.FormatInt(1000+n%1000, 10)[1:] + "/" + s
	}
	return s
}

// ParseTile is the reverse of Path and accepts nothing else.
func ParseTile(path string) (Tile, bool) {
	level, rest, ok := cutPrefix(path, "tile/")
	if !ok {
		return Tile{}, false
	}
	t := Tile{Level: EntriesLevel, Width: TileWidth}
	if level != "entries" {
		n, ok := parseSize(level)
		if !ok || n > maxTileLevel {
			return Tile{}, false
		}
		t.Level = int(n)
	}
	digits := ""
	for rest != "" {
		var group string
		if group, rest = cutAny(rest, "/"); rest != "" {
			rest = rest[1:]
		}
		name, partial := cutAny(group, ".")
		if partial == ".p" {
			n, ok := parseSize(rest)
			if !ok || n < 1 || n >= TileWidth {
				return Tile{}, false
			}
			t.Width, rest = int(n), ""
		}
		if len(name) == 4 && name[0] == 'x' {
			name = name[1:]
		}
		digits += name
	}
	for len(digits) > 1 && digits[0] == '0' {
		digits = digits[1:]
	}
	if t.N, ok = parseSize(digits); !ok {
		return Tile{}, false
	}
	isCanonical := t.Path() == path
	return t, isCanonical
}

// cutPrefix takes prefix and the path element after it off s.
func cutPrefix(s, prefix string) (element, rest string, ok bool) {
	if len(s) < len(prefix) || s[:len(prefix)] != prefix {
		return "", "", false
	}
	element, rest = cutAny(s[len(prefix):], "/")
	if rest == "" {
		return "", "", false
	}
	return element, rest[1:], true
}

// AppendEntry adds one leaf to an entry bundle: its length as two bytes, the
// high one first, then the leaf. A leaf is at most 65,535 bytes.
func AppendEntry(bundle, leaf []byte) ([]byte, error) {
	if len(leaf) > 1<<16-1 {
		return bundle, BundleMalformed
	}
	bundle = append(bundle, byte(len(leaf)>>8), byte(len(leaf)))
	return append(bundle, leaf...), nil
}

// ParseEntries splits an entry bundle into its leaves, at most TileWidth.
func ParseEntries(bundle []byte) ([][]byte, error) {
	var leaves [][]byte
	for len(bundle) > 0 {
		if len(bundle) < 2 || len(leaves) == TileWidth {
			return nil, BundleMalformed
		}
		n := int(bundle[0])<<8 | int(bundle[1])
		if len(bundle) < 2+n {
			return nil, BundleMalformed
		}
		leaves, bundle = append(leaves, bundle[2:2+n:2+n]), bundle[2+n:]
	}
	return leaves, nil
}
