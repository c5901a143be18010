package exports

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"colophon/internal/wire"
)

// Bounds of request bodies, in bytes.
const (
	MaxBody    = 64 << 10
	MaxMessage = 16 << 10
	MaxExt     = 4 << 10
)

// IdempotencyDays is how many days an Idempotency-Key is remembered.
const IdempotencyDays = 30

// LineMember describes one line of text from a caller, of low to high
// characters; a low of 0 makes it optional.
func LineMember(m *wire.Members, name string, p *string, low, high int) {
	boundedText(m, name, p, low, high, false)
}

// ProseMember describes text from a caller that may have line breaks.
func ProseMember(m *wire.Members, name string, p *string, low, high int) {
	boundedText(m, name, p, low, high, true)
}

// boundedText counts the characters of a text without the space around it, so
// that blanks alone do not fill a field, and refuses control characters.
func boundedText(m *wire.Members, name string, p *string, low, high int, lines bool) {
	if low == 0 {
		m.OptText(name, p, wire.Bounds{Max: high})
	} else {
		m.Text(name, p, wire.Bounds{Min: low, Max: high})
	}
	if *p == "" {
		return
	}
	if hasControl(*p, lines) {
		m.Refuse(name, "control_character", "Holds a control character.")
		return
	}
	if low > 0 && utf8.RuneCountInString(strings.TrimSpace(*p)) < low {
		m.Refuse(name, "too_short", "At least "+strconv.Itoa(low)+" characters besides space around them.")
	}
}

func hasControl(s string, lines bool) bool {
	for _, r := range s {
		switch {
		case lines && (r == '\n' || r == '\t' || r == '\r'):
		case r < ' ', r >= 0x7f && r < 0xa0, r == 0x2028, r == 0x2029, r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069:
			return true
		}
	}
	return false
}

// EmailMember describes an e-mail address.
func EmailMember(m *wire.Members, name string, p *string) {
	m.Text(name, p, wire.Bounds{Min: 3, Max: 254})
	if *p != "" && !ValidEmail(*p) {
		m.Refuse(name, "email_invalid", "Not an e-mail address.")
	}
}

func SiteIDMember(m *wire.Members, p *string) {
	m.Text("site_id", p, wire.Bounds{Min: 2, Max: 64})
	if *p != "" && !ValidSiteID(*p) {
		m.Refuse("site_id", "site_id_invalid", "Not a publisher identifier.")
	}
}

// UseMember describes an optional use, which may be given by any alias; from,
// unless nil, receives the alias.
func UseMember(m *wire.Members, name string, p, from *string) {
	m.OptText(name, p, wire.Bounds{Max: 60})
	if *p == "" {
		return
	}
	u, alias, ok := ParseUse(*p)
	if !ok {
		m.Refuse(name, "unsupported_use", "Use one of "+strings.Join(UseWords(), ", ")+".")
		return
	}
	*p = string(u)
	if from != nil && alias != "" {
		*from = alias
	}
}

// ExtMember describes the member "ext", the only one in which a caller may put
// anything.
func ExtMember(m *wire.Members, p *wire.Value) {
	m.Any("ext", p)
	switch {
	case p.Kind == wire.KindNull:
	case p.Kind != wire.KindObject:
		m.Refuse("ext", "type_mismatch", "Must be an object.")
	case len(p.Append(nil)) > MaxExt:
		m.Refuse("ext", "too_long", "At most 4096 bytes.")
	}
}
