// Package templates holds the pages that people read: one view struct and one
// exported component for each page, over the records of package exports and
// nothing else. A page needs only a SiteFrame with the base URL and the asset
// names; title, description, address, breadcrumb and linked data follow from
// the records it shows.
//
// Publisher and buyer text is data: it passes through Clean, is escaped, and
// stands in an element of its own direction. No page has an inline script or
// style; the JSON-LD block is data and can hold no end tag.
package templates

//go:generate go tool templ generate -path .
