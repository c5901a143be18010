package channel

import (
	"strconv"
	"strings"

	"colophon/internal/channel/misspelt"
	"colophon/internal/channel/statements"
	"colophon/internal/wire"
)

// ParseTDMRep reads /.well-known/tdmrep.json: an array of rules, of which the
// first that matches a path decides.
func ParseTDMRep(in Input) Result {
	r, v, ok := jsonResult(in, statements.TDMRep)
	if !ok {
		return r
	}
	if v.Kind == wire.KindObject {
		r.addWarning("tdmrep_not_an_array", "", "")
	} else if v.Kind != wire.KindArray {
		r.rejectDocument("tdmrep_not_an_array", "", "")
		return r
	}
	for i, rule := range jsonList(&v) {
		tdmRule(&r, in.URL, &rule, i)
	}
	return r
}

func tdmRule(r *Result, base string, rule *wire.Value, i int) {
	at := "[" + strconv.Itoa(i) + "]"
	location, ok := rule.Get("location").Str()
	if !ok || location == "" {
		r.addGap("tdmrep_location_missing", at, "")
		return
	}
	if strings.Contains(location, "://") {
		r.addWarning("absolute_content_url", at, location)
		_, location = statements.Split(location)
	}
	if location[0] != '/' && location[0] != '*' {
		r.addWarning("tdmrep_location_without_slash", at, location)
		location = "/" + location
	}
	t := tdmPair{policy: jsonText(rule.Get("tdm-policy"))}
	t.reservation, t.seen = readReservation(r, rule, at)
	before := len(r.Statements)
	t.addTo(r, base, statements.LayerFile, at)
	for j := before; j < len(r.Statements); j++ {
		r.Statements[j].Pattern = location
		r.Statements[j].Group = i + 1
	}
	if len(r.Statements) == before {
		// The first rule that matches decides, even when it decides nothing.
		r.addStatement(statements.Statement{Channel: statements.TDMRep, Pattern: location, Group: i + 1, Word: "reservation", Locator: at, Text: "unset"})
	}
}

// readReservation reads 0 or 1, as a number or a string. It returns any other
// value unchanged, for tdmPair to interpret.
func readReservation(r *Result, rule *wire.Value, at string) (string, bool) {
	v := rule.Get("tdm-reservation")
	if v == nil {
		for i := range rule.Members {
			if isReservationName(rule.Members[i].Name) {
				return rule.Members[i].Name, true
			}
		}
		r.addWarning("tdm_reservation_missing", at, "")
		return "", false
	}
	switch v.Kind {
	case wire.KindNumber:
		return v.Text, true
	case wire.KindString:
		r.addWarning("tdm_reservation_not_a_number", at, v.Text)
		return v.Text, true
	}
	r.addWarning("tdm_reservation_not_a_number", at, "")
	return string(v.Append(nil)), true
}

// isReservationName reports whether a name differs from "tdm-reservation" in nothing
// but its signs, its case or one letter.
func isReservationName(name string) bool {
	return misspelt.IsNear(misspelt.Letters(name), "tdmreservation")
}
