package channel

import (
	"bytes"
	"slices"
	"strings"

	"colophon/internal/wire"
)

var (
	usageWords  = []string{"train-ai", "search"}
	signalWords = []string{"search", "ai-input", "ai-train"}
	crawlWords  = []string{"train"}
)

// contentUsage writes a preference expression, "" for none.
func contentUsage(s speech) string {
	return join(s, ", ", "y", "n")
}

func contentSignal(s speech) string {
	return join(s, ", ", "yes", "no")
}

func join(s speech, sep, yes, no string) string {
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

// robots writes the lines to put into robots.txt. Content-Signal knows no
// paths and holds for everything; both are repeated in the groups of named
// agents, which do not inherit from "*".
func (w *packer) robots() {
	usages := make([]speech, len(w.regions))
	for i, r := range w.regions {
		usages[i] = r.speak(AIPrefRobots, false, usageWords...)
	}
	usages = nested(w.regions, usages)
	signal := w.all.speak(ContentSignal, false, signalWords...)
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
	w.file(FileRobots, "text/plain", b.Bytes())
	for i, s := range force(w.regions, usages) {
		w.lost(FileRobots, AIPrefRobots, usageWords, w.regions[i], s.says(AIPrefRobots))
	}
	w.lostEverywhere(FileRobots, ContentSignal, signalWords, signal.says(ContentSignal))
}

// headers writes the response header of each region, in three forms: a list
// for any server, a _headers file (one rule for everything, because such
// rules add up) and an nginx map.
func (w *packer) headers() {
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
	w.json(FileHeaders, "application/json", list)
	w.headersPlan()
	w.nginx()
}

func (w *packer) headerFields(r *region, consent bool) []Field {
	var fields []Field
	if w.licensed {
		fields = append(fields, Field{"Link", "<" + w.licenseURL() + `>; rel="license"; type="` + rslMediaType + `"`})
	}
	if s := r.speak(AIPrefHeader, false, usageWords...); len(s) > 0 {
		fields = append(fields, Field{"Content-Usage", contentUsage(s)})
	}
	if s := r.speak(ContentSignal, false, signalWords...); len(s) > 0 {
		fields = append(fields, Field{"Content-Signal", contentSignal(s)})
	}
	switch r.speak(TDMRep, false, tdmWords...).get("reservation") {
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
	w.lost(FileHeaders, AIPrefHeader, usageWords, r, r.speak(AIPrefHeader, false, usageWords...).says(AIPrefHeader))
	w.lost(FileHeaders, ContentSignal, signalWords, r, r.speak(ContentSignal, false, signalWords...).says(ContentSignal))
	s := r.speak(TDMRep, false, tdmWords...)
	w.lost(FileHeaders, TDMRep, tdmWords, r, w.tdmSays(s, consent && s.get("reservation") == Disallow))
}

func (w *packer) headersPlan() {
	consent := w.consent(w.all, w.all.speak(TDMRep, false, tdmWords...)) && slices.Contains(w.consents, true)
	var b bytes.Buffer
	b.WriteString("/*\n")
	for _, f := range w.headerFields(w.all, consent) {
		b.WriteString("  " + f.Name + ": " + f.Value + "\n")
	}
	w.file(FileHeadersPlan, "text/plain", b.Bytes())
	w.lostEverywhere(FileHeadersPlan, AIPrefHeader, usageWords, w.all.speak(AIPrefHeader, false, usageWords...).says(AIPrefHeader))
	w.lostEverywhere(FileHeadersPlan, ContentSignal, signalWords, w.all.speak(ContentSignal, false, signalWords...).says(ContentSignal))
	w.lostEverywhere(FileHeadersPlan, TDMRep, tdmWords, w.tdmSays(w.all.speak(TDMRep, false, tdmWords...), consent))
}

// nginx writes one map a header name (for the http block) and the lines that
// use them (for the server block). An empty value sends no header.
func (w *packer) nginx() {
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
	w.file(FileNginx, "text/plain", maps.Bytes())
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
