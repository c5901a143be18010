package urlkey_test

import (
	"slices"
	"strings"
	"testing"

	"colophon/internal/outcome"
	"colophon/internal/urlkey"
)

// TestAddress compares with values of the URL Standard, in the form of
// service.url-key.v1.
func TestAddress(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		// UTS 46, non-transitional.
		{"http://bücher.example/", "http://xn--bcher-kva.example/"},
		{"https://BÜCHER.Example/a", "https://xn--bcher-kva.example/a"},
		{"https://bu\u0308cher.example/", "https://xn--bcher-kva.example/"},
		{"https://xn--bcher-kva.example/", "https://xn--bcher-kva.example/"},
		{"https://XN--BCHER-KVA.example/", "https://xn--bcher-kva.example/"},
		{"https://straße.example/", "https://xn--strae-oqa.example/"},
		{"https://münchen.example:8443/", "https://xn--mnchen-3ya.example:8443/"},
		{"https://例え.テスト/", "https://xn--r8jz45g.xn--zckzah/"},
		{"https://例え。テスト/", "https://xn--r8jz45g.xn--zckzah/"},
		{"https://news。example．com/", "https://news.example.com/"},
		{"https://ｎews.example.com/", "https://news.example.com/"},
		{"https://ne\u00adws.exam\u200bple.com/", "https://news.example.com/"},
		{"https://b%C3%BCcher.example/", "https://xn--bcher-kva.example/"},
		{"https://news%2eexample.com/", "https://news.example.com/"},
		{"https://שלום.example/", "https://xn--9dbne9b.example/"},
		// Hosts as they occur on the web.
		{"https://a_b.example.com/x", "https://a_b.example.com/x"},
		{"https://A_B.example.com", "https://a_b.example.com/"},
		{"https://r1---x.example/", "https://r1---x.example/"},
		{"https://r3---sn-abc.bücher.example/", "https://r3---sn-abc.xn--bcher-kva.example/"},
		{"https://-a.example/", "https://-a.example/"},
		{"https://news.example.com./a", "https://news.example.com/a"},
		{"https://bücher.example.:443/", "https://xn--bcher-kva.example/"},
		{"https://news.example.com:0443/", "https://news.example.com/"},
		{"https://news.example.com:08080/", "https://news.example.com:8080/"},
		// What browsers correct.
		{" https://news.example.com/a \r\n", "https://news.example.com/a"},
		{"\ufeffhttps://news.example.com/a\u200b", "https://news.example.com/a"},
		{"\u202ahttps://news.example.com/a\u202c", "https://news.example.com/a"},
		{"https://news.exa\tmple.com/a\nb", "https://news.example.com/ab"},
		{`https:\\news.example.com\a\b?c\d`, "https://news.example.com/a/b?c%5Cd"},
		{`https://news.example.com\@evil.example/`, "https://news.example.com/@evil.example/"},
		{"https:news.example.com/a", "https://news.example.com/a"},
		{"https:////news.example.com/a", "https://news.example.com/a"},
		{"https://news.example.com/100%", "https://news.example.com/100%25"},
		{"https://news.example.com/100%-natural?p=5%", "https://news.example.com/100%25-natural?p=5%25"},
		{"https://news.example.com/%zz%41", "https://news.example.com/%25zzA"},
		{"https://news.example.com/a b?c d", "https://news.example.com/a%20b?c%20d"},
		{"https://bücher.example/%zz#\\ a", "https://xn--bcher-kva.example/%25zz"},
		{"https://bücher.example?q=ü", "https://xn--bcher-kva.example/?q=%C3%BC"},
		{"https://bücher.example/می\u200cخواهم", "https://xn--bcher-kva.example/%D9%85%DB%8C%E2%80%8C%D8%AE%D9%88%D8%A7%D9%87%D9%85"},
		{"https://exаmple.com/", "https://xn--exmple-4nf.com/"},
	} {
		got, err := urlkey.Address(c.in)
		if err != nil || got != c.want {
			t.Errorf("Address(%q) = %q, %v; want %q", c.in, got, err, c.want)
			continue
		}
		if again, err := urlkey.Address(got); err != nil || again != got {
			t.Errorf("Address(%q) = %q, %v: not stable", got, again, err)
		}
	}
}

