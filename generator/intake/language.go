package intake

import "strings"

// languageTag brings a stated language into the form of BCP 47: en, pt-BR,
// zh-Hant-TW. It gives "" for what is no tag.
func languageTag(s string) string {
	s, _, _ = strings.Cut(strings.TrimSpace(s), ",")
	parts := strings.FieldsFunc(strings.TrimSpace(s), func(r rune) bool { return r == '-' || r == '_' })
	if len(parts) == 0 || len(s) > 35 || len(parts[0]) < 2 || len(parts[0]) > 3 || !all(parts[0], isLetter) {
		return ""
	}
	for i, p := range parts {
		p = strings.ToLower(p)
		switch {
		case !all(p, isLetterOrDigit) || len(p) > 8:
			return ""
		case i == 0:
		case len(p) == 4 && all(p, isLetter):
			p = strings.ToUpper(p[:1]) + p[1:]
		case len(p) == 2:
			p = strings.ToUpper(p)
		}
		parts[i] = p
	}
	return strings.Join(parts, "-")
}

func all(s string, is func(byte) bool) bool {
	for i := 0; i < len(s); i++ {
		if !is(s[i]) {
			return false
		}
	}
	return s != ""
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

func isLetterOrDigit(c byte) bool { return isLetter(c) || c >= '0' && c <= '9' }
