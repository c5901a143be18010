package extract

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/wlynxg/chardet"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
	"golang.org/x/net/html/charset"
)

// How the encoding of a page was found.
const (
	EncodingStated   = "stated"   // by a byte order mark, the header or the page itself, as browsers read them
	EncodingValid    = "valid"    // nothing is stated, and the bytes are UTF-8
	EncodingDetected = "detected" // by its bytes
	EncodingGuessed  = "guessed"  // the fallback of browsers
)

// ErrEncoding is returned for bytes that the encoding that is stated for them
// cannot be read as at all.
var ErrEncoding = errors.New("it cannot be decoded")

// Decoded is the text of a page.
type Decoded struct {
	Text     string
	Encoding string // canonical name of the Encoding Standard
	How      string // EncodingStated, EncodingValid, EncodingDetected, EncodingGuessed
	Suspect  string // why the text may be mojibake, "" when it is not
}

// Bounds of the detection.
const (
	prescanBytes  = 1024      // of a page, for its own declaration, as browsers do first
	headBytes     = 256 << 10 // of a page, for a declaration further down its head
	detectBytes   = 64 << 10
	sureDetection = .55 // confidence of the detector below which a page is suspect
	nullShare     = 100 // one null byte in this many makes a page suspect
)

// Decode turns the bytes of a page into text as browsers do: by its byte order
// mark, its Content-Type, or its own declaration. Without any of these the
// bytes decide. Bytes that cannot be decoded become U+FFFD.
func Decode(body []byte, contentType string) (Decoded, error) {
	head := body[:min(len(body), prescanBytes)]
	enc, name, stated := charset.DetermineEncoding(head, contentType)
	d := Decoded{Encoding: name, How: EncodingStated}
	confidence := 1.0
	if !stated {
		if d.Encoding = statedInPage(body); d.Encoding == "" {
			d.How, d.Encoding, confidence = detectEncoding(body)
		}
		enc, _ = charset.Lookup(d.Encoding)
	}
	if d.Encoding == "utf-8" {
		d.Text = strings.ToValidUTF8(string(body), "\ufffd")
	} else {
		text, err := enc.NewDecoder().Bytes(body)
		if err != nil {
			return d, fmt.Errorf("%w as %s: %w", ErrEncoding, d.Encoding, err)
		}
		d.Text = string(text)
	}
	d.Text = strings.TrimPrefix(d.Text, "\ufeff")
	d.Suspect = suspectDecoding(body, &d, confidence)
	return d, nil
}

// statedInPage returns the encoding that the head of a page states, in a <meta>
// element or in the XML declaration before it, "" if none. Like browsers, it
// reads UTF-16 there as UTF-8. Text after </head> or <body> does not count.
func statedInPage(page []byte) string {
	if declaration, _, ok := bytes.Cut(page[:min(len(page), prescanBytes)], []byte("?>")); ok && bytes.HasPrefix(declaration, []byte("<?xml")) {
		if name := labelledEncoding(labelAfter(string(declaration), "encoding")); name != "" {
			return name
		}
	}
	z := html.NewTokenizer(bytes.NewReader(page[:min(len(page), headBytes)]))
	for {
		switch kind := z.Next(); kind {
		case html.ErrorToken:
			return ""
		case html.EndTagToken, html.StartTagToken, html.SelfClosingTagToken:
			t := z.Token()
			if kind == html.EndTagToken && t.DataAtom == atom.Head || kind != html.EndTagToken && t.DataAtom == atom.Body {
				return ""
			}
			if kind == html.EndTagToken || t.DataAtom != atom.Meta {
				continue
			}
			n := &html.Node{Attr: t.Attr}
			label := Attr(n, "charset")
			if label == "" && strings.EqualFold(strings.TrimSpace(Attr(n, "http-equiv")), "content-type") {
				label = labelAfter(Attr(n, "content"), "charset")
			}
			if name := labelledEncoding(label); name != "" {
				return name
			}
		}
	}
}

// labelledEncoding returns the canonical name of the encoding with a label, ""
// for a label that is not in the Encoding Standard.
func labelledEncoding(label string) string {
	_, name := charset.Lookup(strings.TrimSpace(label))
	switch {
	case strings.HasPrefix(name, "utf-16"):
		return "utf-8"
	case name == "x-user-defined":
		return "windows-1252"
	}
	return name
}

