package generator

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"colophon/exports"
	"colophon/generator/packcheck"
	"colophon/internal/blob"
	"colophon/internal/blob/document"
	"colophon/internal/channel"
	"colophon/internal/filepolicy"
	"colophon/internal/origin"
	"colophon/internal/rights"
	"colophon/internal/wire"
	"colophon/templates"
)

// PolicyOf returns what a publisher wants to say, as its channels are written
// from it. base is the address of this service. The second result is false for
// a site that may not appear.
func PolicyOf(f *rights.SiteSnapshot, base string) (channel.Policy, bool) {
	doc, ok, err := rights.RightsDocumentAt(f, f.PolicyChanged())
	if err != nil || !ok {
		return channel.Policy{}, false
	}
	p := channel.Policy{
		SiteID: doc.SiteID, Name: doc.Name, SiteURL: doc.SiteURL, Preferences: doc.Preferences, Offers: doc.Offers,
		RequestURL: base + requestPage(doc), ServiceURL: base, LastModified: f.PolicyChanged(), Closed: filepolicy.Closed(doc.Documents),
	}
	if pass := f.Passport(); pass != nil {
		p.Holder = pass.HolderName
	}
	return p, true
}

// requestPage returns where a licence can be asked for: the form, or the page
// of a publisher that takes no inquiries here.
func requestPage(doc *rights.RightsDocument) string {
	if !doc.AsksAllowed {
		return exports.PublisherPage(doc.SiteID)
	}
	return templates.RequestPath(doc.SiteID)
}

// publishPacks writes the channel pack of every publisher, and with it the history of
// its policy.
func (b *build) publishPacks(ctx context.Context) error {
	logged, err := b.loggedPolicies(ctx)
	if err != nil {
		return err
	}
	published := document.Files{Source: blob.Folder(b.out.dir)}
	rules := 0
	for i := range b.sites {
		s := &b.sites[i]
		if i > 0 {
			rules += len(b.sites[i-1].accessRules)
		}
		if b.plan.keepsFilesOf(s.Site.SiteID) {
			if rules > maxAccessRules { // the manifest ends before this publisher
				continue
			}
			var known bool
			if s.accessRules, known = b.publishedAccessRules(ctx, published, s.Site.SiteID); known {
				continue
			}
		}
		if err := b.policyHistory(s, logged); err != nil {
			return err
		}
		if err := b.sitePack(s); err != nil {
			return err
		}
		if err := b.parity(s); err != nil {
			return err
		}
	}
	return nil
}

// parity publishes what the last check of a publisher's edge saw.
func (b *build) parity(s *siteFacts) error {
	for i := range s.Signals {
		if s.Signals[i].Report == "" || !rights.Public(s.Site) {
			continue
		}
		v, err := wire.Parse([]byte(s.Signals[i].Report), wire.Trusted)
		if err != nil {
			return err
		}
		if err := b.writeValue(exports.ParityPath(s.Site.SiteID), v); err != nil {
			return err
		}
	}
	return nil
}

// ErrPackFreer is returned for a pack that permits more than the policy it was written from,
// for any use, agent or path. Such a pack is not published.
var ErrPackFreer = errors.New("the pack reads more freely than the policy")

// maxTold bounds the findings that an error names.
const maxTold = 3

// checkedPack writes a pack and reads it again as a stranger would. It fails
// with channel.ErrPolicy or ErrPackFreer.
func checkedPack(p *channel.Policy) (channel.Pack, error) {
	pack, err := p.Pack()
	if err != nil {
		return pack, err
	}
	found := packcheck.Check(p, &pack)
	if len(found) == 0 {
		return pack, nil
	}
	var told []string
	for _, f := range found[:min(len(found), maxTold)] {
		told = append(told, f.String())
	}
	return channel.Pack{}, fmt.Errorf("%w in %d places: %s", ErrPackFreer, len(found), strings.Join(told, "; "))
}

