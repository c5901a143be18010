package render

import (
	"cmp"
	"slices"
	"strings"

	"colophon/exports"
	"colophon/internal/channel/statements"
	"colophon/internal/release"
	"colophon/internal/rights"
)

// Tables holds the rows of the release's tables about publishers.
type Tables struct {
	Publishers []release.Publisher
	Rights     []release.Right
	Hosts      []release.Host
	Offers     []release.Offer

	Reservations []release.Reservation
}

// TablesOf returns the rows about all publishers.
func TablesOf(c *Catalog) (f Tables, err error) {
	for _, s := range c.Publishers {
		p := s.Record
		if p == nil {
			continue
		}
		row := release.Publisher{
			Site: p.SiteID, PublisherID: p.PublisherID, Name: p.Name, SiteURL: p.SiteURL, HumanPage: p.HumanPage, AcceptsInquiries: p.AcceptsInquiries,
			RegisteredPages: p.RegisteredPages, RightsVector: p.RightsVector, RightsAsOf: p.RightsAsOf,
		}
		if p.Policy != nil {
			row.PolicyDigest, row.PolicyVersion = p.Policy.Digest, p.Policy.Version
		}
		f.Publishers = append(f.Publishers, row)
		doc, ok, err := rights.RightsDocumentAt(&s.SiteSnapshot, s.JudgedAt())
		if err != nil {
			return f, err
		}
		if ok {
			f.Rights = append(f.Rights, rightsRows(doc, s.JudgedAt())...)
			f.Hosts = append(f.Hosts, hostRows(doc)...)
		}
	}
	slices.SortFunc(f.Hosts, func(a, b release.Host) int {
		return cmp.Or(strings.Compare(a.Host, b.Host), strings.Compare(a.Site, b.Site), strings.Compare(a.Basis, b.Basis))
	})
	f.Offers = offerRows(c.Offers)
	for i := range c.Reservations {
		r := &c.Reservations[i]
		f.Reservations = append(f.Reservations, release.Reservation{
			ReservationID: r.ReservationID, Site: r.SiteID, Author: r.Author, CodeKind: exports.CodeKind(r.Code), Code: r.Code, Uses: r.Uses,
			Note: r.Note, Since: r.Since, SourceURL: r.Source,
		})
	}
	return f, nil
}

// AddTo adds the rows to the facts from which the root of a catalog is
// computed.
func (f *Tables) AddTo(catalog *release.Facts) {
	for i := range f.Publishers {
		catalog.Add("publishers", f.Publishers[i].Site, &f.Publishers[i])
	}
	for i := range f.Rights {
		catalog.Add("rights", f.Rights[i].Site, &f.Rights[i])
	}
	for i := range f.Hosts {
		catalog.Add("hosts", f.Hosts[i].Site, &f.Hosts[i])
	}
	for i := range f.Offers {
		catalog.Add("offers", f.Offers[i].Site, &f.Offers[i])
	}
	for i := range f.Reservations {
		catalog.Add("reservations", f.Reservations[i].Site, &f.Reservations[i])
	}
}

// hostRows returns the hosts whose unregistered pages are known to belong to a
// publisher.
func hostRows(doc *rights.RightsDocument) []release.Host {
	home, _ := statements.Split(doc.SiteURL)
	rows := []release.Host{{Host: home, Site: doc.SiteID, Basis: "site_url"}}
	for _, h := range doc.Hosts {
		rows = append(rows, release.Host{Host: h, Site: doc.SiteID, Basis: "associated"})
	}
	return rows
}

func offerRows(offers []exports.Offer) []release.Offer {
	rows := make([]release.Offer, 0, len(offers))
	for i := range offers {
		o := &offers[i]
		rows = append(rows, release.Offer{
			LicenseID: o.LicenseID, Site: o.SiteID, Kind: o.Kind, Status: o.Status, Title: o.Title, Permits: o.Permits, Prohibits: o.Prohibits,
			UserTypes: o.UserTypes, Territories: o.Territories, ValidFrom: o.ValidFrom, ValidUntil: o.ValidUntil, Digest: o.Digest,
		})
	}
	slices.SortFunc(rows, func(a, b release.Offer) int { return strings.Compare(a.LicenseID, b.LicenseID) })
	return rows
}

// rightsRows returns the verdicts for a site: for its home page, and for one
// page at each path pattern in its statements.
func rightsRows(doc *rights.RightsDocument, at string) []release.Right {
	patterns := []string{""}
	for i := range doc.Documents {
		for j := range doc.Documents[i].Statements {
			patterns = append(patterns, doc.Documents[i].Statements[j].Pattern)
		}
	}
	slices.Sort(patterns)
	var rows []release.Right
	for _, pattern := range slices.Compact(patterns) {
		about := rights.Resource{}
		if pattern != "" && pattern != "/" {
			about.URL = strings.TrimSuffix(doc.SiteURL, "/") + pathAt(pattern)
		}
		instant, _ := exports.ParseInstant(at)
		j := doc.Evaluate(about, rights.Question{At: instant.Unix()}, nil, false)
		resource := j.ResourceRights(about, exports.UseWords(), false)
		for i := range resource.Uses {
			rows = append(rows, useRows(&resource, &resource.Uses[i], pattern, at)...)
		}
	}
	return rows
}

// pathAt returns a path that matches a pattern of RFC 9309, with each wildcard
// left empty.
func pathAt(pattern string) string {
	path := strings.TrimSuffix(strings.ReplaceAll(pattern, "*", ""), "$")
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	return path
}

// useRows returns the verdicts on one use: a single row if everybody has the
// same verdict, otherwise one row for each audience.
func useRows(c *exports.ResourceRights, u *exports.UseVerdict, pattern, at string) []release.Right {
	var evidence []string
	for i := range c.Evidence {
		if slices.Contains(u.Basis, c.Evidence[i].ID) && !slices.Contains(evidence, c.Evidence[i].URL) {
			evidence = append(evidence, c.Evidence[i].URL)
		}
	}
	row := release.Right{Site: c.SiteID, PathPattern: pattern, Use: u.Use, Verdict: u.Verdict, Reason: u.Reason, JudgedAt: at, Evidence: evidence}
	rows := []release.Right{row}
	for i := range u.Audiences {
		a := &u.Audiences[i]
		row.Audience = audienceText(a)
		row.Verdict = a.Verdict
		row.Reason = a.Reason
		rows = append(rows, row)
	}
	return rows
}

// audienceText describes an audience as "agents=a,b territories=EU
// user_types=x".
func audienceText(a *exports.AudienceVerdict) string {
	var parts []string
	for _, list := range []struct {
		name  string
		words []string
	}{{"agents", a.Agents}, {"territories", a.Territories}, {"user_types", a.UserTypes}} {
		if len(list.words) > 0 {
			parts = append(parts, list.name+"="+strings.Join(list.words, ","))
		}
	}
	return strings.Join(parts, " ")
}
