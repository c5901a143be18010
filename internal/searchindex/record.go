package searchindex

import (
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"colophon/exports"
)

// Doc is a registered page as the indexes store it: all that a search hit, an
// inventory item or a feed record shows.
type Doc struct {
	exports.Entry
	Publisher  string // name
	LicenseIDs []string
	// Mask stands for LicenseIDs in the records of a search: bit i is licence
	// i of the site's SiteRow. It is 0 where LicenseIDs are known.
	Mask uint64
}

// Ref names the publisher.
func (d *Doc) Ref() exports.PublisherRef {
	return exports.PublisherRef{SiteID: d.SiteID, Name: d.Publisher}
}

// Feed is the record as the licensing feed shows it, without a cursor.
func (d *Doc) Feed() exports.FeedRecord {
	return d.Entry.FeedRecord(d.Ref(), d.LicenseIDs)
}

// The texts of a stored record.
const (
	docSite = iota
	docSection
	docLanguage
	docTerms
	docTitle
	docPath
	docTexts
)

// The numbers of a stored record.
const (
	docForm = iota
	docPublished
	docModified
	docRegistered
	docWords
	docNumber
	docMask
	docInts
)

// The flags of a stored record.
const (
	flagOwnID    = 1 // the entry id does not follow from site and URL
	flagNoDigest = 2
	flagLiteral  = 4 // site id and URL are written out
	docFlags     = 8
)

const (
	docMark = "\xfe" // between texts in one
	docNone = "\xfd" // no text at all
)

// Store encodes the record for a block; id gives the entry id that follows
// from a site id and a URL (internal/provenance has the rule).
//
// Texts: the site, section, language, the terms with 0xfe between them (0xfd
// for none), the title in plain case, and the path, which is the URL after
// its third slash. The site is the publisher's name in plain case, the site
// id, the URL up to that slash, the rights vector and then each licence id
// unless there is a mask, with 0xfe between them. Site id, start and path are
// shortened by what they repeat, see expandText.
// Ints: 8 times the place of the content format in ContentFormats, from 1,
// plus the flags; when the page was published, modified and registered, in
// seconds since 1970 plus 1 (0 for never); the words, the number in the path,
// and the mask.
// Raw: the digest as 32 bytes, then the entry id if it is its own.
// It fails on a time, format, digest or mask without such a form. Bytes that
// are not UTF-8 become U+FFFD, as they do in every answer.
func (d *Doc) Store(id func(siteID, url string) string) (Stored, error) {
	s := Stored{Texts: make([]string, docTexts), Ints: make([]uint64, docInts)}
	form := 1 + indexOf(exports.ContentFormats, d.ContentFormat)
	if form == 0 && d.ContentFormat != "" || d.Mask > maxInt {
		return Stored{}, ErrMalformed
	}
	for i, at := range []string{d.PublishedAt, d.ModifiedAt, d.RegisteredAt} {
		seconds, ok := secondsOf(at)
		if !ok {
			return Stored{}, ErrMalformed
		}
		s.Ints[docPublished+i] = seconds
	}
	s.Ints[docForm], s.Ints[docWords], s.Ints[docMask] = uint64(form*docFlags), uint64(min(max(0, d.WordCount), maxInt)), d.Mask
	if d.Digest == "" {
		s.Ints[docForm] |= flagNoDigest
	} else {
		sum, ok := decodeHex(d.Digest)
		if !ok || len(sum) != 32 {
			return Stored{}, ErrMalformed
		}
		s.Raw = sum
	}
	d.fillTexts(&s, true)
	site, url := sanitizeUTF8(d.SiteID), sanitizeUTF8(d.URL)
	back, err := LoadDoc(s, id)
	if err != nil || back.SiteID != site || back.URL != url {
		s.Ints[docForm] |= flagLiteral
		d.fillTexts(&s, false)
		back.EntryID = id(site, url)
	}
	if d.EntryID != back.EntryID {
		s.Ints[docForm] |= flagOwnID
		s.Raw = append(s.Raw, d.EntryID...)
	}
	return s, nil
}

