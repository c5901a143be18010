package demo

import (
	"fmt"
	"path"

	"colophon/internal/origin"
)

// world is everything that Seed writes, read from the sheets.
type world struct {
	categories []origin.Category
	demand     []origin.Demand
	fetches    []origin.Fetch
	sites      []*place
}

// place is one site with everything that belongs to it.
type place struct {
	account      origin.Publisher
	silent       bool // it proves control of its home but has no file
	site         origin.Site
	websites     []origin.Website
	preferences  []origin.Preference
	passports    []origin.Passport
	signals      []origin.Signal
	offers       []origin.Offer
	observations []origin.Observation
	pages        []page
}

func readWorld() (*world, error) {
	w := &world{}
	if err := readSheet("data/market.txt", w.readMarket); err != nil {
		return nil, err
	}
	entries, err := data.ReadDir("data/sites")
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		p := &place{}
		if err := readSheet(path.Join("data/sites", e.Name()), p.readFacts); err != nil {
			return nil, err
		}
		a := &articles{place: p}
		if err := readSheet(path.Join("data/articles", e.Name()), a.readBlock); err != nil {
			return nil, err
		}
		if err := a.composePages(); err != nil {
			return nil, fmt.Errorf("%s: %w", e.Name(), err)
		}
		w.sites = append(w.sites, p)
		w.fetches = append(w.fetches, p.listFetches()...)
	}
	return w, nil
}

// readSheet passes each block of a file to take.
func readSheet(name string, take func(*block)) error {
	text, err := data.ReadFile(name)
	if err != nil {
		return err
	}
	s, err := parseSheet(name, string(text))
	if err != nil {
		return err
	}
	for _, b := range s.blocks {
		take(b)
		if err := b.closeBlock(); err != nil {
			return err
		}
	}
	return nil
}
