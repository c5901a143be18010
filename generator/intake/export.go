package intake

import (
	"bufio"
	"encoding/json"
	"encoding/xml"
	"io"
	"strings"

	"golang.org/x/net/html/charset"
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

// wordPress yields the published posts and pages of an export, one by one.
func (l *lister) wordPress(r io.Reader, where string) error {
	dec := xml.NewDecoder(r)
	dec.CharsetReader = charset.NewReaderLabel
	dec.Strict = false
	items := 0
	for {
		token, err := dec.Token()
		if err == io.EOF && items > 0 {
			return nil
		}
		if err != nil {
			return sourceError("%s: the export cannot be read after %d items: %v", where, items, err)
		}
		start, ok := token.(xml.StartElement)
		if !ok || start.Name.Local != "item" {
			continue
		}
		var item wordPressItem
		if err := dec.DecodeElement(&item, &start); err != nil {
			return sourceError("%s: the export cannot be read after %d items: %v", where, items, err)
		}
		items++
		if item.Type != "post" && item.Type != "page" {
			continue // pictures, menus, revisions
		}
		if err := l.yield(item.ref(where + " item " + digits(items))); err != nil {
			return err
		}
	}
}

func (i *wordPressItem) ref(where string) ref {
	switch {
	case i.Status != "publish":
		return ref{where: where, problem: skipped("draft", "its status is %q", i.Status)}
	case i.Password != "":
		return ref{where: where, problem: skipped("protected", "it is kept behind a password")}
	}
	u, err := address(i.Link, nil)
	if err != nil {
		return ref{where: where, problem: failed("bad_url", "the item links to %q: %v", clip(i.Link, 200), err)}
	}
	facts := draft{title: oneLine(i.Title), byline: []string{i.Creator}, published: instant(i.Date), modified: instant(i.Modified), terms: i.Categories}
	return ref{where: u.String(), supplied: &suppliedPage{url: u, facts: facts, body: wordPressText(i.Content), format: "html"}}
}

// wordPressText makes paragraphs of blank lines where a post has no marks of
// paragraphs, as WordPress does, and drops the comments of its editor.
func wordPressText(content string) string {
	if strings.Contains(content, "<p>") || strings.Contains(content, "<p ") || strings.Contains(content, "<!-- wp:") {
		return content
	}
	return "<p>" + strings.ReplaceAll(strings.ReplaceAll(content, "\r\n", "\n"), "\n\n", "</p>\n<p>") + "</p>"
}

// ghostExport is an export of Ghost.
type ghostExport struct {
	DB []struct {
		Data struct {
			Posts []ghostPost `json:"posts"`
			Users []struct {
				ID   string `json:"id"`
				Name string `json:"name"`
			} `json:"users"`
			PostsAuthors []struct {
				PostID   string `json:"post_id"`
				AuthorID string `json:"author_id"`
			} `json:"posts_authors"`
		} `json:"data"`
	} `json:"db"`
}

type ghostPost struct {
	ID         string `json:"id"`
	Title      string `json:"title"`
	Slug       string `json:"slug"`
	HTML       string `json:"html"`
	Status     string `json:"status"`
	Visibility string `json:"visibility"`
	Published  string `json:"published_at"`
	Updated    string `json:"updated_at"`
	Canonical  string `json:"canonical_url"`
	Locale     string `json:"locale"`
}

// isGhost reports the head of an export of Ghost.
func isGhost(r *bufio.Reader) bool {
	head, _ := r.Peek(4096)
	text := strings.Join(strings.Fields(string(head)), "")
	return strings.HasPrefix(text, `{"db":[`) || strings.HasPrefix(text, `{"meta":{"exported_on"`)
}

// ghost yields the published posts of an export. Addresses are those of
// Ghost's default routes, below --base.
func (l *lister) ghost(r io.Reader, where string) error {
	base, err := address(l.opt.Base, nil)
	if err != nil {
		return usage("an export of Ghost needs --base, the address of the site: %v", err)
	}
	if !strings.HasSuffix(base.Path, "/") {
		base.Path += "/"
	}
	var export ghostExport
	if err := json.NewDecoder(r).Decode(&export); err != nil || len(export.DB) == 0 {
		return sourceError("%s: the export cannot be read: %v", where, err)
	}
	data := &export.DB[0].Data
	names := map[string]string{}
	for _, u := range data.Users {
		names[u.ID] = u.Name
	}
	authors := map[string][]string{}
	for _, pa := range data.PostsAuthors {
		authors[pa.PostID] = append(authors[pa.PostID], names[pa.AuthorID])
	}
	for i := range data.Posts {
		p := &data.Posts[i]
		one := ref{where: where + " post " + p.Slug}
		at := first(p.Canonical, p.Slug+"/")
		u, err := base.Parse(at)
		switch {
		case p.Status != "published":
			one.problem = skipped("draft", "its status is %q", p.Status)
		case p.Visibility != "" && p.Visibility != "public":
			one.problem = skipped("protected", "it is for %s", p.Visibility)
		case err != nil:
			one.problem = failed("bad_url", "%q: %v", at, err)
		default:
			facts := draft{title: p.Title, byline: authors[p.ID], language: languageTag(p.Locale), published: instant(p.Published), modified: instant(p.Updated)}
			one.supplied = &suppliedPage{url: u, facts: facts, body: p.HTML, format: "html"}
		}
		if err := l.yield(one); err != nil {
			return err
		}
	}
	return nil
}
