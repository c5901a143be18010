package canonicaltext_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"
	"time"
	"unicode/utf16"
	"unicode/utf8"

	"colophon/exports"
	"colophon/internal/assert"
	"colophon/internal/canonicaltext"
	"colophon/internal/outcome"
)

var must = assert.NoError

// readTextJSON reads a file of testdata.
func readTextJSON(t testing.TB, name string, v any) {
	t.Helper()
	b, err := os.ReadFile("testdata/" + name)
	must(t, err)
	if err := json.Unmarshal(b, v); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

type textVectors struct {
	Profile, Unicode string
	AssignedTable    struct {
		File, SHA256 string
		Ranges       int
	} `json:"assigned_table"`
	Vectors []struct {
		ID, Name, Input, Canonical, SHA256 string
		KnownWrong                         map[string]string `json:"known_wrong"`
	}
	Rejected []struct {
		ID, Name    string
		UTF8Hex     string `json:"input_utf8_hex"`
		UTF16Hex    string `json:"input_utf16be_hex"`
		ExpectError string `json:"expect_error"`
	}
}

func TestCanonicalTextVectors(t *testing.T) {
	var v textVectors
	readTextJSON(t, "canonical-text.json", &v)
	if v.Profile != exports.ProfileCanonicalText || v.Unicode != canonicaltext.TextUnicode || len(v.Vectors) != 50 {
		t.Fatalf("profile %q on Unicode %q with %d vectors", v.Profile, v.Unicode, len(v.Vectors))
	}
	for _, c := range v.Vectors {
		t.Run(c.ID+" "+c.Name, func(t *testing.T) {
			got, err := canonicaltext.CanonicalText(c.Input)
			if err != nil || got != c.Canonical {
				t.Fatalf("CanonicalText(%+q) = %+q, %v; want %+q", c.Input, got, err, c.Canonical)
			}
			digest := canonicaltext.PortableDigest([]byte(got))
			assert.Equal(t, digest, c.SHA256, "digest")
			for who, wrong := range c.KnownWrong {
				if digest == wrong {
					t.Errorf("digest is the wrong one of %s", who)
				}
			}
			if again, err := canonicaltext.CanonicalText(got); err != nil || again != got {
				t.Errorf("not idempotent: %+q, %v", again, err)
			}
		})
	}
}

func TestCanonicalTextRejected(t *testing.T) {
	var v textVectors
	readTextJSON(t, "canonical-text.json", &v)
	if len(v.Rejected) != 7 {
		t.Fatalf("%d rejected vectors", len(v.Rejected))
	}
	for _, c := range v.Rejected {
		t.Run(c.ID+" "+c.Name, func(t *testing.T) {
			input := bytesOfHex(t, c.UTF8Hex)
			if c.UTF16Hex != "" {
				input = wtf8(bytesOfHex(t, c.UTF16Hex))
			}
			got, err := canonicaltext.CanonicalText(string(input))
			if code := outcome.Code(c.ExpectError); !errors.Is(err, code) || got != "" {
				t.Fatalf("CanonicalText(% x) = %q, %v; want %s", input, got, err, code)
			}
			kept, err := canonicaltext.AppendCanonicalText([]byte("kept"), input)
			if err == nil || string(kept) != "kept" {
				t.Errorf("AppendCanonicalText left %q, %v", kept, err)
			}
		})
	}
}

// wtf8 converts big-endian UTF-16 as a careless transcoder does: surrogates
// become three bytes each.
func wtf8(b []byte) (out []byte) {
	for ; len(b) >= 2; b = b[2:] {
		unit := rune(b[0])<<8 | rune(b[1])
		if utf16.IsSurrogate(unit) {
			out = append(out, 0xE0|byte(unit>>12), 0x80|byte(unit>>6)&0x3F, 0x80|byte(unit)&0x3F)
			continue
		}
		out = utf8.AppendRune(out, unit)
	}
	return out
}

func bytesOfHex(t testing.TB, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(s)
	must(t, err)
	return b
}

func TestAppendCanonicalTextAfterText(t *testing.T) {
	got, err := canonicaltext.AppendCanonicalText([]byte("e"), []byte(" \u0301 b"))
	if err != nil || string(got) != "e\u0301 b" {
		t.Errorf("got %+q, %v: text before dst's end must stay as it is", got, err)
	}
}

func TestWhiteSpaceIsTheLiteralList(t *testing.T) {
	spaces := "\t\n\v\f\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
	count := 0
	for r := rune(0); r <= utf8.MaxRune; r++ {
		if !utf8.ValidRune(r) {
			continue
		}
		got, err := canonicaltext.CanonicalText("x" + string(r) + "x")
		if err != nil {
			t.Fatalf("%U: %v", r, err)
		}
		if got == "x x" {
			count++
		}
		assert.Equal(t, (got == "x x"), strings.ContainsRune(spaces, r), "%U gives %+q", r, got)
		assert.Equal(t, r == 0xAD || r == 0x200B || r == 0x2060 || r == 0xFEFF, got == "xx", "%U gives %+q", r, got)
	}
	assert.Equal(t, count, 25, "white-space code points")
}

// TestStackedMarksAreLinear checks that a run of marks takes linear time; at
// quadratic cost it would run for hours.
func TestStackedMarksAreLinear(t *testing.T) {
	text := "a" + strings.Repeat("\u0301\u0316\u0327\u0345", 500_000)
	start := time.Now()
	got, err := canonicaltext.CanonicalText(text)
	must(t, err)
	if took := time.Since(start); took > 20*time.Second {
		t.Errorf("%d bytes took %s", len(text), took)
	}
	assert.Equal(t, utf8.RuneCountInString(got), 2_000_000, "code points")
	if !strings.HasPrefix(got, "\u00e1\u0327\u0327") || !strings.HasSuffix(got, "\u0345\u0345") {
		t.Errorf("wrong order: %+q … %+q", got[:8], got[len(got)-4:])
	}
}

// TestTablesAreFrozen fails if the generated tables change at all, because
// every published digest would change with them.
func TestTablesAreFrozen(t *testing.T) {
	for name, want := range map[string]string{
		"tables.go":                            "7d80b7fdf6c2b32f5e53b05e14cb6bd27193a40c26a30ebb8cbf782e96f02e9e",
		"testdata/unicode-15.0.0-assigned.txt": "30e219ad67b83dbf64f3c9d555795247ee1e530024a3389b572d982624ea25b2",
	} {
		b, err := os.ReadFile(name)
		must(t, err)
		if got := sha256.Sum256(b); hex.EncodeToString(got[:]) != want {
			t.Errorf("%s has SHA-256 %x, want %s", name, got, want)
		}
	}
}
