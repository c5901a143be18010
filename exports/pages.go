package exports

// Pages are the pages for people, and the other addresses outside Surface, that
// the worker answers; published files answer all others. A row whose Made is
// Listed applies only to requests with a query.
var Pages = []Endpoint{
	// Published pages that are asked a question.
	{Method: "GET", Path: PathCatalogPage, ID: "catalog_page", Made: Listed, Auth: Open, Cache: cacheComputed},
	{Method: "GET", Path: PathCheckPage, ID: "check_page", Made: Listed, Auth: Open, Limits: "rights", Cache: cacheNone, Load: LoadReads},
	{Method: "POST", Path: PathCheckPage, ID: "check_form", Made: Computed, Auth: Open, Limits: "prepare", Cache: cacheNone, Load: LoadReads},
	{Method: "GET", Path: PathDemandPage, ID: "demand_page", Made: Listed, Auth: Open, Cache: cacheComputed},
	{Method: "GET", Path: PathLedgerLog, ID: "ledger_page", Made: Listed, Auth: Open, Cache: cacheComputed},
	{Method: "GET", Path: PathOffersPage, ID: "offers_page", Made: Listed, Auth: Open, Cache: cacheComputed},
	{Method: "GET", Path: PathPublishersPage, ID: "publishers_page", Made: Listed, Auth: Open, Cache: cacheComputed},
	{Method: "GET", Path: PathPublishersPage + "{site_id}/request/", ID: "request_page", Made: Listed, Auth: Open, Cache: cacheComputed},
	{Method: "GET", Path: PathMapPage, ID: "map_page", Made: Listed, Auth: Open, Cache: cacheComputed},
	{Method: "GET", Path: PathShortlist, ID: "shortlist_page", Made: Listed, Auth: Open, Cache: cacheComputed, Private: true},
	{Method: "POST", Path: PathShortlist, ID: "shortlist_form", Made: FromOrigin, Auth: Open, Limits: "prepare", Private: true},

	// Pages that are made for each request.
	{Method: "GET", Path: PathStatusPage, ID: "status_page", Made: FromOrigin, Auth: Open, Cache: cacheComputed},
	{Method: "POST", Path: PathConversationPage, ID: "conversation_page", Made: FromOrigin, Auth: ByConversation, Limits: "thread"},
	{Method: "POST", Path: PathNeedPage, ID: "need_form", Made: FromOrigin, Auth: Open, Limits: "demand", Private: true},
	{Method: "POST", Path: PathJoin, ID: "join_form", Made: FromOrigin, Auth: Open, Limits: "join", Private: true},
	{Path: PathJoin + "index.html", ID: "join_file", Made: FromFile, Auth: Open, Private: true},
	{Path: PathJoin + "{link...}", ID: "join_page", Made: FromOrigin, Auth: ByLink, Limits: "join", Secret: true},
	{Path: PathInbox + "{link...}", ID: "inbox_page", Made: FromOrigin, Auth: ByLink, Limits: "inbox", Secret: true},
	{Path: PathLetters + "{link...}", ID: "letters_page", Made: FromOrigin, Auth: ByLink, Limits: "inbox", Secret: true},

	// Citations as files for reference managers.
	{Method: "GET", Path: "/citations/{entry_id}/cite.bib", ID: "citation_bib", Made: Computed, Auth: Open, Cache: cacheComputed},
	{Method: "GET", Path: "/citations/{entry_id}/cite.csl", ID: "citation_csl", Made: Computed, Auth: Open, Cache: cacheComputed},
	{Method: "GET", Path: "/citations/{entry_id}/cite.ris", ID: "citation_ris", Made: Computed, Auth: Open, Cache: cacheComputed},

	// Where OAuth clients look for an authorization server.
	{Method: "GET", Path: PathResourceMetadata, ID: "resource_metadata", Made: Computed, Auth: Open, Cache: cacheComputed},
	{Method: "GET", Path: "/.well-known/oauth-authorization-server", ID: "no_auth_server", Made: Computed, Auth: Open},
	{Method: "GET", Path: "/.well-known/oauth-authorization-server/{issuer...}", ID: "no_auth_server", Made: Computed, Auth: Open},
	{Method: "GET", Path: "/.well-known/openid-configuration", ID: "no_auth_server", Made: Computed, Auth: Open},
	{Method: "GET", Path: "/.well-known/openid-configuration/{issuer...}", ID: "no_auth_server", Made: Computed, Auth: Open},
}
