package iscc

import (
	"errors"
	"math/bits"
	"strings"
)

// The main types of codes that stand for content, as the first four bits of the
// header. Meta-Codes and Semantic-Codes stand for titles and meanings, ISCC-IDs and
// Flake-Codes for nothing of the content.
const (
	mainContent   = 2
	mainData      = 3
	mainInstance  = 4
	mainComposite = 5 // ISCC-CODE: several units
)

// The last subtype of a Content-Code, of a composite, and that of a wide composite.
const (
	subMixed = 4
	subNone  = 6
	subWide  = 7
)

// ErrContent says that a text is not an ISCC of content.
var ErrContent = errors.New("not an ISCC of content (ISO 24138)")

// Normalize returns the canonical form of a code of content: a Content-Code,
// Data-Code or Instance-Code of 64 bits or more, or an ISCC-CODE. The prefix may be
// missing, and case does not matter. It returns ErrContent for anything else, also
// for shorter codes, which different contents share by chance, and for zeros, which
// are the code of silence and of an empty picture.
func Normalize(s string) (string, error) {
	s = strings.TrimPrefix(strings.ToUpper(s), codePrefix)
	b, err := encoding.DecodeString(s)
	if err != nil || len(b) < 2 || encoding.EncodeToString(b) != s || len(b)-2 != bodySize(b[0]>>4, b[0]&15, b[1]>>4, b[1]&15) || strings.Trim(string(b[2:]), "\x00") == "" {
		return "", ErrContent
	}
	return codePrefix + s, nil
}

// bodySize returns how many bytes follow a header, 0 if it is not one of a code of
// content. A composite has 64 bits for each unit that is a bit of its length, and
// 64 each for Data-Code and Instance-Code; a wide one has 128 each.
func bodySize(mainType, subtype, version, length byte) int {
	switch {
	case version != 0 || length > 7:
		return 0
	case mainType == mainContent && subtype <= subMixed, (mainType == mainData || mainType == mainInstance) && subtype == 0:
		if length == 0 {
			return 0
		}
		return int(length+1) * 4
	case mainType == mainComposite && subtype == subWide:
		return 32
	case mainType == mainComposite && subtype <= subNone:
		return bits.OnesCount8(length)*8 + 16
	}
	return 0
}
