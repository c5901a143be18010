# Extraction measured on the pages of documentation packages. Included by the
# Makefile.

.PHONY: bench-extract bench-import

EXTRACT_PAGES = $(CURDIR)/build/extract-pages
EXTRACT_BENCH = cd bench/cmd/extractbench && $(CURDIR)/build/bench/extractbench -root $(EXTRACT_PAGES)

build/bench/extractbench: FORCE
	@mkdir -p build/bench
	@go -C bench build -o $(CURDIR)/build/bench/ ./cmd/extractbench

bench-extract: build/bench/extractbench ## measure the extraction of texts and facts beside Readability and Trafilatura, and check three whole sites
	@tools/extract/fetch.sh bench/cmd/extractbench/sites.tsv $(EXTRACT_PAGES)
	@$(EXTRACT_BENCH)
	@$(EXTRACT_BENCH) -whole
	@$(EXTRACT_BENCH) -web "$$(go -C $(CURDIR)/bench list -m -f '{{.Dir}}' github.com/markusmobius/go-trafilatura)"

bench-import: ## measure the memory and processor time of an import of PAGES=100000 pages, twice, and of learning a template
	@mkdir -p build/bench
	@go build -o bin/colophon ./cmd/colophon
	@go -C bench build -o $(CURDIR)/build/bench/ ./cmd/importbench
	@build/bench/importbench -colophon bin/colophon -pages $(or $(PAGES),100000)

.PHONY: FORCE
FORCE:
