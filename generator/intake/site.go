package intake

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"colophon/generator/extract"
	"colophon/internal/origin"
	"colophon/internal/urlkey"
)

// site is what the importer must know of the site whose pages come in: the
// hosts it may claim, and where a private copy of it stands for.
type site struct {
	id      string
	home    *url.URL
	hosts   map[string]bool
	private func(*url.URL) bool // reports addresses that only a private copy has

	template       *extract.Template // what is no text on its pages, nil none
	templateDigest string
}

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

// registeredAddress gives the address under which a document at u is registered: its
// own on the site's hosts, that of the site's home with the same path when u
// is a private copy.
func (s *site) registeredAddress(u *url.URL) (string, *problem) {
	at := *u
	switch {
	case s.ownsAddress(u):
	case s.private(u):
		at.Scheme, at.Host = s.home.Scheme, s.home.Host
	default:
		return "", skippedProblem("foreign_host", "%s is not a host of site %q", u.Host, s.id)
	}
	key, err := urlkey.URLKey(at.String())
	if err != nil {
		return "", failedProblem("bad_url", "%q cannot be registered: %v", at.String(), err)
	}
	return key, nil
}

// identifyPage chooses the canonical address of a page found at final that links
// to canonical ("" for none), and the base for its relative links.
func (s *site) identifyPage(final *url.URL, canonical string) (key string, base *url.URL, p *problem) {
	own, ownProblem := s.registeredAddress(final)
	base = final
	if ownProblem == nil {
		base, _ = url.Parse(own)
	}
	if link, err := parseAddress(canonical, base); err == nil && s.ownsAddress(link) {
		if key, err := urlkey.URLKey(link.String()); err == nil {
			return key, base, nil
		}
	}
	return own, base, ownProblem
}
