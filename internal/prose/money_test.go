package prose

import (
	"testing"

	"colophon/internal/assert"
)

func TestParseMoney(t *testing.T) {
	for _, x := range []struct {
		s        string
		minor    int64
		currency string
	}{
		{"12.50 EUR", 1250, "EUR"}, {"12,50 EUR", 1250, "EUR"}, {"EUR 12.5", 1250, "EUR"}, {"€12.50", 1250, "EUR"}, {"12,50 €", 1250, "EUR"},
		{"1250 usd", 125000, "USD"}, {"1,250.00 USD", 125000, "USD"}, {"1.250,00 EUR", 125000, "EUR"}, {"1 250,00 EUR", 125000, "EUR"},
		{"1\u202f250,00\u00a0EUR", 125000, "EUR"}, {"CHF 1'250.50", 125050, "CHF"}, {"1,250,000 USD", 125000000, "USD"}, {"1.250.000 EUR", 125000000, "EUR"},
		{"1,250,000.5 USD", 125000050, "USD"}, {"5000 JPY", 5000, "JPY"}, {"5,000 JPY", 5000, "JPY"}, {"1,250,000 JPY", 1250000, "JPY"}, {"1.250.000 JPY", 1250000, "JPY"}, {"₩12,500", 12500, "KRW"}, {"1.5 KWD", 1500, "KWD"}, {"1.255 KWD", 1255, "KWD"}, {"1,250.000 KWD", 1250000, "KWD"}, {"0 EUR", 0, "EUR"}, {"0.05 GBP", 5, "GBP"}, {"£3", 300, "GBP"},
		{"1 234,50 EUR", 123450, "EUR"}, {"1'234.50 EUR", 123450, "EUR"}, {"1’234,50 CHF", 123450, "CHF"}, {"1.234,50 EUR", 123450, "EUR"}, {"1,234.50 EUR", 123450, "EUR"}, {"0,255 KWD", 255, "KWD"},
	} {
		minor, currency, why := ParseMoney(x.s)
		if minor != x.minor || currency != x.currency || why != "" {
			t.Errorf("%q is %d %s (%s), want %d %s", x.s, minor, currency, why, x.minor, x.currency)
		}
	}
	for _, s := range []string{
		"", "12.50", "EUR", "12.50 XXX", "$12.50", "twelve EUR", "-5 EUR", "+5 EUR", "1.250 EUR", "1,250 USD", "1,250 KWD", "12.505 EUR", "12. EUR", ".50 EUR", "12.5 JPY",
		"0.125 JPY", "0,125 JPY", "0.500 KRW", "0.125 XOF", "₩0.500", "1.250 JPY", "5.000 VND", "12.125 CLP", "0.000 ISK", "00.125 JPY", "1,250.500 JPY", "0.1255 JPY",
		"1,25,0.00 USD", "1.2.3 EUR", "12,50,00 EUR", "1250.000,00 EUR", "99999999999999999999 EUR", "12 EUR 5", "€ 12 USD", "1.25,0.5 EUR",
	} {
		if minor, currency, why := ParseMoney(s); why == "" {
			t.Errorf("%q is taken as %d %s", s, minor, currency)
		}
	}
}

// TestWhyNoMoney checks that an error is described exactly, and that an
// ambiguous amount is returned in both readings.
func TestWhyNoMoney(t *testing.T) {
	for s, want := range map[string]string{
		"1.234 EUR": "This can be read in two ways. Write 1234.00 or 1.23.",
		"1,234 EUR": "This can be read in two ways. Write 1234.00 or 1.23.",
		"0.125 JPY": "This can be read in two ways, and the currency has no decimals. Write 125, or 0 if 125 is a fraction.",
		"1.250 JPY": "This can be read in two ways, and the currency has no decimals. Write 1250, or 1 if 250 is a fraction.",
		"0.015 EUR": "The decimals do not fit this currency, which has 2.",
		"0,015 EUR": "The decimals do not fit this currency, which has 2.",
		"12.50":     "Write an amount and a currency code, such as 12.50 EUR.",
		"$12.50":    "Write an amount and a currency code, such as 12.50 EUR.",
	} {
		if _, _, why := ParseMoney(s); why != want {
			t.Errorf("%q: %q, want %q", s, why, want)
		}
	}
}

func TestMoneyWordsAreReadBack(t *testing.T) {
	for _, currency := range []string{"EUR", "JPY", "KWD"} {
		for _, n := range []int64{0, 1, 9, 10, 99, 100, 101, 999, 1000, 12345, 100000, 123456789} {
			words := MoneyWords(n, currency)
			got, c, why := ParseMoney(words)
			if got != n || c != currency {
				t.Errorf("%d %s is %q, which is read as %d %s (%s)", n, currency, words, got, c, why)
			}
		}
	}
	for want, n := range map[string]int64{"12.50 EUR": 1250, "0.05 EUR": 5, "1,250.00 EUR": 125000} {
		assert.Equal(t, MoneyWords(n, "EUR"), want, "%d", n)
	}
	assert.Equal(t, MoneyWords(5000, "JPY"), "5,000 JPY", "yen")
}
