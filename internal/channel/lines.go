package channel

import (
	"strings"

	"colophon/internal/channel/misspelt"
	"colophon/internal/channel/statements"
)

// ParseAITxt reads an ai.txt: the robots-like one of Spawning, which speaks of
// training on the files it names, or the declaration of
// draft-car-ai-txt-wellknown-00. A text in another format is a gap.
func ParseAITxt(in Input) Result {
	r, ok := textResult(in, statements.AITxt)
	if !ok || readDeclaration(&r, in) {
		return r
	}
	p := aiTxtReader{r: &r, groups: groupReader{r: &r}}
	readRobotsLines(&r, in.Body, p.readRule)
	p.groups.finishGroups()
	switch {
	case p.rules > 0 || len(r.Gaps) > 0:
	case p.other || len(r.Warnings) > 0:
		r.rejectDocument("ai_txt_other_format", "", "")
	default:
		r.markAbsent("ai_txt_empty")
	}
	return r
}

type aiTxtReader struct {
	r      *Result
	groups groupReader
	rules  int
	other  bool // it has keys of another format
}

func (p *aiTxtReader) readRule(n int, key, value string) {
	switch key {
	case "user-agent":
		p.groups.readAgent(n, value)
	case "allow":
		p.readPath(n, value, statements.Allow)
	case "disallow":
		p.readPath(n, value, statements.Disallow)
	default:
		p.other = true
		if mayRestrictTraining(key) {
			p.r.addGap("ai_txt_key_unknown", lineLocator(n), key)
		}
	}
}

func (p *aiTxtReader) readPath(n int, value string, effect statements.Effect) {
	p.rules++
	if value == "" {
		return
	}
	p.groups.beginRule("ai_txt_rule_outside_group", n, value)
	for _, pattern := range aiTxtPatterns(value, effect) {
		p.groups.addStatement(statements.Statement{
			Channel: statements.AITxt, Word: "train", Effect: effect, Pattern: pattern,
			Locator: lineLocator(n), Text: ruleText(effect, value),
		})
	}
}

// aiTxtPatterns reads a path or a media glob. "*.jpg" names the end of the
// path, with or without a query behind it.
func aiTxtPatterns(value string, effect statements.Effect) []string {
	if strings.Contains(value, "\ufffd") {
		if effect == statements.Allow {
			return nil
		}
		value = strings.ReplaceAll(value, "\ufffd", "*")
	}
	switch {
	case strings.HasPrefix(value, "*."):
		return []string{"/" + value + "$", "/" + value + "?"}
	case value[0] != '/' && value[0] != '*':
		return []string{"/" + value}
	}
	return []string{value}
}

// ParseTrustTxt reads the datatrainingallowed line of a trust.txt file.
func ParseTrustTxt(in Input) Result {
	r, ok := textResult(in, statements.TrustTxt)
	if !ok {
		return r
	}
	text := string(in.Body[:min(len(in.Body), MaxDocumentBytes)])
	for n := 1; text != ""; n++ {
		var one string
		one, text = nextLine(text)
		one, _, _ = strings.Cut(strings.ToValidUTF8(strings.TrimPrefix(one, "\ufeff"), "\ufffd"), "#")
		trustTxtLine(&r, n, one)
	}
	return r
}

func trustTxtLine(r *Result, n int, text string) {
	key, value, ok := strings.Cut(strings.TrimSpace(text), "=")
	if strings.ContainsAny(key, "\ufffd\x00") {
		r.addGap("trust_txt_line_unreadable", lineLocator(n), text)
		return
	}
	if !ok || !strings.EqualFold(strings.TrimSpace(key), "datatrainingallowed") {
		word, _, _ := strings.Cut(plainLine(text), ":")
		word, _, _ = strings.Cut(word, "=")
		if letters := misspelt.Letters(word); misspelt.IsNear(letters, "datatrainingallowed") || strings.HasPrefix(letters, "datatrainingallowed") {
			r.addGap("trust_txt_line_unreadable", lineLocator(n), text)
		}
		return
	}
	s := statements.Statement{Channel: statements.TrustTxt, Pattern: "/", Word: "train", Locator: lineLocator(n)}
	switch strings.ToLower(strings.TrimSpace(value)) {
	case "yes":
		s.Effect, s.Text = statements.Allow, "datatrainingallowed=yes"
	case "no":
		s.Effect, s.Text = statements.Disallow, "datatrainingallowed=no"
	default:
		r.gapIn(statements.Gap{Code: "trust_txt_value_ignored", Locator: s.Locator}, value)
		return
	}
	if len(r.Statements) > 0 {
		r.addWarning("trust_txt_repeated", s.Locator, value)
	}
	r.addStatement(s)
}

func (r *Result) addAgent(a string) {
	if a != "" && a != "*" {
		r.Agents = append(r.Agents, strings.ToLower(a))
	}
}

func (r *Result) sortAgents() { r.Agents = statements.SortedSet(r.Agents) }
