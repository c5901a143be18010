package rights

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"strconv"
	"time"

	"colophon/exports"
	"colophon/internal/origin"
)

// Content is the text of an item in one form.
type Content struct {
	Format  string // one of exports.ContentForms
	Text    string
	SHA256  string // hex digest of Text
	Version int64  // edition
	Digest  string // hex digest of the form delivered by default
}

// Bodies is the only way to the content of pages.
type Bodies interface {
	// Body returns the content for a permit, in a form; a page without that form
	// gives plain text. It returns ErrNotPermitted if the permit is too old or was
	// not made by Check, or if any condition of it no longer holds at the moment of
	// reading.
	Body(ctx context.Context, p Permit, form string) (Content, error)
	// Together is Body for the first of some permits, all read at the same moment.
	// It ends before a permit that opens nothing, and before the texts exceed
	// MaxTogether, which only the first alone may do. The caller must send the
	// result before it reads anything else.
	Together(ctx context.Context, permits []Permit, form string) ([]Content, error)
}

// MaxTogether is how many bytes of text are opened at once: what a connection
// takes over within moments.
const MaxTogether = 128 << 10

// ErrNotPermitted is returned for a permit that does not, or no longer, open anything.
var ErrNotPermitted = errors.New("the permit opens nothing")

// BodyStore is the one implementation of Bodies, over a store that looks at the
// rights behind a permit in the statement that reads the body.
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

// ObjectKey returns where one form of an edition is kept outside the store.
func ObjectKey(entryID string, version int64, form string) string {
	return entryID + "/" + strconv.FormatInt(version, 10) + "." + form
}

// Body opens what a permit is for. It is ErrNotPermitted when the permit opens
// nothing, be it too old or because a right behind it has ended. Other errors
// are of the store or of the objects.
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

// Together opens the contents of permits at one moment. It stops before the first
// permit that opens nothing, so the list may be shorter than the permits without an
// error. An error is one of the store or of the objects, and no content is returned
// with it.
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
		// The objects took their time: the rights are looked at once more.
		list, err = s.openAgain(ctx, permits[:len(list)], form, list)
		if err != nil {
			return nil, err
		}
	}
	for i := range list {
		sum := sha256.Sum256([]byte(list[i].Text))
		list[i].SHA256 = hex.EncodeToString(sum[:])
	}
	return list, nil
}

// freshOf returns the permits before the first stale one.
func freshOf(permits []Permit, now time.Time) []Permit {
	for i := range permits {
		if permits[i].isStale(now) {
			return permits[:i]
		}
	}
	return permits
}

// openPermits asks the store, which looks at all that the permits are for, and returns
// what came before the first that opened nothing.
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
		list = append(list, Content{Format: b.Form, Text: b.Text, Version: b.Version, Digest: b.Digest})
	}
	return list, nil
}

// openAgain opens the permits again. It returns the contents of list before the first whose
// permit no longer opens, or opens another edition.
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

// fittingContents returns the first contents that may be sent at once.
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
