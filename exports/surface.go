package exports

var (
	paramQ      = Param{Name: "q", Type: "string", Purpose: "Topic: words looked for in title, terms, section and publisher."}
	paramOffset = Param{Name: "offset", Type: "integer", Purpose: "Records to skip; use cursor beyond 10000.", Default: "0", Max: 10000}
	paramCursor = Param{Name: "cursor", Type: "string", Purpose: "Where to go on, from the previous answer; \"*\" starts a walk."}
)

func paramLimit(def string, most int64) Param {
	return Param{Name: "limit", Type: "integer", Purpose: "Records in one answer; 0 only counts.", Default: def, Max: most}
}

// listParams returns the parameters of an ordinary list.
func listParams(def string, most int64, more ...Param) []Param {
	return append([]Param{paramQ, paramLimit(def, most), paramOffset, paramCursor}, more...)
}

// Surface is every endpoint of the service. The router, the generator, the
// developer manifest, openapi.json, the documentation and the coverage test
// all read it.
var Surface = []Endpoint{
	// Public discovery.
	{Method: "GET", Path: PathDiscovery, ID: "ai_discovery", Group: "discovery", Purpose: "Manifest of the public discovery surfaces and live totals.", Made: FromFile, Auth: Open, Media: MediaJSON},
	{Method: "GET", Path: PathSearch, ID: "search_content_catalog", Group: "discovery", Purpose: "Search registered pages of publishers that joined the marketplace.", Made: Computed, Auth: Open, Query: listParams("20", 100), Media: MediaJSON, Cache: cacheComputed},
	{Method: "GET", Path: PathCategories, ID: "list_marketplace_categories", Group: "discovery", Purpose: "Categories of active public publishers.", Made: FromFile, Auth: Open, Media: MediaJSON},
	{Method: "GET", Path: "/v1/public/content-catalog/category/{category_slug}", ID: "get_marketplace_category", Group: "discovery", Purpose: "Publishers and registered-page totals of one category.", Made: FromFile, Auth: Open, Media: MediaJSON},
	{Method: "GET", Path: PathPublishers, ID: "list_marketplace_publishers", Group: "marketplace", Purpose: "Publishers open to licensing inquiries.", Made: FromFile, Auth: Open, Media: MediaJSON},
	{Method: "GET", Path: PathPublishers + "/{site_id}", ID: "get_publisher", Group: "marketplace", Purpose: "Public licensing and discovery record of one publisher.", Made: FromFile, Auth: Open, Media: MediaJSON},
	{Method: "GET", Path: PathPublishers + "/{site_id}/content-inventory", ID: "get_publisher_inventory", Group: "marketplace", Purpose: "Registered pages of one publisher: titles, addresses, terms, coverage.", Made: Listed, Auth: Open, Query: listParams("20", 100), Media: MediaJSON, Cache: cacheComputed},
	{Method: "GET", Path: PathFeed, ID: "licensing_feed", Group: "discovery", Purpose: "Registered pages of all publishers, newest first.", Made: Listed, Auth: Open, Query: listParams("20", 100), Media: MediaJSON, Cache: cacheComputed},
	{Method: "GET", Path: PathFeedNDJSON, ID: "licensing_feed_ndjson", Group: "discovery", Purpose: "The same feed, one record on each line.", Made: Listed, Auth: Open, Query: listParams("100", 250), Media: MediaNDJSON, Cache: cacheComputed},
	{Method: "GET", Path: PathDemand, ID: "buyer_demand", Group: "discovery", Purpose: "Acquisition needs that buyers opted to publish.", Made: Listed, Auth: Open, Query: listParams("20", 100), Media: MediaJSON, Cache: cacheComputed},
	{Method: "GET", Path: PathStats, ID: "get_network_stats", Group: "discovery", Purpose: "Totals of publishers, websites, pages, offers and categories.", Made: FromFile, Auth: Open, Media: MediaJSON},
	{Method: "GET", Path: PathDeveloper, ID: "developer_manifest", Group: "manifests", Purpose: "Every public endpoint with method, parameters and intended use.", Made: FromFile, Auth: Open, Media: MediaJSON},
	{Method: "GET", Path: PathLicenseCatalog, ID: "license_catalog", Group: "discovery", Purpose: "Discoverable licensing records; they grant no rights.", Made: Listed, Auth: Open, Query: listParams("50", 200,
		Param{Name: "site_id", Type: "string", Purpose: "Only offers of this publisher."},
		Param{Name: "category", Type: "string", Purpose: "Only offers of publishers in this category."},
		Param{Name: "use", Type: "string", Purpose: "Only offers that permit this use.", Values: UseWords(), List: true},
		Param{Name: "payment", Type: "string", Purpose: "Only offers with this payment model.", Values: PaymentModels, List: true},
		Param{Name: "user_type", Type: "string", Purpose: "Only offers open to this kind of user.", Values: UserTypes, List: true},
		Param{Name: "territory", Type: "string", Purpose: "Only offers valid in this territory (ISO 3166-1 alpha-2 or EU)."},
		Param{Name: "status", Type: "string", Purpose: "State of the offer.", Default: "offered", Values: OfferStatuses, List: true},
	), Media: MediaJSON, Cache: cacheComputed},
	{Method: "GET", Path: PathRightsCheck, ID: "rights_check", Group: "rights", Purpose: "The current canonical rights answer for a page, a fingerprint or a site.", Made: FromOrigin, Auth: Open, Query: []Param{
		{Name: "url", Type: "string", Purpose: "Look up by address. Exactly one of url, entry_id, fingerprint, iscc and site_id."},
		{Name: "entry_id", Type: "string", Purpose: "Look up by registry entry."},
		{Name: "fingerprint", Type: "string", Purpose: "Look up by SHA-256 digest, portable or registry (64 hex). Reservations for that content are candidates too."},
		{Name: "iscc", Type: "string", Purpose: "Look up reservations by the ISCC of their content, which must be identical. Similar texts: see similar_texts."},
		{Name: "site_id", Type: "string", Purpose: "Look up a whole site."},
		{Name: "use", Type: "string", Purpose: "Uses asked about; all eight by default.", Values: UseWords(), List: true},
		{Name: "user_type", Type: "string", Purpose: "Who would use it.", Values: UserTypes},
		{Name: "territory", Type: "string", Purpose: "Where it would be used (ISO 3166-1 alpha-2 or EU)."},
		{Name: "agent", Type: "string", Purpose: "Robots product token, which selects signals addressed to it."},
		{Name: "at", Type: "string", Purpose: "Point in time, RFC 3339, not in the future."},
		{Name: "explain", Type: "string", Purpose: "How much evidence to show.", Default: "brief", Values: []string{"brief", "full"}},
	}, Media: MediaJSON, Limits: "rights", Cache: cacheNone},
	{Method: "POST", Path: PathRightsBatch, ID: "rights_check_batch", Group: "rights", Purpose: "The rights answer for up to 1000 addresses, fingerprints and entries at once, without the evidence.", Made: FromOrigin, Auth: Open, Body: "rights_batch", Media: MediaJSON, Limits: "batch", Cache: cacheNone},
	{Method: "POST", Path: "/v1/public/developer/sandbox/run", ID: "sandbox_run", Group: "manifests", Purpose: "Run a safe, read-only example on fixtures.", Made: Computed, Auth: Open, Body: "sandbox_run", Media: MediaJSON, Limits: "prepare"},

	// Partner API.
	{Method: "GET", Path: "/v1/partner/status", ID: "partner_status", Group: "partner", Purpose: "Verify a key and list its scopes.", Made: FromOrigin, Auth: ByPartner, Scope: ScopeStatus, Media: MediaJSON, Limits: "partner"},
	{Method: "GET", Path: "/v1/partner/catalog/search", ID: "partner_catalog_search", Group: "partner", Purpose: "Search approved publishers by topic and filters.", Made: FromOrigin, Auth: ByPartner, Scope: ScopeCatalog, Query: []Param{
		paramQ,
		{Name: "category", Type: "string", Purpose: "Category slug.", List: true},
		{Name: "preferred_use", Type: "string", Purpose: "Publishers that welcome inquiries about this use, with or without conditions.", Values: UseWords(), List: true},
		{Name: "min_registered_pages", Type: "integer", Purpose: "At least this many registered pages."},
		{Name: "verified", Type: "boolean", Purpose: "1 selects verified publishers.", Values: []string{"1", "0", "true", "false"}},
		{Name: "content_format", Type: "string", Purpose: "Publishers with pages of this format.", Values: ContentFormats, List: true},
		{Name: "audience", Type: "string", Purpose: "Intended audience.", Values: Audiences, List: true},
		{Name: "technical_depth", Type: "string", Purpose: "Technical depth.", Values: TechnicalDepths, List: true},
		{Name: "rag_suitability", Type: "string", Purpose: "This level of suitability for retrieval, or above.", Values: RAGSuitabilities},
		paramLimit("25", 100), paramOffset, paramCursor,
	}, Media: MediaJSON, Limits: "partner"},
	{Method: "GET", Path: "/v1/partner/catalog/categories", ID: "partner_categories", Group: "partner", Purpose: "Current category directory.", Made: FromOrigin, Auth: ByPartner, Scope: ScopeCatalog, Media: MediaJSON, Limits: "partner"},
	{Method: "GET", Path: "/v1/partner/catalog/publishers/{site_id}", ID: "partner_publisher", Group: "partner", Purpose: "One approved publisher's discovery and licensing metadata.", Made: FromOrigin, Auth: ByPartner, Scope: ScopeCatalog, Media: MediaJSON, Limits: "partner"},
	{Method: "POST", Path: "/v1/partner/licensing/requests", ID: "partner_create_request", Group: "partner", Purpose: "Submit a licensing request; needs Idempotency-Key.", Made: FromOrigin, Auth: ByPartner, Scope: ScopeIntake, Body: "partner_request", Media: MediaJSON, Limits: "intake"},
	{Method: "GET", Path: "/v1/partner/licensing/requests", ID: "partner_list_requests", Group: "partner", Purpose: "Requests submitted by the caller's own organization.", Made: FromOrigin, Auth: ByPartner, Scope: ScopeIntake, Query: []Param{
		{Name: "status", Type: "string", Purpose: "State of the request.", List: true},
		{Name: "site_id", Type: "string", Purpose: "Only requests to this publisher."},
		{Name: "created_after", Type: "string", Purpose: "RFC 3339 instant."},
		{Name: "updated_after", Type: "string", Purpose: "RFC 3339 instant."},
		paramLimit("25", 100), paramCursor,
	}, Media: MediaJSON, Limits: "partner"},
	{Method: "GET", Path: "/v1/partner/licensing/requests/{request_id}", ID: "partner_get_request", Group: "partner", Purpose: "Safe status of one request of the caller's own organization.", Made: FromOrigin, Auth: ByPartner, Scope: ScopeIntake, Media: MediaJSON, Limits: "partner"},
	{Method: "POST", Path: "/v1/partner/use-reports", ID: "partner_report_use", Group: "partner", Purpose: "Report what your agents did with pages (Content Telemetry); kept privately.", Made: FromOrigin, Auth: ByPartner, Scope: ScopeIntake, Body: "use_report", Media: MediaJSON, Limits: "reports"},

	// Public licensing request and agent bridge.
	{Method: "POST", Path: PathPrepare, ID: "prepare_intent", Group: "licensing", Purpose: "Prepare a non-binding inquiry; nothing is stored.", Made: Computed, Auth: Open, Body: "intent", Media: MediaJSON, Limits: "prepare"},
	{Method: "POST", Path: PathLicensingRequest, ID: "create_request", Group: "licensing", Purpose: "Create an inquiry to one publisher.", Made: FromOrigin, Auth: Open, Body: "public_request", Media: MediaJSON, Limits: "inquiry"},
	{Method: "GET", Path: "/v1/public/agent-procurement/{thread_id}", ID: "procurement_view", Group: "licensing", Purpose: "Procurement view of a conversation.", Made: FromOrigin, Auth: ByConversation, Media: MediaJSON, Limits: "thread"},
	{Method: "GET", Path: "/v1/public/licensing-conversations/{thread_id}", ID: "get_conversation", Group: "licensing", Purpose: "A private conversation.", Made: FromOrigin, Auth: ByConversation, Query: []Param{paramLimit("50", 100), paramCursor}, Media: MediaJSON, Limits: "thread"},
	{Method: "POST", Path: "/v1/public/licensing-conversations/{thread_id}/messages", ID: "post_message", Group: "licensing", Purpose: "Add a non-binding message.", Made: FromOrigin, Auth: ByConversation, Body: "message", Media: MediaJSON, Limits: "thread"},
	{Method: "GET", Path: WellKnownIntent, ID: "intent_discovery", Group: "manifests", Purpose: "Machine discovery of the inquiry bridge.", Made: FromFile, Auth: Open, Media: MediaJSON},
	{Method: "GET", Path: PathIntentManifest, ID: "intent_manifest", Group: "manifests", Purpose: "Machine discovery of the inquiry bridge.", Made: FromFile, Auth: Open, Media: MediaJSON},
	{Method: "GET", Path: PathIntentSchema, ID: "intent_schema", Group: "manifests", Purpose: "JSON Schema of intents, requests and messages.", Made: FromFile, Auth: Open, Media: MediaJSON},

	// Provenance and citations.
	{Method: "GET", Path: WellKnownProvenance, ID: "provenance_discovery", Group: "manifests", Purpose: "The provenance format and its public keys.", Made: FromFile, Auth: Open, Media: MediaJSON},
	{Method: "GET", Path: "/v1/public/sites/{site_id}/contentdna-provenance", ID: "site_records", Group: "provenance", Purpose: "Provenance records of a site's registered pages, the page registered last first.", Made: Listed, Auth: Open, Query: []Param{paramLimit("100", 100), paramCursor}, Media: MediaJSON, Cache: cacheComputed},
	{Method: "GET", Path: "/v1/public/contentdna-provenance/{entry_id}", ID: "get_record", Group: "provenance", Purpose: "One signed provenance record.", Made: FromFile, Auth: Open, Media: MediaJSON},
	{Method: "POST", Path: PathVerify, ID: "verify_record", Group: "provenance", Purpose: "Verify a record, and a text against it.", Made: Computed, Auth: Open, Body: "verify", Media: MediaJSON, Limits: "prepare", Cache: cacheNone},
	{Method: "GET", Path: PathLedgerSearch, ID: "ledger_search", Group: "provenance", Purpose: "Search ledger entries; metadata only.", Made: Computed, Auth: Open, Query: listParams("20", 100), Media: MediaJSON, Cache: cacheComputed},
	{Method: "GET", Path: PathResolve, ID: "resolve_citation", Group: "provenance", Purpose: "Which registered sources an address, a fingerprint or an entry belongs to.", Made: Computed, Auth: Open, Query: []Param{
		{Name: "url", Type: "string", Purpose: "Address of a page. Exactly one of url, fingerprint and entry_id."},
		{Name: "fingerprint", Type: "string", Purpose: "SHA-256 digest, portable or registry (64 hex)."},
		{Name: "entry_id", Type: "string", Purpose: "Registry entry."},
	}, Media: MediaJSON, Cache: cacheComputed},
	{Method: "GET", Path: PathSimilar, ID: "similar_citations", Group: "provenance", Purpose: "Registered texts with much of the same wording, each with an estimate of the similarity, which is no proof of copying, ownership or infringement.", Made: Computed, Auth: Open, Query: []Param{
		{Name: "iscc", Type: "string", Purpose: "ISCC Text-Code of 256 bits."},
		{Name: "min", Type: "string", Purpose: "Least similarity, 0.5 to 1.", Default: "0.8"},
	}, Media: MediaJSON, Limits: "rights", Cache: cacheComputed},
	{Method: "GET", Path: "/v1/public/citations/{entry_id}.json", ID: "get_citation", Group: "provenance", Purpose: "Citation document of one entry.", Made: FromFile, Auth: Open, Media: MediaJSON, Cache: cacheComputed},
	{Method: "GET", Path: WellKnownLedger, ID: "ledger_discovery", Group: "manifests", Purpose: "Machine manifest of the provenance ledger.", Made: FromFile, Auth: Open, Media: MediaJSON},
	{Method: "GET", Path: PathLedgerManifest, ID: "ledger_manifest", Group: "manifests", Purpose: "Machine manifest of the provenance ledger.", Made: FromFile, Auth: Open, Media: MediaJSON},

	// AI rights map.
	{Method: "GET", Path: PathMap, ID: "ai_rights_map", Group: "rights", Purpose: "Readiness, preferences and channels of every publisher.", Made: Listed, Auth: Open, Query: []Param{
		paramQ,
		{Name: "category", Type: "string", Purpose: "Category slug.", List: true},
		{Name: "readiness", Type: "string", Purpose: "Levels as a comma list, or min:<level>.", Values: ReadinessLevels, List: true},
		paramLimit("50", 200), paramOffset, paramCursor,
	}, Media: MediaJSON, Cache: cacheComputed},
	{Method: "GET", Path: PathMap + "/publishers/{site_id}", ID: "map_publisher", Group: "rights", Purpose: "Rights-map record of one publisher.", Made: FromFile, Auth: Open, Media: MediaJSON},
	{Method: "GET", Path: WellKnownMap, ID: "map_discovery", Group: "manifests", Purpose: "Machine manifest of the rights map.", Made: FromFile, Auth: Open, Media: MediaJSON},
	{Method: "GET", Path: PathMapManifest, ID: "map_manifest", Group: "manifests", Purpose: "Machine manifest of the rights map.", Made: FromFile, Auth: Open, Media: MediaJSON},
	{Method: "GET", Path: PathMapCSV, ID: "map_csv", Group: "rights", Purpose: "The rights map as CSV.", Made: FromFile, Auth: Open, Media: MediaCSV},
	{Method: "GET", Path: PathMapSitemap, ID: "map_sitemap", Group: "rights", Purpose: "Sitemap of the rights map.", Made: FromFile, Auth: Open, Media: MediaXML},

	// Other machine-readable discovery.
	{Method: "GET", Path: WellKnownAccessResponse, ID: "access_response", Group: "manifests", Purpose: "How a denial at the edge becomes a route to a licence.", Made: FromFile, Auth: Open, Media: MediaJSON},
	{Method: "GET", Path: WellKnownAgent, ID: "agent_licensing", Group: "manifests", Purpose: "What agents may and must not do here.", Made: FromFile, Auth: Open, Media: MediaJSON},

	// Model Context Protocol.
	{Method: "POST", Path: "/mcp", ID: "mcp", Group: "mcp", Purpose: "Public read-only tools over MCP 2026-07-28.", Made: Computed, Auth: Open, Body: "json_rpc", Media: MediaJSON, Limits: "anon", Private: true},
	{Method: "POST", Path: "/mcp/gateway", ID: "mcp_gateway", Group: "mcp", Purpose: "Licensed content for buyers, rights checked on every call.", Made: FromOrigin, Auth: ByBuyer, Body: "json_rpc", Media: MediaJSON, Limits: "gateway"},
	{Method: "GET", Path: "/mcp/publisher/{site_id}", ID: "mcp_publisher_metadata", Group: "mcp", Purpose: "MCP endpoint metadata of one publisher.", Made: Computed, Auth: Open, Media: MediaJSON, Cache: cacheComputed, Private: true},
	{Method: "POST", Path: "/mcp/publisher/{site_id}", ID: "mcp_publisher", Group: "mcp", Purpose: "The public tools, scoped to one publisher.", Made: Computed, Auth: Open, Body: "json_rpc", Media: MediaJSON, Limits: "anon", Private: true},

	// Buyer delivery.
	{Method: "GET", Path: "/v1/rag-delivery/items", ID: "delivery_items", Group: "delivery", Purpose: "Licensed items, rights checked for each.", Made: FromOrigin, Auth: ByBuyer, Query: deliveryParams("50", 200), Media: MediaJSON, Limits: "content"},
	{Method: "GET", Path: "/v1/rag-delivery/feed.ndjson", ID: "delivery_feed", Group: "delivery", Purpose: "Licensed items, one on each line.", Made: FromOrigin, Auth: ByBuyer, Query: deliveryParams("200", 1000), Media: MediaNDJSON, Limits: "content"},
	{Method: "POST", Path: "/v1/rag-delivery/use-reports", ID: "delivery_report_use", Group: "delivery", Purpose: "Report what your agents did with pages (Content Telemetry); kept privately.", Made: FromOrigin, Auth: ByBuyer, Body: "use_report", Media: MediaJSON, Limits: "reports"},
	{Method: "POST", Path: "/v1/rag-delivery/snapshots", ID: "delivery_snapshot", Group: "delivery", Purpose: "Create a logical snapshot: ids, versions and digests, never text.", Made: FromOrigin, Auth: ByBuyer, Body: "snapshot", Media: MediaJSON, Limits: "gateway"},
	{Method: "GET", Path: "/v1/rag-delivery/delta.ndjson", ID: "delivery_delta", Group: "delivery", Purpose: "What changed since a snapshot, with tombstones.", Made: FromOrigin, Auth: ByBuyer, Query: []Param{
		{Name: "since", Type: "string", Purpose: "Snapshot id or cursor."},
		paramLimit("500", 2000),
		{Name: "fields", Type: "string", Purpose: "Whether text is included.", Default: "full", Values: []string{"meta", "full"}},
	}, Media: MediaNDJSON, Limits: "content"},
}

func deliveryParams(def string, most int64) []Param {
	return []Param{
		{Name: "source_id", Type: "string", Purpose: "A grant or a site.", List: true},
		paramQ,
		{Name: "use", Type: "string", Purpose: "The use that the grant must cover.", Default: "rag", Values: UseWords()},
		{Name: "updated_since", Type: "string", Purpose: "RFC 3339 instant."},
		{Name: "format", Type: "string", Purpose: "Form of the text.", Default: "markdown", Values: []string{"markdown", "text", "html"}},
		{Name: "fields", Type: "string", Purpose: "Whether text is included.", Default: "full", Values: []string{"meta", "full"}},
		{Name: "snapshot", Type: "string", Purpose: "Read through a snapshot."},
		paramLimit(def, most), paramCursor,
	}
}
