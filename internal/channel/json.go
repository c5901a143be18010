package channel

import (
	"colophon/internal/channel/statements"
	"colophon/internal/wire"
)

// foreign bounds the JSON of other people: deep and wide enough for JSON-LD.
var foreign = wire.Limits{Bytes: 8 << 20, Depth: 32, Members: 4096, Floats: true}

func parseJSON(r *Result, body []byte, locator string) (wire.Value, bool) {
	v, err := wire.Parse(trimBOM(body), foreign)
	if err != nil {
		r.addWarning("json_invalid", locator, err.Error())
		return v, false
	}
	return v, true
}

// jsonResult begins the result of a document that is JSON as a whole; ok reports
// whether it is.
func jsonResult(in Input, name statements.Name) (r Result, v wire.Value, ok bool) {
	r = newResult(in, name)
	v, ok = parseJSON(&r, in.Body, "")
	if ok {
		return r, v, true
	}
	if looksLikeHTML(in.Body) {
		r.markAbsent("html_instead_of_json")
		return r, v, false
	}
	r.State = Invalid
	r.Gaps = append(r.Gaps, statements.Gap{Code: "json_invalid"})
	return r, v, false
}

func trimBOM(b []byte) []byte {
	if len(b) >= 3 && b[0] == 0xef && b[1] == 0xbb && b[2] == 0xbf {
		return b[3:]
	}
	return b
}

// jsonList views a JSON-LD value that may stand alone or in an array.
func jsonList(v *wire.Value) []wire.Value {
	switch {
	case v == nil || v.Kind == wire.KindNull:
		return nil
	case v.Kind == wire.KindArray:
		return v.Items
	}
	return []wire.Value{*v}
}

// jsonText returns a string, the "@id" or "url" of an object, or "".
func jsonText(v *wire.Value) string {
	if s, ok := v.Str(); ok {
		return s
	}
	for _, name := range []string{"@id", "id", "uid", "url"} {
		if s, ok := v.Get(name).Str(); ok {
			return s
		}
	}
	return ""
}
