package generator

import (
	"strings"

	"colophon/exports"
)

// The pages, the pack and the history of the policy of a publisher depend on
// its facts, on the rows of its pages and on the names of categories. If these
// are the same as in the published build, the files stay and are not rendered.

// pagesFolder is the folder of the further pages of a list. It is beside the
// folders of publishers, so the files of a publisher with this id are rendered
// by every build.
const pagesFolder = "pages"

// siteOfFile returns the publisher on whose facts and pages alone a published
// file depends.
func siteOfFile(name string) (siteID string, ok bool) {
	if siteID, ok := exports.SiteOfSitemap(exports.Key(name)); ok {
		return siteID, true
	}
	for _, folder := range []string{"v1/public/sites/", "v1/licensing-marketplace/publishers/"} {
		if rest, found := strings.CutPrefix(name, folder); found {
			siteID, _, found = strings.Cut(rest, "/")
			return siteID, found && isSiteDocument(siteID, exports.Key(strings.TrimSuffix(name, ".gz")))
		}
	}
	for _, folder := range []string{"publishers/", "rights-map/"} {
		if rest, found := strings.CutPrefix(name, folder); found {
			siteID, _, ok = strings.Cut(rest, "/")
			return siteID, ok
		}
	}
	return "", false
}

// isSiteDocument reports whether a file is a document that depends only on the
// facts and pages of a publisher. Others, such as rights.json, may name the
// release.
func isSiteDocument(siteID string, key exports.Key) bool {
	for _, path := range []string{exports.PolicyHistoryPath(siteID), exports.SiteRecordsPath(siteID), exports.InventoryPath(siteID)} {
		if key == exports.KeyOf(path) {
			return true
		}
	}
	return false
}

// keepsFilesOf reports whether the publisher's files (see siteOfFile) stay as
// published.
func (p *plan) keepsFilesOf(siteID string) bool { return p.reuse && p.same[siteID] }
