// Command openapi prints the OpenAPI description of the service, for the
// generators of clients and for readers of the standard.
//
//	go run ./tools/openapi [-base-url https://registry.example]
package main

import (
	"flag"
	"os"

	"colophon/generator/openapi"
)

func main() {
	base := flag.String("base-url", "https://registry.example", "address of the service, without a final slash")
	flag.Parse()
	document := openapi.Document("Colophon", *base)
	if _, err := os.Stdout.Write(append(document.Append(nil), '\n')); err != nil {
		os.Exit(1)
	}
}
