// Package statements combines what the documents of a site say about machine
// use. It is the half of package channel that needs no parser: it takes
// statements in each standard's own words and returns one Answer per channel
// and use, after each standard's own rules of precedence. A Document has a JSON
// form, so that it can be stored once read and combined again for any page and
// any agent.
package statements
