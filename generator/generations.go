package generator

import (
	"slices"

	"colophon/internal/staticindex"
)

// publishedGenerations are those that the published index names, the latest first, so
// far as their files are there: a walk by the cursor of another one ends.
func (b *build) publishedGenerations() []staticindex.Generation {
	if b.before == nil {
		return nil
	}
	return slices.DeleteFunc(b.before.Generations(), func(g staticindex.Generation) bool { return !b.out.hasBelow(staticindex.Prefix(g.Gen)) })
}
