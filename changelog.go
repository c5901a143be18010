// Package colophon holds the program's changelog, which stands at the root
// where people and tools look for it, and which every registry publishes with
// its documentation.
package colophon

import _ "embed"

// Changelog is CHANGELOG.md.
//
//go:embed CHANGELOG.md
var Changelog string
