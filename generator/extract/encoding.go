package extract

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/wlynxg/chardet"
	"golang.org/x/net/html/charset"
)

// How the encoding of a page was found.
const (
	EncodingStated   = "stated"   // by a byte order mark, the header or the page itself, as browsers read them
	EncodingValid    = "valid"    // nothing is stated, and the bytes are UTF-8
	EncodingDetected = "detected" // by its bytes
	EncodingGuessed  = "guessed"  // the one that browsers fall back to
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
	prescanBytes  = 1024 // of a page, for its own declaration, as browsers do
	detectBytes   = 64 << 10
	sureDetection = .55 // confidence of the detector below which a page is suspect
)

// Decode turns the bytes of a page into text as browsers do: by its byte
// order mark, its Content-Type, or its own declaration. Where nothing is
// stated the bytes decide. What cannot be decoded becomes U+FFFD.
func Decode(body []byte, contentType string) (Decoded, error) {
	enc, name, stated := charset.DetermineEncoding(body[:min(len(body), prescanBytes)], contentType)
	d := Decoded{Encoding: name, How: EncodingStated}
	confidence := 1.0
	if !stated {
		d.How, d.Encoding, confidence = detectEncoding(body)
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

// suspectDecoding tells why a decoding may be wrong, before its text is looked
// at: see SuspectText.
func suspectDecoding(body []byte, d *Decoded, confidence float64) string {
	plain := isASCII(body)
	switch {
	case d.How == EncodingStated && isSingleByte(d.Encoding) && !plain && utf8.Valid(body):
		return "its encoding is stated as " + d.Encoding + ", but its bytes are UTF-8"
	case d.How == EncodingDetected && confidence < sureDetection:
		return "no encoding is stated, and " + d.Encoding + " is but a guess by its bytes"
	}
	return ""
}

// detectEncoding judges the bytes of a page that states no encoding.
func detectEncoding(body []byte) (how, name string, confidence float64) {
	if bytes.Contains(body, []byte("\x1b$")) && bytes.Contains(body, []byte("\x1b(")) && isASCII(body) {
		return EncodingDetected, "iso-2022-jp", 1
	}
	if utf8.Valid(body) {
		return EncodingValid, "utf-8", 1
	}
	best := chardet.Detect(withoutTags(body))
	if name := standardName(best.Charset); name != "" && best.Confidence > 0 {
		return EncodingDetected, name, best.Confidence
	}
	return EncodingGuessed, "windows-1252", 0
}

// standardName brings the name of a charset into that of the Encoding
// Standard; "" for those that no browser reads, and for UTF-8, which the bytes
// at hand are not.
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
