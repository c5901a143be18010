package exports

import "colophon/internal/wire"

// Preference is what a publisher says publicly about one use. It helps to judge
// whether an inquiry is worth preparing, and is never a permission.
type Preference struct {
	Use        string // one of Uses
	Inquiry    string // one of Inquiries
	Declared   string // one of Declarations
	Conditions []string
	Note       string // publisher text, untrusted
	Retention  string // how long a copy may be kept, "" when not said
	Since      string // RFC 3339, "" when never stated
	Source     string // one of SignalSources
}

func (p *Preference) Members(m *wire.Members) {
	m.Words("conditions", &p.Conditions, Conditions...)
	m.Enum("declared", &p.Declared, Declarations...)
	m.Enum("inquiry", &p.Inquiry, Inquiries...)
	m.NullString("note", &p.Note)
	RetentionMember(m, &p.Retention, "not said")
	m.NullTime("since", &p.Since)
	m.Enum("source", &p.Source, SignalSources...)
	m.Enum("use", &p.Use, UseWords()...)
}

// AllPreferences returns exactly eight preferences in the fixed order of
// Uses, filling in what was not stated.
func AllPreferences(stated []Preference) []Preference {
	out := make([]Preference, 0, len(Uses))
	for _, u := range Uses {
		p := Preference{Use: string(u), Inquiry: "unstated", Declared: "unknown", Source: "publisher"}
		for _, s := range stated {
			if s.Use == string(u) {
				p = s
			}
		}
		out = append(out, p)
	}
	return out
}

// WelcomesInquiry reports whether an inquiry about the use is worth preparing,
// which is what the filter preferred_use selects.
func WelcomesInquiry(prefs []Preference, u Use) bool {
	for _, p := range prefs {
		if p.Use == string(u) {
			return p.Inquiry == "welcome" || p.Inquiry == "conditional"
		}
	}
	return false
}
