package generator

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"sync"

	"colophon/exports"
	"colophon/generator/brand"
	"colophon/internal/prose"
	"colophon/internal/rights"
)

// cardForm names how cards are drawn: another drawing of the same words needs
// another name.
const cardForm = "colophon.card.v1"

// publishCards draws the card that link previews show of each publisher, where
// the operator wants that. One that is published with the same words is kept.
func (b *build) publishCards() error {
	if !b.opt.Brand.Cards {
		return nil
	}
	turns := make(chan struct{}, max(1, b.opt.Workers))
	failed := make([]error, len(b.sites))
	var wait sync.WaitGroup
	for i := range b.sites {
		turns <- struct{}{}
		wait.Add(1)
		go func() {
			defer wait.Done()
			defer func() { <-turns }()
			failed[i] = b.publishCard(&b.sites[i])
		}()
	}
	wait.Wait()
	return errors.Join(failed...)
}

// publishCard draws or keeps the card of one publisher, and notes where it is.
func (b *build) publishCard(s *siteFacts) error {
	card, path, err := b.siteCard(&s.SiteSnapshot)
	if err != nil || path == "" {
		return err
	}
	s.card = path
	return b.putCard(path, card)
}

// siteCard returns what the card of a publisher says and where it is published;
// path is "" when there is none.
func (b *build) siteCard(s *rights.SiteSnapshot) (card brand.Card, path string, err error) {
	if !b.opt.Brand.Cards || !rights.Public(s.Site) {
		return card, "", nil
	}
	card = b.newCard(s.Site.Name, s.Site.Summary)
	drawable, err := card.Drawable()
	if err != nil || !drawable {
		return card, "", err
	}
	return card, "/assets/card-" + s.Site.SiteID + "." + cardDigest(card) + ".png", nil
}

// entryCard publishes the card of an entry, where the operator wants that, and
// returns where it is. Another entry shows the card of its publisher.
func (b *build) entryCard(s *rights.SiteSnapshot, c *exports.Citation) (path string, err error) {
	if _, path, err = b.siteCard(s); err != nil || !b.opt.Brand.EntryCards || b.opt.Form == FormPacks || c.Status != "active" {
		return path, err
	}
	words := append([]string{c.Publisher}, c.Source.Byline...)
	if len(c.Source.PublishedAt) >= len("2006-01-02") {
		words = append(words, prose.Day(c.Source.PublishedAt))
	}
	card := b.newCard(c.Source.Title, strings.Join(words, " · "))
	drawable, err := card.Drawable()
	if err != nil || !drawable || card.Name == "" {
		return path, err
	}
	path = exports.EntryCardPath(c.EntryID, cardDigest(card))
	return path, b.putCard(path, card)
}

func (b *build) newCard(name, summary string) brand.Card {
	ink, _ := b.opt.Brand.Accents()
	return brand.Card{Name: prose.Clean(name, 120), Summary: prose.Clean(summary, 220), Service: b.opt.Name, Ink: ink}
}

// cardDigest names what a card says and how it is drawn.
func cardDigest(c brand.Card) string {
	digest := sha256.Sum256(fmt.Appendf(nil, "%s\n%q %q %q %s", cardForm, c.Name, c.Summary, c.Service, c.Ink))
	return hex.EncodeToString(digest[:5])
}

// putCard publishes a card. One that is published already says the same and is
// kept without being drawn.
func (b *build) putCard(path string, card brand.Card) error {
	key := exports.KeyOf(path)
	if note, ok := b.out.before.findRow(string(key)); ok {
		if err := b.out.keepFile(fileRow{string(key), note}); err == nil {
			return nil
		}
	}
	data, err := card.Draw()
	if err != nil {
		return err
	}
	return b.out.putFile(key, data)
}
