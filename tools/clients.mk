# The Go and TypeScript clients, generated from the OpenAPI description.
# Included by the Makefile.

# Quotas that are counted in the origin, raised beyond what any test reaches.
WIDE_QUOTAS = $(foreach q,inquiry inquiry-day inquiry-email thread-post partner-day intake-day,$(q)=1000000)

.PHONY: generate-clients test-clients clients-fresh clients-native clients-workerd clients-served clients-installed

clients/ts/node_modules: clients/ts/package-lock.json
	cd clients/ts && npm ci --loglevel=error
	@touch $@

generate-clients: clients/ts/node_modules ## make the generated parts of the clients again
	tools/clients/generate.sh go
	tools/edge/with-tools.sh tools/clients/generate.sh ts

# Both hosts run at once: each waits for its service most of the time.
test-clients: clients-fresh edge build tools/mcp/node_modules ## test the clients in Go and TypeScript on both hosts, with 10,000 pages, and install each client into an empty project
	$(MAKE) --no-print-directory -j2 --output-sync=target clients-native clients-workerd

clients-fresh: clients/ts/node_modules
	tools/clients/fresh.sh go
	tools/edge/with-tools.sh tools/clients/fresh.sh ts
	cd clients/ts && node_modules/.bin/tsc

clients-native:
	PREPARE=tools/clients/fill.sh tools/edge/with-tools.sh tools/clients/with-native.sh $(MAKE) --no-print-directory clients-served clients-installed

clients-workerd:
	PREPARE=tools/clients/fill.sh TEXTS_IN=texts WIDE_LIMITS=1 RATE_LIMITS="$(WIDE_QUOTAS)" SIGN=1 tools/edge/with-served.sh $(MAKE) --no-print-directory clients-served

clients-served:
	cd clients/go && COLOPHON_BASE=$(BASE) COLOPHON_DEMO=$(DEMO) go test -count=1 ./...
	cd clients/ts && COLOPHON_BASE=$(BASE) COLOPHON_DEMO=$(DEMO) "$$NODE" --test --test-reporter=spec test/*.test.ts
	COLOPHON_BASE=$(BASE) "$$NODE" --test --test-reporter=spec tools/clients/docs.test.mjs

# Installs each client into an empty project, using only what is on this
# machine.
clients-installed:
	@tools/install.sh /usr/bin/python3:python3 /usr/lib/python3/dist-packages/setuptools:python3-setuptools /usr/lib/python3/dist-packages/wheel:python3-wheel /usr/lib/python3/dist-packages/pip:python3-pip /usr/share/python-wheels:python3-venv
	COLOPHON_BASE=$(BASE) "$$NODE" --test --test-reporter=spec tools/clients/install.test.mjs

.PHONY: test-python python-served
test-python: build ## test the client in Python: its own tests, and against the demo
	tools/edge/with-tools.sh tools/clients/with-native.sh $(MAKE) --no-print-directory python-served

python-served:
	cd clients/python && COLOPHON_BASE=$(BASE) PYTHONPATH=src PYTHONDONTWRITEBYTECODE=1 python3 -W error -m unittest discover -s test
