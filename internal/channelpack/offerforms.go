package channelpack

import (
	"cmp"
	"fmt"
	"slices"

	"colophon/exports"
	"colophon/internal/channel"
	"colophon/internal/wire"
)

// odrlActions are the names that match uses exactly in ODRL: those of the TDM
// profile, of the AI vocabulary and of ODRL itself. A use without such a name
// is not written.
var odrlActions = []struct {
	use    exports.Use
	action string
}{
	{exports.UseRAG, "ai-augment"}, {exports.UseTraining, "ai-training"}, {exports.UseSearchIndexing, "index"},
	{exports.UseSyndication, "distribute"},
}

// OfferODRL returns one offer as an ODRL Offer with the address uid. Every
// permission has the duty to obtain consent, because an offer is an invitation
// to ask.
func (p *Policy) OfferODRL(o *exports.Offer, uid string) []byte {
	permissions, prohibitions := wire.Array(), wire.Array()
	for _, a := range odrlActions {
		word := wire.String(a.action)
		switch {
		case slices.Contains(o.Prohibits, string(a.use)):
			prohibitions.Items = append(prohibitions.Items, wire.Object(wire.M("action", word), wire.M("target", wire.String(uid+"#scope"))))
		case slices.Contains(o.Permits, string(a.use)):
			permissions.Items = append(permissions.Items, p.odrlPermission(o, a.action, uid))
		}
	}
	doc := p.odrlPolicy(permissions, uid)
	if len(prohibitions.Items) > 0 {
		doc.Members = append(doc.Members, wire.M("prohibition", prohibitions))
	}
	return doc.Append(nil)
}

// odrlPolicy returns an ODRL Offer of permissions with the address uid.
func (p *Policy) odrlPolicy(permissions wire.Value, uid string) wire.Value {
	return wire.Object(
		wire.M("@context", wire.Strings("http://www.w3.org/ns/odrl.jsonld", "http://www.w3.org/ns/tdmrep.jsonld")), wire.M("@type", wire.String("Offer")),
		wire.M("assigner", wire.Object(
			wire.M("uid", wire.String(p.SiteURL)), wire.M("vcard:fn", wire.String(cmp.Or(p.Holder, p.Name))), wire.M("vcard:hasURL", wire.String(p.RequestURL)),
		)),
		wire.M("permission", permissions), wire.M("profile", wire.String("http://www.w3.org/ns/tdmrep")), wire.M("uid", wire.String(uid)),
	)
}

func (p *Policy) odrlPermission(o *exports.Offer, action, uid string) wire.Value {
	duties := wire.Array(wire.Object(wire.M("action", wire.String("obtainConsent"))))
	if o.Payment.Model != "free" && o.Payment.Model != "attribution" {
		duties.Items = append(duties.Items, wire.Object(wire.M("action", wire.String("compensate"))))
	}
	if o.Obligations.Attribution != "" {
		duties.Items = append(duties.Items, wire.Object(wire.M("action", wire.String("attribute"))))
	}
	out := wire.Object(wire.M("action", wire.String(action)), wire.M("duty", duties), wire.M("target", wire.String(uid+"#scope")))
	constraints := wire.Array()
	if len(o.Territories) > 0 {
		constraints.Items = append(constraints.Items, odrlLimit("spatial", "isAnyOf", o.Territories))
	}
	if len(o.NotIn) > 0 {
		constraints.Items = append(constraints.Items, odrlLimit("spatial", "isNoneOf", o.NotIn))
	}
	if len(o.UserTypes) > 0 {
		constraints.Items = append(constraints.Items, odrlLimit("recipient", "isAnyOf", o.UserTypes))
	}
	if len(constraints.Items) > 0 {
		out.Members = append(out.Members, wire.M("constraint", constraints))
	}
	return out
}

func odrlLimit(operand, operator string, words []string) wire.Value {
	return wire.Object(wire.M("leftOperand", wire.String(operand)), wire.M("operator", wire.String(operator)), wire.M("rightOperand", wire.Strings(words...)))
}

// compScopes are CoMP's kinds of scope, by ours.
var compScopes = map[string]int64{"site": 0, "section": 1, "collection": 5}

// OfferCoMP writes one offer as a CoMP package, whose licence address leads to
// the inquiry.
func (p *Policy) OfferCoMP(o *exports.Offer) []byte {
	functions := wire.Array()
	for n, word := range channel.CoMPFunctions {
		use := map[string]exports.Use{"ai-train": exports.UseTraining, "ai-input": exports.UseRAG, "search": exports.UseSearchIndexing}[word]
		if use != "" && slices.Contains(o.Permits, string(use)) && !slices.Contains(o.Prohibits, string(use)) {
			functions.Items = append(functions.Items, wire.Int(int64(n)))
		}
	}
	citation := int64(0)
	if o.Obligations.Attribution != "" {
		citation = 1
	}
	scope := compScope(compScopes[o.Scope.Type])
	if o.Payment.Amount != "" && o.Payment.Currency != "" {
		scope.Members = append(scope.Members, wire.M("cur", wire.String(o.Payment.Currency)), wire.M("unitprice", wire.String(o.Payment.Amount)))
	}
	if len(o.Territories) > 0 {
		scope.Members = append(scope.Members, wire.M("country", wire.Strings(o.Territories...)))
	}
	if users := compUse(o.UserTypes); len(users.Items) > 0 {
		scope.Members = append(scope.Members, wire.M("ause", users))
	}
	doc := p.compPackage(o.LicenseID, o.Title, citation, functions, scope)
	return doc.Append(nil)
}

// compPackage returns a CoMP package that leads to the inquiry.
func (p *Policy) compPackage(id, title string, citation int64, functions, scope wire.Value) wire.Value {
	return wire.Object(wire.M("package", wire.Object(
		wire.M("citation", wire.Int(citation)), wire.M("ext", wire.Object(wire.M("function", functions))), wire.M("id", wire.String(id)),
		wire.M("licenseurl", wire.String(p.RequestURL)), wire.M("retrieval", wire.Object(wire.M("auth", wire.Int(4)), wire.M("type", wire.Array(wire.Int(0))))),
		wire.M("scope", scope), wire.M("seller", wire.String(p.host())), wire.M("title", wire.String(title)),
	)))
}

// compScope returns the scope of a package: what is asked for once, by a kind of
// CoMP's.
func compScope(kind int64) wire.Value {
	return wire.Object(wire.M("ctype", wire.Array(wire.Int(0))), wire.M("max", wire.Int(1)), wire.M("scope", wire.Int(kind)))
}

func compUse(types []string) wire.Value {
	out := wire.Array()
	for n, word := range exports.UserTypes {
		if slices.Contains(types, word) {
			out.Items = append(out.Items, wire.Int(int64(n)))
		}
	}
	return out
}

// OfferRSL writes one offer as an RSL document, or fails with ErrPolicy.
func (p *Policy) OfferRSL(o *exports.Offer) ([]byte, error) {
	alone := *p
	alone.Preferences = nil
	alone.Offers = []exports.Offer{o.AsOffered()}
	pack, err := alone.Pack()
	if err != nil {
		return nil, err
	}
	body := pack.Get(FileRSL)
	if body == nil {
		return nil, fmt.Errorf("%w: RSL has no word for what offer %q permits", ErrPolicy, o.LicenseID)
	}
	return body, nil
}
