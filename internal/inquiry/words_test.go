package inquiry

import (
	"errors"
	"testing"

	"colophon/internal/wire"
)

func TestFiguresOfTerms(t *testing.T) {
	for _, tc := range []struct{ name, amount, months, refused string }{
		{"nothing negative", "-1", "12", "/amount_cents"},
		{"no negative months", "100", "-1", "/term_months"},
		{"no words", "ten", "12", "/amount_cents"},
		{"no fractions", "1.5", "12", "/amount_cents"},
		{"no more than 64 bits", "9223372036854775808", "12", "/amount_cents"},
		{"no months in words", "100", "a year", "/term_months"},
	} {
		form := map[string]string{"amount_cents": tc.amount, "term_months": tc.months, "currency": "EUR", "unit": "flat", "uses": "rag"}
		_, err := ParsePublisherMessage(IndicativeTerms, "", func(name string) string { return form[name] })
		var bad *wire.Invalid
		if !errors.As(err, &bad) || len(bad.Fields) != 1 || bad.Fields[0].Pointer != tc.refused || bad.Fields[0].Code != "type_mismatch" {
			t.Errorf("%s: %v", tc.name, err)
		}
	}
}
