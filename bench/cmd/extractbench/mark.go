package main

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"strings"

	"colophon/internal/extract"
)

// The number of pages of a site in the gold list, and the least number of words
// of each.
const (
	pagesOfSite = 8
	leastWords  = 15
)

// markPages writes the list: for each site, the pages with the smallest digests
// that have wanted text.
func markPages(o options, sites []*site) error {
	var b strings.Builder
	b.WriteString("# Pages of the gold list: site, path, SHA-256 of the wanted text. Made by extractbench -mark of sites.tsv.\n")
	for _, s := range sites {
		pages, err := s.list(o.root)
		if err != nil {
			return err
		}
		n := 0
		for _, p := range pages {
			body, err := s.read(o.root, p)
			if err != nil {
				return err
			}
			d, err := extract.Decode(body, "text/html")
			if err != nil {
				continue
			}
			wanted, _ := s.wanted(d.Text)
			if len(words(wanted)) < leastWords {
				continue
			}
			fmt.Fprintf(&b, "%s\t%s\t%s\n", s.id, p.path, digestOf(wanted))
			if n++; n == pagesOfSite {
				break
			}
		}
		fmt.Fprintf(os.Stderr, "%-22s %d of %d pages\n", s.id, n, len(pages))
	}
	return os.WriteFile(o.gold, []byte(b.String()), 0o644)
}

func digestOf(text string) string {
	sum := sha256.Sum256([]byte(strings.Join(words(text), " ")))
	return hex.EncodeToString(sum[:])
}

// half returns whether a page belongs to the half that rules are tuned on, or
// to the test half.
func half(digest string) string {
	if digest[0] < '8' {
		return "tune"
	}
	return "test"
}
