// Package sitemaptest is a sitemap as encoding/xml reads and writes it, with
// which tests compare what the service spells by itself.
package sitemaptest

import "encoding/xml"

// Document is a sitemap, or an index of sitemaps.
type Document struct {
	XMLName  xml.Name
	URLs     []Entry `xml:"url"`
	Sitemaps []Entry `xml:"sitemap"`
}

// Entry is an address that a document names.
type Entry struct {
	Loc     string `xml:"loc"`
	LastMod string `xml:"lastmod,omitempty"` // RFC 3339
}
