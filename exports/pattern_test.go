package exports

import (
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"colophon/internal/assert"
)

func TestMatchPattern(t *testing.T) {
	for _, c := range []struct {
		pattern, path string
		want          bool
	}{
		{"/", "/", true}, {"/", "/a?b=c", true}, {"", "/", false},
		{"/fish", "/fish", true}, {"/fish", "/fish.html", true}, {"/fish", "/Fish", false}, {"/fish", "/catfish", false},
		{"/fish*", "/fishheads/yummy.html", true}, {"/fish/", "/fish", false}, {"/fish/", "/fish/?id=1", true},
		{"/*.php", "/folder/filename.php?p=1", true}, {"/*.php", "/windows.PHP", false},
		{"/*.php$", "/filename.php", true}, {"/*.php$", "/filename.php?p=1", false}, {"/*.php$", "/filename.php5", false},
		{"/fish*.php", "/fishheads/catfish.php?p=1", true}, {"/fish*.php", "/Fish.php", false},
		{"/$", "/", true}, {"/$", "/a", false}, {"$", "", true}, {"$", "/", false}, {"*", "", true}, {"*$", "/x", true},
		{"/a**b", "/axxb", true}, {"/a*b*c$", "/abbc", true}, {"/a*b*c$", "/abcb", false}, {"/a*", "/", false},
		{"/a$b", "/a$bc", true}, // "$" counts at the end only
		{"/ä", "/%C3%A4", true}, {"/%c3%a4", "/ä/x", true}, {"/%7Ea", "/~a", true}, {"/a%2Fb", "/a/b", false}, {"/a%2fb", "/a%2Fb", true},
		{"/a%", "/a%", true}, {"/a%zz", "/a%zz", true},
	} {
		assert.Equal(t, MatchPattern(c.pattern, c.path), c.want, "%q on %q", c.pattern, c.path)
		if c.want && !MayMatch(c.pattern, NormalPattern(c.path)) {
			t.Errorf("%q cannot match %q", c.pattern, c.path)
		}
	}
}

func TestMayMatch(t *testing.T) {
	for _, c := range []struct {
		pattern, path string
		want          bool
	}{
		{"", "/", true}, {"/", "/", true}, {"/fish", "/fish", true}, {"/fish", "/fishes", true},
		{"/fish", "/Fish", false}, {"/fish", "/fis", false}, {"/a/b*", "/a/c", false}, {"/a/%62", "/b/b", false},
		{"/a*b", "/ac", true}, {"/a$", "/ab", true}, {"/%61", "/a", true}, {"/ä", "/%C3%A4", true}, // may, as far as is seen
	} {
		assert.Equal(t, MayMatch(c.pattern, c.path), c.want, "%q on %q", c.pattern, c.path)
	}
}

// TestMatchPatternIsARegexp compares with the regular expression that a
// pattern stands for.
func TestMatchPatternIsARegexp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pattern := rapid.StringMatching(`/[ab*/]{0,8}\$?`).Draw(t, "pattern")
		path := rapid.StringMatching(`/[ab/]{0,10}`).Draw(t, "path")
		body, anchored := strings.CutSuffix(pattern, "$")
		parts := strings.Split(body, "*")
		for i := range parts {
			parts[i] = regexp.QuoteMeta(parts[i])
		}
		re := "^" + strings.Join(parts, ".*")
		if anchored {
			re += "$"
		}
		if got, want := MatchPattern(pattern, path), regexp.MustCompile(re).MatchString(path); got != want {
			t.Fatalf("%q on %q: %v, want %v", pattern, path, got, want)
		} else if want && !MayMatch(pattern, NormalPattern(path)) {
			t.Fatalf("%q cannot match %q", pattern, path)
		}
	})
}

func FuzzNormalPattern(f *testing.F) {
	f.Add("/a%7eb/ü%2F%")
	f.Fuzz(func(t *testing.T, s string) {
		n := NormalPattern(s)
		if NormalPattern(n) != n {
			t.Errorf("%q becomes %q and then %q", s, n, NormalPattern(n))
		}
	})
}

func TestMatchPatternStaysCheap(t *testing.T) {
	pattern, path := "/"+strings.Repeat("*a", 2000), "/"+strings.Repeat("a", 1999)+strings.Repeat("b", 2000)
	if MatchPattern(pattern, path) {
		t.Error("matched")
	}
}
