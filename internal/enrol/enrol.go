// Package enrol turns what publishers themselves say into the records of the
// registry: a publisher's own file into its facts, preferences and offers,
// proofs into control of hosts, and priced RSL licences into offers that are
// shown as observed.
//
// It never opens what is closed: what a file closes, only the operator opens
// again. If a file is gone, its offers and permissions are withdrawn, and its
// reservations remain. A proof that was missing at two checks, fourteen days
// apart, lapses, which counts as a file that is gone.
package enrol

import (
	"context"
	"slices"
	"time"

	"colophon/exports"
	"colophon/internal/channel/statements"
	"colophon/internal/intake"
	"colophon/internal/origin"
	"colophon/internal/rights"
)

// Store is what enrolment reads and writes.
type Store interface {
	origin.Catalog
	origin.HostProofs
	origin.Extractions
}

// LapseAfter is how long after a first missed check a second one ends a proof.
const LapseAfter = 14 * 24 * time.Hour

// Report is what a look at a publisher found and changed.
type Report struct {
	SiteID    string       `json:"site_id"`
	Address   string       `json:"address"` // of the file, "" if none was looked for
	File      string       `json:"state"`   // read, gone, refused, unreachable, none
	Problem   string       `json:"problem"`
	Void      bool         `json:"-"`               // it has mistakes, and nothing that it says counts
	Unknown   []string     `json:"unknown_members"` // members of the file that are not known
	Hosts     []HostReport `json:"hosts"`
	Offers    []string     `json:"offers"`    // ids of the offers in force that came from it, by slug
	Withdrawn []string     `json:"withdrawn"` // ids of offers and reservations that ended

	Reservations []string `json:"reservations"` // ids of those in force that came from it

	PagesWithdrawn []string `json:"pages_withdrawn"` // addresses of pages that the file took out
	PagesRestored  []string `json:"pages_restored"`  // addresses of pages that an earlier file took out and this one does not

	Notes []string `json:"notes"`
}

// HostReport is the state of the proof for one host.
type HostReport struct {
	Host    string   `json:"host"`
	Method  string   `json:"control"` // of exports.DomainControls
	Address string   `json:"seen_in"`
	Digest  string   `json:"sha256"`
	SeenAt  string   `json:"seen_at"`
	Missed  string   `json:"missing_since"` // since when the proof is missing
	Why     []string `json:"why"`           // why there is none
}

// Seen is what a look found on the network: the file, and for each host a proof
// or the reason why there is none.
type Seen struct {
	own   *intake.Own
	hosts []hostSeen
}

type hostSeen struct {
	host  string
	proof origin.HostProof // without a method when there is none
	why   []string
}

// Look looks for a publisher's file and for proofs of its hosts, including
// those that its operator named, and writes nothing.
func Look(ctx context.Context, store Store, p *intake.Prover, siteID string) (Seen, error) {
	site, err := store.Site(ctx, siteID)
	if err != nil {
		return Seen{}, err
	}
	named, err := store.Websites(ctx, siteID)
	if err != nil {
		return Seen{}, err
	}
	var hosts []string
	for _, w := range named {
		hosts = append(hosts, w.Host)
	}
	return lookAt(ctx, store, p, siteID, intake.HostOf(site.SiteURL), hosts)
}

// lookAt looks for the file of a publisher at its home, and for proofs of the
// hosts that the file lists, of those that have been proven, and of others.
func lookAt(ctx context.Context, store Store, p *intake.Prover, siteID, home string, others []string) (Seen, error) {
	before, err := store.ProofsOfSite(ctx, siteID)
	if err != nil {
		return Seen{}, err
	}
	for _, host := range others {
		if proofOf(before, host).Host == "" {
			before = append(before, origin.HostProof{Host: host})
		}
	}
	return lookFrom(ctx, p, siteID, home, p.Find(ctx, home), before), nil
}

// lookFrom looks for proofs of the hosts of a publisher whose file was found.
func lookFrom(ctx context.Context, p *intake.Prover, siteID, home string, own *intake.Own, before []origin.HostProof) Seen {
	s := Seen{own: own}
	for _, host := range hostsOf(home, own, before) {
		proof, why := proveHost(ctx, p, siteID, home, host, own, proofOf(before, host))
		s.hosts = append(s.hosts, hostSeen{host, proof, why})
	}
	return s
}

