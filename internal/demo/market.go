package demo

import (
	"colophon/exports"
	"colophon/internal/origin"
	"colophon/internal/registry"
)

// readMarket reads a block of the sheet of categories and demand.
func (w *world) readMarket(b *block) {
	switch b.kind {
	case "category":
		w.categories = append(w.categories, origin.Category{
			Slug: b.key, Label: b.needField("label"), Description: b.needField("description"), Parent: b.takeField("parent"), IABIDs: b.listField("iab"),
			ChangedAt: b.instantField("changed"),
		})
		if !exports.ValidSlug(b.key) {
			b.setFault("%q is not a slug", b.key)
		}
	case "demand":
		w.demand = append(w.demand, readDemand(b))
	default:
		b.setFault("the kind %q is unknown", b.kind)
	}
}

func readDemand(b *block) origin.Demand {
	d := origin.Demand{
		DemandID: registry.DemandID(b.key), Headline: b.needField("headline"), Uses: b.wordsField("uses", exports.UseWords()), Categories: b.listField("categories"),
		ContentFormats: b.wordsField("formats", exports.ContentFormats), Languages: b.listField("languages"), Territories: b.listField("territories"),
		UserType: b.wordField("user", exports.UserTypes), Volume: b.takeField("volume"), BudgetBand: b.takeField("budget"), Timeline: b.takeField("timeline"),
		BuyerDisplay: b.takeField("display"), OptedInAt: b.instantField("opted"), ExpiresAt: b.instantField("expires"),
		BuyerName: b.checkPrivate(b.needField("buyer")), BuyerEmail: canaryLocal + b.needField("email"), SavedSearch: b.checkPrivate(b.needField("search")),
		PipelineStage: b.checkPrivate(b.needField("stage")), PrivateNotes: b.checkPrivate(b.needField("notes")), ChangedAt: b.parseTime(b.needField("changed")),
	}
	d.OptedIn = d.OptedInAt != ""
	return d
}
