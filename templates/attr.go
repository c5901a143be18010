package templates

import (
	"strings"

	"github.com/a-h/templ"
)

// langAttr is the lang attribute of text in a stated language.
func langAttr(language string) templ.Attributes {
	if language = langOf(language); language == "" {
		return nil
	}
	return templ.Attributes{"lang": language}
}

// under reports whether path belongs to the part of the site at root.
func under(path, root string) bool { return strings.HasPrefix(path, root) }
