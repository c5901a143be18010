package prose

import (
	"cmp"
	"strings"

	"colophon/exports"
	"colophon/exports/inquiries"
)

// minorDigits returns how many decimal digits the minor unit of a currency has
// (ISO 4217).
func minorDigits(currency string) int {
	switch currency {
	case "BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "UYI", "VND", "VUV", "XAF", "XOF", "XPF":
		return 0
	case "BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND":
		return 3
	}
	return 2
}

// currencySigns are the signs of a single currency. "$", "¥" and "kr" stand for
// several.
var currencySigns = [][2]string{{"€", "EUR"}, {"£", "GBP"}, {"₹", "INR"}, {"₩", "KRW"}, {"₺", "TRY"}, {"₽", "RUB"}, {"₪", "ILS"}, {"₫", "VND"}, {"₴", "UAH"}, {"zł", "PLN"}}

// ParseMoney parses an amount as people write it: "12.50 EUR", "EUR 1,250", "€
// 1.250,00", "12,5 eur". minor is in minor units of the currency. why tells the
// writer what is wrong; it is "" if nothing is.
func ParseMoney(s string) (minor int64, currency, why string) {
	amount, currency, why := splitMoney(s)
	if why != "" {
		return 0, "", why
	}
	whole, fraction, why := splitAmount(amount, minorDigits(currency))
	if why != "" {
		return 0, "", why
	}
	for _, r := range whole + fraction {
		if minor = minor*10 + int64(r-'0'); minor > inquiries.MaxCents {
			return 0, "", "This is more than can be entered here."
		}
	}
	return minor, currency, ""
}

const notMoney = "Write an amount and a currency code, such as 12.50 EUR."

// cutEnd cuts a word off the beginning or the end of s.
func cutEnd(s, word string) (rest string, ok bool) {
	if rest, ok = strings.CutPrefix(s, word); !ok {
		rest, ok = strings.CutSuffix(s, word)
	}
	return rest, ok && word != ""
}

// splitMoney splits an amount from its currency, which may precede or follow it
// as a code or a sign.
func splitMoney(s string) (amount, currency, why string) {
	s = strings.Map(plainSpace, strings.TrimSpace(s))
	for _, sign := range currencySigns {
		if rest, ok := cutEnd(s, sign[0]); ok {
			s, currency = rest, sign[1]
			break
		}
	}
	if currency == "" {
		code := strings.Trim(s, " 0123456789.,'’+-")
		rest, ok := cutEnd(s, code)
		if !ok || !exports.ValidCurrency(strings.ToUpper(code)) {
			return "", "", notMoney
		}
		s, currency = rest, strings.ToUpper(code)
	}
	s = strings.Map(withoutGaps, s)
	if s == "" || strings.Trim(s, "0123456789.,") != "" {
		return "", "", notMoney
	}
	return s, currency, ""
}

// plainSpace replaces the special spaces that stand between figures by plain
// ones.
func plainSpace(r rune) rune {
	switch r {
	case '\u00a0', '\u202f', '\u2009':
		return ' '
	}
	return r
}

// withoutGaps drops the separators of thousands except "." and ",".
func withoutGaps(r rune) rune {
	switch r {
	case ' ', '\'', '’':
		return -1
	}
	return r
}

// splitAmount splits whole units from the fraction, which it pads to digits.
// The last "." or "," is the decimal mark if one to digits figures follow it.
// Three figures after the only mark may be a fraction or thousands, unless a 0
// precedes it; in a currency without a minor unit they are thousands after a
// comma, and refused after a point or a 0.
func splitAmount(s string, digits int) (whole, fraction, why string) {
	at := strings.LastIndexAny(s, ".,")
	if at < 0 {
		return s, strings.Repeat("0", digits), ""
	}
	before, after := s[:at], s[at+1:]
	mark, other := s[at:at+1], map[byte]string{'.': ",", ',': "."}[s[at]]
	thousands := !strings.HasPrefix(before, "0")
	switch {
	case thousands && len(after) == 3 && digits == 3 && mark == "," && !strings.ContainsAny(before, ".,"):
		return "", "", "This can be read in two ways. Write " + before + after + ".000 or " + before + "." + after + "."
	case digits == 0 && len(after) == 3 && !strings.ContainsAny(before, ".,") && (mark == "." || !thousands):
		both := cmp.Or(strings.TrimLeft(before+after, "0"), "0")
		return "", "", "This can be read in two ways, and the currency has no decimals. Write " + both + ", or " + before + " if " + after + " is a fraction."
	case len(after) == 3 && (strings.Contains(before, mark) || digits == 0):
		before, after = before+mark+after, "" // all marks separate thousands
	case thousands && len(after) == 3 && digits == 2 && !strings.ContainsAny(before, ".,"):
		return "", "", "This can be read in two ways. Write " + before + after + ".00 or " + before + "." + after[:2] + "."
	case len(after) == 0 || len(after) > digits || before == "":
		return "", "", "The decimals do not fit this currency, which has " + Count(int64(digits)) + "."
	case strings.Contains(before, mark):
		return "", "", notMoney
	}
	if after == "" {
		other = mark
	}
	groups := strings.Split(before, other)
	for i, g := range groups {
		if g == "" || len(g) > 3 && len(groups) > 1 || i > 0 && len(g) != 3 || strings.ContainsAny(g, ".,") {
			return "", "", notMoney
		}
	}
	return strings.Join(groups, ""), after + strings.Repeat("0", digits-len(after)), ""
}

// MoneyWords returns an amount in minor units as people write it: "1,250.00
// EUR".
func MoneyWords(minor int64, currency string) string {
	digits := minorDigits(currency)
	scale := int64(1)
	for range digits {
		scale *= 10
	}
	s := Count(minor / scale)
	if digits > 0 {
		rest := Count(minor%scale + scale)
		rest = strings.ReplaceAll(rest, ",", "")
		s += "." + rest[1:]
	}
	return s + " " + currency
}
