package registry

import (
	"crypto/sha256"
	"encoding/base32"
	"strings"

	"colophon/exports"
	"colophon/internal/origin"
	"colophon/internal/rights"
)

// PrefixBuyer begins the id of a buyer.
const PrefixBuyer = "byr_"

// MadeID is the id that a slug stands for: the same slug always gives the same
// one. What begins with the prefix is an id already.
func MadeID(prefix, kind, slug string) string {
	if strings.HasPrefix(slug, prefix) {
		return slug
	}
	sum := sha256.Sum256([]byte(kind + "\x00" + slug + "\x00"))
	return prefix + strings.ToLower(base32.StdEncoding.EncodeToString(sum[:]))[:26]
}

// DemandID is the id of a need that is named by a slug or by its id.
func DemandID(slug string) string { return MadeID(exports.PrefixDemand, "demand", slug) }

func partnerID(slug string) string { return MadeID(exports.PrefixPartner, "partner", slug) }
func buyerID(slug string) string   { return MadeID(PrefixBuyer, "buyer", slug) }
func grantID(slug string) string   { return MadeID(exports.PrefixGrant, "grant", slug) }

// orNone is an attribution as documents write it.
func orNone(attribution string) string {
	if attribution == "" {
		return "none"
	}
	return attribution
}

func noneIsEmpty(attribution string) string {
	if attribution == "none" {
		return ""
	}
	return attribution
}

// OfferOf describes an offer of the origin. Others are the offers of the same
// publisher, among which the superseded one is found.
func OfferOf(o *origin.Offer, others []origin.Offer) Offer {
	out := Offer{
		Slug: o.Slug, Kind: o.Kind, Status: o.Status, Title: o.Title, Scope: o.ScopeType, Paths: o.Paths, Excludes: o.Excludes,
		ContentFormats: o.ContentFormats, PublishedAfter: o.PublishedAfter, Permits: o.Permits, Prohibits: o.Prohibits, UserTypes: o.UserTypes,
		Territories: o.Territories, NotIn: o.NotIn, PaymentModel: o.PaymentModel, Amount: o.Amount, Currency: o.Currency, Unit: o.Unit,
		Attribution: orNone(o.Attribution), DisplayLimit: o.DisplayLimit, DeleteHours: o.DeleteHours, Reporting: o.Reporting,
		TermsURL: o.TermsURL, TermsVersion: o.TermsVersion, TermsSHA256: o.TermsSHA256, TermsMedia: o.TermsMedia,
		ValidFrom: o.ValidFrom, ValidUntil: o.ValidUntil, Notes: o.PrivateNotes,
	}
	for i := range others {
		if o.Supersedes != "" && others[i].LicenseID == o.Supersedes {
			out.Supersedes = others[i].Slug
		}
	}
	return out
}

// copyTo writes what the document says over an offer.
func (o *Offer) copyTo(out *origin.Offer, siteID string) {
	out.LicenseID, out.SiteID, out.Slug, out.Kind, out.Status, out.Title = rights.OfferID(siteID, o.Slug), siteID, o.Slug, o.Kind, o.Status, o.Title
	out.ScopeType, out.Paths, out.Excludes = o.Scope, o.Paths, o.Excludes
	out.ContentFormats, out.PublishedAfter = o.ContentFormats, o.PublishedAfter
	out.Permits, out.Prohibits, out.UserTypes, out.Territories, out.NotIn = o.Permits, o.Prohibits, o.UserTypes, o.Territories, o.NotIn
	out.PaymentModel, out.Amount, out.Currency, out.Unit = o.PaymentModel, o.Amount, o.Currency, o.Unit
	out.Attribution, out.DisplayLimit, out.DeleteHours, out.Reporting = noneIsEmpty(o.Attribution), o.DisplayLimit, o.DeleteHours, o.Reporting
	out.TermsURL, out.TermsVersion, out.TermsSHA256, out.TermsMedia = o.TermsURL, o.TermsVersion, o.TermsSHA256, o.TermsMedia
	out.ValidFrom, out.ValidUntil, out.PrivateNotes, out.Supersedes = o.ValidFrom, o.ValidUntil, o.Notes, ""
	if o.Supersedes != "" {
		out.Supersedes = rights.OfferID(siteID, o.Supersedes)
	}
}

