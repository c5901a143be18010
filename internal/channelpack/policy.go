package channelpack

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"colophon/exports"
	"colophon/internal/channel"
	"colophon/internal/channel/statements"
)

// Policy is what one publisher wants to say; Pack writes every channel from it.
// Only offers with the status "offered" count; callers check dates.
type Policy struct {
	SiteID       string
	Name         string
	SiteURL      string // "https://harbor-ledger.example/"
	Holder       string // rights holder, "" = Name
	Preferences  []exports.Preference
	Offers       []exports.Offer
	Closed       []ClosedPath // parts of the site where a use is reserved whatever else is said
	RequestURL   string       // where a licence can be asked for
	ServiceURL   string       // this service, without a path
	LastModified string       // RFC 3339, "" = leave out
	MaxAgeDays   int          // of license.xml, 0 = 7
	Agents       []string     // robots product tokens whose groups repeat the signals
}

// ClosedPath is a part of a site where a use is reserved.
type ClosedPath struct {
	Prefix string // plain prefix of a path, "/drafts/"
	Use    exports.Use
}

// ClosedPrefix returns the plain prefix that covers everything that a path
// pattern may match: the pattern up to its first wildcard.
func ClosedPrefix(pattern string) string {
	if at := strings.IndexAny(pattern, "*$"); at >= 0 {
		pattern = pattern[:at]
	}
	if prefix, ok := prefixOf(pattern); ok {
		return prefix
	}
	return "/"
}

// host returns the host of the site.
func (p *Policy) host() string {
	host, _ := statements.Split(p.SiteURL)
	return host
}

// ErrPolicy wraps every reason for which a policy cannot be written out.
var ErrPolicy = errors.New("policy cannot be written to channels")

func (p *Policy) validate() error {
	for _, u := range []struct{ name, value string }{
		{"site url", p.SiteURL}, {"request url", p.RequestURL}, {"service url", p.ServiceURL},
	} {
		if !plainURL(u.value) {
			return fmt.Errorf("%w: %s %q is not an absolute URL", ErrPolicy, u.name, u.value)
		}
	}
	if !exports.ValidSiteID(p.SiteID) {
		return fmt.Errorf("%w: site id %q", ErrPolicy, p.SiteID)
	}
	for _, text := range []string{p.Name, p.Holder, p.LastModified} {
		if strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r == 0xfffd }) {
			return fmt.Errorf("%w: control character in %q", ErrPolicy, text)
		}
	}
	for _, a := range p.Agents {
		if channel.ProductToken(a) != a || a == "" {
			return fmt.Errorf("%w: agent %q is not a product token", ErrPolicy, a)
		}
	}
	for _, c := range p.Closed {
		if prefix, ok := prefixOf(c.Prefix); !ok || prefix != c.Prefix {
			return fmt.Errorf("%w: path %q is not a plain prefix", ErrPolicy, c.Prefix)
		}
	}
	for i := range p.Offers {
		if err := checkOffer(&p.Offers[i]); err != nil {
			return err
		}
	}
	return nil
}

func checkOffer(o *exports.Offer) error {
	for _, path := range slices.Concat(o.Scope.Paths, o.Scope.Excludes) {
		if _, ok := prefixOf(path); !ok {
			return fmt.Errorf("%w: path %q of offer %q is not a plain prefix such as /section/*", ErrPolicy, path, o.LicenseID)
		}
	}
	if o.Terms != nil && !plainURL(o.Terms.URL) {
		return fmt.Errorf("%w: terms %q of offer %q", ErrPolicy, o.Terms.URL, o.LicenseID)
	}
	for _, code := range slices.Concat(o.Territories, o.NotIn) {
		if len(code) != 2 || strings.ToUpper(code) != code {
			return fmt.Errorf("%w: territory %q of offer %q", ErrPolicy, code, o.LicenseID)
		}
	}
	for _, text := range []string{o.Payment.Amount, o.Payment.Currency, o.LicenseID} {
		if strings.ContainsAny(text, " <>&\"\r\n\t") {
			return fmt.Errorf("%w: %q in offer %q", ErrPolicy, text, o.LicenseID)
		}
	}
	return nil
}

// plainURL keeps out what could break a header, a robots line or a snippet.
func plainURL(s string) bool {
	u, err := url.Parse(s)
	if err != nil || (u.Scheme != "https" && u.Scheme != "http") || u.Host == "" || u.User != nil {
		return false
	}
	return !strings.ContainsFunc(s, func(r rune) bool {
		return r <= ' ' || r >= 0x7f || strings.ContainsRune("<>\"'\\^`{|}#;,$", r)
	})
}

