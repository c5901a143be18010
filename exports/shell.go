package exports

// A shell is a published page around an answer that is made at the edge. The
// slots are replaced: title and query by escaped text, main by markup.
const (
	PathShell        = "/_shell/message.html"
	PathCatalogShell = "/_shell/catalog.html"
	SlotTitle        = "%%TITLE%%"
	SlotMain         = "%%MAIN%%"
	SlotQuery        = "%%QUERY%%" // in the value of the search field
)

// Pages of the inquiry bridge for people.
const (
	PathCatalogPage      = "/catalog/"
	PathNotFoundPage     = "/404.html"
	PathConversationPage = "/conversation/"
	PathInbox            = "/inbox/"
)
