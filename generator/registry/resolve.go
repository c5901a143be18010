package registry

import (
	"errors"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"colophon/exports"
	"colophon/internal/origin"
	"colophon/internal/wire"
)

// publishersOf are the ids of the publishers that documents name.
func publishersOf(sources []Source) map[string]bool {
	out := map[string]bool{}
	for i := range sources {
		for _, item := range items(&sources[i].value, "publishers") {
			if id, ok := item.Get("site_id").Str(); ok {
				out[id] = true
			}
		}
		for _, item := range items(&sources[i].value, "grants") {
			for _, site := range items(&item, "sites") {
				out[site.Text] = true
			}
		}
	}
	return out
}

// organizationsOf are the ids of the accounts that documents name.
func organizationsOf(sources []Source) []string {
	var out []string
	for i := range sources {
		for _, item := range items(&sources[i].value, "organizations") {
			id, _ := item.Get("id").Str()
			out = append(out, id)
		}
		for _, item := range items(&sources[i].value, "publishers") {
			if id, ok := item.Get("organization").Str(); ok {
				out = append(out, id)
			}
		}
	}
	return out
}

func items(v *wire.Value, name string) []wire.Value {
	list := v.Get(name)
	if list == nil {
		return nil
	}
	return list.Items
}

// Resolve turns documents into what the origin should hold, given what it
// holds. New and changed records are dated to now. An error is of type Faults.
func Resolve(sources []Source, have *Records, now string) (*Records, error) {
	r := &resolver{have: have, now: now, want: &Records{}, seen: map[string]bool{}, houses: map[string]*wire.Value{}}
	steps := []func(*Source){r.organizations, r.categories, r.publishers, r.demand, r.partners, r.buyers, r.grants}
	for _, step := range steps {
		for i := range sources {
			step(&sources[i])
		}
	}
	r.makeCategories()
	if len(r.faults) > 0 {
		return nil, r.faults
	}
	return r.want, nil
}

// resolver makes the records of documents. Where something is wrong it goes on,
// so that all is told at once.
type resolver struct {
	have, want *Records
	now        string
	faults     Faults
	seen       map[string]bool        // kind and id of what was named
	houses     map[string]*wire.Value // organizations of the documents
}

// place is where a record stands in a document.
type place struct {
	*Source
	pointer string
	value   *wire.Value
}

// each visits the items of a member.
func each(s *Source, name string, visit func(place)) {
	list := items(&s.value, name)
	for i := range list {
		visit(place{s, "/" + name + "/" + strconv.Itoa(i), &list[i]})
	}
}

func (r *resolver) fail(at place, member, detail string) {
	pointer := at.pointer
	if member != "" {
		pointer += "/" + member
	}
	r.faults = append(r.faults, Fault{at.Name, at.line(pointer), pointer, detail})
}

// once refuses a record that is named before.
func (r *resolver) once(at place, kind, id string) {
	if r.seen[kind+" "+id] {
		r.fail(at, "", kind+" \""+id+"\" is named more than once")
	}
	r.seen[kind+" "+id] = true
}

// overlay reads a document's item over what is known already: members that it
// does not have keep their value.
func (r *resolver) overlay(at place, record wire.Record) {
	err := at.check(record, at.value, at.pointer)
	var bad Faults
	if errors.As(err, &bad) {
		r.faults = append(r.faults, bad...)
	}
}

func (r *resolver) told(at place, found mistakes) {
	for _, m := range found {
		r.fail(at, m.member, m.detail)
	}
}

func (r *resolver) organizations(s *Source) {
	each(s, "organizations", func(at place) {
		id, _ := at.value.Get("id").Str()
		r.once(at, "organization", id)
		before := find(r.have.Organizations, organizationKey, id)
		row := origin.Publisher{PublisherID: id, CreatedAt: r.now}
		if before != nil {
			row = *before
		}
		doc := organizationOf(&row)
		r.overlay(at, &doc)
		r.told(at, doc.check())
		row.LegalName, row.ContactName, row.ContactEmail, row.PrivateNotes = doc.LegalName, doc.ContactName, doc.ContactEmail, doc.Notes
		r.want.Organizations = append(r.want.Organizations, row)
		r.houses[id] = at.value
	})
}