// DemandOf describes a need of the origin.
func DemandOf(d *origin.Demand) Demand {
	return Demand{
		ID: d.DemandID, State: DemandState(d), Headline: d.Headline, Uses: d.Uses, Categories: d.Categories, ContentFormats: d.ContentFormats,
		Languages: d.Languages, Territories: d.Territories, UserType: d.UserType, Volume: d.Volume, BudgetBand: d.BudgetBand,
		Timeline: d.Timeline, BuyerDisplay: d.BuyerDisplay, ExpiresAt: d.ExpiresAt, BuyerName: d.BuyerName, BuyerEmail: d.BuyerEmail,
		SavedSearch: d.SavedSearch, PipelineStage: d.PipelineStage, Notes: d.PrivateNotes,
	}
}

// DemandState is one of DemandStates.
func DemandState(d *origin.Demand) string {
	switch {
	case d.OptedIn:
		return DemandApproved
	case d.OptedInAt != "":
		return DemandClosed
	}
	return DemandHeld
}

// copyTo writes what the document says over a need. Closing one that was never
// public notes the instant, so that it is held no more.
func (d *Demand) copyTo(out *origin.Demand, now string) {
	wasPublic := out.OptedIn
	out.DemandID, out.Headline, out.Uses, out.Categories = DemandID(d.ID), d.Headline, d.Uses, d.Categories
	out.ContentFormats, out.Languages, out.Territories, out.UserType = d.ContentFormats, d.Languages, d.Territories, d.UserType
	out.Volume, out.BudgetBand, out.Timeline, out.BuyerDisplay, out.ExpiresAt = d.Volume, d.BudgetBand, d.Timeline, d.BuyerDisplay, d.ExpiresAt
	out.BuyerName, out.BuyerEmail, out.SavedSearch, out.PipelineStage, out.PrivateNotes = d.BuyerName, d.BuyerEmail, d.SavedSearch, d.PipelineStage, d.Notes
	out.OptedIn = d.State == DemandApproved
	switch {
	case d.State == DemandHeld:
		out.OptedInAt = ""
	case d.State == DemandApproved && !wasPublic, out.OptedInAt == "":
		out.OptedInAt = now
	}
}

func publisherOf(s *origin.Site) Publisher {
	out := Publisher{
		SiteID: s.SiteID, Organization: s.PublisherID, Name: s.Name, SiteURL: s.SiteURL, Summary: s.Summary, Description: s.Description,
		Categories: s.Categories, Languages: s.Languages, Countries: s.Countries, Audience: s.Audience, TechnicalDepth: s.TechnicalDepth,
		RAGSuitability: s.RAGSuitability, UpdateCadence: s.UpdateCadence, HumanPage: s.HumanPage, Inquiries: "closed", State: string(s.State),
		Visibility: s.Visibility, Reason: s.StateReason, Notes: s.PrivateNotes, GraceDays: s.GraceDays,
	}
	if s.AcceptsInquiries {
		out.Inquiries = "open"
	}
	return out
}

// copyTo writes what the document says over a site.
func (p *Publisher) copyTo(s *origin.Site) {
	s.SiteID, s.PublisherID, s.Name, s.SiteURL, s.Summary, s.Description = p.SiteID, p.Organization, p.Name, p.SiteURL, p.Summary, p.Description
	s.Categories, s.Languages, s.Countries = p.Categories, p.Languages, p.Countries
	s.Audience, s.TechnicalDepth, s.RAGSuitability, s.UpdateCadence = p.Audience, p.TechnicalDepth, p.RAGSuitability, p.UpdateCadence
	s.HumanPage, s.AcceptsInquiries, s.State, s.Visibility = p.HumanPage, p.Inquiries == "open", origin.SiteState(p.State), p.Visibility
	s.StateReason, s.PrivateNotes, s.GraceDays = p.Reason, p.Notes, p.GraceDays
}

