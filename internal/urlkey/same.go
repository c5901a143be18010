package urlkey

import (
	"slices"
	"strings"
)

// trackers are parameters of a query that name a visit, not a page.
var trackers = []string{
	"_ga", "_gl", "dclid", "fbclid", "gbraid", "gclid", "gclsrc", "igshid", "mc_cid", "mc_eid", "mkt_tok", "msclkid", "ref_src", "srsltid",
	"twclid", "wbraid", "yclid",
}

func tracks(parameter string) bool {
	name, _, _ := strings.Cut(parameter, "=")
	name = strings.ToLower(name)
	_, listed := slices.BinarySearch(trackers, name)
	return listed || strings.HasPrefix(name, "utm_")
}

// SamePage lists the other canonical addresses under which the page of a
// canonical address may be registered: with the other scheme, with or without
// "www." and the slash at the end of the path, without tracking parameters.
// There are at most eight, those that differ least first.
func SamePage(canonical string) []string {
	scheme, rest, _ := strings.Cut(canonical, "://")
	authority, target := cutAny(rest, "/")
	path, query := cutAny(target, "?")
	query = withoutTrackers(query)
	schemes := []string{scheme}
	if !strings.Contains(authority, ":") {
		schemes = append(schemes, otherScheme(scheme))
	}
	hosts := []string{authority}
	if other := OtherWWW(authority); other != "" {
		hosts = append(hosts, other)
	}
	paths := []string{path}
	if other := otherSlash(path); other != path {
		paths = append(paths, other)
	}
	list := make([]string, 0, 8)
	for _, path := range paths {
		for _, host := range hosts {
			for _, scheme := range schemes {
				u := scheme + "://" + host + path + query
				if u != canonical && len(u) <= MaxURLBytes {
					list = append(list, u)
				}
			}
		}
	}
	return list
}

// withoutTrackers returns a query, with its question mark, without tracking
// parameters.
func withoutTrackers(query string) string {
	if query == "" {
		return ""
	}
	kept := strings.Split(query[1:], "&")
	all := len(kept)
	kept = slices.DeleteFunc(kept, tracks)
	switch len(kept) {
	case all:
		return query
	case 0:
		return ""
	}
	return "?" + strings.Join(kept, "&")
}

func otherScheme(scheme string) string {
	if scheme == "https" {
		return "http"
	}
	return "https"
}

// otherSlash returns a path without the slashes at its end, or with one where
// it has none. The path "/" is all there is.
func otherSlash(path string) string {
	bare := strings.TrimRight(path, "/")
	switch bare {
	case "":
		return path
	case path:
		return path + "/"
	}
	return bare
}

// OtherWWW returns a host, perhaps with a port, without its "www.", or with one
// where it has none; "" where no such name is a host.
func OtherWWW(host string) string {
	other, has := strings.CutPrefix(host, "www.")
	if !has {
		other = "www." + host
	}
	name, _ := cutAny(other, ":")
	if !isBrowserHost(name) {
		return ""
	}
	return other
}

// HostOf returns the host of a canonical address, with its port if it has one.
func HostOf(canonical string) string {
	_, rest, _ := strings.Cut(canonical, "://")
	host, _ := cutAny(rest, "/?#")
	return host
}

// WithHost returns a canonical address at another host.
func WithHost(canonical, host string) string {
	scheme, rest, _ := strings.Cut(canonical, "://")
	_, target := cutAny(rest, "/?#")
	return scheme + "://" + host + target
}
