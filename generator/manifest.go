package generator

import (
	"fmt"

	"colophon/exports"
	"colophon/exports/inquiries"
	"colophon/internal/channel/publisherfile"
	"colophon/internal/manifest"
	"colophon/internal/openapi"
	"colophon/internal/registry"
	"colophon/internal/wire"
)

// Shorthands for manifests, which are written once and never read back here.
var (
	obj = wire.Object
	arr = wire.Array
	str = wire.String
)

func jsonMember(name string, v wire.Value) wire.Member { return wire.M(name, v) }

// value of a record, so that it can stand inside a manifest.
func valueOf(r wire.Record) wire.Value {
	v, err := wire.Parse(wire.Append(nil, r), wire.Limits{Bytes: 1 << 26, Depth: 32, Members: 1 << 16, Floats: true})
	if err != nil {
		return wire.Null()
	}
	return v
}

var noRights = wire.M("grants_rights", wire.Bool(false))

// publishManifests writes every machine manifest.
func (b *build) publishManifests() error {
	access, err := b.accessResponse()
	if err != nil {
		return err
	}
	provenanceFormat, err := b.provenanceFormat()
	if err != nil {
		return err
	}
	head := b.manifestHead()
	ledger := b.ledgerManifest()
	for _, f := range []struct {
		paths  []string
		record wire.Record
	}{
		{[]string{exports.PathDiscovery}, &manifest.Discovery{Head: head, Service: b.opt.Name, BaseURL: b.opt.BaseURL, Totals: b.countTotals()}},
		{[]string{exports.PathDeveloper}, &manifest.Developer{Head: head}},
		{[]string{exports.WellKnownIntent, exports.PathIntentManifest}, &manifest.Intent{Head: head}},
		{[]string{exports.WellKnownAgent}, &manifest.Agent{Head: head}},
		{[]string{exports.WellKnownAccessResponse}, access},
		{[]string{exports.WellKnownProvenance}, provenanceFormat},
		{[]string{exports.WellKnownMap, exports.PathMapManifest}, &manifest.Map{Head: head, Root: b.release.Root, Records: int64(len(b.sites))}},
		{[]string{exports.WellKnownLedger, exports.PathLedgerManifest}, ledger},
	} {
		for _, path := range f.paths {
			if err := b.writeRecord(path, f.record); err != nil {
				return err
			}
		}
	}
	return b.publishDocuments()
}

// publishDocuments writes the machine documents whose shape is a standard's.
func (b *build) publishDocuments() error {
	if err := b.writeValue(exports.PathIntentSchema, inquiries.IntentSchema(b.opt.BaseURL)); err != nil {
		return err
	}
	if err := b.writeValue(exports.PathRegistrySchema, registry.Schema(b.opt.BaseURL)); err != nil {
		return err
	}
	if err := b.writeValue(exports.PathFileSchema, publisherfile.Schema(b.opt.BaseURL+exports.PathFileSchema)); err != nil {
		return err
	}
	if err := b.writeValue(exports.WellKnownKeys, b.opt.Keys.Value()); err != nil {
		return err
	}
	return b.writeValue(exports.PathOpenAPI, openapi.Document(b.opt.Name, b.opt.BaseURL))
}

func (b *build) manifestHead() manifest.Head {
	return manifest.Head{Release: b.release.Name, GeneratedAt: b.release.GeneratedAt}
}

// accessResponse gathers what each publisher declares to answer.
func (b *build) accessResponse() (*manifest.AccessResponse, error) {
	declared, complete := b.declaredAccessRules()
	rows := make([]manifest.AccessRules, len(declared.Items))
	for i := range declared.Items {
		if err := wire.DecodeValue(&declared.Items[i], &rows[i]); err != nil {
			return nil, fmt.Errorf("a pack declares access rules of another shape: %w", err)
		}
	}
	return &manifest.AccessResponse{Head: b.manifestHead(), BaseURL: b.opt.BaseURL, AccessRules: rows, Complete: complete}, nil
}

// provenanceFormat returns the format discovery, with the public keys.
func (b *build) provenanceFormat() (*manifest.Provenance, error) {
	set := b.opt.Keys.Value()
	var keys []manifest.PublicKey
	if list := set.Get("keys"); list != nil {
		keys = make([]manifest.PublicKey, len(list.Items))
		for i := range list.Items {
			if err := wire.DecodeValue(&list.Items[i], &keys[i]); err != nil {
				return nil, err
			}
		}
	}
	return &manifest.Provenance{Head: b.manifestHead(), Keys: keys}, nil
}
