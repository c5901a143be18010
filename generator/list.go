package generator

import (
	"context"
	"fmt"

	"colophon/generator/render"
	"colophon/internal/paging"
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
func (b *build) recordList(s *siteFacts, rows []*pageRow) (render.RecordList, error) {
	var records []render.SignedRecord
	var unread []string // entries that are not due, whose records are read from the origin
	last := ""
	for _, row := range rows {
		last = paging.PlaceByTime(row.page.RegisteredAt, row.page.EntryID)
		if row.sha256 == "" {
			continue
		}
		r, err := b.lastOf(row)
		if err != nil {
			return render.RecordList{}, err
		}
		if r.JSON == "" {
			unread = append(unread, r.EntryID)
		}
		records = append(records, render.SignedRecord{Record: r})
	}
	if err := b.readTexts(records, unread); err != nil {
		return render.RecordList{}, err
	}
	return render.NewRecordList(&s.Publisher, records, last), nil
}

// readTexts reads the missing texts of records from the origin.
func (b *build) readTexts(records []render.SignedRecord, unread []string) error {
	if len(unread) == 0 {
		return nil
	}
	found, err := b.store.LastRecords(context.Background(), unread)
	if err != nil {
		return err
	}
	texts := make(map[string]string, len(found))
	for i := range found {
		texts[found[i].EntryID] = found[i].JSON
	}
	for i := range records {
		r := &records[i].Record
		if r.JSON == "" {
			r.JSON = texts[r.EntryID]
		}
		if r.JSON == "" {
			return fmt.Errorf("the record of %q is not in the origin", r.EntryID)
		}
	}
	return nil
}
