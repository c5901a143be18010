# Colophon. "make run" starts the demo, "make test" is the gate before each
# change, "make test-all" that before a release; "make help" lists the rest.

.DEFAULT_GOAL := help
.PHONY: help run build test test-all unit check generate walk mutants

ADDR ?= 127.0.0.1:8787
DIR  ?= .colophon

# Without the folder in what they compile, the go command and staticcheck keep
# their work from one clone to the next.
export GOFLAGS := $(sort -trimpath $(GOFLAGS))

# unless_prepared is a command, or nothing in a stage for which its target was
# made already: PREPARED names such targets.
unless_prepared = $(if $(filter $@,$(PREPARED)),@:,$(1))

help: ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sort | awk -F ':.*## ' '{printf "%-22s %s\n", $$1, $$2}'

run: editor ## make a demo, publish it and serve it at http://127.0.0.1:8787
	go run ./cmd/colophon demo --addr $(ADDR) --dir $(DIR)

build: editor ## build the command line into bin/, its man pages and shell completion into bin/share/
	$(call unless_prepared,go build -o bin/colophon ./cmd/colophon && bin/colophon manual --to bin)

check: ## the fast gate: format, vet, staticcheck, generated code, house rules
	tools/check.sh

# The go command builds in $GOTMPDIR; the tests, which would prefer it to $TMPDIR,
# do not see it. They collect garbage less often than a server, which takes a
# quarter of their time away. "make check" has vetted what they are compiled from.
unit: ## all Go tests in their short form, with their files in memory where there is room
	GOTMPDIR=$${TMPDIR:-/tmp} TMPDIR=$$(tools/testdir.sh) go test -short -vet=off -exec 'env -u GOTMPDIR GOGC=400' -timeout 20m ./...

unit-long: ## all Go tests, with all the random questions and rounds that the short form leaves out
	GOTMPDIR=$${TMPDIR:-/tmp} TMPDIR=$$(tools/testdir.sh) go test -vet=off -exec 'env -u GOTMPDIR GOGC=400' -timeout 60m ./...

generate: ## make generated code again
	go generate ./...
	go tool templ generate -path templates
	go tool templ generate -path worker/page

include $(wildcard tools/*.mk)

# They make many small files too, as do the servers that they start.
test-edge gate-edge test-served test-mcp test-clients test-sites test-pages gate-pages test-bench tessera: export TMPDIR = $(shell tools/testdir.sh)

# What several stages need is built before them, and not by each of them.
test: editor build ## the gate: checks, Go tests, the worker under workerd, journeys in a browser; installs what they need
	PREPARED="editor build" tools/stages.sh -j 2 check gate-edge unit gate-pages

# Stages by which a release is judged, beyond those of "make test".
RELEASE_STAGES = test-postgres test-backup test-mirror test-deploy test-release test-bench test-edge test-served edge-dry-run \
	test-mcp tessera test-clients test-python test-sites test-pages test-contract test-acme
# What takes long because it repeats: kills, faults, races, random histories, load.
LONG_STAGES = unit-long test-kills test-publish-kill test-durable test-races test-delivery test-revocation test-licensing test-agreement test-histories \
	test-histories-packs fuzz-channel soak

STAGES ?= check $(RELEASE_STAGES) $(LONG_STAGES)
JOBS ?= 2

test-all: editor build edge edgelab guard postgres tools/mcp/node_modules tools/pages/node_modules tools/screen/node_modules clients/ts/node_modules tools/sites/node_modules ## all stages, JOBS=2 at a time, each with its time at the end (STAGES="…" to choose)
	PREPARED="editor build edge edgelab guard" tools/stages.sh -j $(JOBS) $(STAGES)

mutants: ## change PKG=./internal/rights at one place at a time, and list the changes that none of its tests finds
	go run ./tools/mutants $(PKG)

walk: ## ask every published path of a running server: make walk BASE=… DEMO=…/demo.json
	COLOPHON_BASE=$(BASE) COLOPHON_DEMO=$(abspath $(DEMO)) go test ./cmd/colophon -count=1 -run TestWalk -v
