# Licensing: inquiries, conversations and the partner API. Included by the
# Makefile.

.PHONY: bench-licensing test-licensing test-licensing-edge served-licensing

SECONDS ?= 60

# Rate limits that the measurement does not reach.
BENCH_LIMITS = partner=1000000000 partner-day=1000000000 intake=1000000000 intake-day=1000000000

bench-licensing: edge build bench-programs ## measure partner POST and GET for 60 s natively and under workerd with D1, and the timing of wrong keys
	WIDE_LIMITS=1 RATE_LIMITS="$(BENCH_LIMITS)" tools/edge/with-served.sh build/bench/inquirybench --seconds $(SECONDS) --served

test-licensing: ## 2,000 requests over 50 keys while the server is killed, and 10,000 hostile bodies
	COLOPHON_RACE_KEYS=50 COLOPHON_HOSTILE=10000 go test ./worker -count=1 -timeout 30m -v -run '^(TestRaceOfKeys|TestHostileBodies)$$'

test-licensing-edge: edge ## the same scripts, races and bodies under workerd, on D1
	tools/edge/with-tools.sh go test -tags edge ./worker -run '^TestLicensingAtTheEdge$$' -count=1 -timeout 15m

# Part of "served" (edge.mk): an operator's commands on D1, and notifications by
# cron.
served: served-licensing

served-licensing:
	COLOPHON_BASE=$(BASE) COLOPHON_DEMO=$(DEMO) go test ./cmd/colophon -count=1 -run '^TestOperatorOnD1$$'
