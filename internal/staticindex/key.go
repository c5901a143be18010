package staticindex

import "colophon/exports"

// IndexKey is the first file of the index.
const IndexKey = exports.IndexKey

// Prefix returns where the files of one generation are.
func Prefix(gen string) string { return "_ix/" + gen + "/" }

// BlockKey is block n of the records of an index or a list.
func BlockKey(gen, name string, n int) exports.Key { return FileKey(gen, name, "/d/", n) }

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
