package demo

import (
	"colophon/exports"
	"colophon/generator/registry"
	"colophon/internal/origin"
)

// market reads a block of the sheet of categories and demand.
func (w *world) market(b *block) {
	switch b.kind {
	case "category":
		w.categories = append(w.categories, origin.Category{
			Slug: b.key, Label: b.need("label"), Description: b.need("description"), Parent: b.take("parent"), IABIDs: b.list("iab"),
			ChangedAt: b.instant("changed"),
		})
		if !exports.ValidSlug(b.key) {
			b.fault("%q is not a slug", b.key)
		}
	case "demand":
		w.demand = append(w.demand, demand(b))
	default:
		b.fault("the kind %q is unknown", b.kind)
	}
}

func demand(b *block) origin.Demand {
	d := origin.Demand{
		DemandID: registry.DemandID(b.key), Headline: b.need("headline"), Uses: b.words("uses", exports.UseWords()), Categories: b.list("categories"),
		ContentFormats: b.words("formats", exports.ContentFormats), Languages: b.list("languages"), Territories: b.list("territories"),
		UserType: b.word("user", exports.UserTypes), Volume: b.take("volume"), BudgetBand: b.take("budget"), Timeline: b.take("timeline"),
		BuyerDisplay: b.take("display"), OptedInAt: b.instant("opted"), ExpiresAt: b.instant("expires"),
		BuyerName: b.private(b.need("buyer")), BuyerEmail: canaryLocal + b.need("email"), SavedSearch: b.private(b.need("search")),
		PipelineStage: b.private(b.need("stage")), PrivateNotes: b.private(b.need("notes")), ChangedAt: b.time(b.need("changed")),
	}
	d.OptedIn = d.OptedInAt != ""
	return d
}
