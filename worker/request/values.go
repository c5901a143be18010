package request

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"colophon/exports"
	"colophon/internal/staticindex"
	"colophon/internal/wire"
	"colophon/worker/problem"
)

// Values are decoded names and texts: the fields of a posted form, or the query
// parameters of a call, which are checked against the endpoint's table: an
// unknown name, a repeated name, ill-formed text, an integer out of range or a
// word outside its list is refused.
type Values [][2]string

// Get returns a parameter, or "" if it was not given.
func (v Values) Get(name string) string {
	for i := range v {
		if v[i][0] == name {
			return v[i][1]
		}
	}
	return ""
}

// Append returns an address with the values added to its query, without those
// that are "".
func (v Values) Append(address string) string {
	sep := "?"
	if strings.Contains(address, "?") {
		sep = "&"
	}
	for _, pair := range v {
		if pair[1] != "" {
			address += sep + pair[0] + "=" + exports.EscapeQuery(pair[1], "*")
			sep = "&"
		}
	}
	return address
}

// Has reports whether a parameter was given.
func (v Values) Has(name string) bool {
	for i := range v {
		if v[i][0] == name {
			return true
		}
	}
	return false
}

// List returns a parameter that may be repeated or hold a comma list. Each
// element of the result is one occurrence: occurrences are combined by AND,
// words within one by OR.
func (v Values) List(name string) [][]string {
	var out [][]string
	for i := range v {
		if v[i][0] == name {
			out = append(out, strings.Split(v[i][1], ","))
		}
	}
	return out
}

// Integer returns an integer parameter, or def if it was not given.
func (v Values) Integer(name string, def int64) int64 {
	n, err := strconv.ParseInt(v.Get(name), 10, 64)
	if err != nil {
		return def
	}
	return n
}

// Instant returns a parameter that is an RFC 3339 instant in UTC, or "" if it
// was not given. It reads a space as the "+" of an offset, which a query turns
// into one.
func (c *Call) Instant(name string) (string, error) {
	text := c.Values.Get(name)
	if text == "" {
		return "", nil
	}
	if sign := len(text) - len("+01:00"); sign > 0 && text[sign] == ' ' {
		text = text[:sign] + "+" + text[sign+1:]
	}
	at, ok := wire.ToUTC(text)
	if !ok {
		return "", problem.InvalidParam(name, "must be an RFC 3339 instant, such as 2026-11-20T09:00:00Z or 2026-11-20T10:00:00+01:00")
	}
	return at, nil
}

const maxQuery = 8 << 10

func (c *Call) ParseQuery() error {
	if len(c.Query) > maxQuery {
		return problem.New("invalid_parameter", "The query is longer than 8 KiB.")
	}
	for rest := c.Query; rest != ""; {
		var pair string
		pair, rest, _ = strings.Cut(rest, "&")
		if pair == "" {
			continue
		}
		name, text, _ := strings.Cut(pair, "=")
		if err := c.addParam(name, text); err != nil {
			return err
		}
	}
	return nil
}

func (c *Call) addParam(rawName, rawText string) error {
	name, ok := DecodePercent(rawName)
	p := FindParam(c.Endpoint, name)
	if !ok || p == nil {
		return problem.New("unknown_parameter", "Not a parameter of this endpoint: \""+ShortenPrintable(name)+"\".")
	}
	text, ok := DecodePercent(rawText)
	if !ok {
		return problem.InvalidParam(p.Name, "has a broken percent-encoding or is not UTF-8")
	}
	return c.AddValue(p, text)
}

// AddValue adds a decoded parameter.
func (c *Call) AddValue(p *exports.Param, text string) error {
	if c.Values.Has(p.Name) && !p.List {
		return problem.InvalidParam(p.Name, "is given twice")
	}
	if err := checkParam(p, text); err != nil {
		return err
	}
	c.Values = append(c.Values, [2]string{p.Name, text})
	return nil
}

// FindParam returns the query parameter of an endpoint with a name, or nil.
func FindParam(e *exports.Endpoint, name string) *exports.Param {
	for i := range e.Query {
		if e.Query[i].Name == name {
			return &e.Query[i]
		}
	}
	return nil
}