// sitePack writes one pack. A policy that some channel cannot carry safely has
// none; its index says why.
func (b *build) sitePack(s *siteFacts) error {
	p, ok := PolicyOf(&s.SiteSnapshot, b.opt.BaseURL)
	if !ok {
		return nil
	}
	folder := exports.PackPath(s.Site.SiteID)
	pack, err := checkedPack(&p)
	if errors.Is(err, channel.ErrPolicy) || errors.Is(err, ErrPackFreer) {
		return b.writeValue(folder+"index.json", obj(jsonMember("files", arr()), noRights, jsonMember("problem", str(err.Error())), jsonMember("site_id", str(p.SiteID))))
	}
	if err != nil {
		return err
	}
	files := arr()
	for _, f := range pack.Files {
		name := exports.PackName(f.Path)
		body := canonicalPackFile(name, f.Body)
		if err := b.out.putFile(exports.Key(folder[1:]+name), body); err != nil {
			return err
		}
		digest := sha256.Sum256(body)
		files.Items = append(files.Items, obj(
			jsonMember("bytes", intValue(len(body))), jsonMember("href", str(folder+name)), jsonMember("media_type", str(f.MediaType)), jsonMember("place", str(f.Path)), jsonMember("sha256", str(hex.EncodeToString(digest[:]))),
		))
	}
	s.accessRules = accessRulesOf(&pack)
	return b.writeValue(folder+"index.json", obj(
		jsonMember("files", files), noRights, jsonMember("losses", intValue(len(pack.Loss))), jsonMember("policy", policyValue(&s.SiteSnapshot)), jsonMember("problem", wire.Null()), jsonMember("site_id", str(p.SiteID)),
	))
}

// canonicalPackFile returns the canonical form of a JSON file of a pack,
// without the line end that it has on a publisher's own server.
func canonicalPackFile(name string, body []byte) []byte {
	if strings.HasSuffix(name, ".json") || strings.HasSuffix(name, ".jsonld") {
		return bytes.TrimSuffix(body, []byte("\n"))
	}
	return body
}

func policyValue(f *rights.SiteSnapshot) wire.Value {
	doc, ok, err := rights.RightsDocumentAt(f, f.PolicyChanged())
	if err != nil || !ok || doc.Policy == nil {
		return wire.Null()
	}
	return valueOf(doc.Policy)
}

// accessRulesOf takes out of a pack how it declares that requests are answered.
func accessRulesOf(p *channel.Pack) []wire.Value {
	doc, err := wire.Parse(p.Get(channel.FileAccess), wire.Trusted)
	if err != nil {
		return nil
	}
	if list := doc.Get("declared_posture"); list != nil {
		return list.Items
	}
	return nil
}

// maxAccessRules bounds the access rules in the one manifest of all publishers; each
// publisher's own is in its pack.
const maxAccessRules = 2000

func (b *build) declaredAccessRules() (list wire.Value, complete bool) {
	list = arr()
	for i := range b.sites {
		if len(list.Items)+len(b.sites[i].accessRules) > maxAccessRules {
			return list, false
		}
		list.Items = append(list.Items, b.sites[i].accessRules...)
	}
	return list, true
}

// policyKey names one version of a site's policy.
type policyKey struct {
	siteID  string
	version int64
}

// loggedPolicies says where in the ledger the versions of policies are.
func (b *build) loggedPolicies(ctx context.Context) (map[policyKey]int64, error) {
	events, err := b.store.LedgerEventsOf(ctx, origin.LedgerPolicy)
	out := make(map[policyKey]int64, len(events))
	for _, e := range events {
		out[policyKey{e.SiteID, e.Version}] = e.Position
	}
	return out, err
}

// policyHistory writes the versions of a site's policy, newest first.
func (b *build) policyHistory(s *siteFacts, logged map[policyKey]int64) error {
	if err := b.policyPage(s, logged); err != nil {
		return err
	}
	list := arr()
	changes := s.PolicyChanges()
	for i := len(s.Policies) - 1; i >= 0; i-- {
		v := &s.Policies[i]
		change := wire.Null()
		if i > 0 {
			change = valueOf(&changes[i-1])
		}
		paths, err := wire.Parse([]byte(v.Vectors), wire.Trusted)
		if err != nil {
			return err
		}
		until := wire.Null()
		if v.EffectiveUntil != "" {
			until = str(v.EffectiveUntil)
		}
		leaf := wire.Null()
		if at, ok := logged[policyKey{v.SiteID, v.Version}]; ok {
			leaf = wire.Int(at)
		}
		list.Items = append(list.Items, obj(
			jsonMember("change", change), jsonMember("digest", str(v.Digest)), jsonMember("effective_from", str(v.EffectiveFrom)), jsonMember("effective_until", until), jsonMember("ledger_index", leaf),
			jsonMember("recorded_at", str(v.RecordedAt)), jsonMember("rights_vector", str(v.Vector)), jsonMember("rights_vector_by_path", paths), jsonMember("version", wire.Int(v.Version)),
		))
	}
	return b.writeValue(exports.PolicyHistoryPath(s.Site.SiteID), obj(noRights, jsonMember("policy_id", str("pol_"+s.Site.SiteID)), jsonMember("site_id", str(s.Site.SiteID)), jsonMember("versions", list)))
}

