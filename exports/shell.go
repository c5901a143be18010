package exports

// The slots of a shell, a published page around an answer that the worker
// makes. The worker replaces the slots for the title and the query by escaped
// text, and the main slot by markup.
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

// The pages for people that the worker makes, always or for some requests.
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
	PathLetters          = "/letters/"    // the letters that an address receives, for anyone who has the link
	PathNeedPage         = "/demand/new/" // the form for a buyer's request
)

// CardsPerPage is the number of records on a page of a list whose records take
// several lines each: at most a dozen screens of a phone.
const CardsPerPage = 20
