package intake

import (
	"colophon/internal/extract"
)

// Names of package extract that are used all over this one.
var (
	attr        = extract.Attr
	oneLine     = extract.OneLine
	textOf      = extract.RawText
	languageTag = extract.LanguageTag
	instant     = extract.Instant
	instantOf   = extract.InstantOf
	plainText   = extract.PlainText
)
