package cli

import (
	"colophon/generator"
	"colophon/internal/blob"
	entrydoc "colophon/internal/blob/document"
	"colophon/templates/entrypage"
)

// PublishedFiles reads published files, including those in packs.
func PublishedFiles(source blob.Source) entrydoc.Files {
	return entrydoc.Files{Source: source, SpellPage: entrypage.Spell, Compress: generator.CompressSibling, InPacks: &entrydoc.InPacks{}}
}