// Take stores what was seen of a publisher, at the instant at (RFC 3339). It
// does not use the network, so that its writes can be done together.
func Take(ctx context.Context, store Store, siteID string, seen Seen, at string) (Report, error) {
	own := seen.own
	r := Report{SiteID: siteID, Address: own.Address, Problem: own.Problem, Void: own.Void, Notes: slices.Concat(own.Notes, own.System), Unknown: unknownOf(own)}
	site, err := store.Site(ctx, siteID)
	if err != nil {
		return r, err
	}
	files, err := observedFiles(ctx, store, siteID)
	if err != nil {
		return r, err
	}
	if err := observeFile(ctx, store, siteID, own, files); err != nil {
		return r, err
	}
	house := ""
	if own.House != nil {
		if house, err = accountOfHost(ctx, store, intake.HostOf(own.House.Address)); err != nil {
			return r, err
		}
	}
	lapsed, err := takeHosts(ctx, store, &site, seen.hosts, house, at, &r)
	if err != nil {
		return r, err
	}
	switch {
	case own.Reading != nil && Proven(r.Hosts[0].Method):
		r.File = "read"
		err = applyFile(ctx, store, site, own, at, &r)
	case own.Gone() || lapsed:
		r.File = "gone"
		if len(files) == 0 {
			r.File = "none"
		}
		err = withdrawFile(ctx, store, siteID, at, &r)
	case own.Status != 0:
		r.File = "refused"
	default:
		r.File = "unreachable"
	}
	if err != nil {
		return r, err
	}
	err = Observed(ctx, store, siteID, at, &r)
	return r, err
}

func unknownOf(own *intake.Own) []string {
	if own.Reading == nil {
		return nil
	}
	var out []string
	for _, u := range own.Reading.Unknown {
		out = append(out, u.String())
	}
	return out
}

// observedFiles lists what has been observed of the own file of a publisher and of
// that of its house.
func observedFiles(ctx context.Context, store Store, siteID string) ([]origin.Observation, error) {
	seen, err := store.Observations(ctx, siteID)
	return slices.DeleteFunc(seen, func(o origin.Observation) bool { return o.Channel != string(statements.PublisherFile) }), err
}

// observeFile keeps the file, and that of its house, as evidence. A file that
// never was there leaves no trace; a house that does not list the site any
// more is gone for the site. files are those observed before.
func observeFile(ctx context.Context, store Store, siteID string, own *intake.Own, files []origin.Observation) error {
	known := map[string]bool{}
	for _, o := range files {
		known[o.URL] = true
	}
	if own.Status == 200 || known[own.Address] {
		if err := store.PutObservation(ctx, own.Observation(siteID)); err != nil {
			return err
		}
	}
	delete(known, own.Address)
	if own.House != nil {
		delete(known, own.House.Address)
		if err := store.PutObservation(ctx, own.House.Observation(siteID)); err != nil {
			return err
		}
	}
	if own.Reading == nil {
		return nil
	}
	for address := range known {
		gone := intake.Own{Address: address, Status: 404, At: own.At}
		if err := store.PutObservation(ctx, gone.Observation(siteID)); err != nil {
			return err
		}
	}
	return nil
}

// withdrawFile ends the offers and permissions that came from a file.
func withdrawFile(ctx context.Context, store Store, siteID, at string, r *Report) error {
	offers, err := store.OffersOf(ctx, siteID)
	if err != nil {
		return err
	}
	for _, o := range offers {
		if o.Source == "file" && o.Status != "retired" {
			if err := retireOffer(ctx, store, o, at, r); err != nil {
				return err
			}
		}
	}
	stated, err := store.Preferences(ctx, siteID)
	if err != nil {
		return err
	}
	for _, p := range stated {
		if p.Source == "file" && p.Declared == "allow" {
			p.Declared = "unknown"
			p.Since = at
			p.ChangedAt = at
			if err := store.PutPreference(ctx, p); err != nil {
				return err
			}
		}
	}
	return nil
}

func retireOffer(ctx context.Context, store Store, o origin.Offer, at string, r *Report) error {
	o.Status, o.ChangedAt = "retired", at
	r.Withdrawn = append(r.Withdrawn, o.LicenseID)
	return store.PutOffer(ctx, o)
}

// putOffer adds or changes an offer. What stays as it was keeps its instants.
func putOffer(ctx context.Context, store Store, have []origin.Offer, o origin.Offer, at string) error {
	o.LicenseID = rights.OfferID(o.SiteID, o.Slug)
	o.ChangedAt = at
	o.EvidenceAt = at
	for _, old := range have {
		if old.LicenseID != o.LicenseID {
			continue
		}
		if o.ValidFrom == "" {
			o.ValidFrom = old.ValidFrom
		}
		if old.EvidenceSHA256 == o.EvidenceSHA256 && old.EvidenceURL == o.EvidenceURL {
			o.EvidenceAt = old.EvidenceAt
		}
	}
	if o.ValidFrom == "" {
		o.ValidFrom = at
	}
	return store.PutOffer(ctx, o)
}

// Proven reports whether a method shows control of a host.
func Proven(method string) bool { return slices.Contains(exports.ProvenControls, method) }
