package intake

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"encoding/xml"
	"io"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"colophon/internal/extract"
)

// wordPressMark is in the head of an export of WordPress.
const wordPressMark = "wordpress.org/export/"

// wordPressItem is a post or page of such an export.
type wordPressItem struct {
	Title      string   `xml:"title"`
	Link       string   `xml:"link"`
	Creator    string   `xml:"creator"`
	Content    string   `xml:"http://purl.org/rss/1.0/modules/content/ encoded"`
	Date       string   `xml:"post_date_gmt"`
	Modified   string   `xml:"post_modified_gmt"`
	Status     string   `xml:"status"`
	Type       string   `xml:"post_type"`
	Password   string   `xml:"post_password"`
	Categories []string `xml:"category"`
}

// wordPressAuthor is an account of the site, which posts name by its login.
type wordPressAuthor struct {
	Login   string `xml:"author_login"`
	Display string `xml:"author_display_name"`
	First   string `xml:"author_first_name"`
	Last    string `xml:"author_last_name"`
}

func (a *wordPressAuthor) name() string {
	full := extract.OneLine(a.First + " " + a.Last)
	if display := extract.OneLine(a.Display); display != "" && display != a.Login || full == "" {
		return display
	}
	return full
}

// wordPressSite is the head of an export, before its items.
type wordPressSite struct {
	authors  map[string]string // login -> name
	language string
	address  string   // of the blog, as the export has it
	base     *url.URL // that it is published under instead, nil for the same
}

// addressOf returns the address of an item. An export that was made on another
// host than that of the site has its addresses there.
func (s *wordPressSite) addressOf(link string) (*url.URL, error) {
	below, ok := strings.CutPrefix(strings.TrimSpace(link), s.address+"/")
	if s.base == nil || s.address == "" || !ok {
		return parseAddress(link, nil)
	}
	return parseAddress(cmp.Or(below, "./"), s.base)
}

// readHead reads the head of an export, as far as possible.
func (s *wordPressSite) readHead(head []byte) {
	dec := xml.NewDecoder(bytes.NewReader(head))
	dec.Strict = false
	for {
		token, err := dec.Token()
		if err != nil {
			return // the head ends within the channel
		}
		start, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		var text string
		switch start.Name.Local {
		case "author":
			var a wordPressAuthor
			if dec.DecodeElement(&a, &start) == nil {
				s.authors[a.Login] = a.name()
			}
		case "base_blog_url":
			if dec.DecodeElement(&text, &start) == nil {
				s.address = strings.TrimRight(strings.TrimSpace(text), "/")
			}
		case "language":
			if dec.DecodeElement(&text, &start) == nil {
				s.language = extract.LanguageTag(text)
			}
		}
	}
}

// listWordPress yields the published posts and pages of an export, one by one.
func (l *lister) listWordPress(_ context.Context, d *document, yield yieldFunc) error {
	clean, err := cleanXML(d)
	if err != nil {
		return sourceError("%s: the export cannot be read: %v", d.where, err)
	}
	site := wordPressSite{authors: map[string]string{}, base: d.base}
	items := &xmlItems{r: bufio.NewReaderSize(clean, 64<<10), name: "item"}
	for {
		raw, err := items.next(4 * int(l.opt.MaxBytes))
		switch {
		case err == io.EOF && items.read > 0:
			return nil
		case err != nil && err != errItemTooLong:
			return sourceError("%s: the export cannot be read after %d items: %v", d.where, items.read, err)
		}
		at := d.where + " item " + strconv.Itoa(items.read)
		if items.read == 1 {
			site.readHead(items.head)
		}
		var item wordPressItem
		if err == nil {
			err = decodeItem(items.wrap(raw), &item)
		}
		switch {
		case err != nil:
			if err := yield(ref{where: at, problem: failedProblem("bad_item", "%v", err), unplaced: true}); err != nil {
				return err
			}
			continue
		case item.Type != "" && item.Type != "post" && item.Type != "page":
			continue // pictures, menus, revisions
		}
		if err := yield(item.toRef(at, &site)); err != nil {
			return err
		}
	}
}

// decodeItem decodes the item of a document that has one.
func decodeItem(document []byte, item *wordPressItem) error {
	dec := xml.NewDecoder(bytes.NewReader(document))
	dec.Strict = false
	for {
		token, err := dec.Token()
		if err != nil {
			return err
		}
		if start, ok := token.(xml.StartElement); ok && start.Name.Local == "item" {
			return dec.DecodeElement(item, &start)
		}
	}
}

func (i *wordPressItem) toRef(where string, site *wordPressSite) ref {
	u, err := site.addressOf(i.Link)
	switch {
	case i.Type == "":
		return ref{url: u, where: where, problem: failedProblem("no_post_type", "%q has no wp:post_type, which says whether it is a page", titleOfItem(i.Title)), unplaced: err != nil}
	case i.Status != "publish":
		return ref{url: u, where: where, problem: unpublishedProblem("draft", "its status is %q", i.Status)}
	case i.Password != "":
		return ref{url: u, where: where, problem: unpublishedProblem("protected", "it is kept behind a password")}
	case err != nil:
		return ref{where: where, problem: failedProblem("bad_url", "the item links to %q: %v", clipText(i.Link, 200), err)}
	}
	facts := draft{title: titleOfItem(i.Title), byline: []string{cmp.Or(site.authors[i.Creator], i.Creator)}, language: site.language, published: extract.Instant(i.Date), modified: extract.Instant(i.Modified), terms: i.Categories}
	return ref{url: u, where: u.String(), supplied: &suppliedPage{url: u, facts: facts, body: wordPressText(i.Content), format: "html"}}
}

