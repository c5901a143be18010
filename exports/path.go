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

// SandboxPrefix begins the key of every file of the sandbox, a catalog of
// invented publishers.
const SandboxPrefix = "_sandbox/"

// WithdrawnKey is the key of the list of entries withdrawn since the release.
// The list is not part of the release: see package withdrawn.
const WithdrawnKey Key = "v1/_withdrawn.json"

// IndexKey is the key of the small file that names the current index. It is the
// only file of the index that changes: see package staticindex.
const IndexKey Key = "v1/_index.json"

// PublisherPath returns the path of a publisher's public record.
func PublisherPath(siteID string) string { return PathPublishers + "/" + siteID }

// InventoryPath returns the path of a publisher's content inventory.
func InventoryPath(siteID string) string { return PublisherPath(siteID) + "/content-inventory" }

// CategoryPath returns the path of one category with its publishers.
func CategoryPath(slug string) string { return "/v1/public/content-catalog/category/" + slug }

// MapPublisherPath returns the path of a publisher's rights-map record.
func MapPublisherPath(siteID string) string { return PathMap + "/publishers/" + siteID }

// SiteRecordsPath returns the path of the list of a site's provenance records.
func SiteRecordsPath(siteID string) string {
	return "/v1/public/sites/" + siteID + "/contentdna-provenance"
}

// RecordPath returns the path of an entry's current provenance record.
func RecordPath(entryID string) string { return "/v1/public/contentdna-provenance/" + entryID }

// RecordVersionPath returns the path of one version of an entry's provenance
// record.
func RecordVersionPath(entryID string, version int64) string {
	return RecordPath(entryID) + "/v/" + strconv.FormatInt(version, 10)
}

// PlacePath returns the path of the file that says where one version of an
// entry's record is in the ledger. It exists for versions whose place the
// citation document does not give: superseded ones, and those of withdrawn
// entries.
func PlacePath(entryID string, version int64) string {
	return RecordVersionPath(entryID, version) + "/ledger.json"
}

// CitationPath returns the path of an entry's citation document.
func CitationPath(entryID string) string { return "/v1/public/citations/" + entryID + ".json" }

// EntryOfKey returns the id of the entry that a published file is about: its
// record, a version of that record, the version's place in the ledger, its
// citation, its page or its card. ok is false for all other files.
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

// citationSitemaps begins the names of the sitemaps of entries, which are split
// by publisher. They are not in a folder, because a sitemap may name only pages
// below its own folder (sitemaps.org, "Sitemap file location").
const citationSitemaps = "sitemap-citations-"

// ownedFolders hold the files of each publisher and of each offer. The last one
// is not a folder but the beginning of such files' names.
var ownedFolders = [...]string{
	"publishers/", "rights-map/", "v1/licensing-marketplace/publishers/", "v1/public/ai-rights-map/publishers/", "v1/public/license-catalog/", "v1/public/sites/",
	citationSitemaps,
}

// commonFolders hold files that are many and belong to no publisher: lists by
// category, descriptions of problems, ranges of private look-ups, the tiles of
// the log, the static index.
var commonFolders = [...]string{
	"categories/", "problems/", "v1/public/content-catalog/category/", rangeFolder, tileFolder, indexFolder,
}

// The files at PathLedgerManifest and WellKnownLedger, which are equal.
const (
	ledgerManifestKey  Key = "v1/public/provenance-ledger/manifest.json"
	ledgerDiscoveryKey Key = ".well-known/service-provenance-ledger.json"
)

// Packed reports whether a release that uses packs stores a file in one. It
// does so for a file that is one of many (see ownedFolders and commonFolders),
// and for the files that name the index and its list of files, so that the new
// root of the packs replaces them all at once. The first pages of lists, which
// most visitors ask for, and the checkpoint of the log remain files.
func Packed(k Key) bool {
	name := string(k)
	if strings.HasSuffix(name, ".gz") {
		return false
	}
	if k == IndexKey || k == ledgerManifestKey || k == ledgerDiscoveryKey {
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

// PackedOwner returns the id of the publisher or offer to which a packed file
// belongs: ID for "publishers/ID/feed.rss" and
// "v1/public/license-catalog/ID.json". ok is false for all other files,
// including those of categories and tiles of the log.
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

// CitationSitemap returns the path of a sitemap of the pages of a publisher's
// entries; number counts from 1. A dot precedes the number, because a site id
// may itself end in a hyphen and a number.
func CitationSitemap(siteID string, number int) string {
	if number == 1 {
		return "/" + citationSitemaps + siteID + ".xml"
	}
	return "/" + citationSitemaps + siteID + "." + strconv.Itoa(number) + ".xml"
}

// SiteOfSitemap returns the publisher whose entries a sitemap, or its
// compressed sibling, lists. ok is false for all other files.
func SiteOfSitemap(k Key) (siteID string, ok bool) {
	rest, found := strings.CutPrefix(string(k), citationSitemaps)
	siteID, _, ok = strings.Cut(rest, ".")
	return siteID, ok && found
}

// EntryCardPath returns the path of an entry's image for link previews; digest
// is the digest of the words on it.
func EntryCardPath(entryID, digest string) string {
	return CitationPage(entryID) + "card." + digest + ".png"
}

// OfferPath returns the path of one offer of the license catalog.
func OfferPath(licenseID string) string { return PathLicenseCatalog + "/" + licenseID }

// RightsCheckPath returns the path and query that ask for the live rights of an
// entry.
func RightsCheckPath(entryID string) string { return PathRightsCheck + "?entry_id=" + entryID }

// RightsDocumentKey returns the key of the published file that answers for the
// rights of a site's pages while the origin is unreachable: see
// internal/rights.RightsDocument.
func RightsDocumentKey(siteID string) Key { return Key("v1/public/sites/" + siteID + "/rights.json") }

// PolicyHistoryPath returns the path of the list of versions of a site's
// policy.
func PolicyHistoryPath(siteID string) string {
	return "/v1/public/sites/" + siteID + "/policy-history.json"
}

// PackPath returns the folder of the files that a publisher can put on its own
// site, so that every channel says what its policy says; index.json in it lists
// them.
func PackPath(siteID string) string { return "/publishers/" + siteID + "/pack/" }

// ParityPath returns the path of the report on a check of a publisher's edge.
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

// PublisherPage returns the path of a publisher's page for people.
func PublisherPage(siteID string) string { return "/publishers/" + siteID + "/" }

// PolicyPage returns the path of the page with the history of what a publisher
// states.
func PolicyPage(siteID string) string { return PublisherPage(siteID) + "policy/" }

// RequestPage returns the path of the request form of a publisher that takes
// inquiries.
func RequestPage(siteID string) string { return PublisherPage(siteID) + "request/" }

// CategoryPage returns the path of a category's page for people.
func CategoryPage(slug string) string { return "/categories/" + slug + "/" }

// CitationPage returns the path of an entry's page for people.
func CitationPage(entryID string) string { return "/citations/" + entryID + "/" }

// MapPage returns the former path of a publisher's part of the rights map,
// which redirects to PublisherPage.
func MapPage(siteID string) string { return "/rights-map/" + siteID + "/" }

// CiteFile returns the path of a citation as a file for a reference manager:
// "bib", "ris" or "csl".
func CiteFile(entryID, form string) string { return CitationPage(entryID) + "cite." + form }
