package release

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"colophon/exports"
	"colophon/internal/outcome"
	"colophon/internal/record"
	"colophon/internal/urlkey"
	"colophon/internal/wire"
)

// ErrDamaged marks files of a release that are not what they should be, such as
// a file with the wrong digest.
var ErrDamaged = errors.New("the release is damaged")

// File is a published file in the list.
type File struct {
	Name   string // relative to the service's address, without a leading slash
	Size   int64
	SHA256 [32]byte
}

// FileOf returns the row of a file with that content.
func FileOf(name string, data []byte) File {
	return File{Name: name, Size: int64(len(data)), SHA256: sha256.Sum256(data)}
}

// AppendLine appends "<SHA-256 in hex> <size> <name>" and a line feed.
func (f *File) AppendLine(b []byte) []byte {
	b = hex.AppendEncode(b, f.SHA256[:])
	b = append(b, ' ')
	b = strconv.AppendInt(b, f.Size, 10)
	b = append(b, ' ')
	b = append(b, f.Name...)
	return append(b, '\n')
}

// ParseFiles parses the lines of a tile, which are sorted by name; it returns
// ErrDamaged if they are not.
func ParseFiles(text []byte) ([]File, error) {
	var out []File
	for line := range strings.Lines(string(text)) {
		sum, rest, _ := strings.Cut(line, " ")
		size, name, _ := strings.Cut(rest, " ")
		name, whole := strings.CutSuffix(name, "\n")
		digest, err := hex.DecodeString(sum)
		n, err2 := strconv.ParseInt(size, 10, 64)
		sorted := len(out) == 0 || out[len(out)-1].Name < name
		if err != nil || err2 != nil || !whole || len(digest) != sha256.Size || n < 0 || !fs.ValidPath(name) || !sorted {
			return nil, fmt.Errorf("%w: line %q of its list", ErrDamaged, line)
		}
		out = append(out, File{name, n, [32]byte(digest)})
	}
	return out, nil
}

// Tile is a part of the list of files: those whose name's SHA-256 begins with
// the same bits.
type Tile struct {
	Name   string
	SHA256 string // hex
	Size   int64
	Count  int64
}

func (t *Tile) Members(m *wire.Members) {
	m.Int("files", &t.Count)
	m.String("name", &t.Name)
	m.String("sha256", &t.SHA256)
	m.Int("size", &t.Size)
}

// Fits reports whether text has the tile's digest.
func (t *Tile) Fits(text []byte) bool { return wire.SHA256Hex(text) == t.SHA256 }

// CutTiles divides a list of files, sorted by name, into tiles of perTile files
// at most, on average, and returns the tiles and their texts. A file that
// changes thus changes one tile.
func CutTiles(files []File, perTile int64) (tiles []Tile, texts [][]byte) {
	bits := bitsFor(int64(len(files)), perTile)
	tiles, texts = make([]Tile, 1<<bits), make([][]byte, 1<<bits)
	for i := range files {
		name := sha256.Sum256([]byte(files[i].Name))
		part := urlkey.Part(name[:], bits)
		texts[part] = files[i].AppendLine(texts[part])
		tiles[part].Count++
	}
	for i := range tiles {
		tiles[i].Name = TileKey(i, bits)
		tiles[i].SHA256 = wire.SHA256Hex(texts[i])
		tiles[i].Size = int64(len(texts[i]))
	}
	return tiles, texts
}

// List is the signed list of all files of a release: release.json.
type List struct {
	BaseURL string
	Catalog exports.Release
	Tables  string // root of the catalog whose tables are listed, "" if none are, since tables are published after the rest of a release
	Files   int64
	Bytes   int64
	Tiles   []Tile
	Ranges  Ranges
	Proof   Proof
}

// Ranges states by how many leading bits keys are divided into the files for
// private look-ups.
type Ranges struct {
	URLBits         int64
	HostBits        int64
	FingerprintBits int64
}

func (r *Ranges) Members(m *wire.Members) {
	m.Int("fingerprint_bits", &r.FingerprintBits)
	m.Int("host_bits", &r.HostBits)
	m.Int("url_bits", &r.URLBits)
}

// Proof is the signature over a document.
type Proof struct {
	Created   string
	KeyID     string
	Signature string // base64url
}

func (p *Proof) Members(m *wire.Members) {
	m.Time("created", &p.Created)
	m.Const("cryptosuite", exports.Cryptosuite)
	m.String("key_id", &p.KeyID)
	m.OptString("signature_b64u", &p.Signature)
}

func (l *List) Members(m *wire.Members) {
	m.String("base_url", &l.BaseURL)
	m.Int("bytes", &l.Bytes)
	m.Object("catalog", &l.Catalog)
	m.Const("document", "release_list")
	m.Int("files", &l.Files)
	m.Flag("grants_rights", false)
	m.Object("proof", &l.Proof)
	m.Object("ranges", &l.Ranges)
	m.Const("schema_version", listSchema)
	m.OptString("tables_root", &l.Tables)
	wire.List(m, "tiles", &l.Tiles)
}

const listSchema = "service.release.v1"

// SigningContext precedes the canonical JSON of a list in the signed message,
// so that the signature is valid for nothing else.
const SigningContext = exports.Cryptosuite + "\n" + listSchema + "\n"

