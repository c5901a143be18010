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
// facts and pages.
func (b *build) publishSite(s *siteFacts) error {
	newest, err := b.newestOf(s, render.NewestPerSite)
	if err != nil {
		return err
	}
	records, err := b.recordList(s)
	if err != nil {
		return err
	}
	if err := b.entries.writeList(records); err != nil {
		return err
	}
	docs := render.PublisherPages(b.service, b.catalog.Categories, &s.Publisher, newest)
	return b.put(append(docs, render.Inventory(&s.Publisher, newest[:min(len(newest), render.ItemsOnPage)]))...)
}

// recordList returns the first page of the records of a publisher.
func (b *build) recordList(s *siteFacts) (l render.RecordList, err error) {
	rows, err := b.spool.newest.readRows(s.listed, render.RecordsOnPage)
	if err != nil {
		return l, err
	}
	var records []render.SignedRecord
	last := ""
	for i := range rows {
		last = paging.PlaceByTime(rows[i].page.RegisteredAt, rows[i].page.EntryID)
		if rows[i].sha256 == "" {
			continue
		}
		r := rows[i].toRecord()
		if r.JSON, err = b.recordText(&rows[i]); err != nil {
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
