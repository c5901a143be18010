// Package demo fills an empty origin store with an invented world: publishers
// of many subjects, languages and scripts, their pages with bodies, what they
// state about uses, what they offer, and what buyers look for. Everything is
// fiction under .example hosts, kept as plain text in the folder data, and the
// same at every run: nothing depends on a clock or on chance.
//
// Publishers that prove control of their hosts speak through their own files.
// Seed serves these over HTTPS on a loopback port, with TXT records beside
// them, and reads them with the code of "colophon refresh", once for each day
// on which a file said something new.
package demo

import "embed"

// CanaryPrefix begins every private text that Seed writes, so that a search for
// it in anything published finds a leak. Private addresses have the local part
// "private-…" instead. The bodies of pages have no such mark, because they are
// delivered to licensed buyers: use their sentences as canaries.
const CanaryPrefix = "PRIVATE-"

// canaryLocal begins the local part of every private e-mail address.
const canaryLocal = "private-"

//go:embed data
var data embed.FS

// Example names one good example of a page, for documentation and first steps.
type Example struct {
	SiteID      string
	EntryID     string
	URL         string
	Category    string // slug
	Fingerprint string // portable digest, hex
	ISCC        string // similarity code
}

// What Seed returns as the example.
const (
	exampleSite     = "harbor-ledger"
	examplePage     = "tide-tables-2026"
	exampleCategory = "trade-logistics"
)

// HiddenSites are the sites of the demo that must never appear in anything
// published: one is pending, one suspended, one private.
var HiddenSites = []string{"morning-kettle", "quick-cash-digest", "quiet-archive"}
