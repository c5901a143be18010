package main

import (
	"fmt"
	"slices"
	"strings"

	"golang.org/x/net/html"

	"colophon/internal/extract"
)

// wholeSites are the sites of which every page is checked.
var wholeSites = []string{"sqlite", "git", "debian-reference-ja"}

// checkWholeSites reads all pages of three sites: pages with different wanted
// text must not give the same text to be signed, and no heading of the first
// three levels may be lost.
func checkWholeSites(o options, sites []*site) error {
	for _, s := range sites {
		if o.only == s.id || o.only == "" && slices.Contains(wholeSites, s.id) {
			if err := checkWholeSite(o, s); err != nil {
				return fmt.Errorf("%s: %w", s.id, err)
			}
		}
	}
	return nil
}

func checkWholeSite(o options, s *site) error {
	pages, err := s.list(o.root)
	if err != nil {
		return err
	}
	t, err := s.learn(o.root, pages)
	if err != nil {
		return err
	}
	first := map[string]string{} // text -> wanted text of the first page with it
	shared, lost, headings, review, empty := 0, 0, 0, 0, 0
	for _, p := range pages {
		body, err := s.read(o.root, p)
		if err != nil {
			return err
		}
		x, text, err := extractPage(body, p.url, t)
		if err != nil {
			return err
		}
		wanted, _ := s.wanted(text)
		switch {
		case x.Text == "":
			empty++
			continue
		case len(x.Review()) > 0:
			review++
			continue
		}
		key := digestOf(x.Text)
		if other, ok := first[key]; ok && other != digestOf(wanted) {
			shared++
			fmt.Printf("%s/%s shares its text with another page\n", s.id, p.path)
		}
		first[key] = digestOf(wanted)
		for _, h := range s.headings(text) {
			headings++
			if !strings.Contains(fold(x.Text), fold(h)) {
				lost++
				fmt.Printf("%s/%s lost the heading %q\n", s.id, p.path, h)
			}
		}
	}
	fmt.Printf("%-22s %5d pages, %d in review, %d without text, %d share a text, %d of %d headings lost\n", s.id, len(pages), review, empty, shared, lost, headings)
	return nil
}

// headings returns the headings in the wanted elements of a page.
func (s *site) headings(text string) []string {
	doc, err := html.Parse(strings.NewReader(text))
	if err != nil {
		return nil
	}
	var list []string
	for n := range doc.Descendants() {
		if n.Type != html.ElementNode || n.Data != "h1" && n.Data != "h2" && n.Data != "h3" {
			continue
		}
		if !s.keep.Match(n) && !isInside(n, s.keep) || s.omit != nil && (s.omit.Match(n) || isInside(n, s.omit)) {
			continue
		}
		if h := extract.PlainText(n); fold(h) != "" {
			list = append(list, h)
		}
	}
	return list
}
