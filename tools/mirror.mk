# Mirrors, verified by another program. Included by the Makefile.

.PHONY: test-mirror

test-mirror: ## copy a registry and verify the copy with node's crypto alone
	COLOPHON_NODE=$$(command -v node) go test ./internal/release/... -count=1

test: test-mirror
