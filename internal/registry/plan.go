package registry

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"unicode"

	"colophon/internal/origin"
	"colophon/internal/wire"
)

// Change is one row of a plan.
type Change struct {
	Kind   string // organization, category, publisher, host, preference, rights_holder, offer, reservation, demand, partner, buyer, grant
	ID     string
	New    bool
	Fields []Field // those that differ
}

// Field is a member that differs. Private ones have no value here.
type Field struct {
	Name, From, To string
	Private        bool
}

// Plan is what has to be written to make an origin hold some records.
type Plan struct {
	Changes []Change
	Sites   []string // publishers that something changes for, by id

	writes []func(ctx context.Context, store Catalog) error
	more   []func(ctx context.Context, store Store) error // partners, buyers, grants
}

// Compare returns the differences from an origin, or from the part of it in have.
// Records that want does not name stay as they are.
func Compare(have, want *Records) *Plan {
	p := &Plan{}
	planWrites(p, "organization", have.Organizations, want.Organizations, organizationKey, "", Catalog.PutPublisher)
	planWrites(p, "category", have.Categories, want.Categories, categoryKey, "", Catalog.PutCategory)
	for i := range want.Sites {
		before := findByKey(have.Sites, siteKey, want.Sites[i].SiteID)
		if before == nil {
			before = &Site{}
		}
		p.compareSite(before, &want.Sites[i])
	}
	planWrites(p, "reservation", have.Reservations, want.Reservations, reservationKey, "", Catalog.PutReservation)
	planWrites(p, "demand", have.Demand, want.Demand, demandKey, "", Catalog.PutDemand)
	p.compareAccess(have, want)
	return p
}

func (p *Plan) compareSite(have, want *Site) {
	id := want.SiteID
	var before []origin.Site
	if have.SiteID != "" {
		before = []origin.Site{have.Site}
	}
	planWrites(p, "publisher", before, []origin.Site{want.Site}, func(s *origin.Site) string { return s.SiteID }, id, Catalog.PutSite)
	planWrites(p, "host", have.Websites, want.Websites, websiteKey, id, Catalog.PutWebsite)
	planWrites(p, "preference", have.Preferences, want.Preferences, preferenceKey, id, Catalog.PutPreference)
	planWrites(p, "rights_holder", have.Passports, want.Passports, passportKey, id, Catalog.AddPassport)
	planWrites(p, "offer", have.Offers, want.Offers, offerKey, id, Catalog.PutOffer)
}

func (p *Plan) compareAccess(have, want *Records) {
	for _, x := range listDiffering(p, "partner", have.Partners, want.Partners, partnerKey) {
		p.more = append(p.more, func(ctx context.Context, s Store) error { return s.PutPartner(ctx, x) })
	}
	for _, x := range listDiffering(p, "buyer", have.Buyers, want.Buyers, buyerKey) {
		p.more = append(p.more, func(ctx context.Context, s Store) error { return s.PutBuyer(ctx, x) })
	}
	for _, x := range listDiffering(p, "grant", have.Grants, want.Grants, grantKey) {
		var covered []string
		if before := findByKey(have.Grants, grantKey, x.GrantID); before != nil {
			covered = before.Sites
		}
		p.more = append(p.more, func(ctx context.Context, s Store) error { return writeGrant(ctx, s, x, covered) })
	}
}

// writeGrant stores a grant, adds the sites that it newly covers and removes those
// that it no longer covers. Removals come first.
func writeGrant(ctx context.Context, store origin.Buyers, g origin.Grant, covered []string) error {
	for _, id := range covered {
		if slices.Contains(g.Sites, id) {
			continue
		}
		if err := store.SetGrantSite(ctx, g.GrantID, id, false, g.ChangedAt); err != nil {
			return err
		}
	}
	if err := store.PutGrant(ctx, g); err != nil {
		return err
	}
	for _, id := range g.Sites {
		if slices.Contains(covered, id) {
			continue
		}
		if err := store.SetGrantSite(ctx, g.GrantID, id, true, g.ChangedAt); err != nil {
			return err
		}
	}
	return nil
}

// planWrites plans the writes of the rows that differ.
func planWrites[T any](p *Plan, kind string, have, want []T, key func(*T) string, siteID string, write func(Catalog, context.Context, T) error) {
	for _, x := range listDiffering(p, kind, have, want, key) {
		p.writes = append(p.writes, func(ctx context.Context, s Catalog) error { return write(s, ctx, x) })
		if n := len(p.Sites); siteID != "" && (n == 0 || p.Sites[n-1] != siteID) {
			p.Sites = append(p.Sites, siteID)
		}
	}
}

