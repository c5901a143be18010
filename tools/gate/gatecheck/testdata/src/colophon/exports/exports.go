package exports

type Publisher struct {
	PublisherID string
	Sources     []Source
}

type Source struct{ URL string }

type Page struct {
	Publishers []Publisher
	Total      int
}

type FeedRecord struct {
	Cursor string
	Title  string
}
