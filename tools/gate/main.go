// Command gate is a vet tool with the checks of go vet and those of package
// gatecheck. Both need the same types, so they run in one pass over the
// program:
//
//	go build -trimpath -o /tmp/gate ./tools/gate && go vet -vettool=/tmp/gate ./...
package main

import (
	"golang.org/x/tools/go/analysis/suite/vet"
	"golang.org/x/tools/go/analysis/unitchecker"

	"colophon/tools/gate/gatecheck"
)

func main() { unitchecker.Main(append(vet.Suite, gatecheck.Analyzer)...) }
