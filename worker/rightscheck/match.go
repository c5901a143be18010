package rightscheck

import (
	"context"
	"slices"

	"colophon/exports"
	"colophon/internal/rights"
	"colophon/internal/urlkey"
)

// BasisWebsite means that an address is not registered but its host belongs to
// a site.
const BasisWebsite = "website"

// matchResources chooses the resources to answer about: the registered pages
// with exactly the key; for an address without any, the same page under another
// address; otherwise the sites that showed control of its host, with or without
// "www.".
func (x *answering) matchResources(ctx context.Context, q *Question) ([]match, error) {
	found, err := x.findResources(ctx, q)
	if err != nil {
		return nil, err
	}
	var exact, same []match
	for i := range found {
		ok, err := x.isKnown(ctx, q, found[i].siteID)
		switch {
		case err != nil:
			return nil, err
		case !ok:
		case found[i].basis == exports.BasisSamePage:
			same = append(same, found[i])
		default:
			exact = append(exact, found[i])
		}
	}
	if len(exact) > 0 || q.Key != "url" {
		return exact, nil
	}
	same, err = dropOthers(ctx, q, x, same, func(l match) (string, string) { return l.URL, l.siteID })
	if err != nil || len(same) > 0 {
		return same, err
	}
	for _, host := range []string{urlkey.HostOf(q.Normalized), urlkey.OtherWWW(urlkey.HostOf(q.Normalized))} {
		homes, err := x.websites(ctx, q, host)
		if err != nil || len(homes) > 0 {
			return homes, err
		}
	}
	return nil, nil
}

// dropOthers drops the pages found across "www." that do not belong to a site
// that showed control of the host asked about, if any site did. page returns
// the address and the site of one.
func dropOthers[T any](ctx context.Context, q *Question, from source, same []T, page func(T) (url, siteID string)) ([]T, error) {
	host := urlkey.HostOf(q.Normalized)
	across := func(x T) bool {
		url, _ := page(x)
		return urlkey.HostOf(url) != host
	}
	if !slices.ContainsFunc(same, across) {
		return same, nil
	}
	sites, err := from.sitesOf(ctx, q, host)
	if err != nil || len(sites) == 0 {
		return same, err
	}
	return slices.DeleteFunc(same, func(x T) bool {
		_, siteID := page(x)
		return across(x) && !slices.Contains(sites, siteID)
	}), nil
}

// websites returns the sites of a host as resources, with the page's path: what
// a site states about its paths applies under both names of its host.
func (x *answering) websites(ctx context.Context, q *Question, host string) ([]match, error) {
	if host == "" {
		return nil, nil
	}
	sites, err := x.sitesOf(ctx, q, host)
	if err != nil {
		return nil, err
	}
	var homes []match
	for _, siteID := range sites[:min(len(sites), maxCandidates)] {
		ok, err := x.isKnown(ctx, q, siteID)
		if err != nil {
			return nil, err
		}
		if ok {
			homes = append(homes, match{Resource: rights.Resource{URL: urlkey.WithHost(q.Normalized, host)}, siteID: siteID, basis: BasisWebsite})
		}
	}
	return homes, nil
}

// OwnPages returns the published pages that are the same page as an address. If
// any site showed control of the address's host, it drops pages under another
// host that belong to other sites.
func (s *Service) OwnPages(ctx context.Context, key, url string, same []exports.Candidate) ([]exports.Candidate, error) {
	q := &Question{RightsQuery: exports.RightsQuery{Key: key, Normalized: url}}
	return dropOthers(ctx, q, s.published(), same, func(x exports.Candidate) (string, string) { return x.CanonicalURL, x.SiteID })
}
