package generator

import (
	"maps"
	"slices"

	"colophon/internal/staticindex"
)

// publishedGenerations are those that the published index names, the latest first, so
// far as their files are there: a walk by the cursor of another one ends.
func (b *build) publishedGenerations() []staticindex.Generation {
	if b.before == nil {
		return nil
	}
	return slices.DeleteFunc(b.before.Generations(), func(g staticindex.Generation) bool { return !b.hasGeneration(&g) })
}

// hasGeneration reports whether the files of a generation are there, and those of the one
// over which it is laid.
func (b *build) hasGeneration(g *staticindex.Generation) bool {
	return !slices.ContainsFunc(g.Folders(), func(gen string) bool { return !b.out.hasBelow(staticindex.Prefix(gen)) })
}

// otherGenerations are those whose files have to be there beside the current one: of
// earlier ones, and those over which any is laid.
func otherGenerations(x *staticindex.Index) []string {
	names := map[string]bool{}
	for _, g := range x.Generations() {
		for _, gen := range g.Folders() {
			names[gen] = gen != x.Current.Gen
		}
	}
	return slices.DeleteFunc(slices.Sorted(maps.Keys(names)), func(gen string) bool { return !names[gen] })
}
