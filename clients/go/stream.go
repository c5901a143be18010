package colophon

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"strconv"

	"colophon/clients/go/api"
)

// longestLine is the maximum length of one line of a stream, in bytes.
const longestLine = 16 << 20

// ErrCut is the error for a stream that was cut repeatedly without a new line in
// between.
var ErrCut = errors.New("colophon: the stream was cut")

// FeedLines walks the licensing feed as a stream of lines, 250 to an answer
// unless params says otherwise. If a connection is cut, the walk continues after
// the last line that arrived whole.
func (c *Client) FeedLines(ctx context.Context, params api.LicensingFeedNdjsonParams) iter.Seq2[api.FeedRecord, error] {
	if params.Limit == nil {
		most := 250
		params.Limit = &most
	}
	params.Offset = nil
	s := &stream[api.FeedRecord]{client: c, cursor: fromStart, headed: true}
	s.ask = func() (*http.Response, error) {
		params.Cursor = &s.cursor
		return c.API.LicensingFeedNdjson(ctx, &params)
	}
	s.place = func(r *api.FeedRecord) place { return place{cursor: deref(r.Cursor)} }
	return s.walk(ctx)
}

// DeliveryLine is one line of the delivery feed. Exactly one of the members is
// set. The line that ends an answer is not passed on.
type DeliveryLine struct {
	Item      *api.Item
	Tombstone *api.Tombstone
	Withheld  *api.Withheld
	end       *api.FeedEnd
}

// UnmarshalJSON parses a line by its type; an item has no type.
func (l *DeliveryLine) UnmarshalJSON(data []byte) error {
	kind, err := typeOf(data)
	if err != nil {
		return err
	}
	switch kind {
	case "end":
		return json.Unmarshal(data, &l.end)
	case "tombstone":
		return json.Unmarshal(data, &l.Tombstone)
	case "withheld":
		return json.Unmarshal(data, &l.Withheld)
	}
	return json.Unmarshal(data, &l.Item)
}

func (l *DeliveryLine) place() place {
	switch {
	case l.end != nil:
		return place{cursor: deref(l.end.NextCursor), closes: true, ends: l.end.NextCursor == nil, hidden: true}
	case l.Item != nil:
		return place{cursor: deref(l.Item.Cursor)}
	case l.Tombstone != nil:
		return place{cursor: deref(l.Tombstone.Cursor)}
	}
	return place{cursor: deref(l.Withheld.Cursor)}
}

// Deliver walks the licensed items of a buyer to the end of the feed. If a
// connection is cut, the walk continues after the last line that arrived whole.
// It needs a buyer's credential.
func (c *Client) Deliver(ctx context.Context, params api.DeliveryFeedParams) iter.Seq2[DeliveryLine, error] {
	s := &stream[DeliveryLine]{client: c, cursor: deref(params.Cursor), place: (*DeliveryLine).place}
	s.ask = func() (*http.Response, error) {
		params.Cursor = nonEmpty(s.cursor)
		return c.API.DeliveryFeed(ctx, &params)
	}
	return s.walk(ctx)
}

// DeltaLine is one line of a delta. Exactly one of the members is set. The walk
// ends after a checkpoint that is complete; keep its cursor for the next walk.
type DeltaLine struct {
	Upsert     *api.Upsert
	Tombstone  *api.Tombstone
	Rights     *api.RightsChange
	Checkpoint *api.Checkpoint
}

// UnmarshalJSON parses a line by its type. It returns an error for a line of an
// unknown type, because a client that ignores a line may break an obligation.
func (l *DeltaLine) UnmarshalJSON(data []byte) error {
	kind, err := typeOf(data)
	if err != nil {
		return err
	}
	switch kind {
	case "upsert":
		return json.Unmarshal(data, &l.Upsert)
	case "tombstone":
		return json.Unmarshal(data, &l.Tombstone)
	case "rights":
		return json.Unmarshal(data, &l.Rights)
	case "checkpoint":
		return json.Unmarshal(data, &l.Checkpoint)
	}
	return fmt.Errorf("%w: a line of type %q", ErrNotUnderstood, kind)
}

func (l *DeltaLine) place() place {
	switch {
	case l.Upsert != nil:
		return place{cursor: l.Upsert.Cursor}
	case l.Tombstone != nil:
		return place{cursor: deref(l.Tombstone.Cursor)}
	case l.Rights != nil:
		return place{cursor: l.Rights.Cursor}
	}
	return place{cursor: l.Checkpoint.Cursor, closes: true, ends: l.Checkpoint.Complete}
}

