package generator

import (
	"errors"
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

func idsOf(rows []pageRow) string {
	var ids []string
	for i := range rows {
		ids = append(ids, rows[i].page.EntryID)
	}
	return fmt.Sprint(ids)
}

func TestNewestRowsComeBack(t *testing.T) {
	t.Parallel()
	s, err := newSpool(t.TempDir())
	must(t, err)
	defer s.close()
	first, err := s.newest.putRows([]*pageRow{rowAt("ent_1", "2026-03-01T00:00:00Z"), rowAt("ent_2", "2026-02-01T00:00:00Z"), rowAt("ent_3", "2026-01-01T00:00:00Z")})
	must(t, err)
	none, err := s.newest.putRows(nil)
	must(t, err)
	second, err := s.newest.putRows([]*pageRow{rowAt("ent_4", "2026-01-01T00:00:00Z")})
	must(t, err)
	must(t, s.newest.out.Flush())
	for _, c := range []struct {
		where spooled
		limit int
		want  string
	}{
		{first, 250, "[ent_1 ent_2 ent_3]"}, {first, 2, "[ent_1 ent_2]"}, {none, 250, "[]"}, {second, 250, "[ent_4]"}, {first, 0, "[]"},
	} {
		rows, err := s.newest.readRows(c.where, c.limit)
		must(t, err)
		if got := idsOf(rows); got != c.want {
			t.Errorf("at %+v, at most %d: %s, want %s", c.where, c.limit, got, c.want)
		}
	}
}

// TestNewestRowsElsewhere checks that a place at which no rows were stored is
// refused.
func TestNewestRowsElsewhere(t *testing.T) {
	t.Parallel()
	s, err := newSpool(t.TempDir())
	must(t, err)
	defer s.close()
	where, err := s.newest.putRows([]*pageRow{rowAt("ent_1", "2026-03-01T00:00:00Z")})
	must(t, err)
	must(t, s.newest.out.Flush())
	if _, err := s.newest.readRows(spooled{where.at, where.size - 1}, 1); !errors.Is(err, errRows) {
		t.Errorf("a row that is cut: %v", err)
	}
	if _, err := s.newest.readRows(spooled{where.at, where.size + 1}, 1); err == nil {
		t.Error("rows beyond the end of the file are no error")
	}
}

// TestNewestOverall checks that the newest pages of all do not depend on which
// publisher has them.
func TestNewestOverall(t *testing.T) {
	t.Parallel()
	b := &build{}
	for site := range 3 {
		var list []*pageRow
		for page := range render.NewestPerSite {
			day := []int{20, 21, 19}[site]
			list = append(list, rowAt(fmt.Sprintf("ent_%d_%03d", site, page), fmt.Sprintf("2026-01-%02dT00:00:00Z", day)))
		}
		list[0].page.RegisteredAt = "2026-02-01T00:00:00Z"
		b.addNewestOverall(cutNewest(list, render.NewestPerSite))
	}
	if len(b.newestAll) != newestOverall {
		t.Fatalf("%d pages", len(b.newestAll))
	}
	for i, want := range map[int]string{0: "ent_0_000", 1: "ent_1_000", 2: "ent_2_000", 3: "ent_1_001", newestOverall - 1: "ent_1_247"} {
		if got := b.newestAll[i].page.EntryID; got != want {
			t.Errorf("page %d is %s, want %s", i, got, want)
		}
	}
}
