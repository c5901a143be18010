package generator

import (
	"os"
	"path/filepath"
	"strings"

	"colophon/internal/staticindex"
	"colophon/internal/wire"
)

// checkIndex checks that there are files of the generation that the index names.
func (v *audit) checkIndex() {
	gen := indexGeneration(v.dir)
	if gen != "" && !v.hasListed(staticindex.Prefix(gen)) {
		v.addFinding(string(staticindex.IndexKey), "names the generation %s, of which no file is listed", gen)
	}
}

// indexGeneration reads the name of the generation of the index that is published in dir,
// "" where that cannot be read.
func indexGeneration(dir string) string {
	data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(string(staticindex.IndexKey))))
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
