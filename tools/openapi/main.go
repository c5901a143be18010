// Command openapi prints the OpenAPI description of the service, for client
// generators and for readers of the standard.
//
//	go run ./tools/openapi [-base-url https://registry.example] [-short] [-plain]
package main

import (
	"flag"
	"os"

	"colophon/internal/openapi"
	"colophon/internal/wire"
)

func main() {
	base := flag.String("base-url", "https://registry.example", "address of the service, without a final slash")
	brief := flag.Bool("short", false, "leave the examples out")
	simple := flag.Bool("plain", false, "use only the forms that generators of OpenAPI 3.0 know too")
	flag.Parse()
	document := openapi.Document("Colophon", *base)
	if *brief {
		document = document.With("paths", withoutExamples(*document.Get("paths")))
	}
	if *simple {
		document = plain(document)
	}
	if _, err := os.Stdout.Write(append(document.Append(nil), '\n')); err != nil {
		os.Exit(1)
	}
}

// withoutExamples removes the examples of media types from operations.
func withoutExamples(v wire.Value) wire.Value {
	out := v
	if v.Get("schema") != nil {
		out = v.Without("example")
	}
	members := out.Members
	out.Members = nil
	for _, member := range members {
		out.Members = append(out.Members, wire.M(member.Name, withoutExamples(member.Value)))
	}
	return out
}
