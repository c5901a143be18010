// Package listing answers lists with filters from published files: publishers,
// offers, buyers' needs, the ledger and the rights map, the licensing feed,
// and the inventory of a site with its provenance records. Package query
// answers them, except a feed and an inventory without a topic, which are
// stored in their order.
//
//	site/…  directory of sites, lines of JSON (SiteRow)
package listing
