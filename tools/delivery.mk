# The delivery of licensed content: its figures and its long tests.
# Included by the Makefile.

ITEMS ?= 100000
CHECKS ?= 2000

.PHONY: bench-delivery test-delivery test-delivery-edge

bench-delivery: ## measure feed, snapshot and deltas at 100,000 items (ITEMS=…)
	COLOPHON_DELIVERY_ITEMS=$(ITEMS) go test ./worker -run '^TestBigFeed$$' -count=1 -v -timeout 30m

test-delivery: ## hold the mirror against the truth over many random histories (CHECKS=…)
	go test ./worker -run 'TestMirror|TestRevo|TestFeedResumes' -count=1 -rapid.checks=$(CHECKS) -timeout 60m

test-delivery-edge: edge ## the same under workerd with an origin that speaks D1
	tools/edge/with-tools.sh go test -tags edge ./worker -run 'AtTheEdge$$' -count=1 -rapid.checks=100 -v -timeout 30m