// labelAfter returns the value of name=value in the content of a <meta>
// element, quoted or not, with or without a media type before it, by the
// algorithm for extracting a character encoding from a meta element of the HTML
// Standard. It returns "" if there is none.
func labelAfter(content, name string) string {
	for rest := strings.ToLower(content); ; {
		at := strings.Index(rest, name)
		if at < 0 {
			return ""
		}
		rest = strings.TrimLeft(rest[at+len(name):], " \t\n\f\r")
		value, ok := strings.CutPrefix(rest, "=")
		if !ok {
			continue
		}
		value = strings.TrimLeft(value, " \t\n\f\r")
		if value != "" && strings.ContainsRune(`"'`, rune(value[0])) {
			quoted, _, closed := strings.Cut(value[1:], value[:1])
			if !closed {
				return ""
			}
			return quoted
		}
		if end := strings.IndexAny(value, "; \t\n\f\r"); end >= 0 {
			value = value[:end]
		}
		return value
	}
}

// suspectDecoding returns why a decoding may be wrong, before its text is
// examined: see SuspectText.
func suspectDecoding(body []byte, d *Decoded, confidence float64) string {
	plain := isASCII(body)
	switch {
	case !strings.HasPrefix(d.Encoding, "utf-16") && nullShare*bytes.Count(body, []byte{0}) > len(body):
		return "it is full of null bytes, as UTF-16 and UTF-32 without a mark are"
	case d.How == EncodingStated && d.Encoding != "utf-8" && !strings.HasPrefix(d.Encoding, "utf-16") && !plain && utf8.Valid(body):
		return "its encoding is stated as " + d.Encoding + ", but its bytes are UTF-8"
	case d.How == EncodingStated && isSingleByte(d.Encoding) && !plain:
		return contradictedByBytes(body, d.Encoding)
	case (d.How == EncodingDetected || d.How == EncodingGuessed) && confidence < sureDetection:
		return "no encoding is stated, and " + d.Encoding + " is but a guess by its bytes"
	}
	return ""
}

// minOddSigns is how many signs that no word has speak against an encoding that
// is stated; a page may have a few in names and code.
const minOddSigns = 5

// contradictedByBytes says why bytes are not in the single-byte encoding that
// is stated for them: as another one they make words, as this one they do not.
func contradictedByBytes(body []byte, stated string) string {
	_, found, _ := detectEncoding(body)
	if found == stated {
		return ""
	}
	sample := withoutTags(body)
	odd, better := countOdd(sample, stated), countOdd(sample, found)
	if odd < minOddSigns || 4*better > odd {
		return ""
	}
	return "its encoding is stated as " + stated + ", but its bytes read as " + found
}

// countOdd counts the signs that no word has, and the letters that the language
// of the text does not have, in bytes that are read in an encoding.
func countOdd(sample []byte, encoding string) int {
	text := decodeSample(sample, encoding)
	language := guessLanguage(text).tag
	return countOddSigns(text) + countForeign(text, language)
}

// detectEncoding guesses the encoding of a page that states none from its bytes.
func detectEncoding(body []byte) (how, name string, confidence float64) {
	if bytes.Contains(body, []byte("\x1b$")) && bytes.Contains(body, []byte("\x1b(")) && isASCII(body) {
		return EncodingDetected, "iso-2022-jp", 1
	}
	if utf8.Valid(body) {
		return EncodingValid, "utf-8", 1
	}
	best := chardet.Detect(withoutTags(body))
	name = standardName(best.Charset)
	if name == "" || best.Confidence <= 0 {
		name = "windows-1252"
	}
	return refineEncoding(body, name, best.Confidence)
}

// relatives are the encodings that one language is written in and that the
// detector confuses with others: the letters of ASCII reveal the language, and
// the language reveals the encoding.
var relatives = map[string][]string{
	"pl": {"windows-1250", "iso-8859-2"}, "cs": {"windows-1250", "iso-8859-2"}, "sk": {"windows-1250", "iso-8859-2"}, "hu": {"windows-1250", "iso-8859-2"},
	"sl": {"windows-1250", "iso-8859-2"}, "hr": {"windows-1250", "iso-8859-2"}, "ro": {"windows-1250", "iso-8859-2"}, "tr": {"windows-1254"}, "az": {"windows-1254"},
	"lt": {"windows-1257"}, "lv": {"windows-1257"}, "et": {"windows-1257", "windows-1252"}, "vi": {"windows-1258"},
	"el": {"windows-1253", "iso-8859-7"},
	"ru": {"windows-1251", "koi8-r", "iso-8859-5", "ibm866"}, "bg": {"windows-1251", "iso-8859-5", "koi8-r"}, "uk": {"windows-1251", "koi8-u"}, "be": {"windows-1251", "koi8-u"},
}

// alphabets are the letters beyond ASCII of languages for which two related
// encodings both give only letters.
var alphabets = map[string]string{
	"cs": "áčďéěíňóřšťúůýž", "sk": "áäčďéíĺľňóôŕšťúýž", "pl": "ąćęłńóśźż", "hu": "áéíóöőúüű", "sl": "čšž", "hr": "čćđšž", "ro": "ăâîșțşţ", "tr": "âçğıîöşûü",
}

