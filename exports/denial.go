package exports

import "strings"

// The vocabulary of denials: see Denial.
var (
	// FreePaths are patterns of the paths that nobody is ever denied.
	FreePaths = []string{
		"/robots.txt", "/sitemap*.xml", "/ai-rights-map-sitemap.xml", "/license.xml", "/ai.txt", "/llms.txt",
		"/.well-known/*", "/v1/public/*", "/v1/agent/*", "/problems/*",
	}
	// DenialReasons are the reason codes of a denial.
	DenialReasons = []string{"no_license", "use_not_offered", "agent_not_identified", "license_server_unreachable"}
	// RouteRels name the ways forward that a denial offers.
	RouteRels = []string{"prepare-intent", "request-license", "license", "rights-check", "licensed-read", "human"}
	// AgentClasses are the classes into which agents are sorted.
	AgentClasses = []string{"training", "inference", "search", "other", "unknown"}
)

// FreePath reports whether nobody is ever denied a path, given without its
// query. It does not resolve dots and escapes: a path with any of them is not
// free.
func FreePath(path string) bool {
	if strings.ContainsAny(path, "%\\") || strings.Contains(path, "/../") || strings.Contains(path, "/./") || strings.Contains(path, "//") || strings.HasSuffix(path, "/..") {
		return false
	}
	for _, p := range FreePaths {
		if !strings.HasSuffix(p, "*") {
			p += "$"
		}
		if MatchPattern(p, path) {
			return true
		}
	}
	return false
}
