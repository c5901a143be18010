package generator

import (
	"colophon/exports"
	"colophon/generator/render"
	"colophon/internal/rights"
)

// publishCards draws the card that link previews show of each publisher, where
// the operator wants that, and notes where it is.
func (b *build) publishCards() error {
	return b.runParallel(len(b.sites), func(i int) error {
		s := &b.sites[i]
		card, err := b.service.SiteCard(&s.Site)
		if err != nil || card == nil {
			return err
		}
		s.Card = card.Path
		return b.putCard(card)
	})
}

// entryCard publishes the card of an entry, where the operator wants that, and
// returns where it is. Another entry shows the card of its publisher.
func (b *build) entryCard(s *rights.SiteSnapshot, c *exports.Citation) (path string, err error) {
	card, err := b.service.EntryCard(c)
	if err != nil {
		return "", err
	}
	if card != nil && b.opt.Form != FormPacks {
		return card.Path, b.putCard(card)
	}
	card, err = b.service.SiteCard(&s.Site)
	if err != nil || card == nil {
		return "", err
	}
	return card.Path, nil
}

// putCard publishes a card. One that is published already says the same and is
// kept without being drawn.
func (b *build) putCard(card *render.Card) error {
	key := exports.KeyOf(card.Path)
	if f, ok := b.out.before.Find(string(key)); ok && b.out.keepFile(f) == nil {
		return nil
	}
	data, err := card.Draw()
	if err != nil {
		return err
	}
	return b.out.putFile(key, data)
}
