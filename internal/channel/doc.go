// Package channel reads the places in which a publisher can say
// what machines may do with its pages: RSL files, robots.txt, HTTP headers,
// HTML, feeds, TDMRep with its ODRL policies, ai.txt, trust.txt, CAWG, PLUS
// and CoMP.
//
// Each parser takes bytes (nothing here uses a network) and returns a Result:
// statements in the standard's own words, links to further documents, and a
// warning with a stable code for every deviation that was tolerated.
// statements.Combine then applies each standard's own rules of precedence for
// one resource and one agent, maps the words to the eight uses with the
// crosswalk and returns one Answer per channel and use. A word that is too wide
// for a use still disallows it but never allows it.
//
// Package channelpack writes what is read here.
package channel
