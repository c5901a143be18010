package exports

import "time"

// Doc is a registered page as the indexes store it: all that a search hit, an
// inventory item or a feed record shows.
type Doc struct {
	Entry
	Publisher  string // name
	LicenseIDs []string
	// Mask stands for LicenseIDs in the records of a search: bit i is licence
	// i of the site's SiteRow. It is 0 where LicenseIDs are known.
	Mask uint64
}

// Ref names the publisher.
func (d *Doc) Ref() PublisherRef { return PublisherRef{SiteID: d.SiteID, Name: d.Publisher} }

// The flags of a stored record.
const (
	flagOwnID  = 1 // the entry id does not follow from site and URL
	flagDigest = 2
	flagMask   = 4 // the licences are a mask
)

// Store encodes the record for a block; id gives the entry id that follows
// from a site id and a URL (internal/provenance has the rule).
//
// Text: site id, publisher, vector, URL, title, section, language (each with
// its length before it), terms (their number, then each), content format (its
// place in ContentFormats, from 1), words, the times in seconds since 1970
// plus 1 (0 for none), all as varints, and the licences: as the terms, or as
// the mask.
// Raw: a byte of flags, the digest as 32 bytes if there is one, the entry id
// if it is its own. It fails on a time, format or digest without such a form.
func (d *Doc) Store(id func(siteID, url string) string) (Stored, error) {
	format := 1 + indexOf(ContentFormats, d.ContentFormat)
	if format == 0 && d.ContentFormat != "" {
		return Stored{}, ErrShard
	}
	var t []byte
	for _, s := range []string{d.SiteID, d.Publisher, d.RightsVector, d.URL, d.Title, d.Section, d.Language} {
		t = appendText(t, s)
	}
	t = appendTexts(t, d.Terms)
	t = appendUint(t, format)
	t = appendUint64(t, uint64(max(0, d.WordCount)))
	for _, at := range []string{d.PublishedAt, d.ModifiedAt, d.RegisteredAt} {
		s, ok := secondsOf(at)
		if !ok {
			return Stored{}, ErrShard
		}
		t = appendUint64(t, s)
	}
	raw := []byte{0}
	if d.Mask != 0 {
		raw[0] |= flagMask
		t = appendUint64(t, d.Mask)
	} else {
		t = appendTexts(t, d.LicenseIDs)
	}
	if d.Digest != "" {
		sum, ok := unhex(d.Digest)
		if !ok || len(sum) != 32 {
			return Stored{}, ErrShard
		}
		raw[0] |= flagDigest
		raw = append(raw, sum...)
	}
	if d.EntryID != id(d.SiteID, d.URL) {
		raw[0] |= flagOwnID
		raw = append(raw, d.EntryID...)
	}
	return Stored{t, raw}, nil
}

// LoadDoc decodes a record of a block; id is that of Store.
func LoadDoc(s Stored, id func(siteID, url string) string) (Doc, error) {
	var d Doc
	t, r := shardReader{b: s.Text}, shardReader{b: s.Raw}
	flags := byte(0xff)
	if b := r.bytes(1); !r.bad {
		flags = b[0]
	}
	for _, p := range []*string{&d.SiteID, &d.Publisher, &d.RightsVector, &d.URL, &d.Title, &d.Section, &d.Language} {
		*p = t.string()
	}
	d.Terms = t.strings()
	if n := t.uint(len(ContentFormats)); n > 0 {
		d.ContentFormat = ContentFormats[n-1]
	}
	d.WordCount = int64(t.uint64(1<<53 - 1))
	d.PublishedAt, d.ModifiedAt, d.RegisteredAt = t.time(), t.time(), t.time()
	if flags&flagMask != 0 {
		d.Mask = t.uint64(1<<63 - 1)
	} else {
		d.LicenseIDs = t.strings()
	}
	if flags&flagDigest != 0 {
		d.Digest = hexOf(r.bytes(32))
	}
	if flags&flagOwnID != 0 {
		d.EntryID = string(r.bytes(len(r.b)))
	} else {
		d.EntryID = id(d.SiteID, d.URL)
	}
	if flags > 7 || t.end() != nil || r.end() != nil {
		return Doc{}, ErrShard
	}
	return d, nil
}

func appendTexts(b []byte, list []string) []byte {
	b = appendUint(b, len(list))
	for _, s := range list {
		b = appendText(b, s)
	}
	return b
}

func (r *shardReader) strings() []string {
	n := r.uint(len(r.b))
	if r.bad || n == 0 {
		return nil
	}
	out := make([]string, n)
	for i := range out {
		out[i] = r.string()
	}
	return out
}

// maxSeconds is the end of the year 9999.
const maxSeconds = 253402300799

// secondsOf turns an instant into seconds since 1970 plus one, 0 for none.
func secondsOf(at string) (uint64, bool) {
	if at == "" {
		return 0, true
	}
	t, err := time.Parse(time.RFC3339, at)
	if err != nil || t.Unix() < 0 || t.Unix() > maxSeconds || t.UTC().Format(time.RFC3339) != at {
		return 0, false
	}
	return uint64(t.Unix()) + 1, true
}

func (r *shardReader) time() string {
	n := r.uint64(maxSeconds + 1)
	if n == 0 {
		return ""
	}
	return time.Unix(int64(n-1), 0).UTC().Format(time.RFC3339)
}

func indexOf(list []string, word string) int {
	for i := range list {
		if list[i] == word {
			return i
		}
	}
	return -1
}
