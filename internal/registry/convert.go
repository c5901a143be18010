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
	out.LicenseID = rights.OfferID(siteID, o.Slug)
	out.SiteID = siteID
	out.Slug = o.Slug
	out.Kind = o.Kind
	out.Status = o.Status
	out.Title = o.Title
	out.ScopeType = o.Scope
	out.Paths = o.Paths
	out.Excludes = o.Excludes
	out.ContentFormats, out.PublishedAfter = o.ContentFormats, o.PublishedAfter
	out.Permits = o.Permits
	out.Prohibits = o.Prohibits
	out.UserTypes = o.UserTypes
	out.Territories = o.Territories
	out.NotIn = o.NotIn
	out.PaymentModel = o.PaymentModel
	out.Amount = o.Amount
	out.Currency = o.Currency
	out.Unit = o.Unit
	out.Attribution = noneIsEmpty(o.Attribution)
	out.DisplayLimit = o.DisplayLimit
	out.DeleteHours = o.DeleteHours
	out.Reporting = o.Reporting
	out.TermsURL = o.TermsURL
	out.TermsVersion = o.TermsVersion
	out.TermsSHA256 = o.TermsSHA256
	out.TermsMedia = o.TermsMedia
	out.ValidFrom = o.ValidFrom
	out.ValidUntil = o.ValidUntil
	out.PrivateNotes = o.Notes
	out.Supersedes = ""
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
	out.DemandID = DemandID(d.ID)
	out.Headline = d.Headline
	out.Uses = d.Uses
	out.Categories = d.Categories
	out.ContentFormats = d.ContentFormats
	out.Languages = d.Languages
	out.Territories = d.Territories
	out.UserType = d.UserType
	out.Volume = d.Volume
	out.BudgetBand = d.BudgetBand
	out.Timeline = d.Timeline
	out.BuyerDisplay = d.BuyerDisplay
	out.ExpiresAt = d.ExpiresAt
	out.BuyerName = d.BuyerName
	out.BuyerEmail = d.BuyerEmail
	out.SavedSearch = d.SavedSearch
	out.PipelineStage = d.PipelineStage
	out.PrivateNotes = d.Notes
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
	s.SiteID = p.SiteID
	s.PublisherID = p.Organization
	s.Name = p.Name
	s.SiteURL = p.SiteURL
	s.Summary = p.Summary
	s.Description = p.Description
	s.Categories = p.Categories
	s.Languages = p.Languages
	s.Countries = p.Countries
	s.Audience = p.Audience
	s.TechnicalDepth = p.TechnicalDepth
	s.RAGSuitability = p.RAGSuitability
	s.UpdateCadence = p.UpdateCadence
	s.HumanPage = p.HumanPage
	s.AcceptsInquiries = p.Inquiries == "open"
	s.State = origin.SiteState(p.State)
	s.Visibility = p.Visibility
	s.StateReason = p.Reason
	s.PrivateNotes = p.Notes
	s.GraceDays = p.GraceDays
}

func preferenceOf(p *origin.Preference) Preference {
	return Preference{Use: p.Use, Inquiry: p.Inquiry, Declared: p.Declared, Conditions: p.Conditions, Note: p.Note, Since: p.Since, Source: p.Source}
}

// copyTo writes what the document says over a preference.
func (p *Preference) copyTo(out *origin.Preference) {
	out.Use = p.Use
	out.Inquiry = p.Inquiry
	out.Declared = p.Declared
	out.Conditions = p.Conditions
	out.Note = p.Note
	out.Since = p.Since
	out.Source = p.Source
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
	g.GrantID = grantID(d.ID)
	g.BuyerID = buyerID(d.Buyer)
	g.Kind = d.Kind
	g.Title = d.Title
	g.LicenseID = d.License
	g.Sites = d.Sites
	g.Uses = d.Uses
	g.Paths = d.Paths
	g.Excludes = d.Excludes
	g.ContentFormats = d.ContentFormats
	g.PublishedAfter = d.PublishedAfter
	g.PublishedBefore = d.PublishedBefore
	g.ValidFrom = d.ValidFrom
	g.ValidUntil = d.ValidUntil
	g.State = d.State
	g.StateReason = d.Reason
	g.Attribution = noneIsEmpty(d.Attribution)
	g.DisplayLimit = d.DisplayLimit
	g.DeleteHours = d.DeleteHours
	g.Reporting = d.Reporting
	g.Agreement = d.Agreement
	g.PrivateNotes = d.Notes
}
