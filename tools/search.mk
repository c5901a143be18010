# Included by the Makefile.

.PHONY: bench-search
bench-search: ## Measure the static index at 10k, 100k and 1M pages (PAGES="…" to choose)
	@go build -o $(or $(TMPDIR),/tmp)/searchbench ./cmd/searchbench
	@for n in $(or $(PAGES),10000 100000 1000000); do $(or $(TMPDIR),/tmp)/searchbench -pages $$n || exit 1; done