func TestAddressRefuses(t *testing.T) {
	for _, c := range []struct {
		in   string
		code outcome.Code
	}{
		{"", outcome.URLTooLong},
		{" \t", outcome.URLTooLong},
		{"https://bücher.example/" + strings.Repeat("a", 2048), outcome.URLTooLong},
		{"ftp://bücher.example/", outcome.URLScheme},
		{"//bücher.example/", outcome.URLScheme},
		{"bücher.example", outcome.URLScheme},
		{"https://user@bücher.example/", outcome.URLUserinfo},
		{"https://bücher.example@evil.example/", outcome.URLUserinfo},
		{"https://bücher/", outcome.URLHost},
		{"https://xn--a_.example/", outcome.URLHost},
		{"https://bücher..example/", outcome.URLHost},
		{"https://１２７.０.０.１/", outcome.URLHost},
		{"https://127.0.0.1./", outcome.URLHost},
		{"https://[::1]/ü", outcome.URLHost},
		{"https://exa\ufffdmple.com/", outcome.URLHost},
		{"https://exa mple.com/", outcome.URLHost},
		{"https://news%2fexample.com/", outcome.URLHost},
		{"https://news%00.example.com/", outcome.URLHost},
		{"https://שaלום.example/", outcome.URLHost},
		{"https://" + strings.Repeat("ü", 60) + ".example/", outcome.URLHost},
		{"https://bücher.example:0/", outcome.URLPort},
		{"https://bücher.example:99999/", outcome.URLPort},
		{"https://bücher.example:8o/", outcome.URLPort},
		{"https://bücher.example/%00", outcome.URLPercentEncoding},
		{"https://bücher.example/a%0d%0aSet-Cookie", outcome.URLPercentEncoding},
		{"https://bücher.example/a\x01b", outcome.URLForbiddenCharacter},
		{"https://bücher.example/\xff", outcome.URLForbiddenCharacter},
	} {
		if got, err := urlkey.Address(c.in); err != c.code || got != "" {
			t.Errorf("Address(%q) = %q, %v; want %s", c.in, got, err, c.code)
		}
	}
}

// TestAddressKeepsKeys checks that a URL which the profile accepts has the same
// form wherever it is entered.
func TestAddressKeepsKeys(t *testing.T) {
	for _, c := range loadURLVectors(t).URLKey.Vectors {
		if c.ExpectError != "" {
			continue
		}
		if got, err := urlkey.Address(c.Input); err != nil || got != c.Canonical {
			t.Errorf("Address(%q) = %q, %v; want %q", c.Input, got, err, c.Canonical)
		}
	}
}

func FuzzAddress(f *testing.F) {
	for _, c := range loadURLVectors(f).URLKey.Vectors {
		f.Add(c.Input)
	}
	f.Add("https://bücher。example.:0443\\a%")
	f.Add("https://xn--bcher-kva_.example/")
	f.Fuzz(func(t *testing.T, raw string) {
		got, err := urlkey.Address(raw)
		if strict, failed := urlkey.URLKey(raw); failed == nil && raw[len(raw)-1] < 0x80 && (err != nil || got != strict) {
			t.Fatalf("Address(%q) = %q, %v; the profile has %q", raw, got, err, strict)
		}
		if err != nil {
			if _, ok := err.(outcome.Code); !ok || got != "" {
				t.Fatalf("Address(%q) = %q, %T", raw, got, err)
			}
			return
		}
		if again, err := urlkey.Address(got); err != nil || again != got {
			t.Fatalf("not stable: %q became %q, then %q, %v", raw, got, again, err)
		}
	})
}

func TestSamePage(t *testing.T) {
	for _, c := range []struct {
		canonical string
		want      []string
	}{
		{"https://a.example/", []string{"http://a.example/", "https://www.a.example/", "http://www.a.example/"}},
		{"http://www.a.example/b/", []string{
			"https://www.a.example/b/", "http://a.example/b/", "https://a.example/b/",
			"http://www.a.example/b", "https://www.a.example/b", "http://a.example/b", "https://a.example/b",
		}},
		{"https://www.example/b?utm_source=x&id=1&FBCLID=2", []string{
			"https://www.example/b?id=1", "http://www.example/b?id=1",
			"https://www.example/b/?id=1", "http://www.example/b/?id=1",
		}},
		{"https://a.example:8443/?gclid=1", []string{"https://a.example:8443/", "https://www.a.example:8443/"}},
		{"https://a.example/b?c=utm_source", []string{
			"http://a.example/b?c=utm_source", "https://www.a.example/b?c=utm_source", "http://www.a.example/b?c=utm_source",
			"https://a.example/b/?c=utm_source", "http://a.example/b/?c=utm_source", "https://www.a.example/b/?c=utm_source", "http://www.a.example/b/?c=utm_source",
		}},
		{"https://a.example/b//", []string{
			"http://a.example/b//", "https://www.a.example/b//", "http://www.a.example/b//",
			"https://a.example/b", "http://a.example/b", "https://www.a.example/b", "http://www.a.example/b",
		}},
	} {
		got := urlkey.SamePage(c.canonical)
		if !slices.Equal(got, c.want) {
			t.Errorf("SamePage(%s) = %q, want %q", c.canonical, got, c.want)
		}
		for _, u := range got {
			if canonical, err := urlkey.Address(u); err != nil || canonical != u {
				t.Errorf("%s is not canonical: %s, %v", u, canonical, err)
			}
		}
	}
}
