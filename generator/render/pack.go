package render

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"

	"colophon/exports"
	"colophon/generator/packcheck"
	"colophon/internal/channelpack"
	"colophon/internal/filepolicy"
	"colophon/internal/rights"
	"colophon/internal/wire"
	"colophon/templates"
)

// PolicyOf returns the policy from which a publisher's channels are written.
// base is the address of this service. The second result is false for a site
// that must not appear.
func PolicyOf(f *rights.SiteSnapshot, base string) (channelpack.Policy, bool) {
	doc, ok, err := rights.RightsDocumentAt(f, f.PolicyChanged())
	if err != nil || !ok {
		return channelpack.Policy{}, false
	}
	p := channelpack.Policy{
		SiteID: doc.SiteID, Name: doc.Name, SiteURL: doc.SiteURL, Preferences: doc.Preferences, Offers: doc.Offers,
		RequestURL: base + doc.AskPage(), ServiceURL: base, LastModified: f.PolicyChanged(), Closed: filepolicy.Closed(doc.Documents),
	}
	if pass := f.Passport(); pass != nil {
		p.Holder = pass.HolderName
	}
	return p, true
}

// Channels returns a publisher's channel pack and the history of its policy.
// logged maps the versions of policies to their leaves in the ledger.
func Channels(s *Service, p *Publisher, logged map[PolicyKey]int64) ([]Document, error) {
	history, err := policyHistory(p, logged)
	if err != nil {
		return nil, err
	}
	pack, err := channelPack(s.BaseURL, p)
	if err != nil {
		return nil, err
	}
	seen, err := parity(p)
	return slices.Concat([]Document{history}, policyPage(s, p, logged), pack, seen), err
}

// parity returns the report of the last check of a publisher's edge.
func parity(p *Publisher) (docs []Document, err error) {
	for i := range p.Signals {
		if p.Signals[i].Report == "" {
			continue
		}
		v, err := wire.Parse([]byte(p.Signals[i].Report), wire.Trusted)
		if err != nil {
			return nil, err
		}
		docs = append(docs, valueAt(exports.ParityPath(p.Site.SiteID), v))
	}
	return docs, nil
}

// ErrPackFreer is returned if a pack permits more than its policy, for any use,
// agent or path. Such a pack is not published.
var ErrPackFreer = errors.New("the pack reads more freely than the policy")

// maxTold is how many findings an error names at most.
const maxTold = 3

// CheckedPack writes a pack and rereads it as a stranger would. It returns
// channelpack.ErrPolicy or ErrPackFreer if the pack cannot be published.
func CheckedPack(p *channelpack.Policy) (channelpack.Pack, error) {
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
	return channelpack.Pack{}, fmt.Errorf("%w in %d places: %s", ErrPackFreer, len(found), strings.Join(told, "; "))
}

// channelPack returns a publisher's channel pack, and stores the access rules
// that the pack declares. If some channel cannot express the policy safely
// there is no pack, and the index says why.
func channelPack(base string, s *Publisher) ([]Document, error) {
	p, ok := PolicyOf(&s.SiteSnapshot, base)
	if !ok {
		return nil, nil
	}
	folder := exports.PackPath(s.Site.SiteID)
	pack, err := CheckedPack(&p)
	if errors.Is(err, channelpack.ErrPolicy) || errors.Is(err, ErrPackFreer) {
		return []Document{valueAt(folder+"index.json", obj(jsonMember("files", arr()), noRights, jsonMember("problem", str(err.Error())), jsonMember("site_id", str(p.SiteID))))}, nil
	}
	if err != nil {
		return nil, err
	}
	var docs []Document
	files := arr()
	for _, f := range pack.Files {
		name := exports.PackName(f.Path)
		body := canonicalPackFile(name, f.Body)
		docs = append(docs, fileAt(exports.Key(folder[1:]+name), body))
		digest := sha256.Sum256(body)
		files.Items = append(files.Items, obj(
			jsonMember("bytes", wire.Int(int64(len(body)))), jsonMember("href", str(folder+name)), jsonMember("media_type", str(f.MediaType)), jsonMember("place", str(f.Path)), jsonMember("sha256", str(hex.EncodeToString(digest[:]))),
		))
	}
	s.AccessRules = AccessRulesOf(pack.Get(channelpack.FileAccess))
	return append(docs, valueAt(folder+"index.json", obj(
		jsonMember("files", files), noRights, jsonMember("losses", wire.Int(int64(len(pack.Loss)))), jsonMember("policy", policyValue(&s.SiteSnapshot)), jsonMember("problem", wire.Null()), jsonMember("site_id", str(p.SiteID)),
	))), nil
}

