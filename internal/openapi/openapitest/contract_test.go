package openapitest_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"colophon/exports"
	"colophon/internal/openapi"
	"colophon/internal/openapi/openapitest"
	"colophon/internal/wire"
)

// stats returns a valid answer of the service.
func stats() *openapitest.Answer {
	return &openapitest.Answer{
		Method: "GET", Path: exports.PathStats, Status: 200,
		Header: http.Header{
			"Content-Type": {exports.MediaJSON}, "Cache-Control": {"public, max-age=300"}, "Request-Id": {"rid_1"}, "Etag": {`"abc"`},
		},
		Body: wire.Append(nil, &exports.Stats{Catalog: exports.Release{GeneratedAt: "2026-11-22T00:00:00Z"}}),
	}
}

// refusal returns a problem document as the service answers it.
func refusal(code string) *openapitest.Answer {
	kind := exports.KindOf(code)
	return &openapitest.Answer{
		Method: "GET", Path: exports.PathSearch, Status: kind.Status,
		Header: http.Header{"Content-Type": {exports.MediaProblem}, "Cache-Control": {"no-store"}, "Retry-After": {"30"}},
		Body:   wire.Append(nil, &exports.Problem{Base: "https://registry.example", Kind: kind, RequestID: "rid_1", Retry: 30}),
	}
}

func TestAnswersInside(t *testing.T) {
	head := stats()
	head.Method, head.Body = "HEAD", nil
	kept := stats()
	kept.Status, kept.Body = 304, nil
	kept.Header.Del("Content-Type")
	page := stats()
	page.Path, page.Body = "/catalog/", []byte("<!doctype html>")
	for name, a := range map[string]*openapitest.Answer{
		"answer": stats(), "HEAD": head, "304": kept, "page": page, "problem": refusal("invalid_parameter"), "outage": refusal("index_unavailable"),
	} {
		if err := openapitest.Ours().Check(a); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestAnswersOutside(t *testing.T) {
	for name, change := range map[string]func(a *openapitest.Answer){
		"status":         func(a *openapitest.Answer) { a.Status = 201 },
		"media type":     func(a *openapitest.Answer) { a.Header.Set("Content-Type", "text/plain") },
		"no JSON":        func(a *openapitest.Answer) { a.Body = []byte("{") },
		"unknown member": func(a *openapitest.Answer) { a.Body = append([]byte(`{"more":1,`), a.Body[1:]...) },
		"lost member": func(a *openapitest.Answer) {
			a.Body = []byte(strings.Replace(string(a.Body), `"publishers":0,`, "", 1))
		},
		"wrong type": func(a *openapitest.Answer) {
			a.Body = []byte(strings.Replace(string(a.Body), `"publishers":0`, `"publishers":"0"`, 1))
		},
		"lost header":   func(a *openapitest.Answer) { a.Header.Del("Etag") },
		"bad header":    func(a *openapitest.Answer) { a.Header.Set("Etag", "abc") },
		"other method":  func(a *openapitest.Answer) { a.Method = "PUT" },
		"body of a 304": func(a *openapitest.Answer) { a.Status = 304 },
	} {
		a := stats()
		change(a)
		if openapitest.Ours().Check(a) == nil {
			t.Errorf("%s: is inside the contract", name)
		}
	}
	if openapitest.Ours().Check(refusal("thread_not_found")) == nil {
		t.Error("a search may answer thread_not_found")
	}
	early := refusal("index_unavailable")
	early.Header.Set("Retry-After", "soon")
	if openapitest.Ours().Check(early) == nil {
		t.Error("Retry-After may be a word")
	}
}

// TestLines checks that each line of NDJSON is validated by itself.
func TestLines(t *testing.T) {
	lines := func(body string) *openapitest.Answer {
		return &openapitest.Answer{
			Method: "GET", Path: "/v1/rag-delivery/feed.ndjson", Status: 200,
			Header: http.Header{
				"Content-Type": {exports.MediaNDJSON}, "Cache-Control": {"private, no-store"}, "Request-Id": {"rid_1"},
				"Content-Usage": {"train-ai=n"}, "Service-Rights-Decision": {"dec_1"},
			},
			Body: []byte(body),
		}
	}
	end := string(wire.Append(nil, &exports.FeedEnd{})) + "\n"
	if err := openapitest.Ours().Check(lines(end + end)); err != nil {
		t.Error(err)
	}
	if openapitest.Ours().Check(lines(end+`{"type":"other"}`+"\n")) == nil {
		t.Error("a line of no kind is inside the contract")
	}
}

// TestBrokenDescription breaks the description as a maintainer might: an answer
// that matched must then be reported.
func TestBrokenDescription(t *testing.T) {
	v := openapi.Document("Colophon", "https://registry.example")
	whole := v.Append(nil)
	operation := []string{"paths", exports.PathStats, "get", "responses"}
	for name, path := range map[string][]string{
		"member":     {"components", "schemas", "stats", "properties", "publishers"},
		"status":     append(operation, "200"),
		"media type": append(operation, "200", "content", "application/json"),
		"component":  {"components", "schemas", "stats"},
		"operation":  {"paths", exports.PathStats, "get"},
	} {
		var document map[string]any
		if err := json.Unmarshal(whole, &document); err != nil {
			t.Fatal(err)
		}
		object := document
		for _, step := range path[:len(path)-1] {
			object = object[step].(map[string]any)
		}
		if _, there := object[path[len(path)-1]]; !there {
			t.Fatalf("%s: nothing at %q", name, path)
		}
		delete(object, path[len(path)-1])
		text, err := json.Marshal(document)
		if err != nil {
			t.Fatal(err)
		}
		broken, err := openapitest.New(text)
		if err != nil {
			continue
		}
		if broken.Check(stats()) == nil {
			t.Errorf("%s: the answer is inside a contract without it", name)
		}
	}
}
