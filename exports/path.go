package exports

import (
	"strconv"
	"strings"
)

// Paths of the API that other records link to.
const (
	PathLicensingRequest = "/v1/public/licensing-request"
	PathPrepare          = "/v1/agent/licensing-intent/prepare"
	PathPublishers       = "/v1/licensing-marketplace/publishers"
	PathCategories       = "/v1/public/content-catalog/categories"
	PathSearch           = "/v1/public/content-catalog/search"
	PathFeed             = "/v1/public/licensing-feed"
	PathFeedNDJSON       = "/v1/public/licensing-feed.ndjson"
	PathDemand           = "/v1/public/buyer-demand"
	PathStats            = "/v1/public/network-stats"
	PathDiscovery        = "/v1/public/ai-discovery"
	PathDeveloper        = "/v1/public/developer-manifest"
	PathLicenseCatalog   = "/v1/public/license-catalog"
	PathRightsCheck      = "/v1/public/rights/check"
	PathRightsBatch      = "/v1/public/rights/check-batch"
	PathMap              = "/v1/public/ai-rights-map"
	PathMapManifest      = "/v1/public/ai-rights-map/manifest"
	PathMapCSV           = "/v1/public/ai-rights-map.csv"
	PathMapCSVMeta       = "/v1/public/ai-rights-map.csv-metadata.json"
	PathMapSitemap       = "/ai-rights-map-sitemap.xml"
	PathIntentManifest   = "/v1/public/licensing-intent/manifest"
	PathIntentSchema     = "/v1/public/licensing-intent/schema"
	PathFileSchema       = "/v1/public/publisher-file-schema.json"
	PathVerify           = "/v1/public/contentdna-provenance/verify"
	PathResolve          = "/v1/public/citations/resolve"
	PathSimilar          = "/v1/public/citations/similar"
	PathLedgerSearch     = "/v1/public/provenance-ledger/search"
	PathLedgerManifest   = "/v1/public/provenance-ledger/manifest"
	PathOpenAPI          = "/openapi.json"
	PathRegistrySchema   = "/schemas/registry.v1.json" // of the document by which an operator describes a registry

	PathLedgerLog        = "/ledger/" // of the log itself (C2SP tlog-tiles), and the page about it
	PathLedgerCheckpoint = PathLedgerLog + "checkpoint"
	PathLedgerPolicy     = PathLedgerLog + "policy"
	PathLedgerKey        = PathLedgerLog + "ledger.vkey"

	WellKnownIntent = "/.well-known/service-licensing-intent.json"
	// PathResourceMetadata describes the gateway to OAuth clients (RFC 9728).
	PathResourceMetadata = "/.well-known/oauth-protected-resource/mcp/gateway"

	WellKnownProvenance     = "/.well-known/service-contentdna-provenance.json"
	WellKnownKeys           = "/.well-known/service-provenance-keys.json"
	WellKnownLedger         = "/.well-known/service-provenance-ledger.json"
	WellKnownMap            = "/.well-known/service-ai-rights-map.json"
	WellKnownAccessResponse = "/.well-known/service-access-response.json"
	WellKnownAgent          = "/.well-known/service-agent-licensing.json"
)

// SandboxPrefix is before the key of every file of the sandbox, a catalog of
// invented publishers.
const SandboxPrefix = "_sandbox/"

// WithdrawnKey is the key of the list of withdrawals since the release. It is not
// part of the release: see package withdrawn.
const WithdrawnKey Key = "v1/_withdrawn.json"

// IndexKey is the small file that names the current index: the only one of
// the index that changes. See package staticindex.
const IndexKey Key = "v1/_index.json"

// PublisherPath returns the public record of a publisher.
func PublisherPath(siteID string) string { return PathPublishers + "/" + siteID }

// InventoryPath returns the content inventory of a publisher.
func InventoryPath(siteID string) string { return PublisherPath(siteID) + "/content-inventory" }

// CategoryPath returns one category with its publishers.
func CategoryPath(slug string) string { return "/v1/public/content-catalog/category/" + slug }

