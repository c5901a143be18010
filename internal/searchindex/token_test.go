package searchindex_test

import (
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"colophon/internal/searchindex"
)

func TestTokens(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", ""},
		{"!? --", ""},
		{"Tide tables 2026", "tide table 2026"},
		{"policies news gas class bus analysis pommes tomatoes shoes 1990s ties was", "policy news gas class bus analysis pomme tomato shoe 1990 tie was"},
		{"Don't re-read", "don t re read"},
		{"Ünïcödé ÉCOLE naïve", "unicode ecole naive"},
		{"e\u0301cole", "ecole"}, // decomposed
		{"Straße STRASSE", "strasse strasse"},
		{"Ærø Łódź Þór", "aero lodz thor"},
		{"İstanbul ılık", "istanbul ilik"},
		{"Ёлка Москва́", "елка москва"},
		{"Ἀθήνα σοφός", "αθηνα σοφοσ"},
		{"الْعَرَبِيَّة أخبار ٢٠٢٦", "العربيه اخبار 2026"},
		{"کتاب فارسی ۱۴۰۵", "كتاب فارسي 1405"},
		{"שָׁלוֹם", "שלום"},
		{"ｆｕｌｌ Ｗｉｄｔｈ １２", "full width 12"},
		{"ﬁne o\u00adffer", "fine offer"},
		{"東京都", "東京 京都"},
		{"東", "東"},
		{"日本 2026年 car", "日本 2026 年 car"},
		{"ข่าว", "ข่ ่า าว"},
		{"서울 뉴스", "서울 뉴스"},
		{"हिन्दी", "हिन्दी"},
		{"a\x00b\xffc", "a b c"},
		{strings.Repeat("x", 60), strings.Repeat("x", 48)},
	} {
		if got := strings.Join(searchindex.Words(c.text), " "); got != c.want {
			t.Errorf("Words(%q) = %q, want %q", c.text, got, c.want)
		}
	}
}

func FuzzTokens(f *testing.F) {
	f.Add("Ünïcode 東京都 أخبار")
	f.Fuzz(func(t *testing.T, s string) {
		words := searchindex.Words(s)
		for _, w := range words {
			if w == "" || len(w) > searchindex.MaxTokenBytes || !utf8.ValidString(w) {
				t.Fatalf("bad word %q of %q", w, s)
			}
			// A word folds to itself; so does a pair of characters in a script
			// without spaces.
			if again := searchindex.Words(w); len(again) != 1 || again[0] != w {
				t.Fatalf("word %q of %q gives %q", w, s, again)
			}
		}
	})
}

// TestTokenTables checks the file that browsers read: it has four lines, three
// of them numbers, and has a folded form for each character that it names.
func TestTokenTables(t *testing.T) {
	lines := strings.Split(searchindex.TokenTables, "\n")
	if len(lines) != 5 || lines[4] != "" {
		t.Fatalf("%d lines", len(lines))
	}
	for i, line := range lines[:3] {
		for _, word := range strings.Split(line, " ") {
			if n, err := strconv.ParseUint(word, 36, 32); err != nil || strconv.FormatUint(n, 36) != word {
				t.Errorf("line %d: %q is no number: %v", i+1, word, err)
			}
		}
	}
	named, spelled := strings.Count(lines[1], " "), strings.Count(lines[2], " ")
	if named != spelled {
		t.Errorf("%d characters, but %d ways to spell them", named+1, spelled+1)
	}
}
