package rights

import (
	"time"

	"colophon/exports"
	"colophon/internal/origin"
)

// Claim asks whether a buyer may have one item for one use at one moment, and
// holds everything that the origin knows about that at the moment.
type Claim struct {
	Buyer      *origin.Buyer
	Credential string         // id of the credential that the caller holds
	Grants     []origin.Grant // of that buyer
	Item       *origin.Item
	Use        exports.Use
	At         time.Time
	Decision   string // id of the decision, dec_…
}

// PermitLife is how long a permit is valid. It bounds the delay between a
// decision and the reading of the body, which checks the same rights again.
const PermitLife = 2 * time.Second

// Permit proves that one buyer may have one item for one use at one second.
// Only Check makes one that opens anything: its fields cannot be set from
// outside, it expires within seconds, and BodyStore checks every right behind
// it again.
type Permit struct {
	ask      origin.BodyAsk
	use      exports.Use
	decision string
	second   int64
	until    string
	grant    *origin.Grant
	uses     int64
	keeps    string // how long a copy may be kept
	item     *origin.Item
}

// Check decides a claim. It returns a permit or, as one of exports.EndReasons,
// why there is none.
func Check(c *Claim) (p Permit, denial string) {
	at := exports.Instant(c.At)
	check := CheckGrants(c.Buyer, c.Grants, c.Item, at, nil)
	if check.Reason != "" {
		return Permit{}, check.Reason
	}
	g := check.GrantFor(c.Use)
	if g == nil || c.Decision == "" {
		return Permit{}, "scope_changed"
	}
	return Permit{
		ask: origin.BodyAsk{
			BuyerID: c.Buyer.BuyerID, CredentialID: c.Credential, EntryID: c.Item.EntryID, SiteID: c.Item.SiteID, GrantID: g.GrantID, GrantVersion: g.Version,
			CanonicalURL: c.Item.CanonicalURL, ContentFormat: c.Item.ContentFormat, PublishedAt: c.Item.PublishedAt,
		},
		use: c.Use, decision: c.Decision, second: c.At.Unix(), until: validUntil(c.At, g), grant: g, uses: check.Uses, keeps: check.Retention(), item: c.Item,
	}, ""
}

// validUntil returns the instant until which a buyer may rely on an answer: five minutes
// after at, or the end of the grant if that is earlier.
func validUntil(at time.Time, g *origin.Grant) string {
	until := exports.Instant(at.Add(5 * time.Minute))
	if g.ValidUntil != "" && g.ValidUntil < until {
		return g.ValidUntil
	}
	return until
}

// Decision returns the id of the decision that made the permit.
func (p Permit) Decision() string { return p.decision }

// Buyer returns the id of the buyer for whom the permit was made.
func (p Permit) Buyer() string { return p.ask.BuyerID }

// Entry returns the id of the entry that the permit covers.
func (p Permit) Entry() string { return p.ask.EntryID }

// Use returns the use that the permit is for.
func (p Permit) Use() exports.Use { return p.use }

// isStale reports whether a permit can no longer open anything.
func (p Permit) isStale(now time.Time) bool {
	age := now.Unix() - p.second
	return p.decision == "" || age < 0 || age > int64(PermitLife/time.Second)
}

// Item returns the item that the permit is for as it is delivered, without
// content.
func (p Permit) Item() exports.Item {
	i, g := p.item, p.grant
	return exports.Item{
		ItemID: exports.ItemID(i.EntryID), EntryID: i.EntryID, SiteID: i.SiteID, Version: i.Version,
		Title: i.Title, Byline: i.Byline, Language: i.Language, CanonicalURL: i.CanonicalURL, PublishedAt: i.PublishedAt,
		ModifiedAt: i.ModifiedAt, WordCount: i.WordCount, Tags: i.Terms, Portable: i.Portable, Attribution: i.SiteName, Recorded: i.Recorded,
		Rights: exports.ItemRights{
			GrantID: g.GrantID, GrantKind: g.Kind, Uses: UseList(p.uses), CheckedAt: exports.Instant(time.Unix(p.second, 0)), DecisionID: p.decision,
			ValidUntil: p.until, Attribution: g.Attribution, DisplayLimit: g.DisplayLimit, DeleteHours: g.DeleteHours, Reporting: g.Reporting,
			Retention: p.keeps, MustDeleteBy: p.mustDeleteBy(),
		},
	}
}

// mustDeleteBy returns the instant by which a copy that is delivered now must be
// deleted, even if the right to it lasts; "" if its days are not counted.
func (p Permit) mustDeleteBy() string {
	days, counted := exports.RetentionDays(p.keeps)
	if !counted {
		return ""
	}
	return exports.Instant(time.Unix(p.second+days*24*60*60, 0))
}

// WithBody is Item with the content that the permit opened.
func (p Permit) WithBody(b Content) exports.Item {
	out := p.Item()
	out.Version = b.Version
	out.Content = &exports.ItemContent{Format: b.Format, Text: b.Text, SHA256: b.SHA256}
	return out
}
