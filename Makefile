# Colophon. "make run" starts the demo, "make test" installs what the tests
# need and passes them all; "make help" lists the rest.

.DEFAULT_GOAL := help
.PHONY: help run build test unit check generate walk

ADDR ?= 127.0.0.1:8787
DIR  ?= .colophon

help: ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sort | awk -F ':.*## ' '{printf "%-22s %s\n", $$1, $$2}'

run: editor ## make a demo, publish it and serve it at http://127.0.0.1:8787
	go run ./cmd/colophon demo --addr $(ADDR) --dir $(DIR)

build: editor ## build the command line into bin/, its man pages and shell completion into bin/share/
	go build -o bin/colophon ./cmd/colophon
	bin/colophon manual --to bin

check: ## the fast gate: format, vet, staticcheck, generated code, house rules
	tools/check.sh

# The go command builds in $GOTMPDIR; the tests, which would prefer it to $TMPDIR,
# do not see it. "make check" has vetted what they are compiled from.
unit: ## all Go tests, with their files in memory where there is room
	GOTMPDIR=$${TMPDIR:-/tmp} TMPDIR=$$(tools/testdir.sh) go test -vet=off -exec 'env -u GOTMPDIR' -timeout 20m ./...

generate: ## make generated code anew
	go generate ./...
	go tool templ generate -path templates
	go tool templ generate -path worker/page

include $(wildcard tools/*.mk)

# They make many small files too, as do the servers that they start.
test-edge test-served test-mcp test-clients test-pages test-bench tessera: export TMPDIR = $(shell tools/testdir.sh)

test: check unit test-bench test-edge test-served edge-dry-run test-mcp tessera test-clients test-pages ## install what the tests need and pass them all

walk: ## ask every published path of a running server: make walk BASE=… DEMO=…/demo.json
	COLOPHON_BASE=$(BASE) COLOPHON_DEMO=$(abspath $(DEMO)) go test ./cmd/colophon -count=1 -run TestWalk -v
