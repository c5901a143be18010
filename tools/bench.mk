# The programs of bench/, a module of its own. Included by the Makefile.

.PHONY: bench-programs bench-segments test-bench

bench-programs: # the programs of bench/, into build/bench
	@mkdir -p build/bench
	@go -C bench build -o $(CURDIR)/build/bench/ ./cmd/buildbench ./cmd/edgebench ./cmd/inquirybench ./cmd/mcpbench ./cmd/searchbench ./cmd/serversoak

test-bench: ## test the programs of bench/, and the search against its reference
	cd bench && go vet ./... && go test -timeout 10m ./...

bench-segments: ## measure segments of 50,000 entries, or of ENTRIES=1000000: full, 100 changed, one withdrawn
	COLOPHON_SEGMENT_ENTRIES=$(or $(ENTRIES),50000) go test ./generator -run '^$$' -bench Segments -benchtime 1x -count 1 -timeout 60m