func checkParam(p *exports.Param, text string) error {
	for _, r := range text {
		if r < 0x20 || r == 0x7f {
			return problem.InvalidParam(p.Name, "has a control character")
		}
	}
	if p.Type == "integer" {
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil || n < 0 || text[0] == '+' || text[0] == '-' {
			return problem.InvalidParam(p.Name, "must be an integer from 0")
		}
		if p.Name == "offset" && n > p.Max {
			return problem.New("offset_too_deep", "Use cursor beyond "+strconv.FormatInt(p.Max, 10)+" records.")
		}
		if p.Max > 0 && n > p.Max {
			return problem.InvalidParam(p.Name, "must be at most "+strconv.FormatInt(p.Max, 10))
		}
	}
	return checkWords(p, text)
}

// checkWords refuses words outside a parameter's list. It leaves uses, which
// have aliases, and readiness, which has a prefix, to their handlers.
func checkWords(p *exports.Param, text string) error {
	if len(p.Values) == 0 || text == "" || slices.Contains([]string{"use", "preferred_use", "readiness"}, p.Name) {
		return nil
	}
	words := []string{text}
	if p.List {
		words = strings.Split(text, ",")
	}
	for _, word := range words {
		if !slices.Contains(p.Values, word) {
			return problem.InvalidParam(p.Name, "must be one of "+strings.Join(p.Values, ", "))
		}
	}
	return nil
}

// DecodePercent decodes percent-encoding, in which "+" is a space.
func DecodePercent(s string) (string, bool) {
	if strings.IndexByte(s, '%') < 0 && strings.IndexByte(s, '+') < 0 {
		return s, utf8.ValidString(s)
	}
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '+':
			b = append(b, ' ')
		case '%':
			if i+2 >= len(s) {
				return "", false
			}
			hi, lo := hexNibble(s[i+1]), hexNibble(s[i+2])
			if hi < 0 || lo < 0 {
				return "", false
			}
			b = append(b, byte(hi<<4|lo))
			i += 2
		default:
			b = append(b, s[i])
		}
	}
	return string(b), utf8.Valid(b)
}

func hexNibble(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c >= 'a' && c <= 'f':
		return int(c-'a') + 10
	case c >= 'A' && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}

// ShortenPrintable shortens a caller's text for an error message.
func ShortenPrintable(s string) string {
	s = strings.Map(func(r rune) rune {
		if r < 0x20 || r == 0x7f || r == utf8.RuneError {
			return -1
		}
		return r
	}, s)
	if len(s) > 64 {
		s = strings.ToValidUTF8(s[:64], "")
	}
	return s
}

// ParseQuestion returns the named fields of a question to a page. It ignores
// others, which links may carry.
func ParseQuestion(question string, names ...string) (Values, error) {
	var out Values
	for rest := question; rest != "" && len(question) <= maxQuery; {
		var pair string
		pair, rest, _ = strings.Cut(rest, "&")
		rawName, rawText, _ := strings.Cut(pair, "=")
		name, ok := DecodePercent(rawName)
		text, ok2 := DecodePercent(rawText)
		if !ok || !ok2 {
			return nil, problem.New("invalid_parameter", "The query has a broken percent-encoding or is not UTF-8.")
		}
		if slices.Contains(names, name) && !out.Has(name) {
			out = append(out, [2]string{name, text})
		}
	}
	return out, nil
}

// OnlyBetween reports whether all bytes of s are from low to high.
func OnlyBetween(s string, low, high byte) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < low || s[i] > high {
			return false
		}
	}
	return true
}

// Paging returns the paging parameters of the call as a question to an index,
// which keeps the other parameters for links.
func (c *Call) Paging() staticindex.Ask {
	a := staticindex.Ask{Q: c.Values.Get("q"), Limit: c.Values.Get("limit"), Offset: c.Values.Get("offset"), Cursor: c.Values.Get("cursor"), Path: c.Path}
	for _, v := range c.Values {
		switch v[0] {
		case "limit", "offset", "cursor":
		default:
			a.Params = append(a.Params, v)
		}
	}
	return a
}
