package channel

import (
	"bytes"
	"slices"
	"strings"

	"colophon/internal/wire"
)

var (
	usageWords  = []string{"train-ai", "ai-use", "search"}
	signalWords = []string{"search", "ai-input", "ai-train"}
	crawlWords  = []string{"train"}
)

// contentUsage writes a preference expression, "" for none.
func contentUsage(s speech) string {
	return joinWords(s, ", ", "y", "n")
}

func contentSignal(s speech) string {
	return joinWords(s, ", ", "yes", "no")
}

func joinWords(s speech, sep, yes, no string) string {
	var parts []string
	for _, w := range s {
		value := no
		if w.effect == Allow {
			value = yes
		}
		parts = append(parts, w.word+"="+value)
	}
	return strings.Join(parts, sep)
}

// writeRobots writes the lines to add to robots.txt. Content-Signal cannot
// express paths and applies to everything; both are repeated in the groups of
// named agents, which do not inherit from "*".
func (w *packer) writeRobots() {
	usages := make([]speech, len(w.regions))
	for i, r := range w.regions {
		usages[i] = r.chooseWords(AIPrefRobots, false, usageWords...)
	}
	usages = resolveNested(w.regions, usages)
	signal := w.all.chooseWords(ContentSignal, false, signalWords...)
	var b bytes.Buffer
	if w.licensed {
		b.WriteString("License: " + w.licenseURL() + "\n")
	}
	for _, agent := range append([]string{"*"}, w.p.Agents...) {
		b.WriteString("\nUser-agent: " + agent + "\n")
		for i, r := range w.regions {
			if len(usages[i]) > 0 {
				b.WriteString("Content-Usage: " + r.prefix + " " + contentUsage(usages[i]) + "\n")
			}
		}
		if len(signal) > 0 {
			b.WriteString("Content-Signal: " + contentSignal(signal) + "\n")
		}
	}
	w.addFile(FileRobots, "text/plain", b.Bytes())
	for i, s := range effectiveSpeeches(w.regions, usages) {
		w.noteLosses(FileRobots, AIPrefRobots, usageWords, w.regions[i], s.readBack(AIPrefRobots))
	}
	w.lostEverywhere(FileRobots, ContentSignal, signalWords, signal.readBack(ContentSignal))
}

// writeHeaders writes the response header of each region, in three forms: a list
// for any server, a _headers file (one rule for everything, because such
// rules add up) and an nginx map.
func (w *packer) writeHeaders() {
	list := wire.Array()
	for i, r := range slices.Backward(w.regions) {
		fields := w.headerFields(r, w.consents[i])
		w.lostHeader(r, w.consents[i])
		item := wire.Array()
		for _, f := range fields {
			item.Items = append(item.Items, wire.Object(wire.M("name", wire.String(f.Name)), wire.M("value", wire.String(f.Value))))
		}
		list.Items = append(list.Items, wire.Object(wire.M("headers", item), wire.M("path", wire.String(r.prefix+"*"))))
	}
	w.addJSON(FileHeaders, "application/json", list)
	w.headersPlan()
	w.writeNginx()
}

func (w *packer) headerFields(r *region, consent bool) []Field {
	var fields []Field
	if w.licensed {
		fields = append(fields, Field{"Link", "<" + w.licenseURL() + `>; rel="license"; type="` + rslMediaType + `"`})
	}
	if s := r.chooseWords(AIPrefHeader, false, usageWords...); len(s) > 0 {
		fields = append(fields, Field{"Content-Usage", contentUsage(s)})
	}
	if s := r.chooseWords(ContentSignal, false, signalWords...); len(s) > 0 {
		fields = append(fields, Field{"Content-Signal", contentSignal(s)})
	}
	switch r.chooseWords(TDMRep, false, tdmWords...).effectOf("reservation") {
	case Allow:
		fields = append(fields, Field{"tdm-reservation", "0"})
	case Disallow:
		fields = append(fields, Field{"tdm-reservation", "1"})
		if consent {
			fields = append(fields, Field{"tdm-policy", w.policyURL()})
		}
	}
	return fields
}

func (w *packer) lostHeader(r *region, consent bool) {
	w.noteLosses(FileHeaders, AIPrefHeader, usageWords, r, r.chooseWords(AIPrefHeader, false, usageWords...).readBack(AIPrefHeader))
	w.noteLosses(FileHeaders, ContentSignal, signalWords, r, r.chooseWords(ContentSignal, false, signalWords...).readBack(ContentSignal))
	s := r.chooseWords(TDMRep, false, tdmWords...)
	w.noteLosses(FileHeaders, TDMRep, tdmWords, r, w.tdmEffects(s, consent && s.effectOf("reservation") == Disallow))
}

func (w *packer) headersPlan() {
	consent := w.canConsent(w.all, w.all.chooseWords(TDMRep, false, tdmWords...)) && slices.Contains(w.consents, true)
	var b bytes.Buffer
	b.WriteString("/*\n")
	for _, f := range w.headerFields(w.all, consent) {
		b.WriteString("  " + f.Name + ": " + f.Value + "\n")
	}
	w.addFile(FileHeadersPlan, "text/plain", b.Bytes())
	w.lostEverywhere(FileHeadersPlan, AIPrefHeader, usageWords, w.all.chooseWords(AIPrefHeader, false, usageWords...).readBack(AIPrefHeader))
	w.lostEverywhere(FileHeadersPlan, ContentSignal, signalWords, w.all.chooseWords(ContentSignal, false, signalWords...).readBack(ContentSignal))
	w.lostEverywhere(FileHeadersPlan, TDMRep, tdmWords, w.tdmEffects(w.all.chooseWords(TDMRep, false, tdmWords...), consent))
}

// writeNginx writes one map a header name (for the http block) and the lines that
// use them (for the server block). An empty value sends no header.
func (w *packer) writeNginx() {
	names := []string{"Link", "Content-Usage", "Content-Signal", "tdm-reservation", "tdm-policy"}
	var maps, uses bytes.Buffer
	for _, name := range names {
		variable := "$rights_" + strings.ReplaceAll(strings.ToLower(name), "-", "_")
		maps.WriteString("map $uri " + variable + " {\n")
		for i, r := range slices.Backward(w.regions) {
			value := ""
			for _, f := range w.headerFields(r, w.consents[i]) {
				if f.Name == name {
					value = f.Value
				}
			}
			key := `"~^` + nginxQuote(r.prefix) + `"`
			if r.parent == nil {
				key = "default"
			}
			maps.WriteString("    " + key + " '" + value + "';\n")
		}
		maps.WriteString("}\n")
		uses.WriteString("add_header " + name + " " + variable + " always;\n")
	}
	maps.WriteString("\n# in the server block:\n")
	for line := range strings.Lines(uses.String()) {
		maps.WriteString("# " + line)
	}
	w.addFile(FileNginx, "text/plain", maps.Bytes())
}

// nginxQuote escapes what PCRE reads as more than itself.
func nginxQuote(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if strings.IndexByte(`.+?()[]^|`, s[i]) >= 0 {
			b.WriteByte('\\')
		}
		b.WriteByte(s[i])
	}
	return b.String()
}
