package edgelab_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"
)

// host is a running lab, on any kind of host.
type host struct {
	url string
	// rescues says that a panic inside Go is recovered there, so that running
	// out of stack or memory would end the process; such probes are left out.
	rescues bool
}

type answer struct {
	status int
	header http.Header
	body   string
	err    error // the body was cut off
}

func (h host) call(t testing.TB, method, target string, body io.Reader, header ...string) answer {
	t.Helper()
	req, err := http.NewRequest(method, h.url+target, body)
	must(t, err)
	for i := 0; i+1 < len(header); i += 2 {
		req.Header.Add(header[i], header[i+1])
	}
	res, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		t.Fatalf("%s %s: %v", method, target, err)
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	return answer{res.StatusCode, res.Header, string(b), err}
}

func (h host) get(t testing.TB, target string) answer {
	t.Helper()
	return h.call(t, "GET", target, nil)
}

var ridForm = regexp.MustCompile(`^rid_[0-9a-hjkmnp-tv-z]{26}$`)

// unsized hides the length of a body, so that it is sent in chunks.
func unsized(s string) io.Reader { return io.MultiReader(strings.NewReader(s)) }

// probe is a request that every host must answer alike. want is the whole body,
// a pattern if it begins with "^", or anything if it is "*".
type probe struct {
	name, method, target string
	body                 io.Reader
	header               []string
	status               int
	want                 string
}

const notFound = `{"code":"not_found","grants_rights":false,"status":404}`

func probes() []probe {
	return []probe{
		{"trivial", "GET", "/hello", nil, nil, 200, `{"ok":true}`},
		{"head", "HEAD", "/hello", nil, nil, 200, ""},
		{"records", "GET", "/json", nil, nil, 200, `^\{"data":\[\{"n":0,"terms":\["rag","training"\],"title":"A page about things".*\],"grants_rights":false,"total":50\}$`},
		{"nothing there", "GET", "/none", nil, nil, 404, notFound},
		{"a path is not normalised into another", "GET", "/hello%2F", nil, nil, 404, notFound},
		{"signature holds", "GET", "/verify", nil, nil, 200, `{"valid":true}`},
		{"signature does not hold", "GET", "/verify?bad=1", nil, nil, 200, `{"valid":false}`},
		{"read", "GET", "/read?key=k1", nil, nil, 200, `{"state":"open"}`},
		{"read nothing", "GET", "/read?key=none", nil, nil, 404, `{"code":"no_match","grants_rights":false,"status":404}`},
		{"write", "POST", "/write?key=k1", nil, nil, 200, `{"count":1}`},
		{"write again", "POST", "/write?key=k1", nil, nil, 200, `{"count":2}`},
		{"write on a condition not met", "POST", "/write?key=shut", nil, nil, 409, `{"code":"state_conflict","grants_rights":false,"status":409}`},
		{"write was counted", "GET", "/count?key=k1", nil, nil, 200, "2"},
		{"file through Go", "GET", "/asset?key=small.json", nil, nil, 200, "{\"small\":true}\n"},
		{"missing file through Go", "GET", "/asset?key=none.json", nil, nil, 404, notFound},
		{"variable", "GET", "/env?name=LAB_VARIABLE", nil, nil, 200, "visible"},
		{"missing variable", "GET", "/env?name=NONE", nil, nil, 200, ""},
		{"random", "GET", "/random", nil, nil, 200, `^[0-9a-f]{32}$`},
		{"id", "GET", "/id?a=1%202&b", nil, []string{"X-Token", "tok"}, 200, `^rid_[0-9a-z]{26}\nGET\n/id\na=1%202&b\n.*\ntok$`},
		{"sleep", "GET", "/sleep?ms=30&token=t", nil, nil, 200, "t"},
		{"body", "POST", "/echo", strings.NewReader("gr\u00fcn \U0001d11e"), []string{"Content-Type", "text/x"}, 200, "gr\u00fcn \U0001d11e"},
		{"bytes that are no text", "POST", "/echo", strings.NewReader("a\xff\x00\xfeb"), nil, 200, "a\xff\x00\xfeb"},
		{"body after a byte order mark", "POST", "/echo", strings.NewReader("\ufeffabc"), nil, 200, "\ufeffabc"},
		{"body with a mark for a lost character", "POST", "/echo", strings.NewReader("a\ufffdb"), nil, 200, "a\ufffdb"},
		{"empty body", "POST", "/echo", nil, nil, 200, ""},
		{"body in chunks", "POST", "/echo", unsized("abc"), nil, 200, "abc"},
		{"body at the limit", "POST", "/echo", strings.NewReader(strings.Repeat("a", 65536)), nil, 200, `^a{1000}`},
		{"body over the limit", "POST", "/echo", strings.NewReader(strings.Repeat("a", 65537)), nil, 413, `{"code":"body_too_large","grants_rights":false,"status":413}`},
		{"body over the limit in chunks", "POST", "/echo", unsized(strings.Repeat("a", 200_000)), nil, 413, `{"code":"body_too_large","grants_rights":false,"status":413}`},
		{"header", "GET", "/header?name=x-a", nil, []string{"X-A", "b c"}, 200, "b c"},
		{"JSON", "POST", "/parse", strings.NewReader(`{"b":[1,{"c":null}],"a":"x"}`), nil, 200, `{"a":"x","b":[1,{"c":null}]}`},
		{"JSON nested too deep", "POST", "/parse", strings.NewReader(strings.Repeat("[", 30000)), nil, 400, `{"code":"json_too_deep","grants_rights":false,"status":400}`},
		{"a long number", "POST", "/parse", strings.NewReader(strings.Repeat("1", 60000)), nil, 400, `{"code":"json_number_not_safe_integer","grants_rights":false,"status":400}`},
		{"stream", "GET", "/stream?n=3", nil, nil, 200, `^\{"n":0,.*\}\n\{"n":1,.*\}\n\{"n":2,.*\}\n$`},
		{"nothing to stream", "GET", "/stream?n=0", nil, nil, 200, ""},
		{"slow stream", "GET", "/stream?n=4&ms=20", nil, nil, 200, `^(\{.*\}\n){4}$`},
		{"what the compiler must get right", "GET", "/language", nil, nil, 200, "as Go does"},
		{"a wait below many calls", "GET", "/depth?n=80", nil, nil, 200, "3240"},
		{"a wait below as many calls again", "GET", "/depth?n=80", nil, nil, 200, "3240"},
	}
}

