package urlkey

import (
	"strings"
	"unicode"
)

// DisplayHost returns a host as people write it: with letters beyond ASCII
// where DNS has A-labels. A label whose letters may be taken for those of
// another script stays an A-label, as browsers show it, and so does one that is
// not the A-label of any name.
func DisplayHost(host string) string {
	if !strings.Contains(host, "xn--") {
		return host
	}
	name, port := cutAny(host, ":")
	labels := strings.Split(name, ".")
	top := labels[len(labels)-1]
	for i, label := range labels {
		if !strings.HasPrefix(label, "xn--") {
			continue
		}
		unicodeLabel, err := browserProfile().ToUnicode(label)
		if ascii, back := browserProfile().ToASCII(unicodeLabel); err != nil || back != nil || ascii != label || mistakable(unicodeLabel, top) {
			continue
		}
		labels[i] = unicodeLabel
	}
	return strings.Join(labels, ".") + port
}

// Display returns an address with its host as people write it.
func Display(address string) string {
	scheme, rest, found := strings.Cut(address, "://")
	if !found {
		return address
	}
	host, target := cutAny(rest, "/?#")
	return scheme + "://" + DisplayHost(host) + target
}

// alike are the scripts whose letters look like those of one another.
var alike = []*unicode.RangeTable{unicode.Latin, unicode.Cyrillic, unicode.Greek, unicode.Armenian, unicode.Cherokee, unicode.Coptic, unicode.Lisu}

// latinTwins are Cyrillic and Greek letters that look like Latin ones.
const latinTwins = "асԁеһіјӏорԛѕԝхуъЬҽпгѵѡοανικρυω"

// mistakable reports whether a label mixes scripts that look alike, or is written
// in letters that all look Latin under a top-level name in ASCII.
func mistakable(label, top string) bool {
	scripts, twins, others := 0, 0, 0
	for _, script := range alike {
		if strings.ContainsFunc(label, func(r rune) bool { return unicode.Is(script, r) }) {
			scripts++
		}
	}
	for _, r := range label {
		switch {
		case strings.ContainsRune(latinTwins, r):
			twins++
		case unicode.IsLetter(r):
			others++
		}
	}
	return scripts > 1 || twins > 0 && others == 0 && !strings.HasPrefix(top, "xn--")
}
