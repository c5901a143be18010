package channel

import (
	"strings"
	"testing"

	"colophon/internal/assert"
	"colophon/internal/channel/statements"
)

// TestServedRobots reads robots.txt files with the habits of real sites: what a
// person would understand as a rule restricts and never permits.
func TestServedRobots(t *testing.T) {
	for name, c := range map[string]struct{ body, path, want, warning string }{
		"a rule before any group":             {"Disallow: /\n\nUser-agent: examplebot\nDisallow:\n", "/a", "DDDDDDUD", "robots_rule_outside_group"},
		"a permission before any group":       {"Allow: /a\nUser-agent: *\nDisallow: /\n", "/a", "DDDDDDUD", "robots_rule_outside_group"},
		"an address for a path":               {"User-agent: *\nDisallow: https://harbor.example/zh/*\n", "/zh/a", "DDDDDDUD", "robots_path_is_url"},
		"with another name of the host":       {"User-agent: *\nDisallow: http://www.harbor.example/zh/\n", "/zh/a", "DDDDDDUD", "robots_path_is_url"},
		"of a site as a whole":                {"User-agent: *\nDisallow: https://harbor.example\n", "/a", "DDDDDDUD", "robots_path_is_url"},
		"of another host":                     {"User-agent: *\nDisallow: https://other.example/\nDisallow: /x\n", "/a", "", "robots_path_is_url"},
		"an underscore for the hyphen":        {"User_agent: *\nDisallow: /\n", "/a", "DDDDDDUD", "robots_misspelt_rule"},
		"a page of XHTML for the file":        {"<?xml version=\"1.0\"?>\n<!DOCTYPE html>\n<html><p>Disallow: /</p>", "/a", "", "html_instead_of_text"},
		"a page that begins within":           {"<div class=x><!DOCTYPE html>\n<title>Not found</title>", "/a", "", "html_instead_of_text"},
		"a file that begins with a lone mark": {"<!-- robots -->\nUser-agent: *\nDisallow: /\n", "/a", "DDDDDDUD", "robots_line_ignored"},
	} {
		r := robotsFile(c.body)
		assert.Equal(t, read([]Result{r}, "https://harbor.example"+c.path, "", statements.Robots), c.want, "%s", name)
		assert.Equal(t, strings.Join(r.WarningCodes(), " "), c.warning, "%s: warnings", name)
		if len(r.Gaps) > 0 {
			t.Errorf("%s: gaps %v", name, r.Gaps)
		}
	}
}
