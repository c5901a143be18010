package api

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"colophon/exports"
	"colophon/internal/urlkey"
	"colophon/internal/wire"
	"colophon/worker/edge"
	"colophon/worker/problem"
	"colophon/worker/request"
)

// sandboxExample is one example: how an input becomes a request.
type sandboxExample struct {
	name   string
	method string
	path   string
	query  []string // members of the input that may become query parameters
	given  [][2]string
	body   string // sent when the input has no body
}

// sandboxExamples returns all that the sandbox can run.
func sandboxExamples() []sandboxExample {
	page := exports.SandboxURL("sandbox-library", exports.SandboxTitle)
	verify := string(wire.Object(
		wire.M("entry_id", wire.String(urlkey.EntryID("sandbox-library", page))), wire.M("text", wire.String(exports.SandboxText(exports.SandboxTitle))),
	).Append(nil))
	return []sandboxExample{
		{name: "catalog_search", method: "GET", path: exports.PathSearch, query: []string{"q", "limit"}, given: [][2]string{{"q", "tide"}}},
		{name: "citation_resolve", method: "GET", path: exports.PathResolve, query: []string{"url", "fingerprint", "entry_id"}, given: [][2]string{{"url", page}}},
		{name: "rights_check", method: "GET", path: exports.PathRightsCheck, query: []string{"site_id", "entry_id", "url", "use"}, given: [][2]string{{"site_id", "sandbox-gazette"}, {"use", "rag"}}},
		{name: "intent_prepare", method: "POST", path: exports.PathPrepare, body: `{"requested_use":"rag","resource":"https://sandbox-gazette.example/"}`},
		{name: "provenance_verify", method: "POST", path: exports.PathVerify, body: verify},
		{name: "license_catalog", method: "GET", path: exports.PathLicenseCatalog, query: []string{"use", "site_id"}, given: [][2]string{{"use", "rag"}}},
		{name: "rights_map", method: "GET", path: exports.PathMap, query: []string{"readiness"}, given: [][2]string{{"readiness", "min:listed"}}},
	}
}

// RunSandbox runs an example through the real handlers, on invented data. It
// stores nothing and makes no outside requests.
func (s *Service) RunSandbox(ctx context.Context, c *request.Call) (*edge.Response, error) {
	var in exports.SandboxInput
	if _, err := c.DecodeBody(&in, exports.MaxBody); err != nil {
		return nil, err
	}
	for _, e := range sandboxExamples() {
		if e.name == in.Example {
			return s.runSandboxed(ctx, c.ID, e, &in)
		}
	}
	return nil, problem.Reject("/example", "not_in_list", "Not an example; the schema lists them.")
}

func (s *Service) runSandboxed(ctx context.Context, id string, e sandboxExample, in *exports.SandboxInput) (*edge.Response, error) {
	r := &edge.Request{Method: e.method, Path: e.path, ID: id, Header: edge.Header{{Name: "accept", Value: "*/*"}}}
	if e.method == "POST" {
		r.Header.Add("content-type", "application/json")
		r.Body = []byte(e.body)
		if in.Input.Kind == wire.KindObject && len(in.Input.Members) > 0 {
			r.Body = in.Input.Append(nil)
		}
	} else {
		r.Query = e.queryOf(&in.Input)
	}
	answer := s.Sandbox(ctx, r)
	run := exports.SandboxRun{Example: e.name, Method: r.Method, Path: r.Path, Query: r.Query, Body: r.Body, Status: int64(answer.Status), Answer: answer.Body}
	for _, f := range answer.Header {
		if f.Name == "content-type" || f.Name == "cache-control" || f.Name == "link" {
			run.Headers = append(run.Headers, wire.M(f.Name, wire.String(f.Value)))
		}
	}
	sum := sha256.Sum256(append([]byte(e.name+" "+r.Query+" "), r.Body...))
	run.RunID = "run_" + hex.EncodeToString(sum[:12])
	return request.Record(200, &run), nil
}

// queryOf returns the query: the parameters in the input, or those of the
// example.
func (e *sandboxExample) queryOf(in *wire.Value) string {
	var out []string
	for _, name := range e.query {
		if v, ok := in.Get(name).Str(); ok {
			out = append(out, name+"="+exports.EscapeQuery(v, ""))
		}
	}
	if len(out) == 0 {
		for _, g := range e.given {
			out = append(out, g[0]+"="+exports.EscapeQuery(g[1], ""))
		}
	}
	return strings.Join(out, "&")
}