// canonicalPackFile removes the line end of a JSON file in a pack. The file has
// the line end only on the publisher's own server.
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

// AccessRulesOf returns the declared access rules from a pack's file of access
// rules.
func AccessRulesOf(file []byte) []wire.Value {
	doc, err := wire.Parse(file, wire.Trusted)
	if err != nil {
		return nil
	}
	if list := doc.Get("declared_posture"); list != nil {
		return list.Items
	}
	return nil
}

// PolicyKey identifies a version of a site's policy.
type PolicyKey struct {
	SiteID  string
	Version int64
}

// policyHistory returns the versions of a site's policy, newest first.
func policyHistory(s *Publisher, logged map[PolicyKey]int64) (Document, error) {
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
			return Document{}, err
		}
		until := wire.Null()
		if v.EffectiveUntil != "" {
			until = str(v.EffectiveUntil)
		}
		leaf := wire.Null()
		if at, ok := logged[PolicyKey{v.SiteID, v.Version}]; ok {
			leaf = wire.Int(at)
		}
		list.Items = append(list.Items, obj(
			jsonMember("change", change), jsonMember("digest", str(v.Digest)), jsonMember("effective_from", str(v.EffectiveFrom)), jsonMember("effective_until", until), jsonMember("ledger_index", leaf),
			jsonMember("recorded_at", str(v.RecordedAt)), jsonMember("rights_vector", str(v.Vector)), jsonMember("rights_vector_by_path", paths), jsonMember("version", wire.Int(v.Version)),
		))
	}
	return valueAt(exports.PolicyHistoryPath(s.Site.SiteID), obj(noRights, jsonMember("policy_id", str("pol_"+s.Site.SiteID)), jsonMember("site_id", str(s.Site.SiteID)), jsonMember("versions", list))), nil
}

// policyPage returns the history as a page for people, if the publisher has a
// page.
func policyPage(at *Service, s *Publisher, logged map[PolicyKey]int64) []Document {
	p := s.Record
	if p == nil || len(s.Policies) == 0 {
		return nil
	}
	page := templates.PolicyPage{Site: at.Frame(s.PolicyChanged()), SiteID: p.SiteID, Name: p.Name}
	changes := s.PolicyChanges()
	for i := len(s.Policies) - 1; i >= 0; i-- {
		v := &s.Policies[i]
		listed := templates.PolicyVersion{Version: v.Version, From: v.EffectiveFrom, Until: v.EffectiveUntil, Vector: v.Vector, LedgerIndex: -1}
		if at, ok := logged[PolicyKey{v.SiteID, v.Version}]; ok {
			listed.LedgerIndex = at
		}
		if i > 0 {
			listed.Before = s.Policies[i-1].Vector
			listed.Channels = changes[i-1].Channels
		}
		page.Versions = append(page.Versions, listed)
	}
	return []Document{pageAt(exports.PolicyPage(p.SiteID), templates.Policy(page))}
}

// canRepresent reports whether an offer can be written in other vocabularies
// without permitting more than the policy does. It returns false for an offer
// that is not open now, which is not written at all.
func canRepresent(s *Publisher, o *exports.Offer) bool {
	p, ok := PolicyOf(&s.SiteSnapshot, "https://service.invalid")
	if !ok || o.Status != "offered" || o.ValidUntil != "" && o.ValidUntil <= s.JudgedAt() {
		return false
	}
	_, err := offerForms(&p, o)
	return err == nil
}

// offerForms writes an offer in other vocabularies and rereads them as a
// stranger would. It returns channelpack.ErrPolicy or ErrPackFreer if they cannot
// be published.
func offerForms(p *channelpack.Policy, o *exports.Offer) (packcheck.OfferForms, error) {
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

// formsOfOffer returns the documents with an offer in other vocabularies.
func formsOfOffer(base string, s *Publisher, o *exports.Offer) (docs []Document, err error) {
	if !o.Represented {
		return nil, nil
	}
	p, ok := PolicyOf(&s.SiteSnapshot, base)
	if !ok {
		return nil, nil
	}
	written, err := offerForms(&p, o)
	if err != nil {
		return nil, err
	}
	forms := map[string][]byte{"rsl": written.RSL, "odrl": written.ODRL, "comp": written.CoMP}
	for _, f := range exports.OfferForms {
		docs = append(docs, fileAt(exports.KeyOf(exports.OfferPath(o.LicenseID)+f[1]), forms[f[0]]))
	}
	return docs, nil
}
