package generator

import (
	"colophon/exports"
	"colophon/generator/render"
	"colophon/internal/rights"
)

// publishCards draws the cards that link previews show of publishers, if the
// operator wants them, and notes their paths.
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

// entryCard publishes the card of an entry, if the operator wants one, and
// returns its path. Without a path the entry shows the card of its publisher.
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

// putCard publishes a card. If its path is published already, it keeps the file
// without drawing it, because the path depends on the words.
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
