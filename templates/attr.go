package templates

import "github.com/a-h/templ"

// langAttr returns the lang attribute for text in a stated language.
func langAttr(language string) templ.Attributes {
	if language = langOf(language); language == "" {
		return nil
	}
	return templ.Attributes{"lang": language}
}