// prefixOf reads "/section/*" or "/section/" as the prefix "/section/".
func prefixOf(pattern string) (string, bool) {
	p := exports.NormalPattern(strings.TrimSuffix(pattern, "*"))
	bad := func(r rune) bool { return r <= ' ' || r >= 0x7f || strings.ContainsRune("*$#\"'<>\\;{}", r) }
	if !strings.HasPrefix(p, "/") || strings.ContainsFunc(p, bad) {
		return "", false
	}
	return p, true
}

func (p *Policy) preferenceFor(u exports.Use) exports.Preference {
	for _, q := range p.Preferences {
		if q.Use == string(u) {
			return q
		}
	}
	return exports.Preference{Use: string(u), Inquiry: "unstated", Declared: "unknown"}
}

// region is a path prefix inside which the policy says one thing.
type region struct {
	prefix     string
	parent     *region // the nearest wider region, nil for "/"
	want       [8]statements.Effect
	conditions [8][]string
	askable    [8]bool // an inquiry about a disallowed use is welcome
	offers     []*exports.Offer
	uneven     [8]bool // an answer for everywhere that differs by path
}

// splitRegions lists the prefixes at which the policy changes, widest first.
func (p *Policy) splitRegions() []*region {
	prefixes := []string{"/"}
	for i := range p.Offers {
		if p.Offers[i].Status != "offered" {
			continue
		}
		for _, path := range slices.Concat(p.Offers[i].Scope.Paths, p.Offers[i].Scope.Excludes) {
			prefix, _ := prefixOf(path)
			prefixes = append(prefixes, prefix)
		}
	}
	for _, c := range p.Closed {
		prefixes = append(prefixes, c.Prefix)
	}
	prefixes = statements.SortedSet(prefixes)
	slices.SortStableFunc(prefixes, func(a, b string) int { return len(a) - len(b) })
	out := make([]*region, 0, len(prefixes))
	for _, prefix := range prefixes {
		r := &region{prefix: prefix}
		for _, wider := range out {
			if strings.HasPrefix(prefix, wider.prefix) {
				r.parent = wider // the last one is the longest
			}
		}
		p.fillRegion(r)
		out = append(out, r)
	}
	return out
}

func (p *Policy) fillRegion(r *region) {
	for i := range p.Offers {
		if o := &p.Offers[i]; o.Status == "offered" && inRegion(o, r.prefix) {
			r.offers = append(r.offers, o)
		}
	}
	slices.SortStableFunc(r.offers, func(a, b *exports.Offer) int { return strings.Compare(a.LicenseID, b.LicenseID) })
	for i, u := range exports.Uses {
		q := p.preferenceFor(u)
		r.conditions[i] = slices.Clone(q.Conditions)
		if q.Retention != "" {
			r.conditions[i] = append(r.conditions[i], "retention "+q.Retention) // no channel carries it
		}
		r.askable[i] = q.Inquiry == "welcome" || q.Inquiry == "conditional"
		switch q.Declared {
		case "allow":
			r.want[i] = statements.Allow
		case "disallow":
			r.want[i] = statements.Disallow
		}
		if q.Inquiry != "not_offered" && len(r.offersFor(u)) > 0 {
			r.want[i] = statements.Priced
		}
		if p.isClosed(r.prefix, u) {
			r.want[i] = statements.Disallow
		}
	}
}

func (p *Policy) isClosed(prefix string, use exports.Use) bool {
	return slices.ContainsFunc(p.Closed, func(c ClosedPath) bool { return c.Use == use && strings.HasPrefix(prefix, c.Prefix) })
}

// offersFor lists the offers of the region that permit a use.
func (r *region) offersFor(u exports.Use) []*exports.Offer {
	var out []*exports.Offer
	for _, o := range r.offers {
		if slices.Contains(o.Permits, string(u)) && !slices.Contains(o.Prohibits, string(u)) {
			out = append(out, o)
		}
	}
	return out
}

func inRegion(o *exports.Offer, prefix string) bool {
	starts := func(path string) bool {
		p, _ := prefixOf(path)
		return strings.HasPrefix(prefix, p)
	}
	if slices.ContainsFunc(o.Scope.Excludes, starts) {
		return false
	}
	return len(o.Scope.Paths) == 0 || slices.ContainsFunc(o.Scope.Paths, starts)
}

// commonRegion returns the policy for channels that know no paths: what holds
// in every region, and a disallow where regions differ.
func commonRegion(regions []*region) *region {
	all := *regions[0]
	all.offers = slices.Clone(all.offers)
	for _, r := range regions[1:] {
		all.offers = slices.DeleteFunc(all.offers, func(o *exports.Offer) bool { return !slices.Contains(r.offers, o) })
		for i := range all.want {
			if r.want[i] != all.want[i] {
				all.want[i], all.uneven[i] = statements.Disallow, true
			}
		}
	}
	for i, u := range exports.Uses {
		if all.want[i] == statements.Priced && len(all.offersFor(u)) == 0 {
			all.want[i], all.uneven[i] = statements.Disallow, true
		}
	}
	return &all
}
