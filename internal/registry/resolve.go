package registry

import (
	"errors"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"colophon/exports"
	"colophon/internal/origin"
	"colophon/internal/rights"
	"colophon/internal/wire"
)

// publishersOf returns the ids of the publishers that documents name.
func publishersOf(sources []Source) map[string]bool {
	out := map[string]bool{}
	for i := range sources {
		for _, item := range listItems(&sources[i].value, "publishers") {
			if id, ok := item.Get("site_id").Str(); ok {
				out[id] = true
			}
		}
		for _, item := range listItems(&sources[i].value, "reservations") {
			if id, ok := item.Get("publisher").Str(); ok {
				out[id] = true
			}
		}
		for _, item := range listItems(&sources[i].value, "grants") {
			for _, site := range listItems(&item, "sites") {
				out[site.Text] = true
			}
		}
	}
	return out
}

// organizationsOf returns the ids of the accounts that documents name.
func organizationsOf(sources []Source) []string {
	var out []string
	for i := range sources {
		for _, item := range listItems(&sources[i].value, "organizations") {
			id, _ := item.Get("id").Str()
			out = append(out, id)
		}
		for _, item := range listItems(&sources[i].value, "publishers") {
			if id, ok := item.Get("organization").Str(); ok {
				out = append(out, id)
			}
		}
	}
	return out
}

func listItems(v *wire.Value, name string) []wire.Value {
	list := v.Get(name)
	if list == nil {
		return nil
	}
	return list.Items
}

