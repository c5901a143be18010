package channel

import (
	"slices"
	"strings"

	"colophon/exports"
	"colophon/internal/channel/misspelt"
	"colophon/internal/channel/statements"
)

// declarationKeys are the keys by which a declaration of
// draft-car-ai-txt-wellknown-00 (12 June 2026) is distinguished from a robots-like ai.txt.
var declarationKeys = []string{"training", "scraping", "indexing", "caching", "training-allow", "training-deny", "training-license", "training-fee", "site-name", "site-url"}

// declaration is such a file being read. A block for an agent replaces what the
// file says for everybody.
type declaration struct {
	r       *Result
	base    string
	site    declared
	blocks  []declared
	license string // SPDX identifier, "" if none
	fee     string // address of a price, "" if none
}

// declared holds the statements for some agents.
type declared struct {
	agents []string
	policy map[string]declaredWord // by key
	paths  []statements.Statement  // of training, by path
}

type declaredWord struct {
	value, locator string
}

// readDeclaration reads a declaration, and reports whether the text is one.
func readDeclaration(r *Result, in Input) bool {
	d := declaration{r: &Result{}, base: in.URL, site: declared{agents: []string{"*"}, policy: map[string]declaredWord{}}}
	known := false
	text := strings.TrimPrefix(string(in.Body[:min(len(in.Body), MaxDocumentBytes)]), "\ufeff")
	for n := 1; text != ""; n++ {
		var line string
		line, text = nextLine(text)
		line, _, _ = strings.Cut(strings.ToValidUTF8(line, "\ufffd"), "#")
		plain := plainLine(line)
		key, value, ok := strings.Cut(plain, ":")
		key = strings.ToLower(strings.TrimSpace(key))
		if !ok {
			continue
		}
		if plain != strings.TrimSpace(line) {
			d.r.addGap("ai_txt_line_unreadable", lineLocator(n), line)
		}
		known = known || slices.Contains(declarationKeys, key)
		d.readLine(n, key, strings.TrimSpace(value), strings.HasPrefix(line, " ") || strings.HasPrefix(line, "\t"))
	}
	if !known {
		return false
	}
	r.Gaps, r.Warnings, r.Links = append(r.Gaps, d.r.Gaps...), append(r.Warnings, d.r.Warnings...), append(r.Links, d.r.Links...)
	d.r = r
	d.finish()
	return true
}

// readLine reads one field. An indented one belongs to the block of agents above it.
func (d *declaration) readLine(n int, key, value string, indented bool) {
	at := lineLocator(n)
	to := &d.site
	if indented && len(d.blocks) > 0 {
		to = &d.blocks[len(d.blocks)-1]
	}
	switch key {
	case "agent":
		d.blocks = append(d.blocks, declared{agents: []string{strings.ToLower(ProductToken(value))}, policy: map[string]declaredWord{}})
		if d.blocks[len(d.blocks)-1].agents[0] == "" {
			d.r.addGap("ai_txt_agent_unreadable", at, value)
		}
	case "training", "scraping", "indexing", "caching":
		d.readPolicy(to, key, strings.ToLower(value), at)
	case "training-allow", "training-deny":
		d.readPaths(to, key, value, at)
	case "training-license":
		d.license = value
	case "training-fee":
		if d.fee = value; value != "" {
			d.r.addLink(d.base, statements.Link{Rel: "acquire-license", URL: value, Locator: at})
		}
	default:
		if mayRestrictTraining(key) {
			d.r.addGap("ai_txt_key_unknown", at, key)
		}
	}
}

func (d *declaration) readPolicy(to *declared, key, value, at string) {
	switch value {
	case "allow", "deny", "conditional":
	default:
		d.r.addGap("ai_txt_value_ignored", at, value)
	}
	if before, twice := to.policy[key]; twice && before.value != value {
		d.r.addGap("ai_txt_repeated", at, value)
	}
	to.policy[key] = declaredWord{value, at}
}

func (d *declaration) readPaths(to *declared, key, value, at string) {
	if value == "" {
		return
	}
	s := statements.Statement{Channel: statements.AITxt, Word: "train", Effect: statements.Disallow, Locator: at, Text: key + ": " + value}
	if key == "training-allow" {
		s.Effect = statements.Allow
	}
	for _, s.Pattern = range aiTxtPatterns(value, s.Effect) {
		to.paths = append(to.paths, s)
	}
}

