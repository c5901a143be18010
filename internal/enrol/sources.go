package enrol

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"

	"colophon/exports"
	"colophon/internal/channel/publisherfile"
	"colophon/internal/intake"
	"colophon/internal/origin"
)

// newSite returns the pending site of a file, under an id made of its host.
func newSite(ctx context.Context, store Store, host string, own *intake.Own, now string) (origin.Site, error) {
	sites, err := store.Sites(ctx)
	if err != nil {
		return origin.Site{}, err
	}
	taken := map[string]bool{}
	for _, s := range sites {
		if intake.HostOf(s.SiteURL) == host {
			return origin.Site{}, fmt.Errorf("%s is publisher %q already; look at its file again with \"colophon refresh %s\"", host, s.SiteID, s.SiteID)
		}
		taken[s.SiteID] = true
	}
	s := origin.Site{
		SiteID: SiteID(host, taken), Name: own.Reading.Name, SiteURL: "https://" + host + "/", State: origin.Pending, Visibility: "public",
		AcceptsInquiries: true, RAGSuitability: "unassessed", DomainControl: "none", CreatedAt: now, ChangedAt: now,
	}
	s.PublisherID = ownAccount(s.SiteID)
	return s, nil
}

// SiteID returns a site id for a host: www.site.example becomes site-example.
// If the id is taken or too long, a part of the host's digest is appended.
func SiteID(host string, taken map[string]bool) string {
	id := strings.NewReplacer(".", "-", "_", "-").Replace(strings.TrimPrefix(host, "www."))
	if exports.ValidSiteID(id) && !taken[id] {
		return id
	}
	sum := sha256.Sum256([]byte(host))
	return strings.TrimLeft(id[:min(len(id), 50)], "-") + "-" + hex.EncodeToString(sum[:4])
}

// ListRefreshed lists the publishers to look at again: all but those that the operator
// closed.
func ListRefreshed(ctx context.Context, store Store) ([]string, error) {
	sites, err := store.Sites(ctx)
	var ids []string
	for i := range sites {
		if s := &sites[i]; s.State != origin.Closed || ClosedByFile(s) {
			ids = append(ids, s.SiteID)
		}
	}
	return ids, err
}

// isEnrolled reports whether a publisher has, or had, a file or a proof.
func isEnrolled(ctx context.Context, store Store, siteID string) (bool, error) {
	proofs, err := store.ProofsOfSite(ctx, siteID)
	if err != nil || len(proofs) > 0 {
		return len(proofs) > 0, err
	}
	files, err := observedFiles(ctx, store, siteID)
	return len(files) > 0, err
}

// ownFiles returns the files of a publisher, and the hosts of which it has
// shown control. refused is why a file cannot be read, "" if all can.
func ownFiles(ctx context.Context, store Store, siteID string) (files map[string]publisherfile.File, controlled map[string]bool, refused string, err error) {
	seen, err := observedFiles(ctx, store, siteID)
	if err != nil {
		return nil, nil, "", err
	}
	websites, err := store.Websites(ctx, siteID)
	if err != nil {
		return nil, nil, "", err
	}
	controlled = map[string]bool{}
	for _, w := range websites {
		controlled[w.Host] = w.Associated && Proven(w.Method)
	}
	files = map[string]publisherfile.File{}
	for _, o := range seen {
		if o.Status != 200 {
			continue
		}
		reading, err := publisherfile.Read([]byte(o.Raw))
		if err != nil {
			refused = err.Error()
			continue
		}
		files[o.URL] = reading.File
	}
	return files, controlled, refused, nil
}

// NamedSources returns the sitemaps that a publisher names in its own file,
// then the feeds, as far as they are on hosts of which it has shown control.
// refused is why a file cannot be read, "" if all can.
func NamedSources(ctx context.Context, store Store, siteID string) (sources []string, refused string, err error) {
	files, controlled, refused, err := ownFiles(ctx, store, siteID)
	if err != nil {
		return nil, "", err
	}
	add := func(addresses []string) {
		for _, a := range addresses {
			if controlled[intake.HostOf(a)] && !slices.Contains(sources, a) {
				sources = append(sources, a)
			}
		}
	}
	order := slices.Sorted(maps.Keys(files))
	for _, at := range order {
		add(files[at].Sitemaps)
	}
	for _, at := range order {
		add(files[at].Feeds)
	}
	return sources, refused, nil
}

// AddWishes adds what the publisher's own files, on hosts of which it has shown
// control, say about the import of its pages.
func AddWishes(ctx context.Context, store Store, opt *intake.Options) error {
	files, controlled, _, err := ownFiles(ctx, store, opt.SiteID)
	for _, at := range slices.Sorted(maps.Keys(files)) {
		if f := files[at]; controlled[intake.HostOf(at)] {
			if opt.NoIndex == "" {
				opt.NoIndex = f.NoIndex
			}
			opt.Partners = append(opt.Partners, f.SyndicatedTo...)
		}
	}
	opt.Withdrawn = func(address string) bool {
		for at, f := range files {
			if controlled[intake.HostOf(at)] && controlled[intake.HostOf(address)] && f.Withdraws(address) {
				return true
			}
		}
		return false
	}
	return err
}

// RobotsSources lists the sitemaps that robots.txt of a publisher's home names,
// as far as they are on its hosts.
func RobotsSources(ctx context.Context, store Store, site origin.Site, opt intake.Options) ([]string, error) {
	websites, err := store.Websites(ctx, site.SiteID)
	if err != nil {
		return nil, err
	}
	own := map[string]bool{intake.HostOf(site.SiteURL): true}
	for _, w := range websites {
		own[w.Host] = true
	}
	p, err := intake.NewProver(opt)
	if err != nil {
		return nil, err
	}
	defer p.Close()
	return slices.DeleteFunc(p.Sitemaps(ctx, site.SiteURL), func(address string) bool { return !own[intake.HostOf(address)] }), nil
}