func (r *resolver) categories(s *Source) {
	each(s, "categories", func(at place) {
		slug, _ := at.value.Get("slug").Str()
		r.once(at, "category", slug)
		row := origin.Category{Slug: slug, Label: labelOf(slug), ChangedAt: r.now}
		before := find(r.have.Categories, categoryKey, slug)
		if before != nil {
			row = *before
		}
		doc := categoryOf(&row)
		r.overlay(at, &doc)
		r.told(at, doc.check())
		row.Label, row.Description, row.Parent, row.IABIDs = doc.Label, doc.Description, doc.Parent, doc.IABIDs
		dated(r, before, &row, &row.ChangedAt)
		r.want.Categories = append(r.want.Categories, row)
	})
}

// dated sets the instant of a change, if there is one.
func dated[T any](r *resolver, before, after *T, at *string) {
	if before == nil || len(fieldsOf(before, after)) > 0 {
		*at = r.now
	}
}

// labelOf makes a label of a slug: "Trade logistics".
func labelOf(slug string) string {
	if slug == "" {
		return ""
	}
	label := strings.ReplaceAll(slug, "-", " ")
	return strings.ToUpper(label[:1]) + label[1:]
}

// makeCategories adds the categories that publishers name and nobody has.
func (r *resolver) makeCategories() {
	for i := range r.want.Sites {
		for _, slug := range r.want.Sites[i].Categories {
			known := find(r.have.Categories, categoryKey, slug) != nil || find(r.want.Categories, categoryKey, slug) != nil
			if !known {
				r.want.Categories = append(r.want.Categories, origin.Category{Slug: slug, Label: labelOf(slug), ChangedAt: r.now})
			}
		}
	}
}

func (r *resolver) publishers(s *Source) {
	each(s, "publishers", func(at place) {
		id, _ := at.value.Get("site_id").Str()
		r.once(at, "publisher", id)
		before := find(r.have.Sites, siteKey, id)
		base := Site{Site: origin.Site{
			SiteID: id, PublisherID: "pub_" + id, State: origin.Pending, Visibility: "public", AcceptsInquiries: true, RAGSuitability: "unassessed",
			DomainControl: "none", CreatedAt: r.now,
		}}
		if before != nil {
			base = *before
		}
		doc := publisherOf(&base.Site)
		r.overlay(at, &doc)
		r.told(at, doc.check())
		site := Site{Site: base.Site, Websites: base.Websites}
		doc.into(&site.Site)
		r.approve(&site.Site)
		r.account(at, &site.Site)
		if before != nil {
			dated(r, &before.Site, &site.Site, &site.ChangedAt)
		} else {
			site.ChangedAt = r.now
		}
		site.Websites = r.hosts(&base, &site, doc.Hosts)
		house := r.houses[site.PublisherID]
		site.Preferences = r.preferences(at, &base, house)
		site.Passports = r.passports(at, &base, &site, house)
		site.Offers = r.offers(at, &base)
		r.want.Sites = append(r.want.Sites, site)
	})
}

// approve dates the first approval.
func (r *resolver) approve(s *origin.Site) {
	if s.State == origin.Approved && s.ApprovedAt == "" {
		s.ApprovedAt = r.now
	}
}

// account makes sure that the account of a publisher is there. One of its own
// is made; that of others has to be named.
func (r *resolver) account(at place, s *origin.Site) {
	if find(r.want.Organizations, organizationKey, s.PublisherID) != nil || find(r.have.Organizations, organizationKey, s.PublisherID) != nil {
		return
	}
	if s.PublisherID != "pub_"+s.SiteID {
		r.fail(at, "organization", "there is no organization \""+s.PublisherID+"\": name it among \"organizations\"")
		return
	}
	r.want.Organizations = append(r.want.Organizations, origin.Publisher{PublisherID: s.PublisherID, LegalName: s.Name, CreatedAt: r.now})
}

// hosts adds the host of the address and those named, as far as they are not
// there. A document shows no control of them.
func (r *resolver) hosts(base, site *Site, named []string) []origin.Website {
	out := slices.Clone(base.Websites)
	if u, err := url.Parse(site.SiteURL); err == nil && u.Hostname() != "" {
		named = append([]string{u.Hostname()}, named...)
	}
	for _, host := range named {
		key := site.SiteID + "/" + host
		if find(out, websiteKey, key) == nil {
			out = append(out, origin.Website{SiteID: site.SiteID, Host: host, Method: "none", ChangedAt: r.now})
		}
	}
	return out
}

