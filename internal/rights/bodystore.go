package rights

import (
	"context"
	"crypto/sha256"
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
	// Body returns the content that a permit is for, in a form; plain text
	// stands in for a form that the page does not have. It is ErrNotPermitted
	// when the permit is too old, was not made by Check, or when anything
	// behind it is no longer so at the moment of reading.
	Body(ctx context.Context, p Permit, form string) (Content, error)
}

// ErrNotPermitted is returned for a permit that opens nothing (any more).
var ErrNotPermitted = errors.New("the permit opens nothing")

// BodyStore is the one implementation of Bodies, over a store that looks at the
// rights behind a permit in the statement that reads the body.
type BodyStore struct {
	store   origin.Bodies
	objects func(ctx context.Context, key string) ([]byte, error)
	now     func() time.Time
}

// NewBodyStore returns one. Texts that the store does not hold itself are read
// from objects, under ObjectKey; nil: there are none.
func NewBodyStore(store origin.Bodies, objects func(ctx context.Context, key string) ([]byte, error), now func() time.Time) *BodyStore {
	return &BodyStore{store, objects, now}
}

// ObjectKey is where one form of an edition is kept outside the store.
func ObjectKey(entryID string, version int64, form string) string {
	return entryID + "/" + strconv.FormatInt(version, 10) + "." + form
}

// Body opens what a permit is for.
func (s *BodyStore) Body(ctx context.Context, p Permit, form string) (Content, error) {
	now := s.now()
	if p.stale(now) {
		return Content{}, ErrNotPermitted
	}
	ask := p.ask
	ask.At, ask.Form = exports.Instant(now), form
	b, err := s.open(ctx, ask)
	if err != nil {
		return Content{}, err
	}
	c := Content{Format: b.Form, Text: b.Text, Version: b.Version, Digest: b.Digest}
	if c.Text == "" && s.objects != nil {
		if err := s.fetch(ctx, p.ask.EntryID, form, &c); err != nil {
			return Content{}, err
		}
		// The object took its time: the rights are looked at once more.
		ask.At = exports.Instant(s.now())
		after, err := s.open(ctx, ask)
		if err != nil {
			return Content{}, err
		}
		if after.Version != c.Version {
			return Content{}, ErrNotPermitted
		}
	}
	sum := sha256.Sum256([]byte(c.Text))
	c.SHA256 = hexOf(sum[:])
	return c, nil
}

// open asks the store, which looks at all that the ask names.
func (s *BodyStore) open(ctx context.Context, ask origin.BodyAsk) (origin.LicensedBody, error) {
	b, err := s.store.OpenBody(ctx, ask)
	if errors.Is(err, origin.ErrNotFound) {
		return origin.LicensedBody{}, ErrNotPermitted
	}
	return b, err
}

// fetch reads a text from outside the store.
func (s *BodyStore) fetch(ctx context.Context, entryID, form string, c *Content) error {
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
