package worker_test

import (
	"encoding/base64"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

// pairs compares two runs of a script. Their answers must be the same except
// for ids, secrets and instants, which differ between runs. Each of these in
// one run must always correspond to the same one in the other, and instants
// must be equally far from the beginning.
type pairs struct{ there, back map[string]string }

func newPairs() *pairs { return &pairs{map[string]string{}, map[string]string{}} }

// volatile headers belong to the transport.
var volatileHeaders = map[string]bool{"Date": true, "Content-Length": true, "Transfer-Encoding": true, "Connection": true, "Keep-Alive": true}

func (p *pairs) compare(t *testing.T, want, got exchange) {
	t.Helper()
	if want.status != got.status {
		t.Errorf("%s: %s answered %d, natively %d", want.step, want.call, got.status, want.status)
	}
	if where, ok := p.alike(uncounted(want.body), uncounted(got.body)); !ok {
		t.Errorf("%s: %s: the bodies differ at %q\nnatively %s\nhere     %s", want.step, want.call, where, want.body, got.body)
	}
	for name := range want.header {
		if w, g := strings.Join(want.header.Values(name), ", "), strings.Join(got.header.Values(name), ", "); !volatileHeaders[name] && !p.header(name, w, g) {
			t.Errorf("%s: %s: header %s is %q, natively %q", want.step, want.call, name, g, w)
		}
	}
	for name := range got.header {
		if !volatileHeaders[name] && want.header.Values(name) == nil {
			t.Errorf("%s: %s: header %s is %q, natively none", want.step, want.call, name, got.header.Get(name))
		}
	}
}

// uncounted removes what a platform that counts calls cannot state: how many
// are left, and exactly when the next may come.
func uncounted(body string) string {
	return waits.ReplaceAllString(quotaLeft.ReplaceAllString(body, `,"w":`), `"after_seconds":some`)
}

var (
	quotaLeft = regexp.MustCompile(`,"r":\d+,"t":\d+,"w":`)
	waits     = regexp.MustCompile(`"after_seconds":[1-9]\d*`)
)

var resets = regexp.MustCompile(`;t=\d+`)

// exact keeps the part of a RateLimit header that the origin counts in fixed
// windows. The native limiter refills continuously, and the platform states
// nothing.
func exact(header string) string {
	var own []string
	for _, q := range strings.Split(resets.ReplaceAllString(header, ""), ", ") {
		if strings.HasPrefix(q, `"inquiry`) {
			own = append(own, q)
		}
	}
	return strings.Join(own, ", ")
}

func (p *pairs) header(name, want, got string) bool {
	switch name {
	case "Ratelimit":
		return exact(want) == exact(got)
	case "Retry-After":
		w, err1 := strconv.Atoi(want)
		g, err2 := strconv.Atoi(got)
		return err1 == nil && err2 == nil && w > 0 && g > 0
	}
	_, ok := p.alike(want, got)
	return ok
}

var word = regexp.MustCompile(`\d{4}-\d\d-\d\dT[\d:.]+Z|[A-Za-z0-9_-]{16}\.\d{10}\.\d+\.[A-Za-z0-9_-]{22}|[A-Za-z0-9_-]+`)

// alike compares two texts, word by word and separator by separator.
func (p *pairs) alike(want, got string) (where string, ok bool) {
	if want == got {
		return "", true
	}
	w, g := word.FindAllStringIndex(want, -1), word.FindAllStringIndex(got, -1)
	endW, endG := 0, 0
	for i := range w {
		if i >= len(g) || want[endW:w[i][0]] != got[endG:g[i][0]] {
			return want[endW:min(len(want), endW+60)], false
		}
		endW, endG = w[i][1], g[i][1]
		if a, b := want[w[i][0]:endW], got[g[i][0]:endG]; a != b && !p.stands(a, b) {
			return a + " / " + b, false
		}
	}
	return want[endW:], len(w) == len(g) && want[endW:] == got[endG:]
}

var (
	idForm     = regexp.MustCompile(`^(|[a-z]{3}_)([0-9a-z]{26})$`)
	secretForm = regexp.MustCompile(`^((?:cvt|ibx)_)[A-Za-z0-9_-]{43}$`)
	nonceForm  = regexp.MustCompile(`^[A-Za-z0-9_-]{16}\.\d{10}\.(\d+)\.[A-Za-z0-9_-]{22}$`)
	digestForm = regexp.MustCompile(`^[A-Za-z0-9_-]{22}$|^[0-9a-f]{64}$`)
)

// stands reports whether b in one run may correspond to a in the other.
func (p *pairs) stands(a, b string) bool {
	if x, err := time.Parse(time.RFC3339, a); err == nil {
		y, err := time.Parse(time.RFC3339, b)
		return err == nil && x.Sub(y).Abs() < 10*time.Minute
	}
	if m, n := idForm.FindStringSubmatch(a), idForm.FindStringSubmatch(b); m != nil && n != nil {
		return m[1] == n[1] && p.bind(m[2], n[2])
	}
	for _, form := range []*regexp.Regexp{secretForm, nonceForm, digestForm} {
		m, n := form.FindStringSubmatch(a), form.FindStringSubmatch(b)
		if m == nil || n == nil {
			continue
		}
		return (len(m) < 2 || m[1] == n[1]) && p.bind(a, b)
	}
	x, err1 := base64.RawURLEncoding.DecodeString(a)
	y, err2 := base64.RawURLEncoding.DecodeString(b)
	if err1 != nil || err2 != nil || len(a) < 20 {
		return false
	}
	_, ok := p.alike(string(x), string(y)) // an index in a list
	return ok
}

// bind records that a and b correspond, and reports whether neither had another
// partner.
func (p *pairs) bind(a, b string) bool {
	have, ok := p.there[a]
	back, okBack := p.back[b]
	if !ok && !okBack {
		p.there[a], p.back[b] = b, a
		return true
	}
	return ok && okBack && have == b && back == a
}

func TestAlike(t *testing.T) {
	id := func(c string) string { return "req_" + strings.Repeat(c, 26) }
	p := newPairs()
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{`{"a":1}`, `{"a":1}`, true},
		{`{"a":1}`, `{"a":2}`, false},
		{`{"a":1}`, `{"a":1} `, false},
		{`{"a":1,"b":2}`, `{"a":1}`, false},
		{`{"id":"` + id("a") + `"}`, `{"id":"` + id("b") + `"}`, true},
		{`/x/` + id("a"), `/x/` + id("b"), true},
		{`/x/` + id("a"), `/x/` + id("c"), false},
		{`/x/` + id("d"), `/x/` + id("b"), false},
		{id("e"), "thr" + id("f")[3:], false},
		{"2026-11-20T09:00:00Z", "2026-11-20T09:00:05Z", true},
		{"2026-11-20T09:00:00Z", "2026-11-20T10:00:00Z", false},
		{base64.RawURLEncoding.EncodeToString([]byte("list " + id("a"))), base64.RawURLEncoding.EncodeToString([]byte("list " + id("b"))), true},
		{base64.RawURLEncoding.EncodeToString([]byte("list " + id("a"))), base64.RawURLEncoding.EncodeToString([]byte("tail " + id("b"))), false},
		{"urn:rid:" + id("a"), "urn:rid:" + id("b"), true},
		{"urn:rid:" + id("a") + ".", "urn:rid:" + id("b") + ",", false},
	} {
		if _, got := p.alike(c.a, c.b); got != c.want {
			t.Errorf("%s\n%s: %v", c.a, c.b, got)
		}
	}
}

// TestTwoRunsAreAlike checks that two native runs of the same script are alike,
// and runs of different scripts are not.
func TestTwoRunsAreAlike(t *testing.T) {
	run := func(name string) []exchange {
		text := readScript(t, name)
		return runScript(t, name, text, newService(t, withLimits(limitsOf(text))))
	}
	one, two, p := run("moves"), run("moves"), newPairs()
	for i := range one {
		p.compare(t, one[i], two[i])
	}
	if _, ok := newPairs().alike(one[0].body, one[1].body); ok {
		t.Error("two answers that differ are alike")
	}
	if p.header("Ratelimit", `"inquiry";r=4;t=9`, `"inquiry";r=3;t=9`) || !p.header("Ratelimit", `"partner";r=4;t=9`, "") || p.header("Retry-After", "1", "") {
		t.Error("headers of limits are not judged")
	}
}
