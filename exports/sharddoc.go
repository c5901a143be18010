package exports

import (
	"strconv"
	"strings"
	"time"
)

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
// shortened by what they repeat, see expand.
// Ints: 8 times the place of the content format in ContentFormats, from 1,
// plus the flags; when the page was published, modified and registered, in
// seconds since 1970 plus 1 (0 for never); the words, the number in the path,
// and the mask.
// Raw: the digest as 32 bytes, then the entry id if it is its own.
// It fails on a time, format, digest or mask without such a form. Bytes that
// are not UTF-8 become U+FFFD, as they do in every answer.
func (d *Doc) Store(id func(siteID, url string) string) (Stored, error) {
	s := Stored{Texts: make([]string, docTexts), Ints: make([]uint64, docInts)}
	form := 1 + indexOf(ContentFormats, d.ContentFormat)
	if form == 0 && d.ContentFormat != "" || d.Mask > maxInt {
		return Stored{}, ErrShard
	}
	for i, at := range []string{d.PublishedAt, d.ModifiedAt, d.RegisteredAt} {
		seconds, ok := secondsOf(at)
		if !ok {
			return Stored{}, ErrShard
		}
		s.Ints[docPublished+i] = seconds
	}
	s.Ints[docForm], s.Ints[docWords], s.Ints[docMask] = uint64(form*docFlags), uint64(min(max(0, d.WordCount), maxInt)), d.Mask
	if d.Digest == "" {
		s.Ints[docForm] |= flagNoDigest
	} else {
		sum, ok := unhex(d.Digest)
		if !ok || len(sum) != 32 {
			return Stored{}, ErrShard
		}
		s.Raw = sum
	}
	d.texts(&s, true)
	site, url := whole(d.SiteID), whole(d.URL)
	back, err := LoadDoc(s, id)
	if err != nil || back.SiteID != site || back.URL != url {
		s.Ints[docForm] |= flagLiteral
		d.texts(&s, false)
		back.EntryID = id(site, url)
	}
	if d.EntryID != back.EntryID {
		s.Ints[docForm] |= flagOwnID
		s.Raw = append(s.Raw, d.EntryID...)
	}
	return s, nil
}

// texts fills in the texts, and the number of the path.
func (d *Doc) texts(s *Stored, short bool) {
	name, site := whole(d.Publisher), whole(d.SiteID)
	start, path := cutURL(whole(d.URL))
	s.Texts[docSection], s.Texts[docTitle] = whole(d.Section), whole(d.Title)
	s.Ints[docNumber] = 0
	if short {
		start = contract(start, nil, startWords(site)...)
		site = contract(site, slugs(name))
		path = contract(path, slugs(s.Texts[docTitle]), pathWords(s.Texts[docSection], d.PublishedAt)...)
		path, s.Ints[docNumber] = takeNumber(path)
	}
	s.Texts[docSite] = strings.Join([]string{plainCase(name), site, start, whole(d.RightsVector)}, docMark)
	if d.Mask == 0 && len(d.LicenseIDs) > 0 {
		s.Texts[docSite] += docMark + joined(d.LicenseIDs)
	}
	s.Texts[docTerms] = docNone
	if len(d.Terms) > 0 {
		s.Texts[docTerms] = joined(d.Terms)
	}
	s.Texts[docLanguage], s.Texts[docTitle], s.Texts[docPath] = whole(d.Language), plainCase(s.Texts[docTitle]), path
}

// whole puts U+FFFD in the place of bytes that are not UTF-8.
func whole(s string) string { return string([]rune(s)) }

// joined is the texts of a list in one.
func joined(list []string) string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = whole(s)
	}
	return strings.Join(out, docMark)
}

// LoadDoc decodes a record of a block; id is that of Store.
func LoadDoc(s Stored, id func(siteID, url string) string) (Doc, error) {
	var d Doc
	if len(s.Texts) != docTexts || len(s.Ints) != docInts {
		return d, ErrShard
	}
	site := strings.Split(s.Texts[docSite], docMark)
	form, flags := s.Ints[docForm]/docFlags, s.Ints[docForm]%docFlags
	if len(site) < 4 || len(site) > 4 && s.Ints[docMask] > 0 || form > uint64(len(ContentFormats)) {
		return d, ErrShard
	}
	if form > 0 {
		d.ContentFormat = ContentFormats[form-1]
	}
	for i, at := range []*string{&d.PublishedAt, &d.ModifiedAt, &d.RegisteredAt} {
		n := s.Ints[docPublished+i]
		if n > maxSeconds+1 {
			return d, ErrShard
		}
		if n > 0 {
			*at = time.Unix(int64(n-1), 0).UTC().Format(time.RFC3339)
		}
	}
	d.WordCount, d.Mask = int64(s.Ints[docWords]), s.Ints[docMask]
	d.Section, d.Language, d.Title = s.Texts[docSection], s.Texts[docLanguage], titleCase(s.Texts[docTitle])
	if s.Texts[docTerms] != docNone {
		d.Terms = strings.Split(s.Texts[docTerms], docMark)
	}
	d.Publisher, d.SiteID, d.RightsVector = titleCase(site[0]), site[1], site[3]
	if len(site) > 4 {
		d.LicenseIDs = site[4:]
	}
	if !d.address(site[2], s.Texts[docPath], s.Ints[docNumber], flags&flagLiteral != 0) {
		return d, ErrShard
	}
	r := shardReader{b: s.Raw}
	if flags&flagNoDigest == 0 {
		d.Digest = hexOf(r.bytes(32))
	}
	if flags&flagOwnID != 0 {
		d.EntryID = string(r.bytes(len(r.b)))
	} else {
		d.EntryID = id(d.SiteID, d.URL)
	}
	return d, r.end()
}

// address puts site id and URL together.
func (d *Doc) address(start, path string, number uint64, literal bool) bool {
	d.URL = start + path
	if literal {
		return true
	}
	var a, b, c bool
	d.SiteID, a = expand(d.SiteID, slugs(d.Publisher))
	start, b = expand(start, nil, startWords(d.SiteID)...)
	n := strconv.FormatUint(number, 10)
	path, c = expand(path, slugs(d.Title), append(pathWords(d.Section, d.PublishedAt), n, "-"+n)...)
	d.URL = start + path
	return a && b && c
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
