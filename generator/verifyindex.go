package generator

import (
	"strings"

	"colophon/internal/staticindex"
)

// checkGenerations checks that there are files of each generation that the index names.
func (v *audit) checkGenerations() {
	x := readIndex(v.dir)
	if x == nil {
		return
	}
	for _, g := range x.Generations() {
		if !v.hasListed(staticindex.Prefix(g.Gen)) {
			v.addFinding(string(staticindex.IndexKey), "names the generation %s, of which no file is listed", g.Gen)
		}
	}
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
