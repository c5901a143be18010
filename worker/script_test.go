package worker_test

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"math/big"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"colophon/exports"
	"colophon/internal/inquiry"
	"colophon/worker/edge"
	"colophon/worker/limit"
)

// TestScripts runs the scripts of testdata, which are readable HTTP
// conversations:
//
//	# a comment
//	@limits default            (before the first step: default or wide quotas)
//	== what the step shows
//	@let name some text        (kept as $name)
//	@remote 192.0.2.7          (client address of this and later steps)
//	@repeat 80                 (sends the next request 80 times; the last answer counts)
//	POST /v1/public/licensing-request
//	Content-Type: application/json
//
//	{"site_id":"harbor-ledger"}
//	--> 422
//	Content-Type: application/problem+json; charset=utf-8
//	$.code == "validation_failed"
//	$.errors.0.pointer == "#/message"
//	$.request_id => id         (keep for later: $id)
//	$.detail ~ "fields"        (contains)
//	$.challenge absent
//	body ~ <h1>                (any body contains)
//	body !~ secret             (no body contains)
//	header Location => next
//	!decide $id operator hold  (an operator's act, without HTTP)
//	{"timestamp":"$now"}       (the instant at which the script began)
//	!advance 16                (days pass, then RunMaintenance)
//	!sign svc.example signer.example (kept as $signature and so on)
//
// They run against the handler on a new SQLite store and, in edge_test.go,
// against the worker under workerd on a new D1 database, which must give the
// same answers.
func TestScripts(t *testing.T) {
	for _, name := range scripts(t) {
		t.Run(name, func(t *testing.T) {
			text := readScript(t, name)
			runScript(t, name, text, newService(t, withLimits(limitsOf(text))))
		})
	}
}

// scripts returns the names of the scripts, sorted.
func scripts(t *testing.T) (names []string) {
	paths, err := filepath.Glob("testdata/*.txt")
	must(t, err)
	if len(paths) < 15 {
		t.Fatalf("only %d scripts", len(paths))
	}
	for _, p := range paths {
		names = append(names, strings.TrimSuffix(filepath.Base(p), ".txt"))
	}
	return names
}

func readScript(t *testing.T, name string) string {
	text, err := os.ReadFile(filepath.Join("testdata", name+".txt"))
	must(t, err)
	return string(text)
}

// limitsOf returns the limits that a script sets.
func limitsOf(text string) []limit.Policy {
	if defaultLimits(text) {
		return limit.DefaultPolicies()
	}
	return wide()
}

func defaultLimits(text string) bool { return strings.Contains(text, "\n@limits default\n") }

type script struct {
	t      *testing.T
	svc    *service
	vars   map[string]string
	remote string
	step   string
	repeat int // how often to send the next request
	exchange
	seen []exchange
}

// exchange is one answer, and the place of its request.
type exchange struct {
	step   string
	call   string
	status int
	header http.Header
	body   string
}

// runScript runs a script and returns all answers.
func runScript(t *testing.T, name, text string, svc *service) []exchange {
	s := &script{t: t, svc: svc, vars: map[string]string{}, remote: "192.0.2.1"}
	for k, v := range seedKeys {
		s.vars[k] = v
	}
	s.vars["now"] = exports.Instant(svc.now())
	lines := bufio.NewScanner(strings.NewReader(text))
	lines.Buffer(nil, 1<<20)
	var request []string
	inRequest := false
	n := 0
	for lines.Scan() {
		n++
		line := lines.Text()
		s.step = fmt.Sprintf("%s.txt:%d", name, n)
		switch {
		case inRequest && strings.HasPrefix(line, "--> "):
			s.send(request, strings.TrimPrefix(line, "--> "))
			request, inRequest = nil, false
		case inRequest:
			request = append(request, line)
		case line == "" || strings.HasPrefix(line, "#") || strings.HasPrefix(line, "== ") || strings.HasPrefix(line, "@limits"):
		case strings.HasPrefix(line, "@let "):
			name, value, _ := strings.Cut(line[5:], " ")
			s.vars[name] = s.fillLeft(value)
		case strings.HasPrefix(line, "@remote "):
			s.remote = strings.TrimPrefix(line, "@remote ")
		case strings.HasPrefix(line, "@repeat "):
			times, err := strconv.Atoi(strings.TrimPrefix(line, "@repeat "))
			must(t, err)
			s.repeat = times
		case strings.HasPrefix(line, "!"):
			s.act(strings.Fields(s.fill(line[1:])))
		case isMethod(line):
			request, inRequest = []string{line}, true
		default:
			s.expect(s.fillLeft(line))
		}
	}
	if inRequest {
		t.Fatalf("%s: a request without -->", s.step)
	}
	return s.seen
}

