package inquiry

import (
	"strconv"
	"strings"

	"colophon/exports/inquiries"
	"colophon/internal/wire"
)

// ParsePublisherMessage checks a publisher's message from a form or the command
// line. Figures are accepted with Act indicative_terms, under the names of
// inquiries.IndicativeTerms, and uses as a comma list.
func ParsePublisherMessage(act Act, body string, get func(name string) string) (MessageDraft, error) {
	w := MessageDraft{Kind: act, Body: strings.TrimSpace(body)}
	if err := Check(&inquiries.NewMessage{Body: w.Body, Kind: "text"}); err != nil && act != IndicativeTerms {
		return w, err
	}
	if act != IndicativeTerms {
		return w, nil
	}
	t := inquiries.IndicativeTerms{Cents: -1, TermMonths: -1, Currency: get("currency"), Unit: get("unit"), Note: w.Body, Uses: []string{}}
	for _, u := range strings.Split(get("uses"), ",") {
		if u = strings.TrimSpace(u); u != "" {
			t.Uses = append(t.Uses, u)
		}
	}
	for _, n := range []struct {
		name string
		p    *int64
	}{{"amount_cents", &t.Cents}, {"term_months", &t.TermMonths}} {
		text := strings.TrimSpace(get(n.name))
		if text == "" {
			continue
		}
		v, err := strconv.ParseInt(text, 10, 64)
		if err != nil || v < 0 {
			return w, &wire.Invalid{Fields: []wire.FieldError{{Pointer: "/" + n.name, Code: "type_mismatch", Detail: "Must be an integer from 0."}}}
		}
		*n.p = v
	}
	if err := Check(&t); err != nil {
		return w, err
	}
	if w.Body == "" {
		w.Body = "Indicative terms, not binding."
	}
	w.Terms = string(wire.Append(nil, &t))
	return w, nil
}

// Check applies a record's rules to values that came from a form.
func Check(r wire.Record) error {
	v, err := wire.Parse(wire.Append(nil, r), wire.Default)
	if err != nil {
		return err
	}
	return wire.DecodeValue(&v, r)
}
