package channel

import "strings"

// ParseAITxt reads the robots-like ai.txt of Spawning, which speaks of
// training on the files it names. Files of that name in other formats are
// recognised and said to be so.
func ParseAITxt(in Input) Result {
	r := newResult(in, AITxt)
	if looksLikeHTML(in.Body) {
		r.invalid("html_instead_of_text", "", "")
		return r
	}
	agents, inRules, rules := []string(nil), false, 0
	for n, text := range robotsLines(in.Body) {
		if i := strings.IndexByte(text, '#'); i >= 0 {
			text = text[:i]
		}
		key, value, ok := strings.Cut(strings.TrimSpace(strings.ToValidUTF8(text, "\ufffd")), ":")
		if !ok {
			continue
		}
		key, value = strings.ToLower(strings.TrimSpace(key)), strings.TrimSpace(value)
		switch key {
		case "user-agent":
			if inRules {
				agents, inRules = nil, false
			}
			if t := productToken(value); t != "" {
				agents = append(agents, t)
				r.addAgent(t)
			}
		case "allow", "disallow":
			inRules = true
			rules++
			aiTxtRule(&r, agents, key, value, line(n+1))
		}
	}
	if rules == 0 {
		r.invalid("ai_txt_other_format", "", "")
	}
	r.sortAgents()
	return r
}

func aiTxtRule(r *Result, agents []string, key, value, at string) {
	if value == "" {
		return
	}
	if len(agents) == 0 {
		r.warn("ai_txt_rule_outside_group", at, value)
		agents = []string{"*"}
	}
	s := Statement{Channel: AITxt, Word: "train", Effect: Allow, Locator: at, Text: key + " " + value, Pattern: value}
	if key == "disallow" {
		s.Effect = Disallow
	}
	if value[0] != '/' && value[0] != '*' {
		s.Pattern = "/" + value
	}
	if strings.HasPrefix(value, "*.") {
		s.Pattern = "/" + value + "$" // a media glob names the end of the path
	}
	for _, a := range agents {
		s.Agent = a
		r.say(s)
	}
}

// ParseTrustTxt reads the datatrainingallowed line of a trust.txt file.
func ParseTrustTxt(in Input) Result {
	r := newResult(in, TrustTxt)
	if looksLikeHTML(in.Body) {
		r.invalid("html_instead_of_text", "", "")
		return r
	}
	for n, text := range robotsLines(in.Body) {
		key, value, ok := strings.Cut(strings.TrimSpace(text), "=")
		if !ok || !strings.EqualFold(strings.TrimSpace(key), "datatrainingallowed") {
			continue
		}
		s := Statement{Channel: TrustTxt, Pattern: "/", Word: "train", Locator: line(n + 1)}
		switch strings.ToLower(strings.TrimSpace(value)) {
		case "yes":
			s.Effect, s.Text = Allow, "datatrainingallowed=yes"
		case "no":
			s.Effect, s.Text = Disallow, "datatrainingallowed=no"
		default:
			r.warn("trust_txt_value_ignored", s.Locator, value)
			continue
		}
		if len(r.Statements) > 0 {
			r.warn("trust_txt_repeated", s.Locator, value)
		}
		r.say(s)
	}
	return r
}

func (r *Result) sortAgents() { r.Agents = sortedSet(r.Agents) }
