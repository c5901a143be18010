package originsql

import (
	"context"
	"errors"
	"strconv"

	"colophon/internal/origin"
	"colophon/internal/wire"
)

var _ origin.Extractions = (*Store)(nil)

var extractionTable = recordsOf("extractions", 1, func(x *origin.Extraction) []column {
	return []column{
		{"entry_id", &x.EntryID}, {"site_id", &x.SiteID}, {"extractor", &x.Extractor}, {"template", &x.Template}, {"encoding", &x.Encoding},
		{"facts", facts{&x.Facts}}, {"portable", &x.Portable}, {"review", &x.Review}, {"reasons", reasons{&x.Reasons}},
		{"changed_at", &x.ChangedAt}, {"kept", &x.Kept}, {"dropped", &x.Dropped},
	}
})

var templateTable = recordsOf("templates", 2, func(t *origin.Template) []column {
	return []column{
		{"site_id", &t.SiteID}, {"digest", &t.Digest}, {"state", &t.State}, {"document", &t.Document}, {"diff", &t.Diff}, {"made_at", &t.MadeAt},
		{"changed_at", &t.ChangedAt},
	}
})

// memberText returns a string member of an object, "" if there is none.
func memberText(v *wire.Value, name string) string {
	if m := v.Get(name); m != nil {
		return m.Text
	}
	return ""
}

// facts is a column of facts. Confidences are stored in hundredths.
type facts struct{ p *[]origin.Fact }

// Scan reads the column.
func (f facts) Scan(src any) error {
	v, err := wire.Parse([]byte(textOf(src)), wire.Trusted)
	if err != nil {
		return err
	}
	*f.p = nil
	for i := range v.Items {
		item := &v.Items[i]
		hundredths, _ := strconv.Atoi(memberText(item, "confidence"))
		*f.p = append(*f.p, origin.Fact{
			Name: memberText(item, "name"), Value: memberText(item, "value"), Source: memberText(item, "source"), Confidence: float64(hundredths) / 100,
		})
	}
	return nil
}

func (f facts) value() any {
	list := wire.Value{Kind: wire.KindArray}
	for _, f := range *f.p {
		hundredths := strconv.Itoa(int(f.Confidence*100 + .5))
		list.Items = append(list.Items, wire.Object(
			wire.M("confidence", wire.String(hundredths)), wire.M("name", wire.String(f.Name)), wire.M("source", wire.String(f.Source)), wire.M("value", wire.String(f.Value)),
		))
	}
	return string(list.Append(nil))
}

// reasons is a column of reasons for a review.
type reasons struct{ p *[]origin.ReviewReason }

// Scan reads the column.
func (l reasons) Scan(src any) error {
	v, err := wire.Parse([]byte(textOf(src)), wire.Trusted)
	if err != nil {
		return err
	}
	*l.p = nil
	for i := range v.Items {
		*l.p = append(*l.p, origin.ReviewReason{Code: memberText(&v.Items[i], "code"), Detail: memberText(&v.Items[i], "detail")})
	}
	return nil
}

func (l reasons) value() any {
	list := wire.Value{Kind: wire.KindArray}
	for _, r := range *l.p {
		list.Items = append(list.Items, wire.Object(wire.M("code", wire.String(r.Code)), wire.M("detail", wire.String(r.Detail))))
	}
	return string(list.Append(nil))
}

// Extraction returns how the text of a page was made, or origin.ErrNotFound.
func (s *Store) Extraction(ctx context.Context, entryID string) (origin.Extraction, error) {
	return extractionTable.one(ctx, s, "read an extraction", "WHERE entry_id = ?1", entryID)
}

// ExtractionsWithText lists the pages of a site with one text.
func (s *Store) ExtractionsWithText(ctx context.Context, siteID, portable string, limit int) ([]origin.Extraction, error) {
	query := extractionTable.selectWhere("WHERE site_id = ?1 AND portable = ?2 ORDER BY entry_id LIMIT ?3")
	return queryAll(ctx, s, extractionTable.scan(), read("list the pages with a text", query, siteID, portable, int64(limit)))
}

// ExtractionsInReview lists the pages of a site in a state of review.
func (s *Store) ExtractionsInReview(ctx context.Context, siteID, state, after string, limit int) ([]origin.Extraction, error) {
	query := extractionTable.selectWhere("WHERE site_id = ?1 AND review = ?2 AND entry_id > ?3 ORDER BY entry_id LIMIT ?4")
	return queryAll(ctx, s, extractionTable.scan(), read("list the pages in review", query, siteID, state, after, int64(limit)))
}

// PutExtraction adds or replaces an extraction. The audit trail records decisions
// only, because an import replaces thousands of extractions.
func (s *Store) PutExtraction(ctx context.Context, x origin.Extraction) error {
	before, err := s.reviewBefore(ctx, &x)
	if err != nil {
		return err
	}
	err = s.upsert(ctx, "write an extraction", extractionTable.row(&x))
	if err != nil || before == x.Review {
		return err
	}
	return s.recordChange(ctx, "extractions", x.EntryID, []string{"review", before}, []string{"review", x.Review})
}

// reviewBefore returns the state of review that an act's decision replaces, or
// that of x if there is no decision.
func (s *Store) reviewBefore(ctx context.Context, x *origin.Extraction) (string, error) {
	decided := x.Review == origin.ReviewAccepted || x.Review == origin.ReviewRejected
	if !decided || origin.ActOf(ctx) == nil {
		return x.Review, nil
	}
	before, err := s.Extraction(ctx, x.EntryID)
	if errors.Is(err, origin.ErrNotFound) {
		return origin.ReviewNone, nil
	}
	return before.Review, err
}

// Templates lists the templates of a site, the newest first.
func (s *Store) Templates(ctx context.Context, siteID string) ([]origin.Template, error) {
	return templateTable.list(ctx, s, "list templates", "WHERE site_id = ?1 ORDER BY made_at DESC, digest", siteID)
}

// ActiveTemplate returns the template in force, or origin.ErrNotFound.
func (s *Store) ActiveTemplate(ctx context.Context, siteID string) (origin.Template, error) {
	return templateTable.one(ctx, s, "read the template", "WHERE site_id = ?1 AND state = 'active'", siteID)
}

// PutTemplate adds a template, or replaces its state.
func (s *Store) PutTemplate(ctx context.Context, t origin.Template) error {
	return s.putRow(ctx, "write a template", templateTable.row(&t))
}

// ActivateTemplate puts a template in force. It retires the previous one first;
// between the two statements the site has none, and running them again loses
// nothing.
func (s *Store) ActivateTemplate(ctx context.Context, siteID, digest, now string) error {
	next, err := templateTable.one(ctx, s, "read a template", "WHERE site_id = ?1 AND digest = ?2", siteID, digest)
	if err != nil {
		return err
	}
	const retire = "UPDATE templates SET state = 'retired', changed_at = ?3 WHERE site_id = ?1 AND digest <> ?2 AND state = 'active' RETURNING digest"
	retired, err := queryAll(ctx, s, scanText, write("retire a template", retire, siteID, digest, now))
	if err != nil {
		return err
	}
	for _, old := range retired {
		err := s.recordChange(ctx, templateTable.name, siteID+"/"+old, []string{"state", origin.TemplateActive}, []string{"state", origin.TemplateRetired})
		if err != nil {
			return err
		}
	}
	next.State, next.ChangedAt = origin.TemplateActive, now
	return s.PutTemplate(ctx, next)
}