// preferences are what the publisher's own item says of each use, else what
// its organization's says, else what it was.
func (r *resolver) preferences(at place, base *Site, house *wire.Value) []origin.Preference {
	stated := map[string]place{}
	for _, from := range []place{{at.Source, "", house}, at} {
		if from.value == nil {
			continue
		}
		own := map[string]bool{}
		list := items(from.value, "preferences")
		for i := range list {
			use, _ := list[i].Get("use").Str()
			here := place{from.Source, from.pointer + "/preferences/" + strconv.Itoa(i), &list[i]}
			if own[use] {
				r.fail(here, "use", "is named more than once")
			}
			own[use], stated[use] = true, here
		}
	}
	var out []origin.Preference
	for _, use := range exports.UseWords() {
		if here, ok := stated[use]; ok {
			out = append(out, r.preference(here, base, use))
		}
	}
	return out
}

func (r *resolver) preference(at place, base *Site, use string) origin.Preference {
	before := find(base.Preferences, preferenceKey, base.SiteID+"/"+use)
	row := origin.Preference{SiteID: base.SiteID, Use: use, Declared: "unknown", Source: "publisher"}
	if before != nil {
		row = *before
	}
	doc := preferenceOf(&row)
	r.overlay(at, &doc)
	r.told(at, doc.check())
	next := row
	doc.into(&next)
	isNew := before == nil || len(fieldsOf(&row, &next)) > 0
	if isNew && at.value.Get("since") == nil {
		next.Since = r.now
	}
	dated(r, before, &next, &next.ChangedAt)
	return next
}

// passports adds a version where the documents say something new of the rights
// holder, and the first one to every publisher.
func (r *resolver) passports(at place, base, site *Site, house *wire.Value) []origin.Passport {
	out := slices.Clone(base.Passports)
	last := origin.Passport{SiteID: site.SiteID, HolderName: site.Name, HolderURL: site.SiteURL, HolderBasis: "stated_by_publisher"}
	if n := len(out); n > 0 {
		last = out[n-1]
	}
	doc := holderOf(&last)
	if house != nil && house.Get("rights_holder") != nil {
		r.overlay(place{at.Source, at.pointer, house.Get("rights_holder")}, &doc)
	}
	if own := at.value.Get("rights_holder"); own != nil {
		here := place{at.Source, at.pointer + "/rights_holder", own}
		r.overlay(here, &doc)
		r.told(here, doc.check())
	}
	next := last
	next.HolderName, next.HolderURL, next.Territories, next.PrivateNotes = doc.Name, doc.URL, doc.Territories, doc.Notes
	switch {
	case doc.Basis != "":
		next.HolderBasis = doc.Basis
	case doc.Name != last.HolderName || doc.URL != last.HolderURL: // what was verified was another
		next.HolderBasis = "stated_by_publisher"
	}
	said := len(fieldsOf(&last, &next)) > 0 || at.value.Get("rights_holder") != nil
	isFirst := len(out) == 0 && (base.ChangedAt == "" || said)
	if !isFirst && (len(out) == 0 || len(fieldsOf(&last, &next)) == 0) {
		return out
	}
	next.Version, next.EffectiveFrom, next.ChangedAt = int64(len(out))+1, r.now, r.now
	next.PassportID = "rp_" + site.SiteID + "_" + strconv.Itoa(len(out)+1)
	return append(out, next)
}

func (r *resolver) offers(at place, base *Site) []origin.Offer {
	out := slices.Clone(base.Offers)
	list := items(at.value, "offers")
	named := map[string]place{}
	for i := range list {
		here := place{at.Source, at.pointer + "/offers/" + strconv.Itoa(i), &list[i]}
		slug, _ := list[i].Get("slug").Str()
		r.once(here, "offer", base.SiteID+"/"+slug)
		named[slug] = here
		row := r.offer(here, base, slug)
		if old := find(out, offerKey, base.SiteID+"/"+slug); old != nil {
			*old = row
		} else {
			out = append(out, row)
		}
	}
	r.superseded(named, out)
	return out
}

// superseded wants every offer that is superseded to be there.
func (r *resolver) superseded(named map[string]place, offers []origin.Offer) {
	for i := range offers {
		o := &offers[i]
		here, isNamed := named[o.Slug]
		exists := slices.ContainsFunc(offers, func(x origin.Offer) bool { return x.LicenseID == o.Supersedes })
		if isNamed && o.Supersedes != "" && !exists {
			r.fail(here, "supersedes", "names no offer of the publisher")
		}
	}
}

func (r *resolver) offer(at place, base *Site, slug string) origin.Offer {
	before := find(base.Offers, offerKey, base.SiteID+"/"+slug)
	doc := Offer{Slug: slug, Kind: "custom", Status: "offered", Scope: "site", Attribution: "none", ValidFrom: r.now}
	var row origin.Offer
	if before != nil {
		row, doc = *before, OfferOf(before, base.Offers)
	}
	r.overlay(at, &doc)
	r.told(at, doc.check())
	doc.into(&row, base.SiteID)
	dated(r, before, &row, &row.ChangedAt)
	return row
}

