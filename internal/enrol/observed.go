package enrol

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"colophon/exports"
	"colophon/internal/channel"
	"colophon/internal/channel/statements"
	"colophon/internal/filepolicy"
	"colophon/internal/intake"
	"colophon/internal/observed"
	"colophon/internal/origin"
	"colophon/internal/prose"
)

// Observed turns the priced licences of a site's RSL documents into offers of
// the source "observed", and ends those whose licence is gone. A
// document that cannot be reached or read changes nothing.
func Observed(ctx context.Context, store Store, siteID, at string, r *Report) error {
	seen, err := store.Observations(ctx, siteID)
	if err != nil {
		return err
	}
	have, err := store.OffersOf(ctx, siteID)
	if err != nil {
		return err
	}
	hosts, err := siteHosts(ctx, store, siteID)
	if err != nil {
		return err
	}
	for i := range seen {
		o := &seen[i]
		if o.Channel == string(statements.Robots) && o.Status == http.StatusOK {
			r.Notes = append(r.Notes, contradictionsOf(o)...)
		}
		if o.Channel != string(statements.RSL) {
			continue
		}
		licences, known := pricedLicences(o, hosts)
		if !known {
			continue
		}
		if err := putObserved(ctx, store, have, o, licences, at, r); err != nil {
			return err
		}
	}
	return nil
}

// lookAtChannels reads again what the channels of a publisher's hosts say, and writes
// nothing.
func lookAtChannels(ctx context.Context, store Store, p *intake.Prover, siteID string) ([]origin.Observation, error) {
	hosts, err := siteHosts(ctx, store, siteID)
	if err != nil {
		return nil, err
	}
	known, err := store.Observations(ctx, siteID)
	if err != nil {
		return nil, err
	}
	site, err := store.Site(ctx, siteID)
	if err != nil {
		return nil, err
	}
	home, err := url.Parse(site.SiteURL)
	if err != nil {
		return nil, err
	}
	others := slices.DeleteFunc(hosts[1:], func(host string) bool { return host == hosts[0] })
	slices.Sort(others)
	return p.Channels(ctx, siteID, home, slices.Compact(others), known)
}

// contradictionsOf returns where the lines that a CDN put into robots.txt say
// the opposite of the publisher's own.
func contradictionsOf(o *origin.Observation) []string {
	var out []string
	parsed := observed.Parse(o)
	for _, w := range parsed.Warnings {
		if w.Code == channel.CDNContradicts {
			out = append(out, fmt.Sprintf("%s, %s, was added by the CDN and contradicts the publisher: %s", o.URL, w.Locator, w.Detail))
		}
	}
	return out
}

// siteHosts lists the hosts of a site.
func siteHosts(ctx context.Context, store Store, siteID string) ([]string, error) {
	site, err := store.Site(ctx, siteID)
	if err != nil {
		return nil, err
	}
	hosts := []string{intake.HostOf(site.SiteURL)}
	websites, err := store.Websites(ctx, siteID)
	for _, w := range websites {
		if w.Associated {
			hosts = append(hosts, w.Host)
		}
	}
	return hosts, err
}

// pricedLicences reads the licences with a price of an RSL document. known is
// false of a document that could not be fetched or read.
func pricedLicences(o *origin.Observation, hosts []string) (list []origin.Offer, known bool) {
	if o.Status == 404 || o.Status == 410 {
		return nil, true
	}
	if o.Status != 200 {
		return nil, false
	}
	read := observed.Parse(o)
	if read.State != channel.Valid {
		return nil, false
	}
	byLicence := map[string]int{}
	for i := range read.Statements {
		s := &read.Statements[i]
		offer, ok := observedOffer(o, s, hosts)
		if !ok {
			continue
		}
		at, again := byLicence[offer.Slug]
		if !again {
			byLicence[offer.Slug] = len(list)
			list = append(list, offer)
			continue
		}
		list[at].Permits = filepolicy.InOrder(append(list[at].Permits, offer.Permits...))
	}
	return list, true
}

