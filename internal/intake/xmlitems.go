package intake

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"

	"golang.org/x/net/html/charset"
	"golang.org/x/text/runes"
	"golang.org/x/text/transform"
)

// prologSize is how many bytes of a document are searched for its declaration.
const prologSize = 1024

var (
	xmlDeclaration = regexp.MustCompile(`^(?:\xef\xbb\xbf)?\s*<\?xml[^>]*\?>`)
	xmlEncoding    = regexp.MustCompile(`encoding\s*=\s*["']([A-Za-z0-9._-]+)["']`)
)

// cleanXML reads an XML document as UTF-8 without its declaration, and without the
// octets and control characters that no XML document may hold (XML 1.0, section
// 2.2): one of them would end every parser.
func cleanXML(r io.Reader) (io.Reader, error) {
	b := bufio.NewReaderSize(r, 64<<10)
	head, err := b.Peek(prologSize)
	if err != nil && err != io.EOF {
		return nil, err
	}
	label := ""
	declaration := xmlDeclaration.Find(head)
	if found := xmlEncoding.FindSubmatch(declaration); found != nil {
		label = string(found[1])
	}
	if _, err := b.Discard(len(declaration)); err != nil {
		return nil, err
	}
	var decoded io.Reader = b
	if label != "" && !strings.EqualFold(label, "utf-8") {
		if decoded, err = charset.NewReaderLabel(label, b); err != nil {
			return nil, err
		}
	}
	illegal := func(r rune) bool {
		return r < ' ' && r != '\t' && r != '\n' && r != '\r' || r == '\ufffe' || r == '\uffff'
	}
	return transform.NewReader(decoded, transform.Chain(runes.ReplaceIllFormed(), runes.Remove(runes.Predicate(illegal)))), nil
}

// xmlItems splits a document into its items, so that one that is not well-formed does not
// affect those after it.
type xmlItems struct {
	r    *bufio.Reader
	name string // of the element of an item
	head []byte // what precedes the first item, once it was read
	read int    // items
}

// errItemTooLong is returned for an item beyond the limit; the next can be read.
var errItemTooLong = errors.New("the item is too long")

// next returns the next item, from its start tag to its end tag. It returns
// io.EOF if there is none, and io.ErrUnexpectedEOF if the last one is cut off.
func (x *xmlItems) next(limit int) ([]byte, error) {
	var item bytes.Buffer
	inside, tooLong := false, false
	for {
		token, err := x.token()
		switch {
		case err == io.EOF && inside:
			return nil, io.ErrUnexpectedEOF
		case err != nil:
			return nil, err
		}
		if !inside && x.isTag(token, "<") {
			inside = true
			x.read++
		}
		switch {
		case inside && item.Len()+len(token) > limit:
			tooLong = true
		case inside && !tooLong:
			item.Write(token)
		case x.read == 0 && len(x.head) < limit:
			x.head = append(x.head, token...)
		}
		if inside && (x.isTag(token, "</") || x.isTag(token, "<") && bytes.HasSuffix(token, []byte("/>"))) {
			if tooLong {
				return nil, errItemTooLong
			}
			return item.Bytes(), nil
		}
	}
}

// isTag reports a start tag of an item, or an end tag.
func (x *xmlItems) isTag(token []byte, begin string) bool {
	rest, ok := bytes.CutPrefix(token, []byte(begin+x.name))
	return ok && len(rest) > 0 && strings.IndexByte(" \t\r\n/>", rest[0]) >= 0
}

// token reads a tag, a comment, a CDATA section or the text before the next.
func (x *xmlItems) token() ([]byte, error) {
	first, err := x.r.Peek(1)
	if err != nil {
		return nil, err
	}
	if first[0] != '<' {
		return x.through("<", true)
	}
	for begin, end := range map[string]string{"<![CDATA[": "]]>", "<!--": "-->"} {
		if head, _ := x.r.Peek(len(begin)); string(head) == begin {
			return x.through(end, false)
		}
	}
	return x.through(">", false)
}

// through reads to the end of a mark, or to just before it.
func (x *xmlItems) through(mark string, before bool) ([]byte, error) {
	var out []byte
	last := mark[len(mark)-1]
	for {
		part, err := x.r.ReadSlice(last)
		out = append(out, part...)
		switch {
		case err == bufio.ErrBufferFull:
		case err == io.EOF && len(out) > 0:
			return out, nil
		case err != nil:
			return nil, err
		case bytes.HasSuffix(out, []byte(mark)):
			if before {
				return out[:len(out)-len(mark)], x.r.UnreadByte()
			}
			return out, nil
		}
	}
}

// rootTag returns the start tag of the document, which declares its namespaces
// and base.
func (x *xmlItems) rootTag() ([]byte, string) {
	tag := startTag.FindSubmatch(x.head)
	if tag == nil {
		return nil, ""
	}
	return tag[0], string(tag[1])
}

var startTag = regexp.MustCompile(`<([A-Za-z_][\w:.-]*)(?:\s[^>]*)?>`)

// wrap returns a document with one item, in the tags that a document of its
// kind opens before its items and closes after them.
func (x *xmlItems) wrap(item []byte) []byte {
	tag, root := x.rootTag()
	open, end := "", ""
	if root == "rss" {
		open, end = "<channel>", "</channel>"
	}
	return fmt.Appendf(nil, "%s%s%s%s</%s>", tag, open, item, end, root)
}
