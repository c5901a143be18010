package exports

// The shell is a published page around an answer that the service makes. The
// service replaces the slot for the title by escaped text, and the main slot by
// markup.
const (
	PathShell = "/_shell/message.html"

	SlotTitle = "%%TITLE%%"
	SlotMain  = "%%MAIN%%"
)

// MainStart and MainEnd are around the content of every published page. The
// service puts other content there when it answers a question at the page's
// address.
const (
	MainStart = `<main id="main" tabindex="-1">`
	MainEnd   = `</main>`
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