// The shortcodes of WordPress itself. What an embed encloses is an address.
var (
	wordPressEmbed = regexp.MustCompile(`\[embed(?:\s[^\]]*)?\][^\[]*\[/embed\]`)
	wordPressCode  = regexp.MustCompile(`\[\[[^\[\]]*\]\]|\[/?(?:audio|caption|embed|gallery|playlist|video|wp_caption)(?:\s[^\]]*)?\]`)
)

// wordPressText turns blank lines into paragraphs if a post has no paragraph
// elements, as WordPress does, and removes shortcodes except those quoted by a
// second pair of brackets.
func wordPressText(content string) string {
	content = wordPressEmbed.ReplaceAllString(content, "")
	content = wordPressCode.ReplaceAllStringFunc(content, func(code string) string {
		if strings.HasPrefix(code, "[[") {
			return code[1 : len(code)-1]
		}
		return ""
	})
	if strings.Contains(content, "<p>") || strings.Contains(content, "<p ") || strings.Contains(content, "<!-- wp:") {
		return content
	}
	return "<p>" + strings.ReplaceAll(strings.ReplaceAll(content, "\r\n", "\n"), "\n\n", "</p>\n<p>") + "</p>"
}

// ghostExport is an export of Ghost, whose data older versions do not wrap.
type ghostExport struct {
	DB   []struct{ Data ghostData }
	Data ghostData
}

type ghostData struct {
	Posts []ghostPost
	Users []struct {
		ID   ghostID
		Name string
	}
	PostsAuthors []struct {
		PostID   ghostID `json:"post_id"`
		AuthorID ghostID `json:"author_id"`
	} `json:"posts_authors"`
}

type ghostPost struct {
	ID         ghostID
	AuthorID   ghostID `json:"author_id"` // in older versions
	Title      string
	Slug       string
	HTML       string
	Status     string
	Visibility string
	Published  ghostDate `json:"published_at"`
	Updated    ghostDate `json:"updated_at"`
	Canonical  string    `json:"canonical_url"`
	Locale     string
	Language   string // in older versions
}

// ghostID is a string, or a number in older versions.
type ghostID string

// UnmarshalJSON reads either.
func (id *ghostID) UnmarshalJSON(raw []byte) error {
	if string(raw) != "null" {
		*id = ghostID(strings.Trim(string(raw), `"`))
	}
	return nil
}

// ghostDate is an instant: a text, or milliseconds in older versions.
type ghostDate string

// UnmarshalJSON reads either.
func (d *ghostDate) UnmarshalJSON(raw []byte) error {
	if ms, err := strconv.ParseInt(string(raw), 10, 64); err == nil {
		*d = ghostDate(extract.InstantOf(time.UnixMilli(ms)))
		return nil
	}
	*d = ghostDate(extract.Instant(strings.Trim(string(raw), `"`)))
	return nil
}

// isGhost reports the head of an export of Ghost.
func isGhost(head []byte) bool {
	text := strings.Join(strings.Fields(string(head[:min(len(head), 4096)])), "")
	return strings.HasPrefix(text, `{"db":[`) || strings.HasPrefix(text, `{"meta":{"exported_on"`)
}

// listGhost yields the published posts of an export. Addresses are those of
// Ghost's default routes, below --base.
func (l *lister) listGhost(_ context.Context, d *document, yield yieldFunc) error {
	var export ghostExport
	if err := json.NewDecoder(d).Decode(&export); err != nil {
		return sourceError("%s: the export cannot be read: %v", d.where, err)
	}
	data := &export.Data
	if len(export.DB) > 0 {
		data = &export.DB[0].Data
	}
	names := map[ghostID]string{}
	for _, u := range data.Users {
		names[u.ID] = u.Name
	}
	authors := map[ghostID][]string{}
	for _, p := range data.Posts {
		if p.AuthorID != "" {
			authors[p.ID] = []string{names[p.AuthorID]}
		}
	}
	for _, pa := range data.PostsAuthors {
		if !slices.Contains(authors[pa.PostID], names[pa.AuthorID]) {
			authors[pa.PostID] = append(authors[pa.PostID], names[pa.AuthorID])
		}
	}
	for i := range data.Posts {
		p := &data.Posts[i]
		one := ref{where: d.where + " post " + p.Slug}
		at := cmp.Or(p.Canonical, p.Slug+"/")
		u, err := parseAddress(at, d.base)
		one.url = u
		switch {
		case err != nil:
			one.problem = failedProblem("bad_url", "%q: %v", at, err)
		case p.Status != "published":
			one.problem = unpublishedProblem("draft", "its status is %q", p.Status)
		case p.Visibility != "" && p.Visibility != "public":
			one.problem = unpublishedProblem("protected", "it is for %s", p.Visibility)
		default:
			facts := draft{title: p.Title, byline: authors[p.ID], language: extract.LanguageTag(cmp.Or(p.Locale, p.Language)), published: string(p.Published), modified: string(p.Updated)}
			one.supplied = &suppliedPage{url: u, facts: facts, body: p.HTML, format: "html"}
		}
		if err := yield(one); err != nil {
			return err
		}
	}
	return nil
}
