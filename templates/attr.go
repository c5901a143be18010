package templates

import "github.com/a-h/templ"

// langAttr returns the lang attribute of text in a stated language.
func langAttr(language string) templ.Attributes {
	if language = langOf(language); language == "" {
		return nil
	}
	return templ.Attributes{"lang": language}
}