func isMethod(line string) bool {
	for _, m := range []string{"GET ", "POST ", "PUT ", "DELETE ", "HEAD ", "OPTIONS "} {
		if strings.HasPrefix(line, m) {
			return true
		}
	}
	return false
}

// fill replaces $name by the kept value; it leaves $. alone.
func (s *script) fill(text string) string {
	return os.Expand(strings.ReplaceAll(text, "$.", "\x00"), func(name string) string {
		if v, ok := s.vars[name]; ok {
			return v
		}
		s.t.Fatalf("%s: nothing kept as $%s", s.step, name)
		return ""
	})
}

func (s *script) fillLeft(line string) string { return strings.ReplaceAll(s.fill(line), "\x00", "$.") }

func (s *script) send(request []string, want string) {
	s.t.Helper()
	method, target, _ := strings.Cut(s.fillLeft(request[0]), " ")
	header := http.Header{}
	i := 1
	for ; i < len(request) && request[i] != ""; i++ {
		name, value, ok := strings.Cut(expandRepeats(s.fillLeft(request[i])), ":")
		if !ok {
			s.t.Fatalf("%s: not a header: %q", s.step, request[i])
		}
		header.Add(name, strings.TrimSpace(value))
	}
	body := s.fillLeft(strings.Trim(strings.Join(request[min(i+1, len(request)):], "\n"), "\n"))
	if header.Get("Content-Type") == "application/x-www-form-urlencoded" {
		body = encodeForm(body)
	}
	body = expandRepeats(body)
	for ; s.repeat > 1; s.repeat-- {
		s.ask(method, target, header, body)
	}
	s.exchange = s.ask(method, target, header, body)
	s.seen = append(s.seen, s.exchange)
	if got := strconv.Itoa(s.status); got != want {
		s.t.Fatalf("%s: %s %s answered %s, not %s\n%s", s.step, method, target, got, want, s.body)
	}
	if s.status >= 400 && s.header.Get("Content-Type") == "" {
		s.t.Errorf("%s: an error without content type", s.step)
	}
}

// expandRepeats replaces x{{repeat 10}} by ten times the character before it.
func expandRepeats(s string) string {
	for {
		i := strings.Index(s, "{{repeat ")
		if i < 1 {
			return s
		}
		end := strings.Index(s[i:], "}}") + i
		n, _ := strconv.Atoi(s[i+9 : end])
		s = s[:i-1] + strings.Repeat(s[i-1:i], n) + s[end+2:]
	}
}

// encodeForm turns lines of name=text into a form body.
func encodeForm(body string) string {
	v := url.Values{}
	for _, line := range strings.Split(body, "\n") {
		name, text, _ := strings.Cut(line, "=")
		v.Add(name, strings.ReplaceAll(text, `\n`, "\r\n"))
	}
	return v.Encode()
}

func (s *script) ask(method, target string, header http.Header, body string) exchange {
	r := &edge.Request{Method: method, Body: []byte(body), Remote: s.remote, ID: "rid_00000000000000000000000000"}
	r.Path, r.Query, _ = strings.Cut(target, "?")
	for name, values := range header {
		for _, v := range values {
			r.Header.Add(strings.ToLower(name), v)
		}
	}
	resp := s.svc.handle(context.Background(), r)
	x := exchange{s.step, method + " " + target, resp.Status, http.Header{}, string(resp.Body)}
	if resp.Stream != nil {
		var out strings.Builder
		must(s.t, resp.Stream(&out))
		x.body = out.String()
	}
	for _, f := range resp.Header {
		x.header.Add(f.Name, f.Value)
	}
	return x
}

// expect checks one line below an answer.
func (s *script) expect(line string) {
	s.t.Helper()
	switch {
	case strings.HasPrefix(line, "$."):
		s.member(line[2:])
	case strings.HasPrefix(line, "body ~ "):
		if !strings.Contains(s.body, line[7:]) {
			s.t.Errorf("%s: no %q in\n%s", s.step, line[7:], s.body)
		}
	case strings.HasPrefix(line, "body !~ "):
		if strings.Contains(s.body, line[8:]) {
			s.t.Errorf("%s: %q is in\n%s", s.step, line[8:], s.body)
		}
	case strings.HasPrefix(line, "header "):
		name, keep, _ := strings.Cut(line[7:], " => ")
		s.vars[keep] = s.header.Get(name)
	default:
		name, want, ok := strings.Cut(line, ":")
		if !ok {
			s.t.Fatalf("%s: not an expectation: %q", s.step, line)
		}
		got, want := strings.Join(s.header.Values(name), ", "), strings.TrimSpace(want)
		if strings.HasPrefix(want, "~") && strings.Contains(got, want[1:]) || got == want {
			return
		}
		if s.svc.platform && (name == "RateLimit" || name == "Retry-After") && s.header.Get("RateLimit") == "" {
			return // the platform counts, and says only yes or no
		}
		s.t.Errorf("%s: header %s is %q, not %q", s.step, name, got, want)
	}
}

