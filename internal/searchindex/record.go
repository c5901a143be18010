package searchindex

import (
	"slices"

	"colophon/exports"
	"colophon/internal/staticindex"
	"colophon/internal/wire"
)

// Doc is a registered page as the indexes store it: all that a search hit, an
// inventory item or a feed record shows.
type Doc struct {
	exports.Entry
	Publisher  string // name
	LicenseIDs []string
	Closed     bool // the publisher takes no inquiries
}

// Members describes the JSON form of a stored page. Members that follow from
// others, such as links, are not in it.
func (d *Doc) Members(m *wire.Members) {
	m.OptBool("closed", &d.Closed)
	m.OptEnum("content_format", &d.ContentFormat, exports.ContentFormats...)
	m.OptString("digest", &d.Digest)
	m.String("entry_id", &d.EntryID)
	m.OptString("language", &d.Language)
	m.OptStrings("license_ids", &d.LicenseIDs)
	m.OptTime("modified_at", &d.ModifiedAt)
	m.OptTime("published_at", &d.PublishedAt)
	m.OptString("publisher", &d.Publisher)
	m.OptTime("registered_at", &d.RegisteredAt)
	m.String("rights_vector", &d.RightsVector)
	m.OptString("section", &d.Section)
	m.String("site_id", &d.SiteID)
	m.OptStrings("terms", &d.Terms)
	m.OptString("title", &d.Title)
	m.String("url", &d.URL)
	m.OptInt("word_count", &d.WordCount)
}

// IsPublic reports whether the times, the digest and the content format of a
// page have the form in which they are published.
func (d *Doc) IsPublic() bool {
	for _, at := range []string{d.PublishedAt, d.ModifiedAt, d.RegisteredAt} {
		if at != "" && !wire.IsTime(at) {
			return false
		}
	}
	if d.ContentFormat != "" && !slices.Contains(exports.ContentFormats, d.ContentFormat) {
		return false
	}
	sum, ok := staticindex.DecodeHex(d.Digest)
	return ok && (len(sum) == 0 || len(sum) == 32)
}

// LoadDoc reads a stored page. It fails with staticindex.ErrMalformed.
func LoadDoc(record []byte) (Doc, error) {
	var d Doc
	if wire.Decode(record, &d, wire.Trusted) != nil {
		return Doc{}, staticindex.ErrMalformed
	}
	return d, nil
}

// Ref names the publisher.
func (d *Doc) Ref() exports.PublisherRef {
	return exports.PublisherRef{SiteID: d.SiteID, Name: d.Publisher}
}

// Feed returns the record as the licensing feed shows it, without a cursor.
func (d *Doc) Feed() exports.FeedRecord {
	return d.Entry.FeedRecord(d.Ref(), d.LicenseIDs)
}
