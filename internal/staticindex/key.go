package staticindex

import (
	"encoding/hex"
	"strings"

	"colophon/exports"
)

// IndexKey is the first file of the index.
const IndexKey = exports.IndexKey

// Folder is where the files of the index are.
const Folder = "_ix/"

// Prefix returns where the files of one generation are.
func Prefix(gen string) string { return Folder + gen + "/" }

// CutGeneration returns the name under which packs have a file of the index, and
// the generation to which it belongs: _ix/e/root.idx and 0123456789abcdef of
// _ix/0123456789abcdef/e/root.idx. So a file that is the same in two generations
// stands in packs once. ok is false for all other files.
func CutGeneration(name string) (packed, gen string, ok bool) {
	rest, ok := strings.CutPrefix(name, Folder)
	if !ok {
		return name, "", false
	}
	gen, file, ok := strings.Cut(rest, "/")
	if !ok || !ValidGen(gen) {
		return name, "", false
	}
	return Folder + file, gen, true
}

// TextKey is the file of a kind that is named by a text, in hex digits:
// _ix/0123456789abcdef/e/t/x74696465.idx
func TextKey(gen, name, part, text string) exports.Key {
	return exports.Key(Prefix(gen) + name + part + "x" + hex.EncodeToString([]byte(text)) + ".idx")
}

// FileKey is file n of a kind: _ix/0123456789abcdef/e/t/00/1f.idx. It fans files out over folders of 256.
func FileKey(gen, name, part string, n int) exports.Key {
	b := append([]byte(Prefix(gen)), name...)
	b = append(b, part...)
	hi := n >> 8
	if hi >= 1<<16 {
		b = append(b, hexDigits[hi>>20&15], hexDigits[hi>>16&15])
	}
	if hi >= 1<<8 {
		b = append(b, hexDigits[hi>>12&15], hexDigits[hi>>8&15])
	}
	b = append(b, hexDigits[hi>>4&15], hexDigits[hi&15], '/', hexDigits[n>>4&15], hexDigits[n&15])
	return exports.Key(append(b, ".idx"...))
}
