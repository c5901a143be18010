package render

import (
	"fmt"

	"colophon/exports"
	"colophon/exports/inquiries"
	"colophon/internal/channel/publisherfile"
	"colophon/internal/manifest"
	"colophon/internal/openapi"
	"colophon/internal/record"
	"colophon/internal/registry"
	"colophon/internal/wire"
)

// Shorthands for manifests.
var (
	obj = wire.Object
	arr = wire.Array
	str = wire.String
)

func jsonMember(name string, v wire.Value) wire.Member { return wire.M(name, v) }

// valueOf returns a record as a JSON value, for use inside a manifest.
func valueOf(r wire.Record) wire.Value {
	v, err := wire.Parse(wire.Append(nil, r), wire.Limits{Bytes: 1 << 26, Depth: 32, Members: 1 << 16, Floats: true})
	if err != nil {
		return wire.Null()
	}
	return v
}

var noRights = wire.M("grants_rights", wire.Bool(false))

// Manifests returns all machine-readable manifests. keys are all public keys;
// log is nil if no log is kept.
func Manifests(s *Service, c *Catalog, keys *record.KeySet, log *Log) ([]Document, error) {
	access, err := accessResponse(s.BaseURL, c)
	if err != nil {
		return nil, err
	}
	head := headOf(c)
	set := keys.Value()
	format := &manifest.Provenance{Head: head}
	if list := set.Get("keys"); list != nil {
		format.Keys = make([]manifest.PublicKey, len(list.Items))
		for i := range list.Items {
			if err := wire.DecodeValue(&list.Items[i], &format.Keys[i]); err != nil {
				return nil, err
			}
		}
	}
	intent, ledger := &manifest.Intent{Head: head}, ledgerManifest(s.BaseURL, c, log)
	rightsMap := &manifest.Map{Head: head, Root: c.Release.Root, Records: int64(len(c.Publishers))}
	return []Document{
		recordAt(exports.PathDiscovery, &manifest.Discovery{Head: head, Service: s.Name, BaseURL: s.BaseURL, Totals: Totals(c)}),
		recordAt(exports.PathDeveloper, &manifest.Developer{Head: head}),
		recordAt(exports.WellKnownIntent, intent), recordAt(exports.PathIntentManifest, intent),
		recordAt(exports.WellKnownAgent, &manifest.Agent{Head: head}),
		recordAt(exports.WellKnownAccessResponse, access),
		recordAt(exports.WellKnownProvenance, format),
		recordAt(exports.WellKnownMap, rightsMap), recordAt(exports.PathMapManifest, rightsMap),
		recordAt(exports.WellKnownLedger, ledger), recordAt(exports.PathLedgerManifest, ledger),

		// The shapes of these are defined by standards.
		valueAt(exports.PathIntentSchema, inquiries.IntentSchema(s.BaseURL)),
		valueAt(exports.PathRegistrySchema, registry.Schema(s.BaseURL)),
		valueAt(exports.PathFileSchema, publisherfile.Schema(s.BaseURL+exports.PathFileSchema)),
		valueAt(exports.WellKnownKeys, set),
		valueAt(exports.PathOpenAPI, openapi.Document(s.Name, s.BaseURL)),
	}, nil
}

func headOf(c *Catalog) manifest.Head {
	return manifest.Head{Release: c.Release.Name, GeneratedAt: c.Release.GeneratedAt}
}

// MaxAccessRules is the maximum number of access rules in the manifest of all
// publishers. Each publisher's own rules are in its pack.
const MaxAccessRules = 2000

// accessResponse collects the answers that publishers declare. It stops before
// the first publisher whose rules do not fit.
func accessResponse(base string, c *Catalog) (*manifest.AccessResponse, error) {
	out := &manifest.AccessResponse{Head: headOf(c), BaseURL: base, AccessRules: []manifest.AccessRules{}}
	for _, p := range c.Publishers {
		if len(out.AccessRules)+len(p.AccessRules) > MaxAccessRules {
			return out, nil
		}
		for i := range p.AccessRules {
			var rules manifest.AccessRules
			if err := wire.DecodeValue(&p.AccessRules[i], &rules); err != nil {
				return nil, fmt.Errorf("a pack declares access rules of another shape: %w", err)
			}
			out.AccessRules = append(out.AccessRules, rules)
		}
	}
	out.Complete = true
	return out, nil
}
