package channel

import "strings"

type linkValue struct {
	target string
	params map[string]string
}

func (l *linkValue) hasRel(rel string) bool {
	for r := range strings.FieldsSeq(l.params["rel"]) {
		if strings.EqualFold(r, rel) {
			return true
		}
	}
	return false
}

// parseLinks parses a Link field value (RFC 8288, appendix B.2), skipping
// malformed links.
func parseLinks(s string) []linkValue {
	var out []linkValue
	for {
		open := strings.IndexByte(s, '<')
		if open < 0 {
			return out
		}
		end := strings.IndexByte(s[open:], '>')
		if end < 0 {
			return out
		}
		l := linkValue{target: s[open+1 : open+end], params: map[string]string{}}
		s = linkParams(&l, s[open+end+1:])
		out = append(out, l)
	}
}

// LinkTargets lists the targets of the links of one relation in a Link field
// value, as they are written.
func LinkTargets(value, rel string) []string {
	var out []string
	for _, l := range parseLinks(value) {
		if l.hasRel(rel) {
			out = append(out, l.target)
		}
	}
	return out
}

// linkParams reads ";name=value" pairs and returns what follows.
func linkParams(l *linkValue, s string) string {
	for {
		s = strings.TrimLeft(s, " \t")
		if !strings.HasPrefix(s, ";") {
			return s
		}
		s = strings.TrimLeft(s[1:], " \t")
		end := strings.IndexAny(s, "=;, \t")
		if end < 0 {
			return ""
		}
		name := strings.ToLower(s[:end])
		s = strings.TrimLeft(s[end:], " \t")
		if !strings.HasPrefix(s, "=") {
			continue
		}
		var value string
		value, s = linkParam(strings.TrimLeft(s[1:], " \t"))
		if _, dup := l.params[name]; !dup && name != "" {
			l.params[name] = value
		}
	}
}

func linkParam(s string) (value, rest string) {
	if !strings.HasPrefix(s, `"`) {
		end := strings.IndexAny(s, ";, \t")
		if end < 0 {
			return s, ""
		}
		return s[:end], s[end:]
	}
	var b strings.Builder
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '"':
			return b.String(), s[i+1:]
		case '\\':
			if i++; i >= len(s) {
				return b.String(), ""
			}
		}
		b.WriteByte(s[i])
	}
	return b.String(), ""
}