// Changes walks the changes since a snapshot or since the cursor of a checkpoint
// ("" for everything), and ends after the checkpoint that is complete. If a
// connection is cut, the walk continues after the last line that arrived whole.
// It needs a buyer's credential.
func (c *Client) Changes(ctx context.Context, since string, params api.DeliveryDeltaParams) iter.Seq2[DeltaLine, error] {
	s := &stream[DeltaLine]{client: c, cursor: since, place: (*DeltaLine).place}
	s.ask = func() (*http.Response, error) {
		params.Since = nonEmpty(s.cursor)
		return c.API.DeliveryDelta(ctx, &params)
	}
	return s.walk(ctx)
}

// stream reads lines from a sequence of answers.
type stream[T any] struct {
	client *Client
	cursor string // after the last line that arrived whole
	ask    func() (*http.Response, error)
	place  func(*T) place
	headed bool // the headers of an answer, not its last line, tell whether it is whole
}

// place is the place of a line in its stream.
type place struct {
	cursor string // the position after the line, or "" if the line has no cursor
	closes bool   // it is the last line of its answer
	ends   bool   // it is the last line of the stream
	hidden bool   // it is not passed to the caller
}

// progress is how the reading of one answer ended.
type progress int

const (
	atEnd progress = iota // nothing follows, or the caller broke off
	goOn                  // the answer was whole and more follows
	wasCut
)

func (s *stream[T]) walk(ctx context.Context) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		fruitless := 0
		for {
			before := s.cursor
			how, err := s.part(yield)
			if err == nil && how == atEnd {
				return
			}
			if s.cursor != before {
				fruitless = 0
			} else {
				fruitless++
			}
			if err == nil && fruitless >= s.client.attempts {
				err = ErrCut
			}
			if err == nil && how == wasCut {
				err = sleep(ctx, min(s.client.pause<<min(fruitless, 16), s.client.longest))
			}
			if err != nil {
				var none T
				yield(none, err)
				return
			}
		}
	}
}

// part requests one answer and yields its lines.
func (s *stream[T]) part(yield func(T, error) bool) (progress, error) {
	res, err := s.ask()
	if err != nil {
		return wasCut, err
	}
	defer res.Body.Close()
	if res.StatusCode/100 != 2 {
		_, err := ReadBytes(res, nil)
		return wasCut, err
	}
	lines := bufio.NewScanner(res.Body)
	lines.Buffer(make([]byte, 64<<10), longestLine)
	lines.Split(wholeLines)
	count, closed := 0, false
	for lines.Scan() {
		one := new(T)
		if err := json.Unmarshal(lines.Bytes(), one); err != nil {
			return wasCut, fmt.Errorf("%w: %w", ErrNotUnderstood, err)
		}
		at := s.place(one)
		if at.cursor != "" {
			s.cursor = at.cursor
		}
		if !at.hidden && !yield(*one, nil) || at.ends {
			return atEnd, nil
		}
		count, closed = count+1, at.closes
	}
	switch {
	case errors.Is(lines.Err(), bufio.ErrTooLong):
		return wasCut, fmt.Errorf("%w: %w", ErrNotUnderstood, lines.Err())
	case closed:
		return goOn, nil
	case s.headed && lines.Err() == nil && strconv.Itoa(count) == res.Header.Get("Record-Count"):
		return s.follow(res.Header.Get("Next-Cursor")), nil
	}
	return wasCut, nil
}

// follow sets the cursor of the next answer. It returns atEnd if there is none.
func (s *stream[T]) follow(cursor string) progress {
	if cursor == "" {
		return atEnd
	}
	s.cursor = cursor
	return goOn
}

// wholeLines is a bufio.SplitFunc that splits at line feeds. It drops a last line
// without a line feed, because that line was cut.
func wholeLines(data []byte, atEOF bool) (advance int, line []byte, err error) {
	if i := bytes.IndexByte(data, '\n'); i >= 0 {
		return i + 1, data[:i], nil
	}
	if atEOF {
		return len(data), nil, nil
	}
	return 0, nil, nil
}

// typeOf returns the member "type" of a line, or "" if it has none.
func typeOf(line []byte) (string, error) {
	var head struct {
		Type string `json:"type"`
	}
	err := json.Unmarshal(line, &head)
	return head.Type, err
}

func deref(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

func nonEmpty(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
