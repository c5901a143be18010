package originsql

import (
	"context"

	"colophon/internal/origin"
)

// storedAnswer is an answer that a site keeps.
type storedAnswer struct {
	siteID string
	origin.Answer
	changedAt string
}

var answerTable = recordsOf("answers", 2, func(a *storedAnswer) []column {
	return []column{
		{"site_id", &a.siteID}, {"name", &a.Name}, {"act", &a.Act}, {"label", &a.Label}, {"body", &a.Text}, {"changed_at", &a.changedAt},
	}
})

// AnswersOf lists the texts that a site keeps for its answers, by name.
func (s *Store) AnswersOf(ctx context.Context, siteID string) ([]origin.Answer, error) {
	stored, err := answerTable.list(ctx, s, "list answers", "WHERE site_id = ?1 AND body <> '' ORDER BY name", siteID)
	var list []origin.Answer
	for i := range stored {
		list = append(list, stored[i].Answer)
	}
	return list, err
}

// PutAnswer adds or replaces one. One without a text is no longer listed.
func (s *Store) PutAnswer(ctx context.Context, siteID string, a origin.Answer, now string) error {
	return s.putRow(ctx, "write an answer", answerTable.row(&storedAnswer{siteID, a, now}))
}
