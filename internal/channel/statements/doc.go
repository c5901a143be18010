// Package statements combines what the documents of a site say about machine use.
// It is the half of package channel that needs no parser: statements in each
// standard's own words go in, one Answer per channel and use comes out, after
// each standard's own rules of precedence. A Document has a JSON form, so that
// what was read once can be stored and combined again wherever a question is
// asked, for any page and any agent.
package statements
