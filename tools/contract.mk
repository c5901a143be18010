# The OpenAPI description checked against the service. Included by the Makefile.

.PHONY: test-contract served-contract record-examples

FUZZ ?= 20000

test-contract: edge build ## send 20,000 requests made from openapi.json to each host, and hold every answer against it (FUZZ=…)
	mkdir -p build && go run ./tools/openapi > build/openapi.json
	cd tools/contract && COLOPHON_OPENAPI=$(abspath build/openapi.json) go test -count=1 ./...
	COLOPHON_FUZZ=$(FUZZ) go test ./cmd/colophon -count=1 -timeout 30m -v -run '^(TestContractFuzz|TestExamplesAreGiven)$$'
	WIDE_LIMITS=1 tools/edge/with-served.sh $(MAKE) --no-print-directory served-contract FUZZ=$(FUZZ)

# Part of "served" (edge.mk), with fewer requests, after the comparison of both
# hosts: random requests leave inquiries at one of them.
served: FUZZ = 600
served: served-walk served-contract

served-contract:
	COLOPHON_BASE=$(BASE) COLOPHON_DEMO=$(DEMO) COLOPHON_FUZZ=$(FUZZ) go test ./cmd/colophon -count=1 -timeout 30m -v -run '^TestContractFuzz$$'

record-examples: ## record the examples of openapi.json again, from the demo
	COLOPHON_RECORD=1 go test ./cmd/colophon -count=1 -run '^TestExamplesAreGiven$$'
