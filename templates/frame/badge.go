package frame

import (
	"context"

	"github.com/a-h/templ"
)

// badgeWords returns the text of the badge.
func badgeWords(f SiteFrame) string { return "Rights on " + f.Name }

// badgeCode returns the HTML with which a page shows the badge and links to
// path.
func badgeCode(f SiteFrame, path string) string {
	code, _ := templ.ToGoHTML(context.Background(), badge(f, path)) // writing into memory does not fail
	return string(code)
}
