package templates

import (
	"github.com/a-h/templ"

	"colophon/internal/prose"
)

// langAttr returns the lang attribute for text in a stated language.
func langAttr(language string) templ.Attributes {
	if language = prose.LanguageOf(language); language == "" {
		return nil
	}
	return templ.Attributes{"lang": language}
}
