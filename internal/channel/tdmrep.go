package channel

import (
	"strconv"
	"strings"

	"colophon/internal/channel/said"
	"colophon/internal/wire"
)

// ParseTDMRep reads /.well-known/tdmrep.json: an array of rules, of which the
// first that matches a path decides.
func ParseTDMRep(in Input) Result {
	r, v, ok := jsonResult(in, TDMRep)
	if !ok {
		return r
	}
	if v.Kind == wire.KindObject {
		r.warn("tdmrep_not_an_array", "", "")
	} else if v.Kind != wire.KindArray {
		r.invalid("tdmrep_not_an_array", "", "")
		return r
	}
	for i, rule := range list(&v) {
		tdmRule(&r, in.URL, &rule, i)
	}
	return r
}

func tdmRule(r *Result, base string, rule *wire.Value, i int) {
	at := "[" + strconv.Itoa(i) + "]"
	location, ok := rule.Get("location").Str()
	if !ok || location == "" {
		r.gap("tdmrep_location_missing", at, "")
		return
	}
	if strings.Contains(location, "://") {
		r.warn("absolute_content_url", at, location)
		_, location = said.Split(location)
	}
	if location[0] != '/' && location[0] != '*' {
		r.warn("tdmrep_location_without_slash", at, location)
		location = "/" + location
	}
	t := tdmPair{policy: text(rule.Get("tdm-policy"))}
	t.reservation, t.seen = reservation(r, rule.Get("tdm-reservation"), at)
	before := len(r.Statements)
	t.say(r, base, LayerFile, at)
	for j := before; j < len(r.Statements); j++ {
		r.Statements[j].Pattern = location
		r.Statements[j].Group = i + 1
	}
	if len(r.Statements) == before {
		// The first rule that matches decides, even when it decides nothing.
		r.say(Statement{Channel: TDMRep, Pattern: location, Group: i + 1, Word: "reservation", Locator: at, Text: "unset"})
	}
}

// reservation reads 0 or 1, tolerating strings and booleans.
func reservation(r *Result, v *wire.Value, at string) (string, bool) {
	if v == nil {
		r.warn("tdm_reservation_missing", at, "")
		return "", false
	}
	switch v.Kind {
	case wire.KindNumber:
		return v.Text, true
	case wire.KindString:
		r.warn("tdm_reservation_not_a_number", at, v.Text)
		return v.Text, true
	}
	r.warn("tdm_reservation_not_a_number", at, "")
	return "", false
}
