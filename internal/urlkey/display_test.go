package urlkey_test

import (
	"testing"

	"colophon/internal/urlkey"
)

func TestShown(t *testing.T) {
	for _, c := range []struct{ address, want string }{
		{"https://news.example/a", "https://news.example/a"},
		{"https://xn--bcher-kva.example/", "https://bücher.example/"},
		{"https://www.xn--bcher-kva.example:8443/xn--bcher-kva?a=xn--bcher-kva.example", "https://www.bücher.example:8443/xn--bcher-kva?a=xn--bcher-kva.example"},
		{"https://xn--r8jz45g.xn--zckzah/x", "https://例え.テスト/x"},
		{"https://xn--strae-oqa.example", "https://straße.example"},
		{"https://xn--e1afmkfd.xn--80akhbyknj4f/", "https://пример.испытание/"},
		{"https://xn--9dbne9b.example/", "https://שלום.example/"},
		{"https://xn--exmple-4nf.com/", "https://xn--exmple-4nf.com/"},       // a Cyrillic letter among Latin ones
		{"https://xn--80ak6aa92e.com/", "https://xn--80ak6aa92e.com/"},       // аррӏе, all Cyrillic
		{"https://xn--a.example/", "https://xn--a.example/"},                 // no A-label
		{"https://xn--Bcher-kva.example/", "https://xn--Bcher-kva.example/"}, // not canonical
		{"/a", "/a"},
		{"xn--bcher-kva.example", "xn--bcher-kva.example"},
	} {
		if got := urlkey.Display(c.address); got != c.want {
			t.Errorf("Shown(%s) = %s, want %s", c.address, got, c.want)
		}
	}
}
