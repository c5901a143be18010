# "make run" starts the demo, "make test" is the gate before each change and
# "make test-all" the one before a release; "make help" lists the rest.

.DEFAULT_GOAL := help
.PHONY: help run build test test-all unit check generate mutants

ADDR ?= 127.0.0.1:8787
DIR  ?= .colophon

# With -trimpath the build folder is not part of what is compiled, so the caches
# of the go command and staticcheck serve every clone.
export GOFLAGS := $(sort -trimpath $(GOFLAGS))

# unless_prepared is a command, or nothing if the stage's target is named in
# PREPARED because it was built already.
unless_prepared = $(if $(filter $@,$(PREPARED)),@:,$(1))

help: ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sort | awk -F ':.*## ' '{printf "%-22s %s\n", $$1, $$2}'

run: editor ## make a demo, publish it and serve it at http://127.0.0.1:8787
	go run ./cmd/colophon demo --addr $(ADDR) --dir $(DIR)

build: editor ## build the command line into bin/, its man pages and shell completion into bin/share/
	$(call unless_prepared,go build -o bin/colophon ./cmd/colophon && bin/colophon manual --to bin)

check: ## the fast gate: format, vet, staticcheck, generated code, house rules
	tools/check.sh

# The go command builds in $GOTMPDIR. The tests do not see that variable,
# because they would prefer it to $TMPDIR. GOGC=400 makes garbage collection
# rarer than in a server, which saves a quarter of the tests' time. Vet is off
# because "make check" has vetted the same code.
unit: ## all Go tests in their short form, with their files in memory where there is room
	GOTMPDIR=$${TMPDIR:-/tmp} TMPDIR=$$(tools/testdir.sh) go test -short -vet=off -exec 'env -u GOTMPDIR GOGC=400' -timeout 20m ./...

unit-long: ## all Go tests, with all the random questions and rounds that the short form leaves out
	GOTMPDIR=$${TMPDIR:-/tmp} TMPDIR=$$(tools/testdir.sh) go test -vet=off -exec 'env -u GOTMPDIR GOGC=400' -timeout 60m ./...

generate: ## make generated code again
	go generate ./...
	for folder in $$(tools/templates.sh); do go tool templ generate -path $$folder; done

include $(wildcard tools/*.mk)

# These tests and the servers they start write many small files.
test-edge gate-edge test-served test-mcp test-clients test-sites test-pages gate-pages test-bench tessera test-witness \
	test-delivery test-revocation test-revocation-edge test-agreement: export TMPDIR = $(shell tools/testdir.sh)

# What several stages need is built once, before them.
test: editor build ## the gate: checks, Go tests, the worker under workerd, journeys in a browser; installs what they need
	PREPARED="editor build" tools/stages.sh -j 2 check gate-edge unit gate-pages

# The stages that a release must pass, beyond those of "make test".
RELEASE_STAGES = test-postgres test-backup test-mirror test-deploy test-release test-bench test-edge test-served edge-dry-run \
	test-mcp tessera test-witness test-clients test-python test-sites test-pages test-contract test-acme
# The stages that take long because they repeat: kills, faults, races, random
# histories, load.
LONG_STAGES = unit-long test-kills test-publish-kill test-durable test-races test-delivery test-revocation test-licensing test-agreement test-histories \
	test-histories-packs fuzz-channel soak

STAGES ?= check $(RELEASE_STAGES) $(LONG_STAGES)
JOBS ?= 2

test-all: editor build edge edgelab guard postgres tools/mcp/node_modules tools/pages/node_modules tools/screen/node_modules clients/ts/node_modules tools/sites/node_modules ## all stages, JOBS=2 at a time, each with its time at the end (STAGES="…" to choose)
	PREPARED="editor build edge edgelab guard" tools/stages.sh -j $(JOBS) $(STAGES)

mutants: ## change PKG=./internal/rights at one place at a time, and list the changes that none of its tests finds
	go run ./tools/mutants $(PKG)
