// Package iscc computes the 256-bit ISCC Text-Code of a text (ISO 24138:2024,
// version 0) and compares two of them. Texts that share much of their wording
// have codes that agree in many places. That proves neither copying nor
// ownership.
//
// The Unicode data are frozen at 15.0.0 (see UnicodeVersion), so that a text
// always has the same code. Characters that were assigned later count as
// unassigned here and are dropped, so programs with newer data give other codes
// to texts with such characters.
package iscc

//go:generate go run ./tables -out tables.go

// UnicodeVersion is the version of the Unicode data used to compute codes.
const UnicodeVersion = "15.0.0"
