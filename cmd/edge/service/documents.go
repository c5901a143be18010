//go:build js && wasm

package service

import (
	"colophon/internal/rights"
	"colophon/internal/wire"
	"colophon/worker/edgejs"
)

// documents are the rightscheck.Documents of an isolate, kept by its script.
type documents struct{}

func (documents) Document(siteID, version string) *rights.KeptDocument {
	kept := edgejs.Recall(siteID, version)
	if kept == nil {
		return nil
	}
	d := new(rights.KeptDocument)
	if wire.Decode(kept, d, wire.Trusted) != nil {
		return nil
	}
	return d
}

func (documents) Keep(siteID, version string, d *rights.KeptDocument) {
	edgejs.Keep(siteID, version, wire.Append(nil, d))
}
