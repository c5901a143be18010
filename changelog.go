// Package colophon holds the changelog of the program, which stands where people and
// their tools look for it, and which every registry publishes with its documentation.
package colophon

import _ "embed"

// Changelog is CHANGELOG.md.
//
//go:embed CHANGELOG.md
var Changelog string