// fillTexts fills in the texts, and the number of the path.
func (d *Doc) fillTexts(s *Stored, short bool) {
	name, site := sanitizeUTF8(d.Publisher), sanitizeUTF8(d.SiteID)
	start, path := cutURL(sanitizeUTF8(d.URL))
	s.Texts[docSection], s.Texts[docTitle] = sanitizeUTF8(d.Section), sanitizeUTF8(d.Title)
	s.Ints[docNumber] = 0
	if short {
		words := d.repeatedParts(site)
		start, site = contractText(start, "", words), contractText(site, name, nil)
		path, s.Ints[docNumber] = takeNumber(contractText(path, s.Texts[docTitle], words))
	}
	s.Texts[docSite] = strings.Join([]string{plainCase(name), site, start, sanitizeUTF8(d.RightsVector)}, docMark)
	if d.Mask == 0 && len(d.LicenseIDs) > 0 {
		s.Texts[docSite] += docMark + joinTexts(d.LicenseIDs)
	}
	s.Texts[docTerms] = docNone
	if len(d.Terms) > 0 {
		s.Texts[docTerms] = joinTexts(d.Terms)
	}
	s.Texts[docLanguage], s.Texts[docTitle], s.Texts[docPath] = sanitizeUTF8(d.Language), plainCase(s.Texts[docTitle]), path
}

// WithLicenseMask puts a mask in the place of the licence ids of a stored record.
func (s Stored) WithLicenseMask(mask uint64) Stored {
	site := strings.SplitN(s.Texts[docSite], docMark, 5)
	s.Texts, s.Ints = slices.Clone(s.Texts), slices.Clone(s.Ints)
	s.Texts[docSite], s.Ints[docMask] = strings.Join(site[:4], docMark), mask
	return s
}

// sanitizeUTF8 puts U+FFFD in the place of bytes that are not UTF-8.
func sanitizeUTF8(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	return string([]rune(s))
}

// joinTexts is the texts of a list in one.
func joinTexts(list []string) string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = sanitizeUTF8(s)
	}
	return strings.Join(out, docMark)
}

// LoadDoc decodes a record of a block; id is that of Store.
func LoadDoc(s Stored, id func(siteID, url string) string) (Doc, error) {
	var d Doc
	r := reader{b: s.Raw}
	if len(s.Texts) == docTexts && len(s.Ints) == docInts {
		d.decodeFrom(&r, (*[docTexts]string)(s.Texts), (*[docInts]uint64)(s.Ints), id)
	} else {
		r.fail()
	}
	if r.finish() != nil {
		return Doc{}, ErrMalformed
	}
	return d, nil
}

func (d *Doc) decodeFrom(r *reader, texts *[docTexts]string, ints *[docInts]uint64, id func(siteID, url string) string) {
	site := strings.Split(texts[docSite], docMark)
	form, flags := ints[docForm]/docFlags, ints[docForm]%docFlags
	d.WordCount, d.Mask = int64(ints[docWords]), ints[docMask]
	if len(site) < 4 || len(site) > 4 && d.Mask > 0 || form > uint64(len(exports.ContentFormats)) {
		r.fail()
		return
	}
	if form > 0 {
		d.ContentFormat = exports.ContentFormats[form-1]
	}
	d.PublishedAt, d.ModifiedAt, d.RegisteredAt = r.readTime(ints[docPublished]), r.readTime(ints[docModified]), r.readTime(ints[docRegistered])
	d.Section, d.Language, d.Title = texts[docSection], texts[docLanguage], titleCase(texts[docTitle])
	if texts[docTerms] != docNone {
		d.Terms = strings.Split(texts[docTerms], docMark)
	}
	d.Publisher, d.SiteID, d.RightsVector, d.LicenseIDs = titleCase(site[0]), site[1], site[3], site[4:]
	if flags&flagNoDigest == 0 {
		d.Digest = encodeHex(r.readBytes(32))
	}
	start, path := site[2], texts[docPath]
	if flags&flagLiteral == 0 {
		d.SiteID = r.expandText(d.SiteID, d.Publisher, d, 0)
		start = r.expandText(start, "", d, 0)
		path = r.expandText(path, d.Title, d, ints[docNumber])
	}
	d.URL = start + path
	if flags&flagOwnID != 0 {
		d.EntryID = string(r.readBytes(len(r.b)))
	} else {
		d.EntryID = id(d.SiteID, d.URL)
	}
}

// readTime reads an instant; 0 is none.
func (r *reader) readTime(n uint64) string {
	if n > maxSeconds+1 {
		r.fail()
	}
	if r.bad || n == 0 {
		return ""
	}
	return time.Unix(int64(n-1), 0).UTC().Format(time.RFC3339)
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

func indexOf(list []string, word string) int {
	for i := range list {
		if list[i] == word {
			return i
		}
	}
	return -1
}
