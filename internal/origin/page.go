package origin

import "context"

// Page is a registered page, without its body.
type Page struct {
	EntryID       string
	SiteID        string
	CanonicalURL  string
	Title         string
	Byline        []string
	Section       string
	Terms         []string
	Language      string
	ContentFormat string
	WordCount     int64
	PublishedAt   string
	ModifiedAt    string
	RegisteredAt  string
	ChangedAt     string
	State         string // active, withdrawn
	Portable      string // hex digest, "" if the text is too short
	Registry      string // hex digest
	Extraction    string
	ISCC          string // Text-Code of 256 bits, "" if never computed
	Successor     string // entry id of the page at the address it moved to, "" if it did not move
	SuccessorURL  string // canonical address of that page
}

// Fact is a fact of a page, where it was found, and how far that is trusted.
type Fact struct {
	Name       string  `json:"name"` // title, author, language, section, published_at, modified_at
	Value      string  `json:"value"`
	Source     string  `json:"source"`
	Confidence float64 `json:"confidence"` // 0 to 1
}

// Body is the private content of a page.
type Body struct {
	EntryID   string
	Text      string // private
	Markdown  string // private
	HTML      string // private
	SHA256    string
	ChangedAt string
}

// Record is an issued provenance record.
type Record struct {
	EntryID string
	Version int64
	SHA256  string
	Facts   string // digest of what the record states
	Created string
	JSON    string // canonical
}

// Pages reads and writes registered pages.
type Pages interface {
	// Page returns one page or ErrNotFound.
	Page(ctx context.Context, entryID string) (Page, error)
	// PagesOf lists pages of a site by entry id, those after the given id,
	// at most limit, whatever their state.
	PagesOf(ctx context.Context, siteID, after string, limit int) ([]Page, error)
	// PagesByID lists those of some pages that exist, by entry id.
	PagesByID(ctx context.Context, entryIDs []string) ([]Page, error)
	// PutPage adds or replaces a page; a nil body leaves the stored one.
	PutPage(ctx context.Context, p Page, b *Body) error
	// SetPageState makes a page active or withdrawn, and reports whether that
	// changed its state. It ignores a page that does not exist; one made active
	// again has no successor.
	SetPageState(ctx context.Context, entryID, state, at string) (bool, error)
	// SetSuccessor withdraws a page that moved and names the entry and address
	// of its successor. It reports whether that changed anything.
	SetSuccessor(ctx context.Context, entryID, successor, address, at string) (bool, error)
}

// Records reads and writes issued provenance records.
type Records interface {
	// LastRecords lists the newest record of each of some pages, by entry id.
	LastRecords(ctx context.Context, entryIDs []string) ([]Record, error)
	// Versions lists all records of pages, by entry id, oldest first.
	Versions(ctx context.Context, entryIDs ...string) ([]Record, error)
	// AddRecords adds versions. It returns ErrConflict if one of them exists.
	AddRecords(ctx context.Context, records []Record) error
}

// Fetch remembers the last fetch of an address by the importer.
type Fetch struct {
	URL          string
	SiteID       string
	EntryID      string
	ETag         string
	LastModified string
	Outcome      string // new, changed, unchanged, skipped, failed
	Reason       string
	Run          string
	FetchedAt    string
	Source       string // that listed the address last, "" if not known
}

// Fetches reads and writes the importer's memory.
type Fetches interface {
	// Fetch returns the last fetch of an address or ErrNotFound.
	Fetch(ctx context.Context, url string) (Fetch, error)
	// FetchesOf lists the fetches of a site by address, those after the given
	// one, at most limit.
	FetchesOf(ctx context.Context, siteID, after string, limit int) ([]Fetch, error)
	// FetchesBecause lists the fetches of a site by address whose reason ends
	// with a text.
	FetchesBecause(ctx context.Context, siteID, end string) ([]Fetch, error)
	// PutFetch adds or replaces it.
	PutFetch(ctx context.Context, f Fetch) error
}

// Observation is what a site said about rights at one address, as read.
type Observation struct {
	SiteID      string
	Channel     string
	URL         string
	Status      int64
	ContentType string
	Raw         string
	SHA256      string
	FetchedAt   string
	ValidUntil  string
}

// Observations reads and writes what sites themselves say.
type Observations interface {
	// Observations lists them by channel and address.
	Observations(ctx context.Context, siteID string) ([]Observation, error)
	// PutObservation adds or replaces one.
	PutObservation(ctx context.Context, o Observation) error
}
