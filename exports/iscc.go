package exports

import (
	"encoding/base32"
	"errors"
)

// A similarity code is an ISCC Text-Code of 256 bits in its canonical form. It
// is packed without its constant head.
const (
	codePrefix = "ISCC:"
	codeHead   = "\x20\x07" // content, text, version 0, 256 bits
	codeSize   = 32
)

// ErrCode is returned for a text that is not a similarity code.
var ErrCode = errors.New("not a similarity code")

var codeEncoding = base32.StdEncoding.WithPadding(base32.NoPadding)

// CodeBody returns the 32 bytes of a similarity code after its head, or nil for
// "". It returns ErrCode for a text that is not such a code.
func CodeBody(iscc string) ([]byte, error) {
	if iscc == "" {
		return nil, nil
	}
	if len(iscc) < len(codePrefix) || iscc[:len(codePrefix)] != codePrefix {
		return nil, ErrCode
	}
	b, err := codeEncoding.DecodeString(iscc[len(codePrefix):])
	if err != nil || len(b) != len(codeHead)+codeSize || string(b[:len(codeHead)]) != codeHead {
		return nil, ErrCode
	}
	return b[len(codeHead):], nil
}

// CodeText returns the similarity code with that body, "" for an empty body.
func CodeText(body []byte) string {
	if len(body) == 0 {
		return ""
	}
	return codePrefix + codeEncoding.EncodeToString(append([]byte(codeHead), body...))
}
