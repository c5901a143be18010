package access

import (
	"strings"

	"colophon/exports"
	"colophon/internal/channel/statements"
	"colophon/internal/prose"
	"colophon/internal/wire"
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
	kind := exports.KindOf(d.Code)
	inline := strings.ReplaceAll(string(document), "<", `\u003c`)
	ask := d.Base + d.Document.AskPage()
	item := ""
	if d.Document.AsksAllowed {
		item = `<li><a href="` + escapeXML(ask) + `">Ask ` + escapeXML(d.Document.Name) + ` for a licence</a></li>`
	}
	data := `{"@context":"https://schema.org","@type":"WebPage","acquireLicensePage":` + jsonText(ask) + `,"license":` + jsonText(d.licenseURL()) + `,"url":` + jsonText(d.Rights.URL) + `}`
	return []byte(`<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="robots" content="noindex"><title>` +
		escapeXML(kind.Title) + `</title><link rel="license" type="application/rsl+xml" href="` + escapeXML(d.licenseURL()) + `">` +
		`<script type="application/ld+json">` + strings.ReplaceAll(data, "<", `\u003c`) + `</script>` +
		`<script type="application/problem+json">` + inline + `</script></head><body><main><h1>` + escapeXML(kind.Title) + `</h1><p>` + escapeXML(d.inShort()) + `.</p><p>` +
		escapeXML(kind.Help) + `</p><ul>` + item + `<li><a href="` + escapeXML(d.checkURL()) +
		`">What is known about the rights</a></li></ul><p>Nothing on this site is a licence.</p></main></body></html>`)
}

func jsonText(s string) string { return string(wire.AppendString(nil, s)) }
