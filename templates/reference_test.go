package templates

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"colophon/exports"
	"colophon/internal/assert"
	"colophon/templates/frame"
)

// TestReferenceOfGroups reads the index of the reference and the pages below
// it: every endpoint and every shape has its own anchor on the index, with a
// link to its description, and no link is broken.
func TestReferenceOfGroups(t *testing.T) {
	pages := map[string]string{}
	for _, p := range sampleReference(sampleSite, nil) {
		pages["/"+strings.TrimSuffix(p.File, "index.html")] = string(render(t, p.Page))
	}
	var paths []string
	for path := range pages {
		paths = append(paths, path)
	}
	slices.Sort(paths)
	if want := slices.Sorted(slices.Values(ReferencePaths())); !slices.Equal(paths, want) {
		t.Errorf("pages %q, want %q", paths, want)
	}
	anchors := map[string]string{"shape-rights_batch": ReferencePath(GroupShapes), "shape-rights_item": ReferencePath(GroupShapes)}
	for _, e := range exports.Surface {
		anchors[e.ID] = ReferencePath(e.Group)
	}
	for id, path := range anchors {
		if want := `<li id="` + id + `"><a href="` + path + "#" + id + `">`; strings.Count(pages[frame.PathReference], want) != 1 {
			t.Errorf("the index lacks %s", want)
		}
		for at, page := range pages {
			if want := at == path || at == frame.PathReference; strings.Contains(page, ` id="`+id+`"`) != want {
				t.Errorf("%s has %s: %v, want %v", at, id, !want, want)
			}
		}
	}
	link := regexp.MustCompile(`href="(/developers/reference/[^"#]*)(?:#([^"]+))?"`)
	for at, page := range pages {
		for _, m := range link.FindAllStringSubmatch(page, -1) {
			// The sample has only two shapes; links to those must work.
			if strings.HasPrefix(m[2], "shape-") && anchors[m[2]] == "" {
				continue
			}
			if target, ok := pages[m[1]]; !ok || m[2] != "" && !strings.Contains(target, ` id="`+m[2]+`"`) {
				t.Errorf("%s links %s#%s, which is not there", at, m[1], m[2])
			}
		}
	}
	assert.Contains(t, "the page on rights", pages[ReferencePath("rights")], `<a href="`+ReferencePath(GroupShapes)+`#shape-rights_batch">Body</a>`, `#shape-rights_answer">Answer</a>`)
}
