package exports

import "encoding/base32"

// A similarity code is an ISCC Text-Code of 256 bits in its canonical form. It
// is packed without its constant head.
const (
	codePrefix = "ISCC:"
	codeHead   = "\x20\x07" // content, text, version 0, 256 bits
	codeSize   = 32
)

var codeEncoding = base32.StdEncoding.WithPadding(base32.NoPadding)

// codeBytes is the body of a similarity code, nothing for none; ErrShard for a
// text that is no such code.
func codeBytes(iscc string) ([]byte, error) {
	if iscc == "" {
		return nil, nil
	}
	if len(iscc) < len(codePrefix) || iscc[:len(codePrefix)] != codePrefix {
		return nil, ErrShard
	}
	b, err := codeEncoding.DecodeString(iscc[len(codePrefix):])
	if err != nil || len(b) != len(codeHead)+codeSize || string(b[:len(codeHead)]) != codeHead {
		return nil, ErrShard
	}
	return b[len(codeHead):], nil
}

// codeText is the similarity code of a body, "" for none.
func codeText(body []byte) string {
	if len(body) == 0 {
		return ""
	}
	return codePrefix + codeEncoding.EncodeToString(append([]byte(codeHead), body...))
}
