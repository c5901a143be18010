package channel

import (
	"colophon/internal/channel/statements"
	"colophon/internal/wire"
)

// CoMPFunctions are the words of CoMP's list of functions, by number.
var CoMPFunctions = [...]string{"all", "ai-all", "ai-train", "ai-input", "ai-index", "search"}

// ParseCoMP reads a CoMP 1.0 package. A package says where to license but not
// for which function, which is in the request that it answers. Only if its ext
// names functions does the result have statements; otherwise it has just the
// link.
func ParseCoMP(in Input) Result {
	r, v, ok := jsonResult(in, statements.CoMP)
	if !ok {
		return r
	}
	p := v.Get("package")
	if p == nil {
		p = &v
		r.addWarning("comp_package_missing", "", "")
	}
	if p.Get("id") == nil || p.Get("licenseurl") == nil {
		r.rejectDocument("comp_incomplete", "package", "")
		return r
	}
	s := statements.Statement{Channel: statements.CoMP, Pattern: "/", Effect: statements.Priced, Locator: "package"}
	s.Terms.Custom = jsonText(p.Get("licenseurl"))
	r.addLink(in.URL, statements.Link{Rel: "acquire-license", URL: s.Terms.Custom, Locator: "package.licenseurl"})
	scope := p.Get("scope")
	for _, c := range jsonList(scope.Get("country")) {
		s.Terms.Territories = append(s.Terms.Territories, parseTerritory(jsonText(&c)))
	}
	compUsers(&s.Terms, scope.Get("ause"))
	if n, ok := p.Get("citation").Int(); ok && n == 1 {
		s.Terms.Obligations = append(s.Terms.Obligations, "attribution")
	}
	for _, f := range jsonList(p.Get("ext").Get("function")) {
		n, ok := f.Int()
		if !ok || n < 0 || n >= int64(len(CoMPFunctions)) {
			r.addWarning("comp_function_unknown", "package.ext.function", "")
			continue
		}
		s.Word = CoMPFunctions[n]
		s.Text = "package " + clipText(jsonText(p.Get("id"))) + " for " + s.Word
		r.addStatement(s)
	}
	return r
}

// compUsers maps allowed use; 5 and 6 (bring your own, other) say nothing.
func compUsers(t *statements.Terms, v *wire.Value) {
	words := [...]string{"commercial", "non_commercial", "education", "government", "personal"}
	for _, item := range jsonList(v) {
		if n, ok := item.Int(); ok && n >= 0 && n < int64(len(words)) {
			t.UserTypes = append(t.UserTypes, words[n])
		}
	}
}

// ParseTelemetry reads a content telemetry manifest, of which only the
// presence and the endpoint matter here.
func ParseTelemetry(in Input) Result {
	r, v, ok := jsonResult(in, statements.TelemetryManifest)
	if !ok {
		return r
	}
	endpoint := jsonText(v.Get("telemetry").Get("endpoint"))
	if v.Get("schema_version") == nil || endpoint == "" {
		r.rejectDocument("telemetry_incomplete", "", "")
		return r
	}
	r.addLink(in.URL, statements.Link{Rel: "telemetry", URL: endpoint, Locator: "telemetry.endpoint"})
	return r
}
