// Package iscc computes the ISCC Text-Code of 256 bits of a text (ISO
// 24138:2024, version 0) and compares two of them. Texts that share much of
// their wording have codes that agree in many places. That is no proof of
// copying, of ownership or of anything else.
//
// The Unicode data are frozen at 15.0.0 (see UnicodeVersion), so that a text
// has the same code for ever. Programs with newer data give other codes to
// texts with characters that were assigned later: those count as unassigned
// here and are dropped.
package iscc

//go:generate go run ./tables -out tables.go

// UnicodeVersion is the version of the Unicode data that codes are computed
// with.
const UnicodeVersion = "15.0.0"
