package openapi

import (
	_ "embed" // the examples
	"sync"

	"colophon/internal/wire"
)

// example is a call that was really made: what was sent, and what came back.
type example struct {
	Status  string
	Request wire.Value // body of the request, null for none
	Answer  wire.Value // body of the answer; a string where it is no JSON document
}

// Members describes the JSON form.
func (x *example) Members(m *wire.Members) {
	m.Any("answer", &x.Answer)
	m.Any("request", &x.Request)
	m.String("status", &x.Status)
}

//go:embed examples.json
var exampleFile []byte

// examples are the recorded calls by operation.
var examples = sync.OnceValue(func() map[string]example {
	v, err := wire.Parse(exampleFile, wire.Trusted)
	if err != nil {
		panic("generator/openapi: examples.json: " + err.Error()) // it is part of the program
	}
	out := make(map[string]example, len(v.Members))
	for i := range v.Members {
		var x example
		if err := wire.DecodeValue(&v.Members[i].Value, &x); err != nil {
			panic("generator/openapi: examples.json: " + err.Error())
		}
		out[v.Members[i].Name] = x
	}
	return out
})