func (r *resolver) demand(s *Source) {
	each(s, "demand", func(at place) {
		id, _ := at.value.Get("id").Str()
		id = DemandID(id)
		r.once(at, "demand", id)
		before := find(r.have.Demand, demandKey, id)
		doc, row := Demand{State: DemandHeld}, origin.Demand{}
		if before != nil {
			doc, row = DemandOf(before), *before
		}
		r.overlay(at, &doc)
		r.told(at, doc.check())
		doc.into(&row, r.now)
		dated(r, before, &row, &row.ChangedAt)
		r.want.Demand = append(r.want.Demand, row)
	})
}

func (r *resolver) partners(s *Source) {
	each(s, "partners", func(at place) {
		id, _ := at.value.Get("id").Str()
		id = partnerID(id)
		r.once(at, "partner", id)
		before := find(r.have.Partners, partnerKey, id)
		row := origin.Partner{OrgID: id, State: "active", Scopes: exports.PartnerScopes, CreatedAt: r.now}
		if before != nil {
			row = *before
		}
		doc := partnerOf(&row)
		r.overlay(at, &doc)
		r.told(at, checkNamed(exports.PrefixPartner, doc.ID, doc.Name, doc.ContactEmail))
		row.Name, row.State, row.Scopes, row.ContactEmail, row.PrivateNotes = doc.Name, doc.State, doc.Scopes, doc.ContactEmail, doc.Notes
		dated(r, before, &row, &row.ChangedAt)
		r.want.Partners = append(r.want.Partners, row)
	})
}

func (r *resolver) buyers(s *Source) {
	each(s, "buyers", func(at place) {
		id, _ := at.value.Get("id").Str()
		id = buyerID(id)
		r.once(at, "buyer", id)
		before := find(r.have.Buyers, buyerKey, id)
		row := origin.Buyer{BuyerID: id, State: "active", CreatedAt: r.now}
		if before != nil {
			row = *before
		}
		doc := buyerOf(&row)
		r.overlay(at, &doc)
		r.told(at, checkNamed(PrefixBuyer, doc.ID, doc.Name, doc.ContactEmail))
		row.Name, row.State, row.ContactEmail, row.PrivateNotes = doc.Name, doc.State, doc.ContactEmail, doc.Notes
		dated(r, before, &row, &row.ChangedAt)
		r.want.Buyers = append(r.want.Buyers, row)
	})
}

func (r *resolver) grants(s *Source) {
	each(s, "grants", func(at place) {
		id, _ := at.value.Get("id").Str()
		id = grantID(id)
		r.once(at, "grant", id)
		before := find(r.have.Grants, grantKey, id)
		row := origin.Grant{GrantID: id, Kind: "direct", State: "active", StateAt: r.now, ValidFrom: r.now, DeleteHours: 72, CreatedAt: r.now}
		if before != nil {
			row = *before
		}
		was := row
		doc := grantOf(&row)
		r.overlay(at, &doc)
		r.told(at, doc.check())
		doc.into(&row)
		if row.State != was.State {
			row.StateAt = r.now
		}
		dated(r, before, &row, &row.ChangedAt)
		r.checkGrant(at, before, &row)
		r.want.Grants = append(r.want.Grants, row)
	})
}

// checkGrant refuses a grant to or of nobody, and one that comes back from the
// dead: an old document must not undo a revocation.
func (r *resolver) checkGrant(at place, before, after *origin.Grant) {
	if before != nil && before.State == "revoked" && after.State != "revoked" {
		r.fail(at, "state", "the grant is revoked for good; add another")
	}
	if before != nil && before.BuyerID != after.BuyerID {
		r.fail(at, "buyer", "a grant keeps its buyer; add another grant")
	}
	isBuyer := find(r.have.Buyers, buyerKey, after.BuyerID) != nil || find(r.want.Buyers, buyerKey, after.BuyerID) != nil
	if !isBuyer && after.BuyerID != buyerID("") {
		r.fail(at, "buyer", "there is no such buyer")
	}
	for i, item := range items(at.value, "sites") {
		id := item.Text
		isSite := find(r.have.Sites, siteKey, id) != nil || find(r.want.Sites, siteKey, id) != nil
		if !isSite {
			r.fail(at, "sites/"+strconv.Itoa(i), "there is no publisher \""+id+"\"")
		}
	}
}
