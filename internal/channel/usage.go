package channel

import "strings"

// usageStatements reads an AIPREF preference expression: a Structured Fields
// dictionary whose values are the tokens y and n. Anything else is no
// statement; an expression that cannot be parsed says nothing at all.
func usageStatements(r *Result, text, locator string) []Statement {
	dict, err := parseDictionary(text)
	if err != nil {
		r.warn("content_usage_not_a_dictionary", locator, text)
		return nil
	}
	var out []Statement
	for _, m := range dict {
		effect, ok := Unknown, true
		switch {
		case m.kind == sfToken && m.text == "y":
			effect = Allow
		case m.kind == sfToken && m.text == "n":
			effect = Disallow
		default:
			ok = false
		}
		switch {
		case m.key != "train-ai" && m.key != "search":
			r.warn("content_usage_unknown_category", locator, m.key)
		case !ok:
			r.warn("content_usage_value_ignored", locator, m.key)
		default:
			out = append(out, Statement{Word: m.key, Effect: effect, Locator: locator, Text: m.key + "=" + m.text})
		}
	}
	return out
}

// signalStatements reads a Content-Signal value: comma-separated name=yes|no.
func signalStatements(r *Result, text, locator string) []Statement {
	var out []Statement
	for item := range strings.SplitSeq(text, ",") {
		item = strings.TrimSpace(item)
		if item == "" {
			continue
		}
		name, value, _ := strings.Cut(item, "=")
		name, value = strings.ToLower(strings.TrimSpace(name)), strings.ToLower(strings.TrimSpace(value))
		switch name {
		case "search", "ai-input", "ai-train":
		default:
			r.warn("content_signal_unknown_name", locator, item)
			continue
		}
		s := Statement{Channel: ContentSignal, Word: name, Locator: locator, Text: name + "=" + value}
		switch value {
		case "yes":
			s.Effect = Allow
		case "no":
			s.Effect = Disallow
		default:
			r.warn("content_signal_value_ignored", locator, item)
			continue
		}
		out = append(out, s)
	}
	return out
}