// Resolve returns what the origin should hold according to documents, given
// what it holds. New and changed records are dated now. It returns Faults for
// errors in the documents.
func Resolve(sources []Source, have *Records, now string) (*Records, error) {
	r := &resolver{have: have, now: now, want: &Records{}, seen: map[string]bool{}, houses: map[string]*wire.Value{}}
	steps := []func(*Source){r.resolveOrganizations, r.resolveCategories, r.resolvePublishers, r.resolveReservations, r.resolveDemand, r.resolvePartners, r.resolveBuyers, r.resolveGrants}
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

// resolver turns documents into records. It continues after a mistake, so that
// all mistakes are reported at once.
type resolver struct {
	have, want *Records
	now        string
	faults     Faults
	seen       map[string]bool        // kind and id of everything named
	houses     map[string]*wire.Value // organizations of the documents
}

// place is the position of a record in a document.
type place struct {
	*Source
	pointer string
	value   *wire.Value
}

// eachItem visits the items of a member.
func eachItem(s *Source, name string, visit func(place)) {
	list := listItems(&s.value, name)
	for i := range list {
		visit(place{s, "/" + name + "/" + strconv.Itoa(i), &list[i]})
	}
}

func (r *resolver) addFault(at place, member, detail string) {
	pointer := at.pointer
	if member != "" {
		pointer += "/" + member
	}
	r.faults = append(r.faults, Fault{at.Name, at.lineOf(pointer), pointer, detail})
}

// idOf returns the id that a member of an item gives its record, in full, and refuses
// one that is named before.
func (r *resolver) idOf(at place, kind, member string, full func(string) string) string {
	id, _ := at.value.Get(member).Str()
	id = full(id)
	r.checkUnique(at, kind, id)
	return id
}

func asWritten(id string) string { return id }

// checkUnique refuses a record that is named before.
func (r *resolver) checkUnique(at place, kind, id string) {
	if r.seen[kind+" "+id] {
		r.addFault(at, "", kind+" \""+id+"\" is named more than once")
	}
	r.seen[kind+" "+id] = true
}

// overlayRecord decodes a document's item over what is already known: members
// that it does not have keep their value.
func (r *resolver) overlayRecord(at place, record wire.Record) {
	err := at.readRecord(record, at.value, at.pointer)
	var bad Faults
	if errors.As(err, &bad) {
		r.faults = append(r.faults, bad...)
	}
}

// readRecord is overlayRecord for a record whose members are checked then.
func (r *resolver) readRecord(at place, record interface {
	wire.Record
	validate() mistakes
}) {
	r.overlayRecord(at, record)
	r.addMistakes(at, record.validate())
}

// mostQuoted is how long a value is that a fault names.
const mostQuoted = 80

// quoteValue puts the value before a detail that begins with "is".
func quoteValue(value *wire.Value, detail string) string {
	if !strings.HasPrefix(detail, "is ") {
		return detail
	}
	if n, ok := value.Int(); ok {
		return strconv.FormatInt(n, 10) + " " + detail
	}
	if text, _ := value.Str(); text != "" && len(text) <= mostQuoted {
		return strconv.Quote(text) + " " + detail
	}
	return detail
}

func (r *resolver) addMistakes(at place, found mistakes) {
	for _, m := range found {
		r.addFault(at, m.member, quoteValue(at.value.Get(m.member), m.detail))
	}
}

func (r *resolver) resolveOrganizations(s *Source) {
	eachItem(s, "organizations", func(at place) {
		id := r.idOf(at, "organization", "id", asWritten)
		before := findByKey(r.have.Organizations, organizationKey, id)
		doc := Organization{Publisher: valueOr(before, origin.Publisher{PublisherID: id, CreatedAt: r.now})}
		r.readRecord(at, &doc)
		r.want.Organizations = append(r.want.Organizations, doc.Publisher)
		r.houses[id] = at.value
	})
}

func (r *resolver) resolveCategories(s *Source) {
	eachItem(s, "categories", func(at place) {
		slug := r.idOf(at, "category", "slug", asWritten)
		before := findByKey(r.have.Categories, categoryKey, slug)
		row := valueOr(before, origin.NewCategory(slug, r.now))
		doc := Category(row)
		r.readRecord(at, &doc)
		row = origin.Category(doc)
		setChangeTime(r, before, &row, &row.ChangedAt)
		r.want.Categories = append(r.want.Categories, row)
	})
}

// valueOr returns the row that is there, or else a new one.
func valueOr[T any](before *T, fresh T) T {
	if before != nil {
		return *before
	}
	return fresh
}

// exists reports whether a record is there, or in the documents.
func exists[T any](have, want []T, key func(*T) string, id string) bool {
	return findByKey(have, key, id) != nil || findByKey(want, key, id) != nil
}

// setChangeTime sets the instant of a change, if there is one.
func setChangeTime[T any](r *resolver, before, after *T, at *string) {
	if before == nil || len(fieldsOf(before, after)) > 0 {
		*at = r.now
	}
}

// makeCategories adds the categories that publishers name and that do not
// exist.
func (r *resolver) makeCategories() {
	for i := range r.want.Sites {
		for _, slug := range r.want.Sites[i].Categories {
			if !exists(r.have.Categories, r.want.Categories, categoryKey, slug) {
				r.want.Categories = append(r.want.Categories, origin.NewCategory(slug, r.now))
			}
		}
	}
}

func (r *resolver) resolvePublishers(s *Source) {
	eachItem(s, "publishers", func(at place) {
		id := r.idOf(at, "publisher", "site_id", asWritten)
		before := findByKey(r.have.Sites, siteKey, id)
		base := valueOr(before, Site{Site: origin.Site{
			SiteID: id, PublisherID: "pub_" + id, State: origin.Pending, Visibility: "public", AcceptsInquiries: true, RAGSuitability: "unassessed",
			DomainControl: "none", CreatedAt: r.now,
		}})
		doc := publisherOf(&base.Site)
		r.readRecord(at, &doc)
		site := Site{Site: doc.Site, Websites: base.Websites}
		site.AcceptsInquiries = doc.Inquiries == "open"
		r.setApproval(&site.Site)
		r.ensureAccount(at, &site.Site)
		if before != nil {
			setChangeTime(r, &before.Site, &site.Site, &site.ChangedAt)
		} else {
			site.ChangedAt = r.now
		}
		site.Websites = r.addHosts(&base, &site, doc.Hosts)
		house := r.houses[site.PublisherID]
		site.Preferences = r.resolvePreferences(at, &base, house)
		site.Passports = r.resolvePassports(at, &base, &site, house)
		site.Offers = r.resolveOffers(at, &base)
		r.want.Sites = append(r.want.Sites, site)
	})
}

// setApproval dates the first approval.
func (r *resolver) setApproval(s *origin.Site) {
	if s.State == origin.Approved && s.ApprovedAt == "" {
		s.ApprovedAt = r.now
	}
}

// ensureAccount checks that the account of a publisher exists. It creates the
// publisher's own account; others must be declared.
func (r *resolver) ensureAccount(at place, s *origin.Site) {
	if exists(r.have.Organizations, r.want.Organizations, organizationKey, s.PublisherID) {
		return
	}
	if s.PublisherID != "pub_"+s.SiteID {
		r.addFault(at, "organization", "there is no organization \""+s.PublisherID+"\": name it among \"organizations\"")
		return
	}
	r.want.Organizations = append(r.want.Organizations, origin.Publisher{PublisherID: s.PublisherID, LegalName: s.Name, CreatedAt: r.now})
}

// addHosts adds the host of the address and those named, as far as they are not
// there. A document shows no control of them.
func (r *resolver) addHosts(base, site *Site, named []string) []origin.Website {
	out := slices.Clone(base.Websites)
	if u, err := url.Parse(site.SiteURL); err == nil && u.Hostname() != "" {
		named = append([]string{u.Hostname()}, named...)
	}
	for _, host := range named {
		key := site.SiteID + "/" + host
		if findByKey(out, websiteKey, key) == nil {
			out = append(out, origin.Website{SiteID: site.SiteID, Host: host, Method: "none", ChangedAt: r.now})
		}
	}
	return out
}

// resolvePreferences returns, for each use, what the publisher's own item says,
// or else its organization's, or else the present preference.
func (r *resolver) resolvePreferences(at place, base *Site, house *wire.Value) []origin.Preference {
	stated := map[string]place{}
	for _, from := range []place{{at.Source, "", house}, at} {
		if from.value == nil {
			continue
		}
		own := map[string]bool{}
		list := listItems(from.value, "preferences")
		for i := range list {
			use, _ := list[i].Get("use").Str()
			here := place{from.Source, from.pointer + "/preferences/" + strconv.Itoa(i), &list[i]}
			if own[use] {
				r.addFault(here, "use", "is named more than once")
			}
			own[use], stated[use] = true, here
		}
	}
	var out []origin.Preference
	for _, use := range exports.UseWords() {
		if here, ok := stated[use]; ok {
			out = append(out, r.resolvePreference(here, base, use))
		}
	}
	return out
}

func (r *resolver) resolvePreference(at place, base *Site, use string) origin.Preference {
	before := findByKey(base.Preferences, preferenceKey, base.SiteID+"/"+use)
	row := valueOr(before, origin.Preference{SiteID: base.SiteID, Use: use, Declared: "unknown", Source: "publisher"})
	doc := Preference(row)
	r.readRecord(at, &doc)
	next := origin.Preference(doc)
	isNew := before == nil || len(fieldsOf(&row, &next)) > 0
	if isNew && at.value.Get("since") == nil {
		next.Since = r.now
	}
	setChangeTime(r, before, &next, &next.ChangedAt)
	return next
}

// resolvePassports adds a version if the documents say something new about the
// rights holder, and the first one for every publisher.
func (r *resolver) resolvePassports(at place, base, site *Site, house *wire.Value) []origin.Passport {
	out := slices.Clone(base.Passports)
	last := origin.Passport{SiteID: site.SiteID, HolderName: site.Name, HolderURL: site.SiteURL, HolderBasis: "stated_by_publisher"}
	if n := len(out); n > 0 {
		last = out[n-1]
	}
	doc := holderOf(&last)
	if house != nil && house.Get("rights_holder") != nil {
		r.overlayRecord(place{at.Source, at.pointer, house.Get("rights_holder")}, &doc)
	}
	if own := at.value.Get("rights_holder"); own != nil {
		here := place{at.Source, at.pointer + "/rights_holder", own}
		r.readRecord(here, &doc)
	}
	next := origin.Passport(doc)
	switch {
	case doc.HolderBasis != "":
	case doc.HolderName != last.HolderName || doc.HolderURL != last.HolderURL: // what was verified was a different holder
		next.HolderBasis = "stated_by_publisher"
	default:
		next.HolderBasis = last.HolderBasis
	}
	said := len(fieldsOf(&last, &next)) > 0 || at.value.Get("rights_holder") != nil
	isFirst := len(out) == 0 && (base.ChangedAt == "" || said)
	if !isFirst && (len(out) == 0 || len(fieldsOf(&last, &next)) == 0) {
		return out
	}
	next.Version = int64(len(out)) + 1
	next.EffectiveFrom = r.now
	next.ChangedAt = r.now
	next.PassportID = "rp_" + site.SiteID + "_" + strconv.Itoa(len(out)+1)
	return append(out, next)
}

func (r *resolver) resolveOffers(at place, base *Site) []origin.Offer {
	out := slices.Clone(base.Offers)
	list := listItems(at.value, "offers")
	named := map[string]place{}
	for i := range list {
		here := place{at.Source, at.pointer + "/offers/" + strconv.Itoa(i), &list[i]}
		slug, _ := list[i].Get("slug").Str()
		r.checkUnique(here, "offer", base.SiteID+"/"+slug)
		named[slug] = here
		row := r.resolveOffer(here, base, slug)
		if old := findByKey(out, offerKey, base.SiteID+"/"+slug); old != nil {
			*old = row
		} else {
			out = append(out, row)
		}
	}
	r.checkSuperseded(named, out)
	return out
}

// checkSuperseded wants every offer that is superseded to be there.
func (r *resolver) checkSuperseded(named map[string]place, offers []origin.Offer) {
	for i := range offers {
		o := &offers[i]
		here, isNamed := named[o.Slug]
		exists := slices.ContainsFunc(offers, func(x origin.Offer) bool { return x.LicenseID == o.Supersedes })
		if isNamed && o.Supersedes != "" && !exists {
			r.addFault(here, "supersedes", "names no offer of the publisher")
		}
	}
}

func (r *resolver) resolveOffer(at place, base *Site, slug string) origin.Offer {
	before := findByKey(base.Offers, offerKey, base.SiteID+"/"+slug)
	doc := Offer{Slug: slug, Kind: "custom", Status: "offered", ScopeType: "site", Attribution: "none", ValidFrom: r.now}
	if before != nil {
		doc = OfferOf(before, base.Offers)
	}
	if doc.Source != "" {
		r.addFault(at, "slug", "names an offer that the publisher makes on its own site, in "+doc.EvidenceURL+": it is changed there")
	}
	r.readRecord(at, &doc)
	row := doc.row(base.SiteID)
	setChangeTime(r, before, &row, &row.ChangedAt)
	return row
}

func (r *resolver) resolveReservations(s *Source) {
	known := make(map[string]*origin.Reservation, len(r.have.Reservations))
	held := map[string]int{} // of each publisher, with those that are new
	for i := range r.have.Reservations {
		x := &r.have.Reservations[i]
		known[x.ReservationID] = x
		held[x.SiteID]++
	}
	eachItem(s, "reservations", func(at place) {
		siteID, _ := at.value.Get("publisher").Str()
		code, _ := at.value.Get("code").Str()
		code = normalizeCode(code)
		id := rights.ReservationID(siteID, code)
		r.checkUnique(at, "reservation", id)
		before := known[id]
		doc := Reservation{Reservation: origin.Reservation{Since: r.now}, State: ReservationActive}
		if before != nil {
			doc = *ReservationOf(before)
		} else if held[siteID]++; held[siteID] == exports.MaxReservations+1 {
			r.addFault(at, "publisher", "vouches for more than "+strconv.Itoa(exports.MaxReservations)+" reservations")
		}
		r.overlayRecord(at, &doc)
		switch {
		case doc.Source != "" && doc.State == ReservationWithdrawn: // from now on it is the operator's
			doc.Source, doc.EvidenceURL, doc.EvidenceSHA256 = "", "", ""
		case doc.Source != "":
			r.addFault(at, "code", "names a reservation that the publisher makes on its own site, in "+doc.EvidenceURL+": it is changed there")
		}
		r.addMistakes(at, doc.validate(r.now))
		if !exists(r.have.Sites, r.want.Sites, siteKey, siteID) {
			r.addFault(at, "publisher", "there is no publisher \""+siteID+"\"")
		}
		row := doc.row(id, r.now)
		setChangeTime(r, before, &row, &row.ChangedAt)
		r.want.Reservations = append(r.want.Reservations, row)
	})
}

func (r *resolver) resolveDemand(s *Source) {
	eachItem(s, "demand", func(at place) {
		id := r.idOf(at, "demand", "id", DemandID)
		before := findByKey(r.have.Demand, demandKey, id)
		doc := Demand{State: DemandHeld}
		if before != nil {
			doc = Demand{*before, DemandState(before)}
		}
		r.readRecord(at, &doc)
		row := doc.row(r.now)
		setChangeTime(r, before, &row, &row.ChangedAt)
		r.want.Demand = append(r.want.Demand, row)
	})
}

func (r *resolver) resolvePartners(s *Source) {
	eachItem(s, "partners", func(at place) {
		id := r.idOf(at, "partner", "id", partnerID)
		before := findByKey(r.have.Partners, partnerKey, id)
		row := valueOr(before, origin.Partner{OrgID: id, State: "active", Scopes: exports.PartnerScopes, CreatedAt: r.now})
		doc := Partner(row)
		r.readRecord(at, &doc)
		row = origin.Partner(doc)
		row.OrgID = id
		setChangeTime(r, before, &row, &row.ChangedAt)
		r.want.Partners = append(r.want.Partners, row)
	})
}

func (r *resolver) resolveBuyers(s *Source) {
	eachItem(s, "buyers", func(at place) {
		id := r.idOf(at, "buyer", "id", buyerID)
		before := findByKey(r.have.Buyers, buyerKey, id)
		row := valueOr(before, origin.Buyer{BuyerID: id, State: "active", CreatedAt: r.now})
		doc := Buyer(row)
		r.readRecord(at, &doc)
		row = origin.Buyer(doc)
		row.BuyerID = id
		setChangeTime(r, before, &row, &row.ChangedAt)
		r.want.Buyers = append(r.want.Buyers, row)
	})
}

func (r *resolver) resolveGrants(s *Source) {
	eachItem(s, "grants", func(at place) {
		id := r.idOf(at, "grant", "id", grantID)
		before := findByKey(r.have.Grants, grantKey, id)
		row := valueOr(before, origin.Grant{GrantID: id, Kind: "direct", State: "active", StateAt: r.now, ValidFrom: r.now, DeleteHours: 72, CreatedAt: r.now})
		was := row
		doc := grantOf(&row)
		r.readRecord(at, &doc)
		row = doc.row()
		if row.State != was.State {
			row.StateAt = r.now
		}
		setChangeTime(r, before, &row, &row.ChangedAt)
		r.checkGrant(at, before, &row)
		r.want.Grants = append(r.want.Grants, row)
	})
}

// checkGrant refuses a grant to an unknown buyer or of an unknown publisher,
// and one that would revive a revoked grant, because an old document must not
// undo a revocation.
func (r *resolver) checkGrant(at place, before, after *origin.Grant) {
	if before != nil && before.State == "revoked" && after.State != "revoked" {
		r.addFault(at, "state", "the grant is revoked for good; add another")
	}
	if before != nil && before.BuyerID != after.BuyerID {
		r.addFault(at, "buyer", "a grant keeps its buyer; add another grant")
	}
	if !exists(r.have.Buyers, r.want.Buyers, buyerKey, after.BuyerID) && after.BuyerID != buyerID("") {
		r.addFault(at, "buyer", "there is no such buyer")
	}
	for i, item := range listItems(at.value, "sites") {
		id := item.Text
		if !exists(r.have.Sites, r.want.Sites, siteKey, id) {
			r.addFault(at, "sites/"+strconv.Itoa(i), "there is no publisher \""+id+"\"")
		}
	}
}
