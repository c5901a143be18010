package channelpack

import (
	"bytes"
	"slices"
	"strings"

	"colophon/internal/channel"
	"colophon/internal/channel/statements"
	"colophon/internal/wire"
)

var (
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
		if w.effect == statements.Allow {
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
		usages[i] = r.chooseWords(statements.AIPrefRobots, false, channel.UsageWords...)
	}
	usages = resolveNested(w.regions, usages)
	signal := w.all.chooseWords(statements.ContentSignal, false, signalWords...)
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
		w.noteLosses(FileRobots, statements.AIPrefRobots, channel.UsageWords, w.regions[i], s.readBack(statements.AIPrefRobots))
	}
	w.lostEverywhere(FileRobots, statements.ContentSignal, signalWords, signal.readBack(statements.ContentSignal))
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

func (w *packer) headerFields(r *region, consent bool) []channel.Field {
	var fields []channel.Field
	if w.licensed {
		fields = append(fields, channel.Field{Name: "Link", Value: "<" + w.licenseURL() + `>; rel="license"; type="` + channel.RSLMediaType + `"`})
	}
	if s := r.chooseWords(statements.AIPrefHeader, false, channel.UsageWords...); len(s) > 0 {
		fields = append(fields, channel.Field{Name: "Content-Usage", Value: contentUsage(s)})
	}
	if s := r.chooseWords(statements.ContentSignal, false, signalWords...); len(s) > 0 {
		fields = append(fields, channel.Field{Name: "Content-Signal", Value: contentSignal(s)})
	}
	switch r.chooseWords(statements.TDMRep, false, tdmWords...).effectOf("reservation") {
	case statements.Allow:
		fields = append(fields, channel.Field{Name: "tdm-reservation", Value: "0"})
	case statements.Disallow:
		fields = append(fields, channel.Field{Name: "tdm-reservation", Value: "1"})
		if consent {
			fields = append(fields, channel.Field{Name: "tdm-policy", Value: w.policyURL()})
		}
	}
	return fields
}

func (w *packer) lostHeader(r *region, consent bool) {
	w.noteLosses(FileHeaders, statements.AIPrefHeader, channel.UsageWords, r, r.chooseWords(statements.AIPrefHeader, false, channel.UsageWords...).readBack(statements.AIPrefHeader))
	w.noteLosses(FileHeaders, statements.ContentSignal, signalWords, r, r.chooseWords(statements.ContentSignal, false, signalWords...).readBack(statements.ContentSignal))
	s := r.chooseWords(statements.TDMRep, false, tdmWords...)
	w.noteLosses(FileHeaders, statements.TDMRep, tdmWords, r, w.tdmEffects(s, consent && s.effectOf("reservation") == statements.Disallow))
}

func (w *packer) headersPlan() {
	consent := w.canConsent(w.all, w.all.chooseWords(statements.TDMRep, false, tdmWords...)) && slices.Contains(w.consents, true)
	var b bytes.Buffer
	b.WriteString("/*\n")
	for _, f := range w.headerFields(w.all, consent) {
		b.WriteString("  " + f.Name + ": " + f.Value + "\n")
	}
	w.addFile(FileHeadersPlan, "text/plain", b.Bytes())
	w.lostEverywhere(FileHeadersPlan, statements.AIPrefHeader, channel.UsageWords, w.all.chooseWords(statements.AIPrefHeader, false, channel.UsageWords...).readBack(statements.AIPrefHeader))
	w.lostEverywhere(FileHeadersPlan, statements.ContentSignal, signalWords, w.all.chooseWords(statements.ContentSignal, false, signalWords...).readBack(statements.ContentSignal))
	w.lostEverywhere(FileHeadersPlan, statements.TDMRep, tdmWords, w.tdmEffects(w.all.chooseWords(statements.TDMRep, false, tdmWords...), consent))
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
