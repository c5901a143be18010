package render

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"colophon/exports"
	"colophon/generator/brand"
	"colophon/internal/origin"
	"colophon/internal/prose"
)

// cardForm names how cards are drawn: another drawing of the same words needs
// another name.
const cardForm = "colophon.card.v1"

// Card is an image for link previews.
type Card struct {
	Path string // where it is published: the same path shows the same words
	brand.Card
}

// SiteCard returns the card of a publisher; nil where the operator wants none, or where
// it cannot be drawn.
func (s *Service) SiteCard(site *origin.Site) (*Card, error) {
	if !s.own.Cards {
		return nil, nil
	}
	card := s.newCard(site.Name, site.Summary)
	drawable, err := card.Drawable()
	if err != nil || !drawable {
		return nil, err
	}
	return &Card{"/assets/card-" + site.SiteID + "." + cardDigest(card) + ".png", card}, nil
}

// EntryCard returns the card of an entry; nil where it has none of its own.
func (s *Service) EntryCard(c *exports.Citation) (*Card, error) {
	if !s.own.Cards || !s.own.EntryCards || c.Status != "active" {
		return nil, nil
	}
	words := append([]string{c.Publisher}, c.Source.Byline...)
	if len(c.Source.PublishedAt) >= len("2006-01-02") {
		words = append(words, prose.Day(c.Source.PublishedAt))
	}
	card := s.newCard(c.Source.Title, strings.Join(words, " · "))
	drawable, err := card.Drawable()
	if err != nil || !drawable || card.Name == "" {
		return nil, err
	}
	return &Card{exports.EntryCardPath(c.EntryID, cardDigest(card)), card}, nil
}

func (s *Service) newCard(name, summary string) brand.Card {
	ink, _ := s.own.Accents()
	return brand.Card{Name: prose.Clean(name, 120), Summary: prose.Clean(summary, 220), Service: s.Name, Ink: ink}
}

// cardDigest names what a card says and how it is drawn.
func cardDigest(c brand.Card) string {
	digest := sha256.Sum256(fmt.Appendf(nil, "%s\n%q %q %q %s", cardForm, c.Name, c.Summary, c.Service, c.Ink))
	return hex.EncodeToString(digest[:5])
}
