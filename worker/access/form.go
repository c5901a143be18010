package access

import (
	"strings"

	"colophon/exports"
	"colophon/internal/channel/statements"
	"colophon/internal/prose"
	"colophon/internal/wire"
	"colophon/worker/page"
)

// rslWord returns RSL's usage for a use.
func rslWord(u exports.Use) string {
	switch u {
	case exports.UseTraining, exports.UseFineTuning:
		return "ai-train"
	case exports.UseSearchIndexing:
		return "search"
	}
	return "ai-input"
}

// rslDocument returns the denial as an RSL document about the one address.
func (d *Denial) rslDocument() []byte {
	_, path := statements.Split(d.Rights.URL)
	ask := d.Base + d.Document.AskPage()
	licence := `<prohibits type="usage">` + rslWord(d.Use) + `</prohibits>`
	if d.Status == 402 {
		licence = `<permits type="usage">` + rslWord(d.Use) + `</permits><payment type="purchase"><custom>` + escapeXML(ask) + `</custom></payment>`
	}
	return []byte(`<?xml version="1.0" encoding="UTF-8"?>` + "\n" +
		`<rsl xmlns="https://rslstandard.org/rsl"><content url="` + escapeXML(exactPattern(path)) + `"><license>` + licence + `</license>` +
		`<copyright type="organization" contactUrl="` + escapeXML(ask) + `">` + escapeXML(d.Document.Name) + `</copyright></content></rsl>` + "\n")
}

// exactPattern returns an RSL pattern that matches a path and nothing else.
func exactPattern(path string) string {
	path, _, _ = strings.Cut(path, "?")
	return strings.ReplaceAll(strings.ReplaceAll(path, "*", "%2A"), "$", "%24") + "$"
}

func escapeXML(s string) string {
	return string(prose.AppendHTML(nil, strings.ReplaceAll(s, "\x00", "")))
}

// denialPage returns the denial as a page for people, which contains the
// document for machines.
func (d *Denial) denialPage(document []byte) []byte {
	kind, ask := exports.KindOf(d.Code), d.Base+d.Document.AskPage()
	v := page.DenialPage{
		Title: kind.Title, Text: d.inShort(), Help: kind.Help, Publisher: d.Document.Name, License: d.licenseURL(), Check: d.checkURL(), Problem: document,
		LinkedData: `{"@context":"https://schema.org","@type":"WebPage","acquireLicensePage":` + jsonText(ask) + `,"license":` + jsonText(d.licenseURL()) + `,"url":` + jsonText(d.Rights.URL) + `}`,
	}
	if d.Document.AsksAllowed {
		v.Ask = ask
	}
	return page.Append(nil, page.Denial(v))
}

func jsonText(s string) string { return string(wire.AppendString(nil, s)) }
