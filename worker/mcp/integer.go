package mcp

import (
	"strconv"
	"strings"

	"colophon/internal/wire"
)

// normalizeIntegers rewrites the members of an object that are whole numbers
// written as fractions or powers, such as 10.0 or 1e1. JSON Schema counts them
// as integers, and the schemas here promise to accept them. Models also write
// numbers in quotes: where args expect an integer, "3" is accepted as 3.
func normalizeIntegers(v *wire.Value, args *Args) {
	var properties *wire.Value
	for i := range v.Members {
		x := &v.Members[i].Value
		switch x.Kind {
		case wire.KindNumber:
			if s, ok := plainInteger(x.Text); ok {
				x.Text = s
			}
		case wire.KindString:
			number, ok := quotedInteger(x.Text)
			if !ok {
				continue
			}
			if properties == nil {
				schema := wire.Schema(args, false)
				properties = schema.Get("properties")
			}
			if kind, _ := properties.Get(v.Members[i].Name).Get("type").Str(); kind == "integer" {
				*x = wire.Value{Kind: wire.KindNumber, Text: number}
			}
		}
	}
}

// quotedInteger returns the digits of a text that consists of a JSON number and
// is an integer.
func quotedInteger(s string) (string, bool) {
	if s == "" || len(s) > 32 || strings.Trim(s, "+-.0123456789Ee") != "" {
		return "", false
	}
	v, err := wire.Parse([]byte(s), limits)
	if err != nil || v.Kind != wire.KindNumber {
		return "", false
	}
	return plainInteger(v.Text)
}

// plainInteger returns the plain digits of a JSON number that is an integer of
// at most 18 digits.
func plainInteger(s string) (string, bool) {
	sign := ""
	if s[0] == '-' {
		sign, s = "-", s[1:]
	}
	mantissa, power := s, 0
	if i := strings.IndexAny(s, "eE"); i >= 0 {
		n, err := strconv.Atoi(s[i+1:])
		if err != nil || n < -18 || n > 18 {
			return "", false
		}
		mantissa, power = s[:i], n
	}
	digits, fraction, _ := strings.Cut(mantissa, ".")
	for ; power > 0; power-- {
		if fraction == "" {
			fraction = "0"
		}
		digits, fraction = digits+fraction[:1], fraction[1:]
	}
	for ; power < 0; power++ {
		if digits == "" {
			digits = "0"
		}
		fraction = digits[len(digits)-1:] + fraction
		digits = digits[:len(digits)-1]
	}
	digits = strings.TrimLeft(digits, "0")
	if strings.Trim(fraction, "0") != "" || len(digits) > 18 {
		return "", false
	}
	if digits == "" {
		return "0", true
	}
	return sign + digits, true
}
