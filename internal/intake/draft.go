package intake

import (
	"cmp"
	"net/url"
	"path"
	"strings"
	"unicode"
	"unicode/utf8"

	"colophon/internal/canonicaltext"
	"colophon/internal/extract"
	"colophon/internal/iscc"
	"colophon/internal/origin"
	"colophon/internal/urlkey"
)

// How the text of a page was obtained, as its record will say.
const (
	extractionMain     = "service.main-text.v4" // the main text of a fetched page, less the template of its site
	extractionHTML     = "service.html-text.v1" // all text of HTML that came in NDJSON
	extractionSupplied = "publisher-supplied-text"
)

// draft is a page as read, before it is stored.
type draft struct {
	canonical   string   // by service.url-key.v1
	stated      *url.URL // another canonical address that the page states, nil none
	title       string
	byline      []string
	section     string
	terms       []string // as stated
	language    string
	format      string
	published   string
	modified    string
	extraction  string
	text        string
	markdown    string
	html        string
	code        string // similarity code of the canonical text, "" when it is short
	fingerprint string // of the canonical text, "" when it is short
	template    string // digest of the template that the text was made with, "" if none
	encoding    string // that the page came in
	facts       []origin.Fact
	reasons     []extract.Reason // why it goes to review before it is signed
	dropped     string           // visible text that is not in text; only if there are reasons
}

// addReason adds a reason to review the page.
func (d *draft) addReason(code, detail string) {
	d.reasons = append(d.reasons, extract.Reason{Code: code, Detail: detail})
}

// factList returns where the facts of a page were found.
func factList(f *extract.Facts) []origin.Fact {
	var list []origin.Fact
	add := func(name string, f extract.Fact) {
		if f.Value != "" {
			list = append(list, origin.Fact{Name: name, Value: f.Value, Source: f.Source, Confidence: f.Confidence})
		}
	}
	add("title", f.Title)
	for _, a := range f.Authors {
		add("author", a)
	}
	add("language", f.Language)
	add("section", f.Section)
	add("published_at", f.Published)
	add("modified_at", f.Modified)
	return list
}

// finishDraft checks and completes what was read.
func (d *draft) finishDraft() *problem {
	if strings.IndexByte(d.text, 0) >= 0 || strings.IndexByte(d.title, 0) >= 0 {
		return failedProblem("bad_text", "the text has a NUL character in it")
	}
	canonical, err := canonicaltext.CanonicalText(d.text)
	if err != nil {
		return failedProblem("bad_text", "%v", err)
	}
	if canonical == "" {
		return skippedProblem("no_text", "there is no text on it")
	}
	if utf8.RuneCountInString(canonical) >= canonicaltext.MinTextRunes {
		d.fingerprint = canonicaltext.PortableDigest([]byte(canonical))
		d.code = iscc.Sum(canonical).String()
	}
	d.title = boundRunes(cmp.Or(extract.OneLine(d.title), titleOfAddress(d.canonical), d.canonical), 300)
	d.section = boundRunes(cmp.Or(extract.OneLine(d.section), firstSegment(d.canonical)), 80)
	d.terms = termList(d.terms, d.title)
	d.byline = parseNames(d.byline)
	return nil
}

// toPage returns the draft as the page of an entry; the instants of the store are
// left open.
func (d *draft) toPage(siteID, entry string) origin.Page {
	return origin.Page{
		EntryID: entry, SiteID: siteID, CanonicalURL: d.canonical, Title: d.title, Byline: d.byline, Section: d.section, Terms: d.terms,
		Language: d.language, ContentFormat: d.format, WordCount: wordCount(d.text), PublishedAt: d.published, ModifiedAt: d.modified,
		State: "active", Portable: d.fingerprint, Registry: urlkey.RegistryDigest(siteID, entry, d.canonical, d.fingerprint),
		Extraction: d.extraction, ISCC: d.code,
	}
}

// parseNames returns the people in stated bylines, without e-mail addresses and
// "By".
func parseNames(stated []string) []string {
	var list []string
	seen := map[string]bool{}
	for _, s := range stated {
		s = extract.CleanName(s)
		if s == "" || len(list) == 16 || seen[s] {
			continue
		}
		seen[s] = true
		list = append(list, boundRunes(s, 120))
	}
	return list
}

func boundRunes(s string, runes int) string {
	if utf8.RuneCountInString(s) <= runes {
		return s
	}
	return strings.TrimSpace(string([]rune(s)[:runes-1])) + "…"
}

// pathOf returns the path of a canonical address, unescaped if possible.
func pathOf(canonical string) string {
	u, err := parseAddress(canonical, nil)
	if err != nil || !utf8.ValidString(u.Path) {
		return ""
	}
	return u.Path
}

// firstSegment returns the first of several path segments, which suggests the
// section, unless it is a number.
func firstSegment(canonical string) string {
	segment, rest, ok := strings.Cut(strings.TrimPrefix(pathOf(canonical), "/"), "/")
	if !ok || rest == "" && strings.Contains(segment, ".") || extract.IsDigits(segment) {
		return ""
	}
	return extract.OneLine(segment)
}

// titleOfAddress returns a title for a page that states none: the words of the
// last segment of its path, the first of them with a capital.
func titleOfAddress(canonical string) string {
	p := strings.Trim(pathOf(canonical), "/")
	words := strings.NewReplacer("-", " ", "_", " ").Replace(strings.TrimSuffix(path.Base("/"+p), path.Ext(p)))
	words = extract.OneLine(words)
	first, size := utf8.DecodeRuneInString(words)
	if size == 0 {
		return ""
	}
	return string(unicode.ToUpper(first)) + words[size:]
}
