// Command openapi prints the OpenAPI description of the service, for the
// generators of clients and for readers of the standard.
//
//	go run ./tools/openapi [-base-url https://registry.example] [-plain]
package main

import (
	"flag"
	"os"

	"colophon/generator/openapi"
)

func main() {
	base := flag.String("base-url", "https://registry.example", "address of the service, without a final slash")
	simple := flag.Bool("plain", false, "use only the forms that generators of OpenAPI 3.0 know too")
	flag.Parse()
	document := openapi.Document("Colophon", *base)
	if *simple {
		document = plain(document)
	}
	if _, err := os.Stdout.Write(append(document.Append(nil), '\n')); err != nil {
		os.Exit(1)
	}
}
