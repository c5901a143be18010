package intake

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html/charset"
)

// decode turns the bytes of a page into text, by its byte order mark, its
// Content-Type, its own declaration, or its looks. What cannot be decoded
// becomes U+FFFD; replaced tells that this happened.
func decode(body []byte, contentType string) (text string, replaced bool, p *problem) {
	enc, name, certain := charset.DetermineEncoding(body[:min(len(body), 1024)], contentType)
	valid := utf8.Valid(body)
	if name == "utf-8" || !certain && valid {
		text = strings.TrimPrefix(strings.ToValidUTF8(string(body), "\ufffd"), "\ufeff")
		return text, !valid, nil
	}
	decoded, err := enc.NewDecoder().Bytes(body)
	if err != nil {
		return "", false, failed("bad_charset", "it cannot be read as %s: %v", name, err)
	}
	text = strings.TrimPrefix(string(decoded), "\ufeff")
	return text, strings.Contains(text, "\ufffd"), nil
}
