package main

import (
	"bufio"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"github.com/andybalholm/cascadia"
	"golang.org/x/net/html"

	"colophon/internal/extract"
)

// site is a folder of pages with the same template, and the selectors of the
// wanted text.
type site struct {
	id, registry, pkg, version, folder, language string
	keep, omit, title                            cascadia.SelectorGroup
	state                                        string // tuned, blind or unseen
}

func readSites(name string) ([]*site, error) {
	rows, err := readRows(name, 10)
	if err != nil {
		return nil, err
	}
	var list []*site
	for _, r := range rows {
		s := &site{id: r[0], registry: r[1], pkg: r[2], version: r[3], folder: r[4], language: strings.Trim(r[5], "-"), state: r[9]}
		for _, p := range []struct {
			into *cascadia.SelectorGroup
			text string
		}{{&s.keep, r[6]}, {&s.omit, strings.TrimPrefix(r[7], "-")}, {&s.title, r[8]}} {
			if p.text == "" {
				continue
			}
			if *p.into, err = cascadia.ParseGroup(p.text); err != nil {
				return nil, fmt.Errorf("site %s: %q: %w", s.id, p.text, err)
			}
		}
		list = append(list, s)
	}
	return list, nil
}

// readRows reads lines of exactly cells cells, separated by tabs.
func readRows(name string, cells int) ([][]string, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var rows [][]string
	lines := bufio.NewScanner(f)
	for n := 1; lines.Scan(); n++ {
		if strings.HasPrefix(lines.Text(), "#") || lines.Text() == "" {
			continue
		}
		row := strings.Split(lines.Text(), "\t")
		if len(row) != cells {
			return nil, fmt.Errorf("%s:%d: %d cells, want %d", name, n, len(row), cells)
		}
		rows = append(rows, row)
	}
	return rows, lines.Err()
}

// page is a page of a site.
type page struct {
	path string // relative to the folder of the site
	url  *url.URL
}

// list returns the pages of a site, sorted by the digest of their address.
func (s *site) list(root string) ([]page, error) {
	base := filepath.Join(root, s.pkg, s.folder)
	var pages []page
	err := filepath.WalkDir(base, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, _ := filepath.Rel(base, name)
		if ext := filepath.Ext(strings.TrimSuffix(rel, ".gz")); ext != ".html" && ext != ".htm" && ext != ".xhtml" {
			return nil
		}
		u, err := url.Parse("https://" + s.id + ".example/" + filepath.ToSlash(strings.TrimSuffix(rel, ".gz")))
		if err != nil {
			return nil
		}
		pages = append(pages, page{path: rel, url: u})
		return nil
	})
	sort.Slice(pages, func(i, j int) bool { return addressDigest(pages[i].url) < addressDigest(pages[j].url) })
	return pages, err
}

func addressDigest(u *url.URL) string {
	sum := sha256.Sum256([]byte(u.String()))
	return hex.EncodeToString(sum[:])
}

// read returns the bytes of a page.
func (s *site) read(root string, p page) ([]byte, error) {
	f, err := os.Open(filepath.Join(root, s.pkg, s.folder, p.path))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if !strings.HasSuffix(p.path, ".gz") {
		return io.ReadAll(f)
	}
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, err
	}
	return io.ReadAll(z)
}

// wanted returns the wanted text and title of a page; they are "" if the page
// has none of the wanted elements.
func (s *site) wanted(text string) (wanted, title string) {
	doc, err := html.Parse(strings.NewReader(text))
	if err != nil {
		return "", ""
	}
	if s.omit != nil {
		for _, n := range cascadia.QueryAll(doc, s.omit) {
			if n.Parent != nil {
				n.Parent.RemoveChild(n)
			}
		}
	}
	for _, n := range cascadia.QueryAll(doc, s.title) {
		if title = extract.OneLine(extract.PlainText(n)); title != "" {
			break
		}
	}
	var b strings.Builder
	for _, n := range cascadia.QueryAll(doc, s.keep) {
		if !isInside(n, s.keep) {
			b.WriteString(extract.PlainText(n) + "\n")
		}
	}
	return b.String(), title
}

func isInside(n *html.Node, selector cascadia.SelectorGroup) bool {
	for p := n.Parent; p != nil; p = p.Parent {
		if selector.Match(p) {
			return true
		}
	}
	return false
}

// learn learns the template of a site from its pages with the smallest digests,
// at most extract.SampleSize.
func (s *site) learn(root string, pages []page) (*extract.Template, error) {
	l := extract.NewLearner(s.id)
	for _, p := range pages[:min(len(pages), extract.SampleSize)] {
		body, err := s.read(root, p)
		if err != nil {
			return nil, err
		}
		d, err := extract.Decode(body, "text/html")
		if err != nil {
			continue
		}
		doc, err := html.Parse(strings.NewReader(d.Text))
		if err != nil {
			continue
		}
		sum := sha256.Sum256(body)
		l.Add(extract.Page{URL: p.url, Doc: doc, Body: hex.EncodeToString(sum[:])})
	}
	return l.Template(), nil
}