// MapPublisherPath returns the rights-map record of a publisher.
func MapPublisherPath(siteID string) string { return PathMap + "/publishers/" + siteID }

// SiteRecordsPath lists the provenance records of a site.
func SiteRecordsPath(siteID string) string {
	return "/v1/public/sites/" + siteID + "/contentdna-provenance"
}

// RecordPath returns the current provenance record of an entry.
func RecordPath(entryID string) string { return "/v1/public/contentdna-provenance/" + entryID }

// RecordVersionPath returns one version of the provenance record of an entry.
func RecordVersionPath(entryID string, version int64) string {
	return RecordPath(entryID) + "/v/" + strconv.FormatInt(version, 10)
}

// PlacePath returns the place in the ledger of one version of the record of an
// entry, where its citation document does not name it: for versions that were
// superseded, and for withdrawn entries.
func PlacePath(entryID string, version int64) string {
	return RecordVersionPath(entryID, version) + "/ledger.json"
}

// CitationPath returns the citation document of an entry.
func CitationPath(entryID string) string { return "/v1/public/citations/" + entryID + ".json" }

// EntryOfKey names the entry whose document a published file is: its record,
// a version of that, the place of one in the ledger, its citation, its page or its card. It is false
// for all other files.
func EntryOfKey(k Key) (entryID string, ok bool) {
	name := strings.TrimSuffix(string(k), ".gz")
	if rest, found := strings.CutPrefix(name, "citations/"); found {
		var file string
		entryID, file, _ = strings.Cut(rest, "/")
		ok = file == "index.html" || strings.HasPrefix(file, "card.") && strings.HasSuffix(file, ".png")
	} else if rest, found := strings.CutPrefix(name, "v1/public/citations/"); found {
		entryID, ok = strings.CutSuffix(rest, ".json")
	} else if rest, found := strings.CutPrefix(name, "v1/public/contentdna-provenance/"); found {
		if entryID, _, ok = strings.Cut(rest, "/v/"); !ok {
			entryID, ok = strings.CutSuffix(rest, ".json")
		}
	}
	return entryID, ok && ValidEntryID(entryID)
}

// citationSitemaps begins the names of the sitemaps of entries, by publisher.
// They are not in a folder, because a sitemap names pages below its own folder
// only (sitemaps.org, "Sitemap file location").
const citationSitemaps = "sitemap-citations-"

// ownedFolders have files of each publisher and of each offer; the last begins the names
// of such files.
var ownedFolders = [...]string{
	"publishers/", "rights-map/", "v1/licensing-marketplace/publishers/", "v1/public/ai-rights-map/publishers/", "v1/public/license-catalog/", "v1/public/sites/",
	citationSitemaps,
}

// commonFolders have files of which there are many, and which no publisher owns:
// lists by category, descriptions of problems, ranges of private look-ups, the
// tiles of the log, the static index.
var commonFolders = [...]string{
	"categories/", "problems/", "v1/public/content-catalog/category/", rangeFolder, tileFolder, indexFolder,
}

// Packed reports whether a file stands in packs where a release has these: it is
// one of many, see ownedFolders and commonFolders, or names the index, all of which is
// then replaced with the root of the packs. The first pages of lists, which
// most visitors ask for, stay files, and so does the checkpoint of the log.
func Packed(k Key) bool {
	name := string(k)
	if strings.HasSuffix(name, ".gz") {
		return false
	}
	if k == IndexKey {
		return true
	}
	file, found := cutFolder(name, ownedFolders[:])
	if !found {
		file, found = cutFolder(name, commonFolders[:])
	}
	return found && file != "index.html"
}

// cutFolder returns the name of a file within one of the folders.
func cutFolder(name string, folders []string) (file string, found bool) {
	for _, folder := range folders {
		if file, found := strings.CutPrefix(name, folder); found {
			return file, true
		}
	}
	return "", false
}