// finish adds the statements to the result, in a group for each set of agents.
func (d *declaration) finish() {
	g := groupReader{r: d.r}
	for i := range d.blocks {
		if b := &d.blocks[i]; b.agents[0] == "*" {
			d.site = d.site.overriddenBy(b)
		}
	}
	g.groups = append(g.groups, ruleGroup{agents: d.site.agents, statements: d.statementsOf(&d.site)})
	for i := range d.blocks {
		if b := &d.blocks[i]; b.agents[0] != "*" && b.agents[0] != "" {
			own := d.site.overriddenBy(b)
			g.groups = append(g.groups, ruleGroup{agents: b.agents, statements: d.statementsOf(&own)})
		}
	}
	g.finishGroups()
}

// overriddenBy returns what holds for the agents of a block.
func (s declared) overriddenBy(block *declared) declared {
	own := declared{agents: block.agents, policy: map[string]declaredWord{}, paths: s.paths}
	for _, from := range []map[string]declaredWord{s.policy, block.policy} {
		for key, word := range from {
			own.policy[key] = word
		}
	}
	if _, said := block.policy["training"]; said || len(block.paths) > 0 {
		own.paths = block.paths
	}
	return own
}

// statementsOf returns the statements made to some agents. If nothing is said
// about training, it is denied, as the draft requires. Of the other keys only
// prohibitions count: what they permit is the default of every file and names
// no use exactly.
func (d *declaration) statementsOf(own *declared) []statements.Statement {
	var out []statements.Statement
	training := own.policy["training"]
	switch training.value {
	case "":
		out = append(out, statements.Statement{Channel: statements.AITxt, Pattern: "/", Word: "train", Effect: statements.Disallow, Text: "Training is denied by default"})
	case "deny", "conditional": // no path says what the condition is
		out = append(out, statements.Statement{Channel: statements.AITxt, Pattern: "/", Word: "train", Effect: statements.Disallow, Locator: training.locator, Text: "Training: " + training.value})
	case "allow":
		out = append(out, d.permission(statements.Statement{Pattern: "/", Locator: training.locator, Text: "Training: allow"}))
	}
	for _, s := range own.paths {
		if training.value != "conditional" && s.Effect == statements.Allow {
			continue // the draft reads paths only where training is conditional
		}
		if s.Effect == statements.Allow {
			s = d.permission(s)
		}
		out = append(out, s)
	}
	if word := own.policy["caching"]; word.value == "deny" || word.value == "conditional" {
		out = append(out, statements.Statement{
			Channel: statements.AITxt, Pattern: "/", Word: statements.RetentionWord, Retention: exports.RetentionNone, Locator: word.locator, Text: "Caching: " + word.value,
		})
	}
	for _, key := range []string{"scraping", "indexing"} {
		if word := own.policy[key]; word.value == "deny" || word.value == "conditional" {
			out = append(out, statements.Statement{Channel: statements.AITxt, Pattern: "/", Word: key, Effect: statements.Disallow, Locator: word.locator, Text: key + ": " + word.value})
		}
	}
	return out
}

// permission returns a permission to train, under the licence and at the price
// that the file names.
func (d *declaration) permission(s statements.Statement) statements.Statement {
	s.Channel, s.Word, s.Effect = statements.AITxt, "train", statements.Allow
	if d.license != "" {
		s.Terms = statements.Terms{Standard: "https://spdx.org/licenses/" + d.license}
	}
	if abs, ok := ResolveAbsolute(d.base, d.fee); ok && d.fee != "" {
		s.Effect, s.Terms.Custom = statements.Priced, abs
	}
	return s
}

// mayRestrictTraining reports whether a key that neither format of ai.txt has may
// restrict training: "Allow-Training", "AI-Train", a misspelt "Traning", or a Disallow
// among declarations.
func mayRestrictTraining(key string) bool {
	letters := misspelt.Letters(key)
	return strings.Contains(letters, "train") || strings.Contains(letters, "disallow") || misspelt.IsNear(letters, "training")
}
