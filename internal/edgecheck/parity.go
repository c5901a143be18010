// Package edgecheck compares what an edge declares with what it does. For each
// row of the declared access rules it makes one request that says honestly who asks
// and what is being tested, and looks at the answer. It never pretends to be
// somebody else's agent, so an edge that distinguishes agents only by names which
// the check does not use appears to treat them alike.
package edgecheck

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"

	"colophon/exports"
	"colophon/internal/record"
	"colophon/internal/wire"
)

// Row is one line of the declared access rules.
type Row struct {
	Host, Path, Class, Decision string
	Status                      int64
}

// Sample is what one request met.
type Sample struct {
	Row
	URL      string
	Observed int    // status, 0 when there was no answer
	Result   string // match, mismatch, unreachable, not_told_apart
	Faults   []string
	Receipt  string // of a denial: none, valid, invalid; "" of anything else
}

// Report is one check.
type Report struct {
	CheckedAt    string
	IdentifiedAs string
	Samples      []Sample
}

// Count counts the samples with a result.
func (r *Report) Count(result string) (n int) {
	for i := range r.Samples {
		if r.Samples[i].Result == result {
			n++
		}
	}
	return n
}

// maxRows bounds the requests of one check.
const maxRows = 64

// ParseAccessRules reads the declared access rules of an access-response manifest, the
// rows of one site when siteID is given. More specific paths come first.
func ParseAccessRules(doc []byte, siteID string) ([]Row, error) {
	v, err := wire.Parse(doc, wire.Limits{Bytes: 4 << 20, Depth: 16, Members: 1 << 12, Floats: true})
	if err != nil {
		return nil, fmt.Errorf("the manifest is not valid: %w", err)
	}
	list := v.Get("declared_posture")
	if list == nil {
		return nil, fmt.Errorf("the manifest declares no access rules")
	}
	var out []Row
	for i := range list.Items {
		item := &list.Items[i]
		text := func(name string) string { s, _ := item.Get(name).Str(); return s }
		if siteID != "" && text("site_id") != siteID {
			continue
		}
		r := Row{Host: text("host"), Path: text("path"), Class: text("class"), Decision: text("decision")}
		r.Status, _ = item.Get("status").Int()
		if r.Host == "" || !strings.HasPrefix(r.Path, "/") || !slices.Contains(exports.AgentClasses, r.Class) {
			return nil, fmt.Errorf("row %d of the access rules is not understood", i+1)
		}
		out = append(out, r)
	}
	slices.SortStableFunc(out, func(a, b Row) int { return len(b.Path) - len(a.Path) })
	return out[:min(len(out), maxRows)], nil
}

// Checker makes the requests.
type Checker struct {
	Client  *http.Client
	Contact string                    // of the operator, in User-Agent
	Token   func(class string) string // product token that stands for a class
	Scheme  string                    // "https" unless said otherwise
	Now     func() time.Time
	Keys    record.KeySet     // of the registry, which sign receipts; empty: they are not looked at
	Sample  map[string]string // path pattern -> a page to ask for; else the pattern's own beginning
}

// Check asks for one page of each row.
func (c *Checker) Check(ctx context.Context, rows []Row) (Report, error) {
	r := Report{CheckedAt: exports.Instant(c.Now()), IdentifiedAs: c.userAgent("CLASS")}
	seen := map[string]int{} // status by URL and class
	for _, row := range rows {
		s := Sample{Row: row, URL: c.rowAddress(row)}
		c.askSample(ctx, &s)
		if ctx.Err() != nil {
			return r, ctx.Err()
		}
		seen[s.URL+" "+s.Class] = s.Observed
		r.Samples = append(r.Samples, s)
	}
	for i := range r.Samples {
		if s := &r.Samples[i]; s.Result == "mismatch" && !toldApart(seen, s) {
			s.Result = "not_told_apart"
		}
	}
	return r, nil
}

// toldApart: at least two classes met different answers there, or any was
// denied.
func toldApart(seen map[string]int, s *Sample) bool {
	for key, status := range seen {
		if strings.HasPrefix(key, s.URL+" ") && (status != s.Observed || status >= 400) {
			return true
		}
	}
	return false
}

