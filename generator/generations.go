package generator

import (
	"slices"

	"colophon/internal/staticindex"
)

// publishedGenerations are those that the published index names, the latest first, so
// far as their files are there in the form of this build: a walk by the cursor of
// another one ends.
func (b *build) publishedGenerations() []staticindex.Generation {
	if b.before == nil {
		return nil
	}
	inPacks := b.opt.Form == FormPacks
	return slices.DeleteFunc(b.before.Generations(), func(g staticindex.Generation) bool {
		rows := b.out.before.rowsBelow(staticindex.Prefix(g.Gen))
		return len(rows) == 0 || rows[0].packed != inPacks || inPacks && b.out.whole || !b.out.arePublished(rows)
	})
}
