package enrol

import (
	"context"
	"fmt"
	"slices"

	"colophon/exports"
	"colophon/generator/snapshot"
	"colophon/internal/intake"
	"colophon/internal/origin"
	"colophon/internal/originsql"
)

// maxProvenHosts bounds the hosts that are checked for one publisher.
const maxProvenHosts = 1000

// takeHosts stores the state of the proofs of a site's hosts, the home first. A
// host that never had a proof is reported, and nothing is stored for it. It
// reports whether control of the home has lapsed, and sets the proof of the
// home in site.
//
// A host that is the home of another site of the same group is left to that
// site. house is the account of the house that the site's file names, "" if
// none: the site takes over the house's proof of the home.
func takeHosts(ctx context.Context, store Store, site *origin.Site, seen []hostSeen, house, at string, r *Report) (lapsed bool, err error) {
	before, err := store.ProofsOfSite(ctx, site.SiteID)
	if err != nil {
		return false, err
	}
	for _, h := range seen {
		found, why := h.proof, h.why
		isOther, err := isSiblingHome(ctx, store, site, h.host)
		if err != nil {
			return false, err
		}
		if isOther {
			continue
		}
		if h.host == intake.HostOf(site.SiteURL) && house != "" && found.Method != "" {
			if err := yieldHost(ctx, store, house, site.SiteID, h.host, at); err != nil {
				return false, err
			}
		}
		if err := dropContested(ctx, store, site.SiteID, h.host, &found, &why); err != nil {
			return false, err
		}
		next := updateProof(proofOf(before, h.host), found, site.SiteID, h.host, at)
		r.Hosts = append(r.Hosts, HostReport{
			Host: h.host, Method: methodOf(&next), Address: next.Address, Digest: next.Digest, SeenAt: next.SeenAt, Missed: next.MissedAt, Why: why,
		})
		if next.Method == "" {
			continue
		}
		if err := storeProof(ctx, store, site, &next, at); err != nil {
			return false, err
		}
		lapsed = lapsed || h.host == intake.HostOf(site.SiteURL) && next.LapsedAt != ""
	}
	return lapsed, nil
}

// hostsOf lists the hosts to look at, the home first.
func hostsOf(home string, own *intake.Own, before []origin.HostProof) []string {
	hosts := []string{home}
	add := func(host string) {
		if len(hosts) < maxProvenHosts && !slices.Contains(hosts, host) {
			hosts = append(hosts, host)
		}
	}
	if own.Reading != nil {
		for _, host := range own.Reading.Hosts {
			add(host)
		}
	}
	for i := range before {
		add(before[i].Host)
	}
	return hosts
}

// proveHost looks for a proof of one host. A site's own file proves its home
// without another check. A file with mistakes counts as saying nothing, so it
// proves no new host; but its location continues to prove what it proved
// before.
func proveHost(ctx context.Context, p *intake.Prover, siteID, home, host string, own *intake.Own, before origin.HostProof) (origin.HostProof, []string) {
	goesOn := own.Void && Proven(methodOf(&before))
	if own.Reading == nil && !goesOn {
		return p.Prove(ctx, siteID, host, "", nil)
	}
	if host == home && own.Proof.Method != "" {
		return own.Proof, nil
	}
	if own.Reading != nil && host != home && !slices.Contains(own.Reading.Hosts, host) {
		return origin.HostProof{}, []string{fmt.Sprintf("%s no longer lists %s", own.Address, host)}
	}
	return p.Prove(ctx, siteID, host, own.Address, own.Body)
}

// isSiblingHome reports whether a host is the home of another site of the group
// of a site.
func isSiblingHome(ctx context.Context, store Store, site *origin.Site, host string) (bool, error) {
	if host == intake.HostOf(site.SiteURL) {
		return false, nil
	}
	sites, err := store.SitesOfPublisher(ctx, site.PublisherID)
	return slices.ContainsFunc(sites, func(s origin.Site) bool { return s.SiteID != site.SiteID && intake.HostOf(s.SiteURL) == host }), err
}

