# Durability under kills, losses of power and failing disks. Included by the
# Makefile.

.PHONY: test-durable

POSTS ?= 2000

test-durable: ## 2,000 POSTs over 64 connections with four kills and four losses of power, and a fault at each call of SQLite
	COLOPHON_DURABLE_POSTS=$(POSTS) COLOPHON_FAULTS=all go test -count=1 -timeout 180m -v -run '^(TestAcknowledged|TestFault)' ./worker ./cmd/colophon ./internal/originsql/faulttest
