package content

import (
	"cmp"
	"strings"

	"colophon/exports"
	"colophon/internal/prose"
	"colophon/templates/frame"
)

// GroupLine is the row of a group on the map.
type GroupLine struct {
	Sites  int64
	Vector []byte // the letter that all its sites have for a use, or mixed if they differ
}

// mixed is the letter of a use for which the sites of a group differ.
const mixed = '*'

// Add adds a site to the group.
func (l *GroupLine) Add(vector string) {
	if l.Sites == 0 {
		l.Vector = []byte(vector)
	}
	for i := range l.Vector {
		if prose.LetterAt(vector, i) != prose.LetterAt(string(l.Vector), i) {
			l.Vector[i] = mixed
		}
	}
	l.Sites++
}

// differs reports whether the sites of a group differ in a use.
func (l *GroupLine) differs(use int) bool { return use < len(l.Vector) && l.Vector[use] == mixed }

// beginsGroup reports whether the record at i is the first of its group in a
// list sorted by group.
func beginsGroup(records []exports.MapRecord, i int) bool {
	g := records[i].Group
	return g != nil && (i == 0 || records[i-1].Group == nil || records[i-1].Group.GroupID != g.GroupID)
}

// hasCategory reports whether a category has a page.
func hasCategory(categories []exports.Category, slug string) bool {
	for i := range categories {
		if categories[i].Slug == slug {
			return true
		}
	}
	return false
}

// CategoryLabel returns the label of a category, or one made from the slug.
func CategoryLabel(slug string, known []exports.Category) string {
	for _, c := range known {
		if c.Slug == slug {
			return cmp.Or(prose.Clean(c.Label, frame.NameLimit), slug)
		}
	}
	words := strings.ReplaceAll(prose.Clean(slug, 64), "-", " ")
	if words == "" {
		return slug
	}
	return strings.ToUpper(words[:1]) + words[1:]
}
