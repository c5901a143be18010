package exports

import "strings"

// Key is the path of a published file below the output folder. It uses "/" as
// separator, does not begin with it, and has no "." or ".." segment.
type Key string

// KeyOf gives the file that answers a path:
//
//	/v1/public/ai-discovery          v1/public/ai-discovery.json
//	/v1/public/licensing-feed.ndjson v1/public/licensing-feed.ndjson
//	/publishers/harbor-ledger/       publishers/harbor-ledger/index.html
//	/                                index.html
//	/ledger/tile/0/x001/067          ledger/tile/0/x001/067
//
// Files of the ledger (C2SP tlog-tiles) and of private look-ups have no
// extension. A path whose last segment has no known extension is JSON. KeyOf
// returns "" for a path that no file can have.
func KeyOf(path string) Key {
	if path == "" || path[0] != '/' || strings.Contains(path, "//") || strings.ContainsAny(path, "\\%\x00") {
		return ""
	}
	if strings.Contains(path+"/", "/./") || strings.Contains(path+"/", "/../") {
		return ""
	}
	rel := path[1:]
	switch {
	case rel == "" || strings.HasSuffix(rel, "/"):
		return Key(rel + "index.html")
	case knownExtension(rel) != "", strings.HasPrefix(rel, ledgerFolder), strings.HasPrefix(rel, rangeFolder):
		return Key(rel)
	}
	return Key(rel + ".json")
}

const ledgerFolder = "ledger/"

// tileFolder holds the hashes and leaves of the log.
const tileFolder = ledgerFolder + "tile/"

// rangeFolder holds the files of private look-ups, which have no extension.
const rangeFolder = "v1/public/range/"

// indexFolder holds the generations of the static index.
const indexFolder = "_ix/"

// PackPrefix begins the key of every pack: see internal/blob. The content under
// such a key never changes.
const PackPrefix = "_packs/"

// knownExtension returns the known extension of a file name, with its dot, or
// "".
func knownExtension(name string) string {
	name = name[strings.LastIndexByte(name, '/')+1:]
	dot := strings.LastIndexByte(name, '.')
	if dot < 0 {
		return ""
	}
	if contentType(name[dot:]) == "" {
		return ""
	}
	return name[dot:]
}

// ContentTypes are the extensions of published files, each with its content type.
var ContentTypes = [][2]string{
	{".bib", MediaText},
	{".css", "text/css; charset=utf-8"},
	{".csv", MediaCSV},
	{".html", MediaHTML},
	{".ico", "image/x-icon"},
	{".idx", "application/octet-stream"},
	{".pack", "application/octet-stream"},
	{".js", "text/javascript; charset=utf-8"},
	{".json", MediaJSON},
	{".jsonld", MediaJSONLD},
	{".mjs", "text/javascript; charset=utf-8"},
	{".nd", "application/octet-stream"},
	{".ndjson", MediaNDJSON},
	{".parquet", "application/vnd.apache.parquet"},
	{".png", "image/png"},
	{".rss", "application/rss+xml; charset=utf-8"},
	{".svg", "image/svg+xml"},
	{".txt", MediaText},
	{".vkey", MediaText},
	{".wasm", "application/wasm"},
	{".xml", MediaXML},
	{".xsl", MediaXML},
}

// contentType returns the content type of an extension, "" for one that is not
// known.
func contentType(ext string) string {
	for _, t := range ContentTypes {
		if t[0] == ext {
			return t[1]
		}
	}
	return ""
}

// MinSibling is the size in bytes from which a file may have a gzip-compressed
// sibling. Smaller files are left to the network in front, which compresses
// them as it serves them.
const MinSibling = 16 << 10

// Compressible reports whether a file of that key gains from compression. Files
// of the log do not: hashes are random, and entry bundles are published
// uncompressed because mirrors compare them byte for byte. Packs and files of
// the index do not either: the programs that read them expect them as they are,
// and what compresses well in the index is compressed inside its files.
func (k Key) Compressible() bool { return !PolicyOf(k).Whole }
