package urlkey_test

import (
	"encoding/json"
	"net/url"
	"os"
	"strings"
	"testing"

	"colophon/internal/outcome"
	"colophon/internal/urlkey"
)

type urlVectors struct {
	URLKey struct {
		Vectors []struct {
			Input, Canonical string
			URLKey           string `json:"url_key"`
			ExpectError      string `json:"expect_error"`
		}
	} `json:"url_key"`
}

func loadURLVectors(t testing.TB) urlVectors {
	var v urlVectors
	text, err := os.ReadFile("../record/testdata/provenance.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatal(err)
	}
	for i, c := range v.URLKey.Vectors {
		if strings.HasSuffix(c.Input, `...(2050 x "a")`) {
			v.URLKey.Vectors[i].Input = "https://news.example.com/" + strings.Repeat("a", 2050)
		}
	}
	if len(v.URLKey.Vectors) != 46 {
		t.Fatalf("%d URL vectors, want 46", len(v.URLKey.Vectors))
	}
	return v
}

func TestURLKeyVectors(t *testing.T) {
	for _, c := range loadURLVectors(t).URLKey.Vectors {
		t.Run(c.Input[:min(len(c.Input), 60)], func(t *testing.T) {
			got, err := urlkey.URLKey(c.Input)
			if c.ExpectError != "" {
				if err != outcome.Code(c.ExpectError) || got != "" {
					t.Fatalf("URLKey = %q, %v; want %s", got, err, c.ExpectError)
				}
				return
			}
			if err != nil || got != c.Canonical {
				t.Fatalf("URLKey = %q, %v; want %q", got, err, c.Canonical)
			}
			if key := urlkey.URLKeyHex(got); key != c.URLKey {
				t.Errorf("key %s, want %s", key, c.URLKey)
			}
		})
	}
}

// TestURLKeyOwn checks what the vectors leave open.
func TestURLKeyOwn(t *testing.T) {
	long := "https://a.example/" + strings.Repeat("b", urlkey.MaxURLBytes-len("https://a.example/"))
	for _, c := range []struct {
		name, in, want string
		code           outcome.Code
	}{
		{"empty port is the default port", "https://a.example:/x", "https://a.example/x", ""},
		{"the other scheme's port stays", "http://a.example:443/", "http://a.example:443/", ""},
		{"highest port", "https://a.example:65535/", "https://a.example:65535/", ""},
		{"port above", "https://a.example:65536/", "", outcome.URLPort},
		{"port zero", "https://a.example:0/", "", outcome.URLPort},
		{"two ports", "https://a.example:1:2/", "", outcome.URLPort},
		{"signed port", "https://a.example:+80/", "", outcome.URLPort},
		{"host before port", "https://a_b.example:0/", "", outcome.URLHost},
		{"no host", "https:///x", "", outcome.URLHost},
		{"empty label", "https://a..example/", "", outcome.URLHost},
		{"hexadecimal last label", "https://a.0x7f/", "", outcome.URLHost},
		{"bare 0x last label", "https://a.0x/", "", outcome.URLHost},
		{"digits and letters are a name", "https://a.7f/", "https://a.7f/", ""},
		{"long label", "https://" + strings.Repeat("a", 64) + ".example/", "", outcome.URLHost},
		{"longest label", "https://" + strings.Repeat("a", 63) + ".example/", "https://" + strings.Repeat("a", 63) + ".example/", ""},
		{"long host", "https://" + strings.Repeat("a.", 126) + "bc/", "", outcome.URLHost},
		{"single slash", "https:/a.example/", "", outcome.URLScheme},
		{"DEL", "https://a.example/\x7f", "", outcome.URLForbiddenCharacter},
		{"ill-formed UTF-8", "https://a.example/\xff", "", outcome.URLForbiddenCharacter},
		{"at sign before path only counts in the authority", "https://a.example?u=b@c", "https://a.example/?u=b@c", ""},
		{"authority ends at the fragment", "https://a.example#@b.example", "https://a.example/", ""},
		{"a fragment that makes it too long", long + "#", "", outcome.URLTooLong},
		{"bad escape in the fragment goes with it", "https://a.example/#%zz", "https://a.example/", ""},
		{"short escape", "https://a.example/%4", "", outcome.URLPercentEncoding},
		{"escape at the end", "https://a.example/%", "", outcome.URLPercentEncoding},
		{"bad escape in the query", "https://a.example/?%g0", "", outcome.URLPercentEncoding},
		{"escaped DEL", "https://a.example/%7F", "", outcome.URLPercentEncoding},
		{"reserved escapes stay", "https://a.example/%3a%40?%2f", "https://a.example/%3A%40?%2F", ""},
		{"question mark in a query", "https://a.example/??", "https://a.example/??", ""},
		{"dots in a query stay", "https://a.example/?a/../b", "https://a.example/?a/../b", ""},
		{"dot at the end", "https://a.example/a/.", "https://a.example/a/", ""},
		{"dots after an empty segment", "https://a.example/a//../b", "https://a.example/a/b", ""},
		{"empty first segment", "https://a.example//.:.;/.", "https://a.example//.:.;/", ""},
		{"three dots are a name", "https://a.example/.../b", "https://a.example/.../b", ""},
		{"longest", long, long, ""},
		{"one longer", long + "b", "", outcome.URLTooLong},
		{"too long once escaped", long[:len(long)-2] + "é", "", outcome.URLTooLong},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := urlkey.URLKey(c.in)
			if got != c.want || (c.code == "") != (err == nil) || err != nil && err != c.code {
				t.Errorf("URLKey(%.80q) = %.80q, %v; want %.80q, %q", c.in, got, err, c.want, c.code)
			}
		})
	}
}

func FuzzURLKey(f *testing.F) {
	for _, c := range loadURLVectors(f).URLKey.Vectors {
		f.Add(c.Input)
	}
	f.Add("https://a.example//.:.;/.")
	f.Fuzz(func(t *testing.T, raw string) {
		got, err := urlkey.URLKey(raw)
		if err != nil {
			if _, ok := err.(outcome.Code); !ok || got != "" {
				t.Fatalf("URLKey(%q) = %q, %T", raw, got, err)
			}
			return
		}
		if again, err := urlkey.URLKey(got); err != nil || again != got {
			t.Fatalf("not idempotent: %q became %q, %v", got, again, err)
		}
		checkWithNetURL(t, raw, got)
	})
}

// checkWithNetURL compares the canonical form with how the standard library
// parses both forms.
func checkWithNetURL(t *testing.T, raw, got string) {
	u, err := url.Parse(got)
	if err != nil || u.Fragment != "" || u.User != nil || u.String() != got {
		t.Fatalf("net/url reads %q as %v, %v", got, u, err)
	}
	for _, segment := range strings.Split(u.EscapedPath(), "/") {
		if segment == "." || segment == ".." {
			t.Fatalf("%q keeps a dot segment", got)
		}
	}
	if in, err := url.Parse(raw); err == nil {
		if !strings.EqualFold(in.Hostname(), u.Hostname()) || !strings.EqualFold(in.Scheme, u.Scheme) {
			t.Fatalf("%q became %q: another origin", raw, got)
		}
		if a, b := in.Query().Encode(), u.Query().Encode(); a != b {
			t.Fatalf("%q became %q: another query", raw, got)
		}
	}
}
