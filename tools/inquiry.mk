# Licensing: inquiries, conversations and the partner API. Included by the
# Makefile.

.PHONY: test-licensing served-licensing

test-licensing: ## 2,000 requests over 50 keys while the server is killed, and 10,000 hostile bodies
	COLOPHON_RACE_KEYS=50 COLOPHON_HOSTILE=10000 go test ./worker -count=1 -timeout 30m -v -run '^(TestRaceOfKeys|TestHostileBodies)$$'

# Part of "served" (edge.mk): an operator's commands on D1, and notifications by
# cron.
served: served-licensing

served-licensing:
	COLOPHON_BASE=$(BASE) COLOPHON_DEMO=$(DEMO) go test ./cmd/colophon -count=1 -run '^TestOperatorOnD1$$'
