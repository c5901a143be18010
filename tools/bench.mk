# The programs of bench/, which is a separate module. Included by the Makefile.

.PHONY: bench-programs test-bench

bench-programs: # the programs of bench/, into build/bench
	@mkdir -p build/bench
	@go -C bench build -o $(CURDIR)/build/bench/ ./cmd/buildbench ./cmd/edgebench ./cmd/mcpbench ./cmd/searchbench ./cmd/serversoak

test-bench: ## test the programs of bench/, and the search against its reference
	cd bench && go vet ./... && go test -timeout 10m ./...

