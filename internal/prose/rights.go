package prose

import (
	"strings"

	"colophon/exports"
)

// VerdictLetter returns the letter of a verdict in a rights vector. "licensed"
// has no letter, because no vector holds it, and gives 'U'.
func VerdictLetter(verdict string) byte {
	switch verdict {
	case "license_required":
		return 'L'
	case "declined":
		return 'D'
	case "signal_allow":
		return 'S'
	case "withdrawn":
		return 'W'
	}
	return 'U'
}

// VerdictWord returns a verdict in the wording of the rights map.
func VerdictWord(verdict string) string {
	if verdict == "licensed" {
		return "Licensed"
	}
	return LetterWord(VerdictLetter(verdict))
}

// VerdictMeaning returns a sentence on what a verdict means.
func VerdictMeaning(verdict string) string {
	switch verdict {
	case "license_required":
		return "Reserved or priced, and there is a way to ask."
	case "declined":
		return "Reserved or not offered, with no general way to request a licence."
	case "signal_allow":
		return "The publisher’s own public signals allow it; obligations may follow."
	case "withdrawn":
		return "No longer registered."
	}
	return "No valid statement found. Do not treat as permission."
}

// ReasonWords returns the sentence for the reason of a verdict.
func ReasonWords(reason string) string {
	switch reason {
	case "no_statement":
		return "No valid statement found about it."
	case "no_statement_yet":
		return "Nothing was stated about it by then."
	case "signal_disallows":
		return "The publisher’s signals reserve it."
	case "signal_allows":
		return "The publisher’s own signals allow it."
	case "offer_exists":
		return "There is an offer for it."
	case "offer_paused":
		return "The offer for it is paused."
	case "offer_ended":
		return "The offer for it has ended."
	case "use_not_offered":
		return "The publisher does not offer it."
	case "user_type_excluded":
		return "It is not offered to this kind of user."
	case "territory_excluded":
		return "It is not offered in this territory."
	case "payment_required":
		return "It has a price."
	case "conflict_most_restrictive":
		return "Channels disagree; the strictest was taken."
	case "stale_evidence":
		return "The signal that allowed it is out of date."
	case "entry_withdrawn":
		return "The page is no longer registered."
	case "publisher_inactive":
		return "The publisher has left this directory."
	case "content_reserved":
		return "It is stated to be reserved for this content."
	}
	return strings.ToUpper(reason[:min(1, len(reason))]) + PlainWord(reason[min(1, len(reason)):]) + "."
}

// UserTypeName returns the name of a kind of user.
func UserTypeName(userType string) string {
	switch userType {
	case "commercial":
		return "A business"
	case "non_commercial":
		return "A non-commercial organization"
	case "education":
		return "A school or university"
	case "government":
		return "A public authority"
	case "personal":
		return "A private person"
	}
	return PlainWord(userType)
}

// UserTypeNames returns the names of kinds of users, separated by commas.
func UserTypeNames(userTypes []string) string { return join(userTypes, UserTypeName) }

// AudienceWords describes an audience: kinds of users, territories and agents.
func AudienceWords(a *exports.AudienceVerdict) string {
	who := "anybody"
	if len(a.UserTypes) > 0 {
		who = eitherOf(a.UserTypes, func(u string) string { return lowered(UserTypeName(u)) })
	}
	if len(a.Territories) > 0 {
		who += " in " + eitherOf(a.Territories, territoryWord)
	}
	if len(a.Agents) > 0 {
		who += " with " + eitherOf(a.Agents, agentWord)
	}
	return who
}

// eitherOf joins words as in "one, another or a third".
func eitherOf(list []string, word func(string) string) string {
	names := make([]string, len(list))
	for i, x := range list {
		names[i] = word(x)
	}
	last := len(names) - 1
	if last == 0 {
		return names[0]
	}
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

func territoryWord(code string) string {
	switch code {
	case "EU":
		return "the EU as a whole"
	case "EU_other":
		return "the rest of the EU"
	case "other":
		return "any other place"
	}
	return Clean(code, 8)
}

func agentWord(token string) string {
	if token == "other" {
		return "any other agent"
	}
	return Clean(token, 64)
}

// lowered returns s with a lower-case first letter.
func lowered(s string) string {
	return strings.ToLower(s[:min(1, len(s))]) + s[min(1, len(s)):]
}

// RightsGroup is the uses of a rights vector that share a letter.
type RightsGroup struct {
	Letter byte   // lower case, as in CSS classes
	Word   string // "Ask first"
	Uses   string // "Training, Datasets", or "all eight uses"
}

// RightsGroups returns a rights vector in words; what is open comes first.
func RightsGroups(vector string) []RightsGroup {
	var out []RightsGroup
	for _, letter := range []byte("SLDUW") {
		var uses []string
		for i, u := range exports.Uses {
			if LetterAt(vector, i)&^0x20 == letter {
				uses = append(uses, UseName(string(u)))
			}
		}
		g := RightsGroup{Letter: letter | 0x20, Word: LetterWord(letter), Uses: strings.Join(uses, ", ")}
		switch len(uses) {
		case 0:
			continue
		case len(exports.Uses):
			g.Uses = "all eight uses"
		}
		out = append(out, g)
	}
	return out
}