// yieldHost ends the proofs that a house's sites have for a host which became a
// site itself.
func yieldHost(ctx context.Context, store Store, house, siteID, host, at string) error {
	proofs, err := store.ProofsOfHost(ctx, host)
	if err != nil {
		return err
	}
	for _, p := range proofs {
		if p.SiteID == siteID || p.LapsedAt != "" {
			continue
		}
		holder, err := store.Site(ctx, p.SiteID)
		if err != nil {
			return err
		}
		if holder.PublisherID != house || intake.HostOf(holder.SiteURL) == host {
			continue
		}
		p.LapsedAt = at
		if err := store.PutHostProof(ctx, p); err != nil {
			return err
		}
		if err := store.PutWebsite(ctx, origin.Website{SiteID: p.SiteID, Host: host, Method: "none", CheckedAt: p.SeenAt, ChangedAt: at}); err != nil {
			return err
		}
	}
	return nil
}

// dropContested drops the proof of a host if another publisher has shown
// control of it that has not lapsed.
func dropContested(ctx context.Context, store Store, siteID, host string, found *origin.HostProof, why *[]string) error {
	if found.Method == "" {
		return nil
	}
	others, err := store.ProofsOfHost(ctx, host)
	if err != nil {
		return err
	}
	for _, o := range others {
		if o.SiteID != siteID && o.LapsedAt == "" {
			*found = origin.HostProof{}
			*why = append(*why, fmt.Sprintf("publisher %q has shown control of %s", o.SiteID, host))
			return nil
		}
	}
	return nil
}

func proofOf(list []origin.HostProof, host string) origin.HostProof {
	for _, p := range list {
		if p.Host == host {
			return p
		}
	}
	return origin.HostProof{}
}

// updateProof returns the state of a proof after a check: seen, missed once, or
// lapsed if a check at least LapseAfter the first missed one misses it too.
func updateProof(old, found origin.HostProof, siteID, host, at string) origin.HostProof {
	if found.Method != "" {
		found.SiteID = siteID
		found.Host = host
		found.FirstAt = at
		found.SeenAt = at
		found.LookedAt = at
		if old.Method == found.Method && old.LapsedAt == "" {
			found.FirstAt = old.FirstAt
		}
		return found
	}
	if old.Method == "" {
		return old
	}
	old.LookedAt = at
	first, missed := exports.ParseInstant(old.MissedAt)
	now, _ := exports.ParseInstant(at)
	switch {
	case !missed:
		old.MissedAt = at
	case old.LapsedAt == "" && now.Sub(first) >= LapseAfter:
		old.LapsedAt = at
	}
	return old
}

// methodOf returns the word under which a proof is published.
func methodOf(p *origin.HostProof) string {
	switch {
	case p.Method == "":
		return "none"
	case p.LapsedAt != "":
		return "lapsed"
	}
	return p.Method
}

// storeProof stores a proof and what is published about it. A host whose proof
// lapsed stays with its publisher, so that its reservations remain.
func storeProof(ctx context.Context, store Store, site *origin.Site, p *origin.HostProof, at string) error {
	if err := store.PutHostProof(ctx, *p); err != nil {
		return err
	}
	w := origin.Website{SiteID: site.SiteID, Host: p.Host, Associated: true, Method: methodOf(p), CheckedAt: p.SeenAt, ChangedAt: at}
	if err := store.PutWebsite(ctx, w); err != nil {
		return err
	}
	if p.Host != intake.HostOf(site.SiteURL) {
		return nil
	}
	if site.DomainControl != w.Method {
		site.ChangedAt = at
	}
	site.DomainControl, site.ControlChecked = w.Method, p.SeenAt
	return store.PutSite(ctx, *site)
}

// Vouch sets the control of a site and of its home's host to what the operator
// says: "operator" or "none".
func Vouch(ctx context.Context, store *originsql.Store, siteID, control, now string) error {
	s, err := store.Site(ctx, siteID)
	if err != nil {
		return err
	}
	s.DomainControl, s.ControlChecked, s.ChangedAt = control, now, now
	if err := store.PutSite(ctx, s); err != nil {
		return err
	}
	w := origin.Website{SiteID: siteID, Host: intake.HostOf(s.SiteURL), Associated: control != "none", Method: control, CheckedAt: now, ChangedAt: now}
	if err := store.PutWebsite(ctx, w); err != nil {
		return err
	}
	return snapshot.RefreshEvidence(ctx, store, siteID)
}
