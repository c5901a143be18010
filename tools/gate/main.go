// Command gate is a vet tool with the rules of package gatecheck:
//
//	go build -o /tmp/gate ./tools/gate && go vet -vettool=/tmp/gate ./...
package main

import (
	"golang.org/x/tools/go/analysis/unitchecker"

	"colophon/tools/gate/gatecheck"
)

func main() { unitchecker.Main(gatecheck.Analyzer) }