// PackedOwner names the publisher or the offer of a file that stands in packs:
// of "publishers/ID/feed.rss" and "v1/public/license-catalog/ID.json" it is ID. It is
// false for all other files, those of categories and tiles of the log among them.
func PackedOwner(k Key) (id string, ok bool) {
	file, found := cutFolder(string(k), ownedFolders[:])
	if !found || !Packed(k) {
		return "", false
	}
	if end := strings.IndexAny(file, "/."); end >= 0 {
		file = file[:end]
	}
	return file, file != ""
}

// CitationSitemap returns one of the sitemaps of the pages of a publisher's
// entries, from 1 on. A dot is before a number, as a site id may end in one
// after a hyphen.
func CitationSitemap(siteID string, number int) string {
	if number == 1 {
		return "/" + citationSitemaps + siteID + ".xml"
	}
	return "/" + citationSitemaps + siteID + "." + strconv.Itoa(number) + ".xml"
}

// SiteOfSitemap names the publisher of a sitemap of entries, or of its compressed
// sibling. It is false for all other files.
func SiteOfSitemap(k Key) (siteID string, ok bool) {
	rest, found := strings.CutPrefix(string(k), citationSitemaps)
	siteID, _, ok = strings.Cut(rest, ".")
	return siteID, ok && found
}

// EntryCardPath returns the image of an entry for link previews; digest is the
// digest of its words.
func EntryCardPath(entryID, digest string) string {
	return CitationPage(entryID) + "card." + digest + ".png"
}

// OfferPath returns one offer of the license catalog.
func OfferPath(licenseID string) string { return PathLicenseCatalog + "/" + licenseID }

// RightsCheckPath asks for the live rights of an entry.
func RightsCheckPath(entryID string) string { return PathRightsCheck + "?entry_id=" + entryID }

// RightsDocumentKey returns the published file from which the rights of a
// site's pages are answered when the origin is away: see
// internal/rights.RightsDocument.
func RightsDocumentKey(siteID string) Key { return Key("v1/public/sites/" + siteID + "/rights.json") }

// PolicyHistoryPath lists the versions of a site's policy.
func PolicyHistoryPath(siteID string) string {
	return "/v1/public/sites/" + siteID + "/policy-history.json"
}

// PackPath returns the folder with the files that a publisher can put on its
// own site, so that every channel says what its policy says; index.json lists
// them.
func PackPath(siteID string) string { return "/publishers/" + siteID + "/pack/" }

// ParityPath returns what a check of a publisher's edge saw.
func ParityPath(siteID string) string { return "/publishers/" + siteID + "/parity.json" }

// PackName returns the name under which a file of a pack is published: without
// folders, and with an extension that web servers know.
//
//	.well-known/tdmrep.json  well-known-tdmrep.json
//	_headers                 headers.txt
func PackName(file string) string {
	switch file {
	case "_headers":
		return "headers.txt"
	case "nginx.conf":
		return "nginx.txt"
	}
	return strings.ReplaceAll(strings.TrimPrefix(file, "."), "/", "-")
}

// OfferForms are the representations of an offer in other vocabularies, by
// name: RSL, ODRL and CoMP.
var OfferForms = [3][2]string{{"rsl", ".rsl.xml"}, {"odrl", ".odrl.jsonld"}, {"comp", ".comp.json"}}

// PublisherPage returns the page of a publisher for people.
func PublisherPage(siteID string) string { return "/publishers/" + siteID + "/" }

// RequestPage returns the request form of a publisher that takes inquiries.
func RequestPage(siteID string) string { return PublisherPage(siteID) + "request/" }

// CategoryPage returns the page of a category for people.
func CategoryPage(slug string) string { return "/categories/" + slug + "/" }

// CitationPage returns the page of an entry for people.
func CitationPage(entryID string) string { return "/citations/" + entryID + "/" }

// MapPage returns an earlier address of a publisher's part of the rights map,
// which leads to PublisherPage.
func MapPage(siteID string) string { return "/rights-map/" + siteID + "/" }

// CiteFile returns the path of a citation as a file for a reference manager:
// "bib", "ris" or "csl".
func CiteFile(entryID, form string) string { return CitationPage(entryID) + "cite." + form }
