# The importer, tested on pages that were written elsewhere. Included by the
# Makefile.

.PHONY: test-import-debian

test-import-debian: ## import the HTML documentation of three Debian packages, killed three times on the way
	COLOPHON_DEBIAN_DOCS=1 go test ./internal/intake -count=1 -timeout 20m -run TestImportDebianDocs -v