func preferenceOf(p *origin.Preference) Preference {
	return Preference{Use: p.Use, Inquiry: p.Inquiry, Declared: p.Declared, Conditions: p.Conditions, Note: p.Note, Since: p.Since, Source: p.Source}
}

// copyTo writes what the document says over a preference.
func (p *Preference) copyTo(out *origin.Preference) {
	out.Use, out.Inquiry, out.Declared, out.Conditions = p.Use, p.Inquiry, p.Declared, p.Conditions
	out.Note, out.Since, out.Source = p.Note, p.Since, p.Source
}

// holderOf leaves out a basis that nobody can state.
func holderOf(p *origin.Passport) RightsHolder {
	out := RightsHolder{Name: p.HolderName, URL: p.HolderURL, Territories: p.Territories, Notes: p.PrivateNotes}
	if exports.OneOf(p.HolderBasis, typedBases) {
		out.Basis = p.HolderBasis
	}
	return out
}

func organizationOf(p *origin.Publisher) Organization {
	return Organization{ID: p.PublisherID, LegalName: p.LegalName, ContactName: p.ContactName, ContactEmail: p.ContactEmail, Notes: p.PrivateNotes, GroupName: p.GroupName}
}

func categoryOf(c *origin.Category) Category {
	return Category{Slug: c.Slug, Label: c.Label, Description: c.Description, Parent: c.Parent, IABIDs: c.IABIDs}
}

func partnerOf(p *origin.Partner) Partner {
	return Partner{ID: p.OrgID, Name: p.Name, State: p.State, Scopes: p.Scopes, ContactEmail: p.ContactEmail, Notes: p.PrivateNotes}
}

func buyerOf(b *origin.Buyer) Buyer {
	return Buyer{ID: b.BuyerID, Name: b.Name, State: b.State, ContactEmail: b.ContactEmail, Notes: b.PrivateNotes}
}

func grantOf(g *origin.Grant) Grant {
	return Grant{
		ID: g.GrantID, Buyer: g.BuyerID, Kind: g.Kind, Title: g.Title, License: g.LicenseID, Sites: g.Sites, Uses: g.Uses, Paths: g.Paths,
		Excludes: g.Excludes, ContentFormats: g.ContentFormats, PublishedAfter: g.PublishedAfter, PublishedBefore: g.PublishedBefore,
		ValidFrom: g.ValidFrom, ValidUntil: g.ValidUntil, State: g.State, Reason: g.StateReason, Attribution: orNone(g.Attribution),
		DisplayLimit: g.DisplayLimit, DeleteHours: g.DeleteHours, Reporting: g.Reporting, Agreement: g.Agreement, Notes: g.PrivateNotes,
	}
}

// copyTo writes what the document says over a grant.
func (d *Grant) copyTo(g *origin.Grant) {
	g.GrantID, g.BuyerID, g.Kind, g.Title, g.LicenseID, g.Sites = grantID(d.ID), buyerID(d.Buyer), d.Kind, d.Title, d.License, d.Sites
	g.Uses, g.Paths, g.Excludes, g.ContentFormats = d.Uses, d.Paths, d.Excludes, d.ContentFormats
	g.PublishedAfter, g.PublishedBefore, g.ValidFrom, g.ValidUntil = d.PublishedAfter, d.PublishedBefore, d.ValidFrom, d.ValidUntil
	g.State, g.StateReason, g.Attribution, g.DisplayLimit, g.DeleteHours = d.State, d.Reason, noneIsEmpty(d.Attribution), d.DisplayLimit, d.DeleteHours
	g.Reporting, g.Agreement, g.PrivateNotes = d.Reporting, d.Agreement, d.Notes
}
