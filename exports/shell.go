package exports

// A shell is a published page around an answer that is made at the edge. The
// slots are replaced: title and query by escaped text, main by markup.
const (
	PathShell        = "/_shell/message.html"
	PathCatalogShell = "/_shell/catalog.html"
	PathCheckShell   = "/_shell/check.html"

	PathMapShell        = "/_shell/rights-map.html"
	PathPublishersShell = "/_shell/publishers.html"
	PathOffersShell     = "/_shell/offers.html"
	PathDemandShell     = "/_shell/demand.html"
	PathStatusShell     = "/_shell/status.html"

	SlotTitle = "%%TITLE%%"
	SlotMain  = "%%MAIN%%"
	SlotQuery = "%%QUERY%%" // in the value of the search field
)

// Pages for people of which the worker makes some or all.
const (
	PathCatalogPage      = "/catalog/"
	PathCheckPage        = "/check/"
	PathPublishersPage   = "/publishers/"
	PathMapPage          = "/rights-map/"
	PathOffersPage       = "/offers/"
	PathDemandPage       = "/demand/"
	PathStatusPage       = "/status/"
	PathNotFoundPage     = "/404.html"
	PathConversationPage = "/conversation/"
	PathInbox            = "/inbox/"
	PathShortlist        = "/shortlist/"  // the form that asks several publishers
	PathLetters          = "/letters/"    // what an address gets by e-mail, for whoever has its link
	PathNeedPage         = "/demand/new/" // the form for what a buyer looks for
)

// CardsPerPage is how many records a page of a list shows when each takes
// several lines: a phone has at most a dozen screens of them.
const CardsPerPage = 20
