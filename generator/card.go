package generator

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"sync"

	"colophon/exports"
	"colophon/generator/brand"
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
	b.cards = make(map[string]string, len(b.sites))
	for i, err := range failed {
		if err != nil {
			return err
		}
		b.cards[b.sites[i].Site.SiteID] = b.sites[i].card
	}
	return nil
}

// publishCard draws or keeps the card of one publisher, and notes where it is.
func (b *build) publishCard(s *siteFacts) error {
	p, ok := rights.Publisher(&s.SiteSnapshot, s.tally)
	if !ok {
		return nil
	}
	ink, _ := b.opt.Brand.Accents()
	card := brand.Card{Name: exports.Clean(p.Name, 120), Summary: exports.Clean(p.Summary, 220), Service: b.opt.Name, Ink: ink}
	digest := sha256.Sum256(fmt.Appendf(nil, "%s\n%q %q %q %s", cardForm, card.Name, card.Summary, card.Service, card.Ink))
	name := "assets/card-" + p.SiteID + "." + hex.EncodeToString(digest[:5]) + ".png"
	if note, ok := b.out.before.findRow(name); ok {
		if err := b.out.keepFile(fileRow{name, note}); err == nil {
			s.card = "/" + name
			return nil
		}
	}
	data, ok, err := card.Draw()
	if err != nil || !ok {
		return err
	}
	s.card = "/" + name
	return b.out.putFile(exports.Key(name), data)
}
