package notices

import (
	"context"
	"fmt"
	"io"

	"colophon/internal/cli"
	"colophon/internal/cli/noun"
	"colophon/internal/notify"
	"colophon/internal/origin"
	"colophon/internal/originsql"
)

// webhookListing is what "webhook list" answers.
type webhookListing struct {
	Webhooks   []notify.Receiver `json:"webhooks"`
	Events     []origin.Event    `json:"events"`
	NextBefore int64             `json:"next_before,omitempty"` // for --before, when events were cut
}

// readWebhooks reads the receivers and one event less than f.Limit; the last
// shows that there are more.
func readWebhooks(ctx context.Context, store *originsql.Store, f origin.EventFilter) (*webhookListing, error) {
	receivers, err := store.Receivers(ctx)
	if err != nil {
		return nil, err
	}
	counts, err := store.EventCounts(ctx)
	if err != nil {
		return nil, err
	}
	events, err := store.Events(ctx, f)
	if err != nil {
		return nil, err
	}

	list := &webhookListing{Webhooks: []notify.Receiver{}, Events: []origin.Event{}}
	for _, r := range receivers {
		list.Webhooks = append(list.Webhooks, notify.NewReceiver(r, counts, cli.Now()))
	}
	if len(events) == f.Limit {
		events = events[:f.Limit-1]
		list.NextBefore = events[f.Limit-2].Seq
	}
	list.Events = append(list.Events, events...)
	return list, nil
}

var eventTable = noun.Table{Line: "  {at}  {state:9}  {kind}  {request_id}  attempts {attempts}  {last_error}"}

func (l *webhookListing) printTable(w io.Writer) {
	for _, row := range noun.RowsOf(l.Webhooks) {
		WebhookNoun.Print(w, row)
		if row["failing_since"] != nil {
			(&noun.Table{Line: "  failing since {failing_since}, next attempt {retry_at}: {last_error}"}).Print(w, row)
		}
	}
	eventTable.Print(w, noun.RowsOf(l.Events)...)
	if l.NextBefore > 0 {
		fmt.Fprintf(w, "  more: --before %d\n", l.NextBefore)
	}
}
