package originsql

import (
	"context"
	"strings"

	"colophon/internal/origin"
)

// AnswersOf lists the texts that a site keeps for its answers, by name. A row is
// one text, since another kind of row is a kilobyte more at the edge.
func (s *Store) AnswersOf(ctx context.Context, siteID string) ([]origin.Answer, error) {
	const query = "SELECT name || '|' || act || '|' || label || '|' || body FROM answers WHERE site_id = ?1 AND body <> '' ORDER BY name"
	rows, err := queryAll(ctx, s.db, "list answers", scanText, query, siteID)
	var list []origin.Answer
	for _, row := range rows {
		if f := strings.SplitN(row, "|", 4); len(f) == 4 {
			list = append(list, origin.Answer{Name: f[0], Act: f[1], Label: f[2], Text: f[3]})
		}
	}
	return list, err
}

// PutAnswer adds or replaces one. One without a text is not listed any more. Only
// the text may have a "|" in it.
func (s *Store) PutAnswer(ctx context.Context, siteID string, a origin.Answer, now string) error {
	t := table{"answers", 2, []string{"site_id", "name", "act", "label", "body", "changed_at"}}
	return s.putRow(ctx, "write an answer", t, siteID, a.Name, a.Act, a.Label, a.Text, now)
}
