# Mirrors and tables, read by other programs. Included by the Makefile.

.PHONY: test-mirror

# DuckDB is not published for every platform that it names, which "npm ci" refuses;
# the lock still pins what is installed.
tools/screen/node_modules: tools/screen/package-lock.json
	cd tools/screen && npm install --no-save --loglevel=error
	@touch $@

test-mirror: tools/screen/node_modules ## verify a mirror with node's crypto alone, and read the tables with DuckDB and hyparquet
	COLOPHON_NODE=$$(command -v node) go test ./internal/release/... -count=1 -run '^(TestOthersReadTables|TestAnotherProgramVerifies)$$'
