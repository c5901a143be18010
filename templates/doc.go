// Package templates holds the pages that people read: a view struct and an
// exported component for each page, which use only the records of package
// exports. A page needs only a frame.SiteFrame with the base URL and the asset names;
// title, description, address, breadcrumb and linked data follow from the
// records that it shows.
//
// Publisher and buyer text is data: it passes through Clean, is escaped, and
// stands in an element with its own direction. No page has an inline script or
// style; the JSON-LD block is data and cannot contain an end tag.
package templates

//go:generate go tool templ generate -path .