// observedOffer returns the offer made by a priced statement of an RSL licence. The second
// result is false for other statements, for hosts that are not the site's, and for terms
// that an offer record cannot express exactly.
func observedOffer(o *origin.Observation, s *statements.Statement, hosts []string) (origin.Offer, bool) {
	t := &s.Terms
	host := s.Host
	if host == "" {
		host = intake.HostOf(o.URL)
	}
	plain := func(code string) bool { return len(code) == 2 }
	switch {
	case s.Channel != statements.RSL || s.Effect != statements.Priced || !slices.Contains(priced, t.Payment):
		return origin.Offer{}, false
	case !slices.Contains(hosts, host) || !plainPrefix(s.Pattern):
		return origin.Offer{}, false
	case slices.ContainsFunc(t.Territories, negate(plain)) || slices.ContainsFunc(t.NotTerritories, negate(plain)):
		return origin.Offer{}, false
	case slices.ContainsFunc(t.UserTypes, func(u string) bool { return !slices.Contains(exports.UserTypes, u) }) || len(t.NotUserTypes) > 0:
		return origin.Offer{}, false
	}
	uses := exactUses(s)
	if len(uses) == 0 {
		return origin.Offer{}, false
	}
	kind, paths := filepolicy.ScopeOf([]string{s.Pattern})
	offer := origin.Offer{
		SiteID: o.SiteID, Slug: observedSlug(o.URL, s), Kind: "custom", Status: "offered", Title: "RSL licence for " + host + strings.TrimSuffix(s.Pattern, "*"),
		ScopeType: kind, Paths: paths, Permits: uses, UserTypes: t.UserTypes, Territories: t.Territories, NotIn: t.NotTerritories,
		PaymentModel: t.Payment, Source: "observed", EvidenceURL: o.URL, EvidenceSHA256: o.SHA256,
	}
	if isAmount(t.Amount) && exports.ValidCurrency(t.Currency) {
		offer.Amount, offer.Currency = t.Amount, t.Currency
	}
	for _, address := range []string{t.Custom, t.Standard} {
		if prose.Linkable(address) && strings.HasPrefix(address, "http") {
			offer.TermsURL = address
		}
	}
	if slices.Contains(t.Obligations, "attribution") {
		offer.Attribution = "link"
	}
	return offer, true
}

// priced are the payments of RSL that cost money.
var priced = []string{"purchase", "subscription", "training", "crawl", "use"}

func negate(f func(string) bool) func(string) bool { return func(s string) bool { return !f(s) } }

// exactUses lists the uses that the word of a statement names exactly.
func exactUses(s *statements.Statement) []string {
	var uses []string
	for i, cover := range statements.Covers(s.Channel, s.Word) {
		if cover == statements.Exactly {
			uses = append(uses, exports.UseWords()[i])
		}
	}
	return uses
}

func plainPrefix(pattern string) bool {
	p := strings.TrimSuffix(pattern, "*")
	return strings.HasPrefix(p, "/") && !strings.ContainsAny(p, "*$#\"'<>\\;{} ")
}

func isAmount(s string) bool {
	n, err := strconv.ParseFloat(s, 64)
	return err == nil && n > 0 && len(s) <= 14 && strings.Trim(s, "0123456789.") == ""
}

// observedSlug names a licence by its document, its place there and its path,
// so that a new price is a change of the same offer.
func observedSlug(address string, s *statements.Statement) string {
	sum := sha256.Sum256([]byte(address + "\x00" + s.Locator + "\x00" + s.Host + "\x00" + s.Pattern))
	return "rsl-" + hex.EncodeToString(sum[:6])
}

func putObserved(ctx context.Context, store Store, have []origin.Offer, o *origin.Observation, licences []origin.Offer, at string, r *Report) error {
	there := map[string]bool{}
	for _, l := range licences {
		there[l.Slug] = true
		if err := putOffer(ctx, store, have, l, at); err != nil {
			return err
		}
		r.Offers = append(r.Offers, l.Slug)
	}
	for _, old := range have {
		if old.Source == "observed" && old.EvidenceURL == o.URL && old.Status != "retired" && !there[old.Slug] {
			if err := retireOffer(ctx, store, old, at, r); err != nil {
				return fmt.Errorf("end offer %q: %w", old.LicenseID, err)
			}
		}
	}
	return nil
}
