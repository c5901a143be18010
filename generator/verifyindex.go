package generator

import (
	"strings"

	"colophon/exports"
	"colophon/internal/staticindex"
	"colophon/internal/wire"
)

// checkIndex checks that there are files of the generation that the index names.
func (v *audit) checkIndex() {
	gen := indexGeneration(v.readDocument)
	if gen != "" && !v.hasListed(staticindex.Prefix(gen)) {
		v.addFinding(string(staticindex.IndexKey), "names the generation %s, of which no file is listed", gen)
	}
}

// indexGeneration reads the name of the generation of the index that is published, ""
// where that cannot be read.
func indexGeneration(read func(exports.Key) ([]byte, error)) string {
	data, err := read(staticindex.IndexKey)
	var x staticindex.Index
	if err != nil || wire.Decode(data, &x, wire.Trusted) != nil {
		return ""
	}
	return x.Current.Gen
}

// hasListed reports whether a file is listed whose name begins with a prefix.
func (v *audit) hasListed(prefix string) bool {
	for _, list := range []map[string]fileNote{v.list, v.packed} {
		for name := range list {
			if strings.HasPrefix(name, prefix) {
				return true
			}
		}
	}
	return false
}