// countForeign counts letters beyond ASCII that a language does not have.
func countForeign(text, language string) (n int) {
	alphabet, ok := alphabets[language]
	if !ok {
		return 0
	}
	for _, r := range strings.ToLower(text) {
		if r > unicode.MaxASCII && unicode.IsLetter(r) && !strings.ContainsRune(alphabet, r) {
			n++
		}
	}
	return n
}

// western are the languages that windows-1252 is meant for.
var western = []string{"en", "de", "fr", "es", "pt", "it", "nl", "sv", "da", "nb", "nn", "no", "fi", "ca", "eu", "af", "id", "so", "sw"}

// countNordic counts the Icelandic letters of windows-1252 in positions where
// other encodings of Latin letters have Turkish or Baltic ones.
func countNordic(text string) (n int) {
	for _, r := range text {
		if strings.ContainsRune("ðþýÐÞÝ", r) {
			n++
		}
	}
	return n
}

// refineEncoding chooses among single-byte encodings by the language of the
// decoded text. Of those that suit, it chooses the one with the fewest signs
// inside words. Its confidence is 0 if none suits.
func refineEncoding(body []byte, name string, confidence float64) (how, refined string, sure float64) {
	if !isSingleByte(name) {
		return EncodingDetected, name, confidence
	}
	sample := withoutTags(body)
	language := guessLanguage(decodeSample(sample, name)).tag
	candidates := relatives[language]
	switch name {
	case "koi8-r":
		candidates = append([]string{"koi8-r"}, relatives["uk"]...)
	case "macintosh":
		candidates = []string{"windows-1252", "macintosh"}
	}
	if len(candidates) == 0 {
		if name == "windows-1252" && (!slices.Contains(western, language) || countNordic(decodeSample(sample, name)) >= minOddSigns) {
			return EncodingGuessed, name, 0
		}
		return EncodingDetected, name, confidence
	}
	best := -1
	for _, candidate := range candidates {
		text := decodeSample(sample, candidate)
		odd := countOddSigns(text) + countForeign(text, language)
		if best < 0 || odd < best {
			best, refined = odd, candidate
		}
	}
	if given := decodeSample(sample, name); countOddSigns(given)+countForeign(given, language) == best && slices.Contains(candidates, name) {
		refined = name
	}
	if best > 0 {
		return EncodingDetected, refined, 0
	}
	return EncodingDetected, refined, max(confidence, sureDetection)
}

func decodeSample(sample []byte, name string) string {
	enc, _ := charset.Lookup(name)
	text, err := enc.NewDecoder().Bytes(sample)
	if err != nil {
		return ""
	}
	return string(text)
}

// countOddSigns counts characters that no word has inside or before it: controls
// of Latin-1, signs, box drawing, and Cyrillic capitals after small letters.
func countOddSigns(text string) (n int) {
	var before, last rune
	for _, r := range text {
		inside := unicode.IsLetter(before) && unicode.IsLetter(r)
		switch {
		case last >= 0x80 && last < 0xA0:
			n++
		case inside && last > unicode.MaxASCII && !unicode.IsLetter(last) && !unicode.IsMark(last) && !strings.ContainsRune("’‘–—-·\u00ad\u00a0", last):
			n++
		case !unicode.IsLetter(before) && strings.ContainsRune("’¶", last) && unicode.Is(unicode.Greek, r):
			n++ // a capital with an accent, of the other encoding of Greek
		case unicode.Is(unicode.Cyrillic, last) && unicode.IsUpper(last) && unicode.IsLower(before):
			n++
		}
		before, last = last, r
	}
	return n
}

// standardName returns the name of a charset in the Encoding Standard; "" for
// charsets that no browser reads, and for UTF-8, which the bytes are not.
func standardName(charsetName string) string {
	_, name := charset.Lookup(charsetName)
	switch name {
	case "utf-8", "replacement":
		return ""
	case "gbk":
		return "gb18030"
	}
	return name
}

// withoutTags keeps the text of a page for the detector: tags are ASCII and
// say nothing.
func withoutTags(body []byte) []byte {
	body = body[:min(len(body), 8*detectBytes)]
	out := make([]byte, 0, min(len(body), detectBytes))
	for len(body) > 0 && len(out) < detectBytes {
		open := bytes.IndexByte(body, '<')
		if open < 0 {
			out = append(out, body...)
			break
		}
		out = append(out, body[:open]...)
		end := bytes.IndexByte(body[open:], '>')
		if end < 0 {
			break
		}
		body = body[open+end+1:]
	}
	return out
}

func isASCII(b []byte) bool {
	for _, c := range b {
		if c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

func isSingleByte(name string) bool {
	return strings.HasPrefix(name, "windows-") || strings.HasPrefix(name, "iso-8859-") || strings.HasPrefix(name, "koi8-") || name == "macintosh" || name == "ibm866"
}
