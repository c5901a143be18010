# Mirrors and tables, read by other programs. Included by the Makefile.

.PHONY: test-mirror

# DuckDB has no package for one of the platforms that its lock names, so "npm
# ci" refuses it; "npm install" still installs what the lock pins.
tools/screen/node_modules: tools/screen/package-lock.json
	cd tools/screen && npm install --no-save --loglevel=error
	@touch $@

test-mirror: tools/screen/node_modules ## verify a mirror with node's crypto alone, and read the tables with DuckDB and hyparquet
	COLOPHON_NODE=$$(command -v node) go test ./internal/release/... -count=1 -run '^(TestOthersReadTables|TestAnotherProgramVerifies)$$'
