# The benchmarks and long tests of licensed delivery. Included by the Makefile.

ITEMS ?= 100000
CHECKS ?= 2000
ROUNDS ?= 1000

.PHONY: bench-delivery test-delivery test-revocation test-revocation-edge

bench-delivery: ## measure feed, snapshot and deltas at 100,000 items (ITEMS=…)
	COLOPHON_DELIVERY_ITEMS=$(ITEMS) go test ./worker -run '^TestBigFeed$$' -count=1 -v -timeout 30m

test-delivery: ## hold the mirror against the truth over many random histories (CHECKS=…)
	go test ./worker -run 'TestMirror|TestRevo|TestFeedResumes' -count=1 -rapid.checks=$(CHECKS) -timeout 60m

test-revocation: ## end rights in every way while content is read in every way, ROUNDS=1000 times each
	COLOPHON_ROUNDS=$(ROUNDS) go test ./worker -run '^TestRevocationRace$$' -count=1 -timeout 120m

test-revocation-edge: ROUNDS = 200
test-revocation-edge: edge ## the same at the edge over SQLite and on D1, ROUNDS=200 times each
	COLOPHON_ROUNDS=$(ROUNDS) tools/edge/with-tools.sh go test -tags edge ./worker -count=1 -timeout 12h -run '^TestRevocationRace(UnderWorkerd|AtTheEdge)$$' -v