func (c *Checker) userAgent(class string) string {
	return c.Token(class) + "/1.0 (checks what this edge declares; +" + c.Contact + ")"
}

func (c *Checker) rowAddress(r Row) string {
	path, ok := c.Sample[r.Path]
	if !ok {
		path, _, _ = strings.Cut(strings.TrimSuffix(r.Path, "$"), "*")
	}
	scheme := c.Scheme
	if scheme == "" {
		scheme = "https"
	}
	return scheme + "://" + r.Host + path
}

// maxBody is how much of an answer is read.
const maxBody = 64 << 10

func (c *Checker) askSample(ctx context.Context, s *Sample) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.URL, nil)
	if err != nil {
		s.Result, s.Faults = "unreachable", []string{err.Error()}
		return
	}
	req.Header.Set("User-Agent", c.userAgent(s.Class))
	req.Header.Set("Accept", "application/problem+json, text/html;q=0.5, */*;q=0.1")
	resp, err := c.Client.Do(req)
	if err != nil {
		s.Result, s.Faults = "unreachable", []string{err.Error()}
		return
	}
	defer resp.Body.Close()
	body, _ := io.ReadAll(io.LimitReader(resp.Body, maxBody))
	s.Observed = resp.StatusCode
	s.Faults = compareAnswer(s, resp, body)
	if s.Decision != "allow" && isDenial(s.Observed) && len(c.Keys.Keys()) > 0 {
		s.Receipt = c.judgeReceipt(s.URL, body)
	}
	s.Result = "match"
	if len(s.Faults) > 0 {
		s.Result = "mismatch"
	}
}

// isDenial reports whether a status is one by which an edge denies access.
func isDenial(status int) bool {
	return slices.Contains([]string{"401", "402", "403", "451", "503"}, fmt.Sprint(status))
}

// compareAnswer compares an answer with its row. Where access is declared, any answer
// that is not a denial will do: the page need not exist.
func compareAnswer(s *Sample, resp *http.Response, body []byte) []string {
	if s.Decision == "allow" {
		if isDenial(s.Observed) {
			return []string{fmt.Sprintf("declared open, answered %d", s.Observed)}
		}
		return nil
	}
	var out []string
	if int64(s.Observed) != s.Status {
		return []string{fmt.Sprintf("declared %d, answered %d", s.Status, s.Observed)}
	}
	if !strings.Contains(resp.Header.Get("Cache-Control"), "no-store") {
		out = append(out, "the denial may be cached")
	}
	if !strings.Contains(strings.Join(resp.Header.Values("Link"), ","), `rel="license"`) {
		out = append(out, "the denial links to no licence")
	}
	doc, err := wire.Parse(body, wire.Limits{Bytes: maxBody, Depth: 16, Members: 256, Floats: true})
	if err != nil || doc.Get("access_response").Get("routes") == nil {
		out = append(out, "the denial shows no route in machine-readable form")
	}
	return out
}

func receiptValue(word string) wire.Value {
	if word == "" {
		return wire.Null()
	}
	return wire.String(word)
}

// Value returns the report as published.
func (r *Report) Value() wire.Value {
	samples := wire.Array()
	for i := range r.Samples {
		s := &r.Samples[i]
		samples.Items = append(samples.Items, wire.Object(
			wire.M("class", wire.String(s.Class)), wire.M("declared", wire.String(s.Decision)), wire.M("declared_status", wire.Int(s.Status)),
			wire.M("faults", wire.Strings(s.Faults...)), wire.M("observed_status", wire.Int(int64(s.Observed))), wire.M("path", wire.String(s.Path)),
			wire.M("receipt", receiptValue(s.Receipt)), wire.M("result", wire.String(s.Result)), wire.M("url", wire.String(s.URL)),
		))
	}
	return wire.Object(
		wire.M("checked_at", wire.String(r.CheckedAt)), wire.M("grants_rights", wire.Bool(false)), wire.M("identified_as", wire.String(r.IdentifiedAs)),
		wire.M("mismatches", wire.Int(int64(r.Count("mismatch")))), wire.M("samples", samples),
	)
}
