package intake

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"colophon/internal/extract"
	"colophon/internal/origin"
	"colophon/internal/urlkey"
)

// site is what the importer knows about the site whose pages it imports: the
// hosts it may claim, and the site that a private copy represents.
type site struct {
	id      string
	home    *url.URL
	hosts   map[string]bool
	private func(*url.URL) bool // reports addresses that only a private copy has

	partners map[string]bool // hosts that its articles are syndicated to

	template       *extract.Template // what is not text on its pages, nil if none
	templateDigest string
}

// The reasons of pages that are not the site's to register.
const (
	reasonForeignHost = "foreign_host"
	reasonElsewhere   = "canonical_elsewhere"
	reasonNoIndex     = "noindex"
)

func openSite(ctx context.Context, store Store, id string) (*site, error) {
	record, err := store.Site(ctx, id)
	if errors.Is(err, origin.ErrNotFound) {
		return nil, fmt.Errorf("%w: site %q is not in the origin store; add it with: colophon publisher add", ErrUsage, id)
	}
	if err != nil {
		return nil, err
	}
	home, err := parseAddress(record.SiteURL, nil)
	if err != nil {
		return nil, fmt.Errorf("the home address %q of site %q: %w", record.SiteURL, id, err)
	}
	s := &site{id: id, home: home, hosts: map[string]bool{home.Host: true}}
	websites, err := store.Websites(ctx, id)
	for _, w := range websites {
		s.hosts[strings.ToLower(w.Host)] = true
	}
	return s, err
}

func (s *site) ownsAddress(u *url.URL) bool { return s.hosts[u.Host] || s.hosts[u.Hostname()] }

// registeredAddress returns the address under which a document at u is
// registered: its own on the site's hosts, or the same path at the site's home
// if u is a private copy.
func (s *site) registeredAddress(u *url.URL) (string, *problem) {
	at := *u
	switch {
	case s.ownsAddress(u):
	case s.private(u):
		at.Scheme, at.Host = s.home.Scheme, s.home.Host
	default:
		return "", skippedProblem(reasonForeignHost, "%s is not a host of site %q", u.Host, s.id)
	}
	key, err := urlkey.Address(at.String())
	if err != nil {
		return "", failedProblem("bad_url", "%q cannot be registered: %v", at.String(), err)
	}
	return key, nil
}

// pageAddress is where a page is.
type pageAddress struct {
	own       string   // under which it is registered, "" on a foreign host
	public    *url.URL // as readers know it
	canonical *url.URL // that it states, nil for none or its own
}

// identifyPage returns the address of a page found at final. A page on a foreign
// host belongs to the site only if its canonical address does, which still has to
// be confirmed.
func (s *site) identifyPage(final *url.URL, doc *extract.Document) (pageAddress, *problem) {
	own, foreign := s.registeredAddress(final)
	at := pageAddress{own: own, public: final}
	if foreign == nil {
		at.public, _ = url.Parse(own)
	}
	var p *problem
	at.canonical, p = s.statedCanonical(own, doc.Base(at.public), doc.Canonical())
	if p == nil && at.canonical == nil {
		p = foreign
	}
	return at, p
}

// statedCanonical resolves the canonical address that a page states, nil if it
// states none or its own. A page whose original is another publisher's is
// refused, unless that publisher's host is one to which this site's articles
// are syndicated.
func (s *site) statedCanonical(own string, base *url.URL, link string) (*url.URL, *problem) {
	canonical, err := parseAddress(link, base)
	if err != nil {
		return nil, nil
	}
	key, p := s.registeredAddress(canonical)
	switch {
	case p != nil && p.code == reasonForeignHost && s.partners[canonical.Hostname()]:
		return nil, nil
	case p != nil && p.code == reasonForeignHost:
		return nil, skippedProblem(reasonElsewhere, "%s states %s as its canonical address, and site %q has not shown that the host is its own", cmp.Or(own, base.String()), canonical, s.id)
	case p != nil || key == own:
		return nil, nil
	}
	canonical, err = url.Parse(key)
	if err != nil {
		return nil, nil
	}
	return canonical, nil
}
