package rights

import (
	"context"
	"errors"
	"io/fs"
	"strconv"
	"time"

	"colophon/exports"
	"colophon/internal/origin"
	"colophon/internal/wire"
)

// Content is the text of an item in one form.
type Content struct {
	Format  string // one of exports.ContentForms
	Text    string
	SHA256  string // hex digest of Text
	Version int64  // edition
}

// Bodies opens the content of pages. There is no other way to it.
type Bodies interface {
	// Body returns the content that a permit opens, in a form, or as plain text
	// if the page does not have that form. It returns ErrNotPermitted if the
	// permit is too old, was not made by Check, or depends on a condition that
	// no longer holds when the content is read.
	Body(ctx context.Context, p Permit, form string) (Content, error)
	// Together is Body for the first of several permits, all read at the same
	// moment. It stops before the first permit that opens nothing, and before
	// the texts exceed MaxTogether bytes, unless the first text alone does. The
	// caller must send the result before it reads anything else.
	Together(ctx context.Context, permits []Permit, form string) ([]Content, error)
}

// MaxTogether is how many bytes of text are opened at once: as much as a
// connection accepts within moments.
const MaxTogether = 128 << 10

// ErrNotPermitted is returned for a permit that opens nothing, or no longer
// does.
var ErrNotPermitted = errors.New("the permit opens nothing")

// BodyStore is the only implementation of Bodies. Its store checks the rights
// behind a permit in the same statement that reads the body.
type BodyStore struct {
	store   origin.Bodies
	objects func(ctx context.Context, key string) ([]byte, error)
	now     func() time.Time
}

// NewBodyStore returns a BodyStore over store. Texts that the store does not hold are read
// from objects under ObjectKey; objects is nil if there are none.
func NewBodyStore(store origin.Bodies, objects func(ctx context.Context, key string) ([]byte, error), now func() time.Time) *BodyStore {
	return &BodyStore{store, objects, now}
}

// ObjectKey returns the key under which one form of an edition is kept outside
// the store.
func ObjectKey(entryID string, version int64, form string) string {
	return entryID + "/" + strconv.FormatInt(version, 10) + "." + form
}

// Body returns the content that a permit opens. It returns ErrNotPermitted if
// the permit is too old or a right behind it has ended, and otherwise errors of
// the store or of the objects.
func (s *BodyStore) Body(ctx context.Context, p Permit, form string) (Content, error) {
	list, err := s.Together(ctx, []Permit{p}, form)
	if err != nil {
		return Content{}, err
	}
	if len(list) == 0 {
		return Content{}, ErrNotPermitted
	}
	return list[0], nil
}

// Together returns the contents that permits open, read at one moment. It stops
// before the first permit that opens nothing, so the list may be shorter than
// the permits without an error. It returns errors of the store or of the
// objects, without any content.
func (s *BodyStore) Together(ctx context.Context, permits []Permit, form string) ([]Content, error) {
	permits = freshOf(permits, s.now())
	list, err := s.openPermits(ctx, permits, form)
	if err != nil {
		return nil, err
	}
	fetched, err := s.fetchMissing(ctx, permits, form, list)
	if err != nil {
		return nil, err
	}
	list = fittingContents(list)
	if fetched {
		// Reading the objects took time, so check the rights again.
		list, err = s.openAgain(ctx, permits[:len(list)], form, list)
		if err != nil {
			return nil, err
		}
	}
	for i := range list {
		list[i].SHA256 = wire.SHA256Hex([]byte(list[i].Text))
	}
	return list, nil
}

// freshOf returns the permits before the first that is stale.
func freshOf(permits []Permit, now time.Time) []Permit {
	for i := range permits {
		if permits[i].isStale(now) {
			return permits[:i]
		}
	}
	return permits
}

// openPermits asks the store, which checks every condition of the permits, and
// returns the contents before the first permit that opened nothing.
func (s *BodyStore) openPermits(ctx context.Context, permits []Permit, form string) ([]Content, error) {
	if len(permits) == 0 {
		return nil, nil
	}
	at := exports.Instant(s.now())
	asks := make([]origin.BodyAsk, len(permits))
	for i := range permits {
		asks[i] = permits[i].ask
		asks[i].At = at
		asks[i].Form = form
	}
	opened, err := s.store.OpenBodies(ctx, asks)
	if err != nil {
		return nil, err
	}
	var list []Content
	for _, b := range opened {
		if b == nil {
			break
		}
		list = append(list, Content{Format: b.Form, Text: b.Text, Version: b.Version})
	}
	return list, nil
}

// openAgain opens the permits again. It returns the contents of list before the
// first whose permit no longer opens anything or opens another edition.
func (s *BodyStore) openAgain(ctx context.Context, permits []Permit, form string, list []Content) ([]Content, error) {
	again, err := s.openPermits(ctx, permits, form)
	if err != nil {
		return nil, err
	}
	for i := range list {
		if i == len(again) || again[i].Version != list[i].Version {
			return list[:i], nil
		}
	}
	return list, nil
}

// fittingContents returns the first contents, as many as may be sent at once.
func fittingContents(list []Content) []Content {
	size := 0
	for i := range list {
		size += len(list[i].Text)
		if i > 0 && size > MaxTogether {
			return list[:i]
		}
	}
	return list
}

// fetchMissing reads the texts that the store does not hold, as many as may be
// sent at once, and reports whether there were any.
func (s *BodyStore) fetchMissing(ctx context.Context, permits []Permit, form string, list []Content) (bool, error) {
	if s.objects == nil {
		return false, nil
	}
	fetched, size := false, 0
	for i := range list {
		if list[i].Text == "" && size <= MaxTogether {
			fetched = true
			if err := s.fetchBody(ctx, permits[i].ask.EntryID, form, &list[i]); err != nil {
				return fetched, err
			}
		}
		size += len(list[i].Text)
	}
	return fetched, nil
}

// fetchBody reads a text from outside the store.
func (s *BodyStore) fetchBody(ctx context.Context, entryID, form string, c *Content) error {
	for _, f := range []string{form, "text"} {
		text, err := s.objects(ctx, ObjectKey(entryID, c.Version, f))
		if errors.Is(err, fs.ErrNotExist) && f != "text" {
			continue
		}
		c.Format, c.Text = f, string(text)
		return err
	}
	return nil
}