func (h host) runProbes(t *testing.T) {
	for _, p := range probes() {
		got := h.call(t, p.method, p.target, p.body, p.header...)
		if got.status != p.status || got.err != nil || !matches(p.want, got.body) {
			t.Errorf("%s: %d %.200q, error %v; want %d %q", p.name, got.status, got.body, got.err, p.status, p.want)
		}
		if id := got.header.Get("request-id"); !ridForm.MatchString(id) {
			t.Errorf("%s: request id %q", p.name, id)
		}
	}
	h.bigStream(t)
	h.headerCannotBeSplit(t)
	h.clock(t)
}

func matches(want, got string) bool {
	if pattern, ok := strings.CutPrefix(want, "^"); ok {
		return regexp.MustCompile(`(?s)^(?:` + pattern + `)`).MatchString(got)
	}
	return want == "*" || want == got
}

func (h host) bigStream(t *testing.T) {
	got := h.get(t, "/stream?n=200000")
	if lines := strings.Count(got.body, "\n"); got.err != nil || lines != 200000 {
		t.Errorf("big stream: %d lines, error %v", lines, got.err)
	}
	for i, line := range bytes.SplitAfter([]byte(got.body), []byte("\n"))[:200000] {
		if !bytes.HasPrefix(line, fmt.Appendf(nil, `{"n":%d,`, i)) {
			t.Fatalf("line %d is %q", i, line)
		}
	}
}

func (h host) headerCannotBeSplit(t *testing.T) {
	got := h.call(t, "GET", "/header?name=x-a", nil, "X-A", "fine")
	if got.header.Get("x-echo") != "fine" || got.header.Get("x-injected") != "" || got.header.Get("x-split") != "" {
		t.Errorf("headers: %v", got.header)
	}
}

func (h host) clock(t *testing.T) {
	now, err := time.Parse(time.RFC3339Nano, h.get(t, "/now").body)
	if err != nil || time.Since(now).Abs() > 3*time.Second {
		t.Errorf("clock: %v, %v", now, err)
	}
}
