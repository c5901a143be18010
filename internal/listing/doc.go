// Package listing answers lists with filters from published files: publishers,
// offers, demand, the ledger and the rights map, the licensing feed, and the
// inventory of a site with its provenance records. Those that are asked for a
// topic go through package query.
//
//	site/…  directory of sites, lines of JSON (SiteRow)
package listing
