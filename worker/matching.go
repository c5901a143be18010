package worker

import (
	"context"
	"slices"

	"colophon/exports"
	"colophon/internal/rights"
	"colophon/internal/urlkey"
)

// basisWebsite says that an address is not registered, and its host is a site's.
const basisWebsite = "website"

// matchResources chooses what a question is answered about: the registered pages of
// exactly its key; for an address without any, the same page under another address;
// else the sites that showed control of its host, with or without "www.". known
// reports whether a site may be told of.
func (q *rightsQuestion) matchResources(ctx context.Context, from record, found []located, known func(siteID string) (bool, error)) ([]located, error) {
	var exact, same []located
	for i := range found {
		ok, err := known(found[i].siteID)
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
	same, err := dropOthers(ctx, q, from, same, func(l located) (string, string) { return l.URL, l.siteID })
	if err != nil || len(same) > 0 {
		return same, err
	}
	for _, host := range []string{urlkey.HostOf(q.Normalized), urlkey.OtherWWW(urlkey.HostOf(q.Normalized))} {
		homes, err := q.websites(ctx, from, host, known)
		if err != nil || len(homes) > 0 {
			return homes, err
		}
	}
	return nil, nil
}

// dropOthers drops pages across "www." that belong to none of those who showed
// control of the host that was asked about, where anybody did. page tells the
// address and the site of one.
func dropOthers[T any](ctx context.Context, q *rightsQuestion, from record, same []T, page func(T) (url, siteID string)) ([]T, error) {
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
		return across(x) && !exports.OneOf(siteID, sites)
	}), nil
}

// websites are the sites of a host, asked about the page as if it were there: what
// a site states of its paths binds under both names of its host.
func (q *rightsQuestion) websites(ctx context.Context, from record, host string, known func(siteID string) (bool, error)) ([]located, error) {
	if host == "" {
		return nil, nil
	}
	sites, err := from.sitesOf(ctx, q, host)
	if err != nil {
		return nil, err
	}
	var homes []located
	for _, siteID := range sites[:min(len(sites), maxCandidates)] {
		ok, err := known(siteID)
		if err != nil {
			return nil, err
		}
		if ok {
			homes = append(homes, located{Resource: rights.Resource{URL: urlkey.WithHost(q.Normalized, host)}, siteID: siteID, basis: basisWebsite})
		}
	}
	return homes, nil
}
