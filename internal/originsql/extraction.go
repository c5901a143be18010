package originsql

import (
	"context"
	"errors"
	"strconv"

	"colophon/internal/origin"
	"colophon/internal/wire"
)

var _ origin.Extractions = (*Store)(nil)

var (
	extractionTable = table{"extractions", 1, []string{
		"entry_id", "site_id", "extractor", "template", "encoding", "facts", "portable", "review", "reasons", "changed_at", "kept", "dropped",
	}}
	templateTable = table{"templates", 2, []string{"site_id", "digest", "state", "document", "diff", "made_at", "changed_at"}}
)

func scanExtraction(r scanner) (x origin.Extraction, err error) {
	var facts, reasons string
	err = r.Scan(&x.EntryID, &x.SiteID, &x.Extractor, &x.Template, &x.Encoding, &facts, &x.Portable, &x.Review, &reasons, &x.ChangedAt, &x.Kept, &x.Dropped)
	if err != nil {
		return x, err
	}
	if x.Facts, err = parseFacts(facts); err != nil {
		return x, err
	}
	x.Reasons, err = parseReasons(reasons)
	return x, err
}

func scanTemplate(r scanner) (t origin.Template, err error) {
	err = r.Scan(&t.SiteID, &t.Digest, &t.State, &t.Document, &t.Diff, &t.MadeAt, &t.ChangedAt)
	return t, err
}

// memberText is a string member of an object, "" when it has none.
func memberText(v *wire.Value, name string) string {
	if m := v.Get(name); m != nil {
		return m.Text
	}
	return ""
}

// parseFacts reads the column of facts. Confidences are stored in hundredths.
func parseFacts(text string) ([]origin.Fact, error) {
	v, err := wire.Parse([]byte(text), wire.Trusted)
	if err != nil {
		return nil, err
	}
	var list []origin.Fact
	for i := range v.Items {
		item := &v.Items[i]
		hundredths, _ := strconv.Atoi(memberText(item, "confidence"))
		list = append(list, origin.Fact{
			Name: memberText(item, "name"), Value: memberText(item, "value"), Source: memberText(item, "source"), Confidence: float64(hundredths) / 100,
		})
	}
	return list, nil
}

func joinFacts(facts []origin.Fact) string {
	list := wire.Value{Kind: wire.KindArray}
	for _, f := range facts {
		hundredths := strconv.Itoa(int(f.Confidence*100 + .5))
		list.Items = append(list.Items, wire.Object(
			wire.M("confidence", wire.String(hundredths)), wire.M("name", wire.String(f.Name)), wire.M("source", wire.String(f.Source)), wire.M("value", wire.String(f.Value)),
		))
	}
	return string(list.Append(nil))
}

func parseReasons(text string) ([]origin.ReviewReason, error) {
	v, err := wire.Parse([]byte(text), wire.Trusted)
	if err != nil {
		return nil, err
	}
	var list []origin.ReviewReason
	for i := range v.Items {
		list = append(list, origin.ReviewReason{Code: memberText(&v.Items[i], "code"), Detail: memberText(&v.Items[i], "detail")})
	}
	return list, nil
}

func joinReasons(reasons []origin.ReviewReason) string {
	list := wire.Value{Kind: wire.KindArray}
	for _, r := range reasons {
		list.Items = append(list.Items, wire.Object(wire.M("code", wire.String(r.Code)), wire.M("detail", wire.String(r.Detail))))
	}
	return string(list.Append(nil))
}

// Extraction returns how the text of a page was made, or origin.ErrNotFound.
func (s *Store) Extraction(ctx context.Context, entryID string) (origin.Extraction, error) {
	return queryOne(ctx, s.db, "read an extraction", scanExtraction, extractionTable.selectWhere("WHERE entry_id = ?1"), entryID)
}

// ExtractionsWithText lists the pages of a site with one text.
func (s *Store) ExtractionsWithText(ctx context.Context, siteID, portable string, limit int) ([]origin.Extraction, error) {
	query := extractionTable.selectWhere("WHERE site_id = ?1 AND portable = ?2 ORDER BY entry_id LIMIT ?3")
	return queryAll(ctx, s.db, "list the pages with a text", scanExtraction, query, siteID, portable, int64(limit))
}

// ExtractionsInReview lists the pages of a site in a state of review.
func (s *Store) ExtractionsInReview(ctx context.Context, siteID, state, after string, limit int) ([]origin.Extraction, error) {
	query := extractionTable.selectWhere("WHERE site_id = ?1 AND review = ?2 AND entry_id > ?3 ORDER BY entry_id LIMIT ?4")
	return queryAll(ctx, s.db, "list the pages in review", scanExtraction, query, siteID, state, after, int64(limit))
}

// PutExtraction adds or replaces an extraction. The audit trail tells of
// decisions only: an import replaces extractions by the thousand.
func (s *Store) PutExtraction(ctx context.Context, x origin.Extraction) error {
	before, err := s.reviewBefore(ctx, &x)
	if err != nil {
		return err
	}
	err = s.exec(ctx, "write an extraction", extractionTable.upsertStatement(), x.EntryID, x.SiteID, x.Extractor, x.Template, x.Encoding,
		joinFacts(x.Facts), x.Portable, x.Review, joinReasons(x.Reasons), x.ChangedAt, x.Kept, x.Dropped)
	if err != nil || before == x.Review {
		return err
	}
	return s.recordChange(ctx, "extractions", x.EntryID, []string{"review", before}, []string{"review", x.Review})
}

// reviewBefore is the state of review that a decision of an act replaces. Where
// nothing is decided, it is that of x.
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
	return queryAll(ctx, s.db, "list templates", scanTemplate, templateTable.selectWhere("WHERE site_id = ?1 ORDER BY made_at DESC, digest"), siteID)
}

// ActiveTemplate returns the template in force, or origin.ErrNotFound.
func (s *Store) ActiveTemplate(ctx context.Context, siteID string) (origin.Template, error) {
	return queryOne(ctx, s.db, "read the template", scanTemplate, templateTable.selectWhere("WHERE site_id = ?1 AND state = 'active'"), siteID)
}

// PutTemplate adds a template, or replaces its state.
func (s *Store) PutTemplate(ctx context.Context, t origin.Template) error {
	return s.putRow(ctx, "write a template", templateTable, t.SiteID, t.Digest, t.State, t.Document, t.Diff, t.MadeAt, t.ChangedAt)
}

// ActivateTemplate puts a template in force. The one before is retired first;
// between the two statements the site has none, and nothing is lost when they
// are run again.
func (s *Store) ActivateTemplate(ctx context.Context, siteID, digest, now string) error {
	next, err := queryOne(ctx, s.db, "read a template", scanTemplate, templateTable.selectWhere("WHERE site_id = ?1 AND digest = ?2"), siteID, digest)
	if err != nil {
		return err
	}
	const retire = "UPDATE templates SET state = 'retired', changed_at = ?3 WHERE site_id = ?1 AND digest <> ?2 AND state = 'active' RETURNING digest"
	retired, err := queryAll(ctx, s.db, "retire a template", scanText, retire, siteID, digest, now)
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
