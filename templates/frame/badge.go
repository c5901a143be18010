package frame

import (
	"html"
	"strconv"
)

// badgeWords returns the text of the badge.
func badgeWords(f SiteFrame) string { return "Rights on " + f.Name }

// badgeCode returns the HTML with which a page shows the badge and links to
// path.
func badgeCode(f SiteFrame, path string) string {
	return `<a href="` + html.EscapeString(f.Base+path) + `"><img src="` + html.EscapeString(f.Base+PathBadge) + `" alt="` + html.EscapeString(badgeWords(f)) +
		`" width="` + strconv.Itoa(f.Brand.BadgeWidth) + `" height="` + strconv.Itoa(f.Brand.BadgeHeight) + `"></a>`
}
