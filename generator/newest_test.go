package generator

import (
	"fmt"
	"testing"

	"colophon/generator/render"
	"colophon/internal/origin"
	"colophon/internal/record"
)

// rowAt returns the row of a page that was registered at a time.
func rowAt(entryID, registered string) *pageRow {
	return &pageRow{page: origin.Page{EntryID: entryID, SiteID: "alpha", RegisteredAt: registered, State: "active"}, position: record.NotLogged}
}

// TestNewest checks that the newest pages of all do not depend on which publisher
// has them, nor on the order in which they come.
func TestNewest(t *testing.T) {
	t.Parallel()
	var n newestRows
	for page := range 3 * render.NewestPerSite {
		for site, day := range []int{20, 21, 19} {
			at := fmt.Sprintf("2026-01-%02dT00:00:00Z", day)
			if page == 2*render.NewestPerSite {
				at = "2026-02-01T00:00:00Z"
			}
			n.add(rowAt(fmt.Sprintf("ent_%d_%03d", site, page), at))
		}
	}
	list := n.take()
	if len(list) != render.NewestPerSite {
		t.Fatalf("%d pages", len(list))
	}
	for i, want := range map[int]string{0: "ent_0_500", 1: "ent_1_500", 2: "ent_2_500", 3: "ent_1_000", render.NewestPerSite - 1: "ent_1_246"} {
		if got := list[i].page.EntryID; got != want {
			t.Errorf("page %d is %s, want %s", i, got, want)
		}
	}
	if list := n.take(); len(list) != 0 {
		t.Errorf("%d pages are taken again", len(list))
	}
}
