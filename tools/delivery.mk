# The delivery of licensed content: its figures and its long tests.
# Included by the Makefile.

ITEMS ?= 100000
CHECKS ?= 2000

.PHONY: bench-delivery test-delivery test-delivery-edge served-delivery

bench-delivery: ## measure feed, snapshot and deltas at 100,000 items (ITEMS=…)
	COLOPHON_DELIVERY_ITEMS=$(ITEMS) go test ./worker -run '^TestBigFeed$$' -count=1 -v -timeout 30m

test-delivery: ## hold the mirror against the truth over many random histories (CHECKS=…)
	go test ./worker -run 'TestMirror|TestRevo|TestFeedResumes' -count=1 -rapid.checks=$(CHECKS) -timeout 60m

DELIVERY_EDGE = go test -tags edge ./worker -count=1 -timeout 30m -run

test-delivery-edge: edge ## the same under workerd on D1, with 1,000 revocations and ITEMS items
	COLOPHON_ROUNDS=1000 COLOPHON_DELIVERY_ITEMS=$(ITEMS) tools/edge/with-tools.sh $(DELIVERY_EDGE) 'AtTheEdge$$' -rapid.checks=100 -v

served: served-delivery

served-delivery:
	tools/edge/with-tools.sh $(DELIVERY_EDGE) 'AtTheEdge$$' -rapid.checks=30
