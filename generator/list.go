package generator

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"colophon/exports"
	"colophon/generator/render"
	"colophon/internal/paging"
	provrecord "colophon/internal/record"
)

// publishSite writes the pages and lists of a publisher that depend only on its
// facts and pages. rows are those of its newest pages.
func (b *build) publishSite(s *siteFacts, rows []*pageRow) error {
	records, err := b.recordList(s, rows[:min(len(rows), render.RecordsOnPage)])
	if err != nil {
		return err
	}
	if err := b.entries.writeList(records); err != nil {
		return err
	}
	newest := b.feedOf(rows)
	docs := render.PublisherPages(b.service, b.catalog.Categories, &s.Publisher, newest)
	return b.put(append(docs, render.Inventory(&s.Publisher, newest[:min(len(newest), render.ItemsOnPage)]))...)
}

// recordList returns the first page of the records of a publisher.
func (b *build) recordList(s *siteFacts, rows []*pageRow) (l render.RecordList, err error) {
	var records []render.SignedRecord
	last := ""
	for _, row := range rows {
		last = paging.PlaceByTime(row.page.RegisteredAt, row.page.EntryID)
		if row.sha256 == "" {
			continue
		}
		r := row.toRecord()
		if r.JSON, err = b.recordText(row); err != nil {
			return l, err
		}
		records = append(records, render.SignedRecord{Record: r})
	}
	return render.NewRecordList(&s.Publisher, records, last), nil
}

// recordText returns the text of a page's record. For a page that is not due it
// reads the published record, or the origin's if the published one is damaged.
func (b *build) recordText(r *pageRow) (string, error) {
	if r.text.size > 0 {
		return b.spool.readRecord(r.text)
	}
	path := filepath.Join(b.out.dir, filepath.FromSlash(string(exports.KeyOf(exports.RecordPath(r.page.EntryID)))))
	text, err := os.ReadFile(path)
	if err == nil && provrecord.RecordSHA256(text) == r.sha256 {
		return string(text), nil
	}
	versions, err := b.store.Versions(context.Background(), r.page.EntryID)
	if err != nil {
		return "", err
	}
	if len(versions) == 0 {
		return "", fmt.Errorf("the record of %q is not in the origin", r.page.EntryID)
	}
	return versions[len(versions)-1].JSON, nil
}
