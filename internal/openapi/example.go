package openapi

import (
	_ "embed" // the examples
	"sync"

	"colophon/exports"
	"colophon/internal/wire"
)

// example is a call that was really made: what was sent, and what came back.
type example struct {
	Request wire.Value // body of the request, null for none
	Sent    string     // media type of the request, "" for none
	Answer  wire.Value // body of the answer; a string where it is no JSON document
}

func (x *example) Members(m *wire.Members) {
	m.Any("answer", &x.Answer)
	m.Any("request", &x.Request)
	m.OptString("sent", &x.Sent)
}

//go:embed examples.json
var exampleFile []byte

// ExampleKey names the recorded call of an operation that was answered with a
// status in a media type.
func ExampleKey(id, status, media string) string { return id + " " + status + " " + media }

// exampleBody returns what was sent in a media type to an operation.
func exampleBody(e *exports.Endpoint, media string) (wire.Value, bool) {
	for _, a := range answersOf(e) {
		for _, form := range []string{"application/json", "application/x-ndjson", "text/html"} {
			given, ok := examples()[ExampleKey(e.ID, a.status, form)]
			if ok && given.Sent == media {
				return given.Request, true
			}
		}
	}
	return wire.Value{}, false
}

// examples are the recorded calls by ExampleKey.
var examples = sync.OnceValue(func() map[string]example {
	limits := wire.Trusted
	limits.Floats = true // a similarity has decimals
	v, err := wire.Parse(exampleFile, limits)
	if err != nil {
		panic("internal/openapi: examples.json: " + err.Error()) // it is part of the program
	}
	out := make(map[string]example, len(v.Members))
	for i := range v.Members {
		var x example
		if err := wire.DecodeValue(&v.Members[i].Value, &x); err != nil {
			panic("internal/openapi: examples.json: " + err.Error())
		}
		out[v.Members[i].Name] = x
	}
	return out
})