// Sign completes the proof, whose Created must be set, and returns the file.
// The signature covers SigningContext and the file without signature_b64u.
func (l *List) Sign(s record.Signer) ([]byte, error) {
	return sign(ListKey, l, &l.Proof, SigningContext, s)
}

// sign completes the proof of the document at a key, and returns the document.
func sign(key string, document wire.Record, p *Proof, context string, s record.Signer) ([]byte, error) {
	p.KeyID, p.Signature = s.KeyID(), ""
	signature, err := s.Sign(wire.Append([]byte(context), document))
	if err != nil {
		return nil, fmt.Errorf("cannot sign %q: %w", key, err)
	}
	p.Signature = base64.RawURLEncoding.EncodeToString(signature)
	return wire.Append(nil, document), nil
}

// ErrSignature is returned for a document that is not signed by a key that may
// sign.
var ErrSignature = errors.New("the signature of the release is not valid")

// verify verifies the proof of a document. A key counts if it was valid at the
// instant that the document states. verify returns ErrSignature.
func verify(document wire.Record, p *Proof, context string, keys record.KeySet) error {
	text := p.Signature
	p.Signature = ""
	message := wire.Append([]byte(context), document)
	p.Signature = text
	signature, err := base64.RawURLEncoding.DecodeString(text)
	key := keys.Find(p.KeyID)
	if err != nil || key == nil || record.KeyPolicy(key, p.Created, record.NotLogged) != outcome.OK || !record.Ed25519(key.Public[:], message, signature) {
		return ErrSignature
	}
	return nil
}

// decode decodes the document at a key; it returns ErrDamaged.
func decode(data []byte, key string, document wire.Record) error {
	if err := wire.Decode(data, document, wire.Limits{Bytes: 1 << 26, Depth: 16, Members: 1 << 22}); err != nil {
		return fmt.Errorf("%w: %s: %w", ErrDamaged, key, err)
	}
	return nil
}

// ReadFolder returns the files of the release that is published in a folder,
// sorted by name: those that its list names, the list itself and its tiles. It
// does not verify the signature. It returns fs.ErrNotExist if there is no list,
// and ErrDamaged.
func ReadFolder(folder fs.FS) ([]File, error) {
	data, err := fs.ReadFile(folder, ListKey)
	if err != nil {
		return nil, err
	}
	l, err := decodeList(data)
	if err != nil {
		return nil, err
	}
	all, err := l.ReadFiles(func(t *Tile) ([]byte, error) {
		text, err := fs.ReadFile(folder, t.Name)
		if err != nil {
			err = fmt.Errorf("%w: %w", ErrDamaged, err)
		}
		return text, err
	})
	if err != nil {
		return nil, err
	}
	all = append(all, File{ListKey, int64(len(data)), sha256.Sum256(data)})
	for i := range l.Tiles {
		sum, _ := hex.DecodeString(l.Tiles[i].SHA256) // matches what was read
		all = append(all, File{l.Tiles[i].Name, l.Tiles[i].Size, [32]byte(sum)})
	}
	slices.SortFunc(all, func(a, b File) int { return strings.Compare(a.Name, b.Name) })
	return all, nil
}

// ReadFiles returns the files of a list, sorted by name, from the tiles that
// read returns. It returns read's errors, and ErrDamaged if a tile or the sum
// of all tiles is not as the list says.
func (l *List) ReadFiles(read func(*Tile) ([]byte, error)) (all []File, err error) {
	bytes := int64(0)
	for i := range l.Tiles {
		t := &l.Tiles[i]
		text, err := read(t)
		if err != nil {
			return nil, err
		}
		if !t.Fits(text) {
			return nil, fmt.Errorf("%w: %s is not as its list says", ErrDamaged, t.Name)
		}
		files, err := ParseFiles(text)
		if err != nil {
			return nil, err
		}
		for i := range files {
			if !Listed(files[i].Name) {
				return nil, fmt.Errorf("%w: its list has %q", ErrDamaged, files[i].Name)
			}
			bytes += files[i].Size
		}
		all = append(all, files...)
	}
	if int64(len(all)) != l.Files || bytes != l.Bytes {
		return nil, fmt.Errorf("%w: its list does not add up", ErrDamaged)
	}
	slices.SortFunc(all, func(a, b File) int { return strings.Compare(a.Name, b.Name) })
	return all, nil
}

// ReadList reads the list of the release that is published in a folder. It
// verifies no signature and reads no tile. It returns fs.ErrNotExist if there
// is no list, and ErrDamaged.
func ReadList(folder fs.FS) (*List, error) {
	data, err := fs.ReadFile(folder, ListKey)
	if err != nil {
		return nil, err
	}
	return decodeList(data)
}

func decodeList(data []byte) (*List, error) {
	l := &List{}
	if err := decode(data, ListKey, l); err != nil {
		return nil, err
	}
	return l, nil
}

// ParseList parses and verifies a list. A key counts if it was valid at the
// instant that the list states. It returns ErrDamaged or ErrSignature.
func ParseList(data []byte, keys record.KeySet) (*List, error) {
	l, err := decodeList(data)
	if err != nil {
		return nil, err
	}
	err = verify(l, &l.Proof, SigningContext, keys)
	return l, err
}