// listDiffering returns the wanted rows that are missing or differ, and records
// their changes.
func listDiffering[T any](p *Plan, kind string, have, want []T, key func(*T) string) []T {
	before := make(map[string]*T, len(have))
	for i := range have {
		before[key(&have[i])] = &have[i]
	}
	var out []T
	for i := range want {
		id := key(&want[i])
		old := before[id]
		isNew := old == nil
		if isNew {
			old = new(T)
		}
		fields := fieldsOf(old, &want[i])
		if !isNew && len(fields) == 0 {
			continue
		}
		p.Changes = append(p.Changes, Change{Kind: kind, ID: id, New: isNew, Fields: fields})
		out = append(out, want[i])
	}
	return out
}

// Write carries a plan out, row by row, and stops at the first error of the store.
// Run it in a transaction.
func (p *Plan) Write(ctx context.Context, store Store) error {
	if err := p.writeCatalog(ctx, store); err != nil {
		return err
	}
	for _, write := range p.more {
		if err := write(ctx, store); err != nil {
			return err
		}
	}
	return nil
}

func (p *Plan) writeCatalog(ctx context.Context, store Catalog) error {
	for _, write := range p.writes {
		if err := write(ctx, store); err != nil {
			return err
		}
	}
	return nil
}

// untold are the fields that follow from others, or that name the row.
var untold = []string{"ChangedAt", "CreatedAt", "StateAt", "Version", "SiteID", "PassportID"}

// isPrivate holds the names of the members that documents describe as private,
// whose values a plan does not show.
var isPrivate = sync.OnceValue(func() map[string]bool {
	names := map[string]bool{}
	schema := wire.Schema(&Document{}, false)
	addPrivate(names, &schema)
	return names
})

func addPrivate(names map[string]bool, schema *wire.Value) {
	if items := schema.Get("items"); items != nil {
		schema = items
	}
	properties := schema.Get("properties")
	if properties == nil {
		return
	}
	for i := range properties.Members {
		p := &properties.Members[i]
		if p.Value.Get(wire.PrivateMember) != nil {
			names[p.Name] = true
		}
		addPrivate(names, &p.Value)
	}
}

// fieldsOf lists what differs between two rows of the same type.
func fieldsOf(from, to any) []Field {
	a, b := reflect.ValueOf(from).Elem(), reflect.ValueOf(to).Elem()
	var out []Field
	for i := range a.NumField() {
		name := a.Type().Field(i).Name
		if slices.Contains(untold, name) || sameField(a.Field(i), b.Field(i)) {
			continue
		}
		f := Field{Name: memberName(name), From: textOf(a.Field(i)), To: textOf(b.Field(i))}
		if isPrivate()[f.Name] {
			f = Field{Name: f.Name, Private: true}
		}
		out = append(out, f)
	}
	return out
}

// sameField compares two fields; a list that is nil is the same as an empty one.
func sameField(a, b reflect.Value) bool {
	list, ok := a.Interface().([]string)
	if !ok {
		return a.Equal(b)
	}
	return slices.Equal(list, b.Interface().([]string))
}

// textOf writes a field as a plan shows it; "" for an empty one.
func textOf(v reflect.Value) string {
	if v.IsZero() {
		return ""
	}
	if list, ok := v.Interface().([]string); ok {
		return strings.Join(list, ", ")
	}
	return fmt.Sprint(v.Interface())
}

// memberName turns TermsURL into terms_url. Notes and reasons get their names
// in documents.
func memberName(field string) string {
	switch field {
	case "PrivateNotes":
		return "notes"
	case "StateReason":
		return "reason"
	}
	var b strings.Builder
	runes := []rune(field)
	for i, r := range runes {
		begins := i > 0 && unicode.IsUpper(r) && (!unicode.IsUpper(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1]))
		if begins {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

// Diff returns a plan as text for people, in the style of a patch.
func (p *Plan) Diff() string {
	var b strings.Builder
	for i := range p.Changes {
		c := &p.Changes[i]
		sign := "~"
		if c.New {
			sign = "+"
		}
		fmt.Fprintf(&b, "%s %s %s\n", sign, c.Kind, c.ID)
		for _, f := range c.Fields {
			f.writeTo(&b)
		}
	}
	return b.String()
}

func (f *Field) writeTo(b *strings.Builder) {
	if f.Private {
		fmt.Fprintf(b, "    %s: (private, changed)\n", f.Name)
		return
	}
	if f.From != "" {
		fmt.Fprintf(b, "  - %s: %q\n", f.Name, f.From)
	}
	if f.To != "" {
		fmt.Fprintf(b, "  + %s: %q\n", f.Name, f.To)
	}
}
