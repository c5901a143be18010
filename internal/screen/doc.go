// Package screen determines for each row of a data set which registered page it
// is, whose it is, and what its publisher said about uses of it. Everything is
// looked up in a local copy of a registry's release, so nobody learns what was
// asked.
//
// Its answers equal those of that registry's rights check. A row that is not
// found is unknown: that a page is not registered is not a permission.
package screen

// MatchedBy says how a row was found.
type MatchedBy string

// How a row was found, the surest first.
const (
	ByURL         MatchedBy = "url"
	ByFingerprint MatchedBy = "fingerprint"
	BySamePage    MatchedBy = "same_page"      // the page under another address
	ByNear        MatchedBy = "near_duplicate" // a text with much of the same wording
	ByContent     MatchedBy = "content"        // nothing but a reservation for the same content
	ByHost        MatchedBy = "host_policy"    // the page is not registered, its site is
	ByNothing     MatchedBy = "nothing"
	Unreadable    MatchedBy = "unreadable" // the row itself could not be read
)

// Words are the values of MatchedBy in their order.
var Words = []MatchedBy{ByURL, ByFingerprint, BySamePage, ByNear, ByContent, ByHost, ByNothing, Unreadable}

// Statement stands in every result.
const Statement = "This says what publishers of a registry stated, at the instant named. It grants no right. Nothing is allowed because a page is not registered, or because nothing is known about it. Similarity is an estimate and no proof of copying, ownership or infringement."