// policyPage returns the same for people, where there is a page of the
// publisher.
func (b *build) policyPage(s *siteFacts, logged map[policyKey]int64) error {
	p, ok := s.publisher()
	if !ok || len(s.Policies) == 0 {
		return nil
	}
	page := templates.PolicyPage{Site: b.siteFrame(s.PolicyChanged()), SiteID: p.SiteID, Name: p.Name}
	changes := s.PolicyChanges()
	for i := len(s.Policies) - 1; i >= 0; i-- {
		v := &s.Policies[i]
		listed := templates.PolicyVersion{Version: v.Version, From: v.EffectiveFrom, Until: v.EffectiveUntil, Vector: v.Vector, LedgerIndex: -1}
		if at, ok := logged[policyKey{v.SiteID, v.Version}]; ok {
			listed.LedgerIndex = at
		}
		if i > 0 {
			listed.Before = s.Policies[i-1].Vector
			listed.Channels = changes[i-1].Channels
		}
		page.Versions = append(page.Versions, listed)
	}
	return b.publishPage(exports.PolicyPage(p.SiteID), templates.Policy(page))
}

// canRepresent reports whether an offer can be written in other vocabularies
// without saying more than the policy does. One that cannot be asked for now is
// not written at all.
func (s *siteFacts) canRepresent(o *exports.Offer) bool {
	p, ok := PolicyOf(&s.SiteSnapshot, "https://service.invalid")
	if !ok || o.Status != "offered" || o.ValidUntil != "" && o.ValidUntil <= s.JudgedAt() {
		return false
	}
	_, err := offerForms(&p, o)
	return err == nil
}

// offerForms writes an offer in other vocabularies and reads them again as a
// stranger would. It fails with channel.ErrPolicy or ErrPackFreer.
func offerForms(p *channel.Policy, o *exports.Offer) (packcheck.OfferForms, error) {
	rsl, err := p.OfferRSL(o)
	if err != nil {
		return packcheck.OfferForms{}, err
	}
	forms := packcheck.OfferForms{RSL: rsl, ODRL: p.OfferODRL(o, p.ServiceURL+exports.OfferPath(o.LicenseID)), CoMP: p.OfferCoMP(o)}
	if found := packcheck.CheckOffer(p, o, forms); len(found) > 0 {
		return packcheck.OfferForms{}, fmt.Errorf("%w: offer %s: %s", ErrPackFreer, o.LicenseID, found[0])
	}
	return forms, nil
}

// offerForms writes an offer in other vocabularies.
func (b *build) offerForms(o *exports.Offer) error {
	if !o.Represented {
		return nil
	}
	p, ok := PolicyOf(b.findSite(o.SiteID), b.opt.BaseURL)
	if !ok {
		return nil
	}
	written, err := offerForms(&p, o)
	if err != nil {
		return err
	}
	forms := map[string][]byte{"rsl": written.RSL, "odrl": written.ODRL, "comp": written.CoMP}
	for _, f := range exports.OfferForms {
		if err := b.out.putFile(exports.KeyOf(exports.OfferPath(o.LicenseID)+f[1]), forms[f[0]]); err != nil {
			return err
		}
	}
	return nil
}

// PackOf writes the channels of one publisher as its policy stands now.
func PackOf(ctx context.Context, store origin.Catalog, siteID, base string) (channel.Pack, error) {
	s, err := store.Site(ctx, siteID)
	if errors.Is(err, origin.ErrNotFound) {
		return channel.Pack{}, fmt.Errorf("there is no publisher %q; list them with \"colophon publisher list\"", siteID)
	}
	if err != nil {
		return channel.Pack{}, err
	}
	f, err := readSite(ctx, store, s)
	if err != nil {
		return channel.Pack{}, err
	}
	p, ok := PolicyOf(&f, base)
	if !ok {
		return channel.Pack{}, fmt.Errorf("publisher %q is not approved and public; approve it with \"colophon publisher approve %s\"", siteID, siteID)
	}
	return checkedPack(&p)
}
