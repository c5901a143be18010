package iscc

import (
	"bytes"
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

// The digest and the Text-Code of a text of no characters.
const (
	emptyDigest = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
	emptyCode   = "ISCC:EADSL4F2WZY7KBXBYUZPREWZ26IXUJJOPJJAQMXVSY5IZVHJU7RRFNI"
)

// NormalizeCode returns the form in which the code of a content is kept and looked
// up: a portable digest as 64 hex digits in lower case, or an ISCC with its prefix in
// the form of Normalize. It returns ErrContent for anything else.
func NormalizeCode(code string) (string, error) {
	lower := strings.ToLower(code)
	if len(lower) == 64 && strings.Trim(lower, "0123456789abcdef") == "" && lower != emptyDigest {
		return lower, nil
	}
	if !strings.HasPrefix(lower, "iscc:") {
		return "", ErrContent
	}
	return Normalize(code)
}

// ErrContent says that a text is not an ISCC of content.
var ErrContent = errors.New("not an ISCC of content (ISO 24138)")

// Normalize returns the canonical form of a code of content: a Content-Code,
// Data-Code or Instance-Code of 64 bits or more, or an ISCC-CODE. The prefix may be
// missing, and case does not matter. It returns ErrContent for anything else, also
// for shorter codes, which different contents share by chance, for zeros, which are
// the code of silence and of an empty picture, and for the code of an empty text.
func Normalize(s string) (string, error) {
	s = strings.TrimPrefix(strings.ToUpper(s), codePrefix)
	b, err := encoding.DecodeString(s)
	if err != nil || len(b) < 2 || encoding.EncodeToString(b) != s || len(b)-2 != bodySize(b[0]>>4, b[0]&15, b[1]>>4, b[1]&15) || strings.Trim(string(b[2:]), "\x00") == "" {
		return "", ErrContent
	}
	if empty, err := Parse(emptyCode); err == nil && b[0] == headerType && bytes.HasPrefix(empty[:], b[2:]) {
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