func (s *script) member(line string) {
	s.t.Helper()
	path, rest, _ := strings.Cut(line, " ")
	got, ok := lookUp(s.body, path)
	op, want, _ := strings.Cut(rest, " ")
	text, _ := json.Marshal(got)
	switch op {
	case "absent":
		if ok {
			s.t.Errorf("%s: %s is %s", s.step, path, text)
		}
	case "==":
		var wanted any
		if err := json.Unmarshal([]byte(want), &wanted); err != nil {
			s.t.Fatalf("%s: %v in %q", s.step, err, want)
		}
		wantText, _ := json.Marshal(wanted)
		if !ok || !bytes.Equal(text, wantText) {
			s.t.Errorf("%s: %s is %s, not %s", s.step, path, text, want)
		}
	case "~":
		if !ok || !strings.Contains(string(text), strings.Trim(want, `"`)) {
			s.t.Errorf("%s: %s is %s, without %s", s.step, path, text, want)
		}
	case "=>":
		word, isText := got.(string)
		if !ok || !isText {
			s.t.Fatalf("%s: %s is %s, not a text to keep", s.step, path, text)
		}
		s.vars[want] = word
	default:
		s.t.Fatalf("%s: not an expectation: %q", s.step, line)
	}
}

// lookUp finds a member by a dotted path; numbers are places in a list.
func lookUp(body, path string) (any, bool) {
	var v any
	if json.Unmarshal([]byte(body), &v) != nil {
		return nil, false
	}
	for _, name := range strings.Split(path, ".") {
		switch x := v.(type) {
		case map[string]any:
			m, ok := x[name]
			if !ok {
				return nil, false
			}
			v = m
		case []any:
			i, err := strconv.Atoi(name)
			if err != nil || i >= len(x) {
				return nil, false
			}
			v = x[i]
		default:
			return nil, false
		}
	}
	return v, true
}

// act performs an act that has no endpoint.
func (s *script) act(words []string) {
	s.t.Helper()
	ctx := context.Background()
	switch words[0] {
	case "decide": // request, role, act, [reason or publisher], ["refused"]
		d := inquiry.Decision{By: inquiry.Role(words[2]), Act: inquiry.Act(words[3])}
		refused := words[len(words)-1] == "refused"
		if len(words) > 4 && words[4] != "refused" {
			d.Reason, d.SiteID = words[4], words[4]
		}
		if d.Act == inquiry.Transfer {
			d.Reason = ""
		}
		if _, err := s.svc.inquiries.Decide(ctx, words[1], d); (err != nil) != refused {
			s.t.Errorf("%s: %v", s.step, err)
		}
	case "grant": // grant, state
		m := &market{TB: s.t, service: s.svc}
		m.state(words[1], words[2])
	case "advance": // days
		days, err := strconv.Atoi(words[1])
		must(s.t, err)
		s.svc.later(time.Duration(days) * 24 * time.Hour)
		_, err = inquiry.RunMaintenance(ctx, s.svc.store, s.svc.now())
		must(s.t, err)
	case "state": // request, internal state
		r, err := s.svc.store.Request(ctx, words[1])
		must(s.t, err)
		if r.State != words[2] {
			s.t.Errorf("%s: %s is %s, not %s", s.step, words[1], r.State, words[2])
		}
	case "exhaust": // method, path, key, times: calls whose answers do not matter
		n, err := strconv.Atoi(words[4])
		must(s.t, err)
		for range n {
			s.ask(words[1], words[2], http.Header{"Authorization": {"Bearer " + s.vars[words[3]]}}, "")
		}
	case "sign": // host, signer, optionally a nonce: keeps the fields of a signed request
		nonce := ""
		if len(words) > 3 {
			nonce = words[3]
		}
		for name, value := range signedFields(words[1], words[2], nonce, s.svc.now()) {
			s.vars[name] = value
		}
	case "solve": // nonce, name to keep the answer under
		s.vars[words[2]] = solve(words[1])
	default:
		s.t.Fatalf("%s: no act %q", s.step, words[0])
	}
}

// solve answers a challenge.
func solve(nonce string) string {
	bits, _ := strconv.Atoi(strings.Split(nonce, ".")[2])
	for i := 0; ; i++ {
		answer := strconv.Itoa(i)
		if leadingZeros(nonce+":"+answer) >= bits {
			return answer
		}
	}
}

// leadingZeros counts the leading zero bits of a SHA-256, by another method
// than the product's.
func leadingZeros(s string) int {
	sum := sha256.Sum256([]byte(s))
	return 256 - new(big.Int).SetBytes(sum[:]).BitLen()
}
