package templates

import (
	"context"
	"strings"
	"testing"

	"colophon/internal/assert"
	"colophon/site"
	"colophon/templates/content"
)

// TestCellsOfCards checks that each use has a cell with the letter of its
// verdict, and the verdict in words for readers who do not see it.
func TestCellsOfCards(t *testing.T) {
	var b strings.Builder
	must(t, content.RightsCells("lDSUUUUW").Render(context.Background(), &b))
	assert.Contains(t, "the cells", b.String(),
		`<li title="Ask first"><span class="cell cl" aria-hidden="true">A</span> Retrieval (RAG)`, `channels disagree`, `class="cell cd" aria-hidden="true">D</span> Training`,
		`class="cell cs" aria-hidden="true">S</span>`, `: Withdrawn</span>`,
	)
	if n := strings.Count(b.String(), "<li "); n != 8 {
		t.Errorf("%d cells", n)
	}
}

// TestGroupsOfDocuments checks that every document is in exactly one of four
// groups.
func TestGroupsOfDocuments(t *testing.T) {
	docs, err := site.Docs()
	must(t, err)
	var nav []DocLink
	for _, d := range docs {
		nav = append(nav, DocLink{d.Slug, d.Title})
	}
	groups, seen := docGroups(withReference(nav)), 0
	for _, g := range groups {
		seen += len(g.Links)
		if len(g.Links) < 2 {
			t.Errorf("%s has %d documents", g.Name, len(g.Links))
		}
	}
	if len(groups) != 4 || seen != len(docs)+1 {
		t.Errorf("%d groups of %d documents, of %d", len(groups), seen, len(docs)+1)
	}
}
