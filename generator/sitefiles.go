package generator

import (
	"strings"

	"colophon/exports"
)

// Pages, packs and the history of the policy of a publisher follow from its
// facts, from the rows of its pages and from the names of categories. Where these
// are those of the published build, the files stay and are not spelled.

// pagesFolder is the folder of the further pages of a list, beside the folders of
// publishers. A publisher of that id has its files spelled by every build.
const pagesFolder = "pages"

// siteOfFile names the publisher whose facts and pages alone a published file
// follows from.
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

// isSiteDocument reports whether a file is a document of a publisher that follows from
// its facts and pages alone. Others, such as rights.json, may name the release.
func isSiteDocument(siteID string, key exports.Key) bool {
	for _, path := range []string{exports.PolicyHistoryPath(siteID), exports.SiteRecordsPath(siteID), exports.InventoryPath(siteID)} {
		if key == exports.KeyOf(path) {
			return true
		}
	}
	return false
}

// keepsFilesOf reports whether the files of siteOfFile stay as they are published.
func (p *plan) keepsFilesOf(siteID string) bool {
	return p.reuse && p.same[siteID] && p.before.Categories == p.now.Categories
}

// eachChangedSite calls do with every publisher whose files do not stay as they are
// published, several at once.
func (b *build) eachChangedSite(do func(*siteFacts) error) error {
	return b.runParallel(len(b.sites), func(i int) error {
		if b.plan.keepsFilesOf(b.sites[i].Site.SiteID) {
			return nil
		}
		return do(&b.sites[i])
	})
}
