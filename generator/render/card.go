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

// cardForm is the version of the cards' drawing. It must change whenever the
// same words are drawn differently.
const cardForm = "colophon.card.v1"

// Card is an image for link previews.
type Card struct {
	Path string // path of publication; it depends on the words
	brand.Card
}

// SiteCard returns the card of a publisher. It returns nil if the operator
// wants no cards or the words cannot be drawn.
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

// EntryCard returns the card of an entry. It returns nil if the entry has none
// of its own.
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

// cardDigest returns a digest of a card's words and drawing.
func cardDigest(c brand.Card) string {
	digest := sha256.Sum256(fmt.Appendf(nil, "%s\n%q %q %q %s", cardForm, c.Name, c.Summary, c.Service, c.Ink))
	return hex.EncodeToString(digest[:5])
}
