package channel

import (
	"slices"
	"strings"

	"colophon/exports"
	"colophon/internal/channel/statements"
)

// UsageWords are the categories of Content-Usage (AIPREF) that are read and
// written.
var UsageWords = []string{"train-ai", "ai-use", "search"}

// usageStatements parses an AIPREF preference expression: a Structured Fields
// dictionary whose values are the tokens y and n. Other members are not
// statements; an expression that cannot be parsed says nothing. pattern is the
// path that it applies to, "" for the resource it came with.
func usageStatements(r *Result, name statements.Name, text, locator, pattern string) []statements.Statement {
	gap := statements.Gap{Code: "content_usage_not_a_dictionary", Locator: locator, Pattern: pattern, Channel: name}
	dict, err := parseDictionary(text)
	if err != nil {
		r.gapIn(gap, text)
		return nil
	}
	var out []statements.Statement
	for _, m := range dict {
		effect, ok := statements.Unknown, true
		switch {
		case m.token == "y":
			effect = statements.Allow
		case m.token == "n":
			effect = statements.Disallow
		default:
			ok = false
		}
		switch {
		case !slices.Contains(UsageWords, m.key):
			gap.Code = "content_usage_unknown_category"
			if effect == statements.Disallow {
				r.gapIn(gap, m.key)
			} else {
				r.addWarning(gap.Code, locator, m.key)
			}
		case !ok:
			gap.Code = "content_usage_value_ignored"
			r.gapIn(gap, m.key)
		default:
			out = append(out, statements.Statement{Channel: name, Word: m.key, Effect: effect, Locator: locator, Text: m.key + "=" + m.text})
		}
	}
	return out
}

// signalStatements reads a Content-Signal value: comma-separated name=yes|no.
func signalStatements(r *Result, text, locator string) []statements.Statement {
	gap := statements.Gap{Locator: locator, Channel: statements.ContentSignal}
	var out []statements.Statement
	for item := range strings.SplitSeq(text, ",") {
		item = strings.TrimSpace(item)
		if item == "" {
			continue
		}
		name, value, _ := strings.Cut(item, "=")
		name, value = strings.ToLower(strings.TrimSpace(name)), strings.ToLower(strings.TrimSpace(value))
		switch name {
		case "search", "ai-input", "ai-train":
		case "use":
			list, ok := useStatements(value, locator)
			if !ok {
				gap.Code = "content_signal_value_ignored"
				r.gapIn(gap, item)
			}
			out = append(out, list...)
			continue
		default:
			gap.Code = "content_signal_unknown_name"
			if value == "yes" {
				r.addWarning(gap.Code, locator, item)
			} else {
				r.gapIn(gap, item)
			}
			continue
		}
		s := statements.Statement{Channel: statements.ContentSignal, Word: name, Locator: locator, Text: name + "=" + value}
		switch value {
		case "yes":
			s.Effect = statements.Allow
		case "no":
			s.Effect = statements.Disallow
		default:
			gap.Code = "content_signal_value_ignored"
			r.gapIn(gap, item)
			continue
		}
		out = append(out, s)
	}
	return out
}

// useStatements reads the key "use" of a content signal, which caps what may be kept
// and done with the content: "immediate" stores and reuses nothing, "reference" indexes,
// excerpts and links back, "full" caps nothing and is no statement. ok is false for any
// other value.
//
// Source: the comment in robots.txt files that Cloudflare manages, its announcement of
// 1 July 2026, and its changelog of 31 August 2026.
func useStatements(value, locator string) (list []statements.Statement, ok bool) {
	s := statements.Statement{Channel: statements.ContentSignal, Word: "use-" + value, Effect: statements.Disallow, Locator: locator, Text: "use=" + value}
	switch value {
	case "full":
		return nil, true
	case "reference":
		return []statements.Statement{s}, true
	case "immediate":
		keeps := statements.Statement{Channel: statements.ContentSignal, Word: statements.RetentionWord, Retention: exports.RetentionNone, Locator: locator, Text: s.Text}
		return []statements.Statement{s, keeps}, true
	}
	return nil, false
}
