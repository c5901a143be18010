# The ledger tested against Tessera, witnesses, tampering and kills. Included by
# the Makefile.

.PHONY: tessera test-witness

tessera: ## hold the ledger against Tessera's auditor, writer and mirror
	cd tools/ledger && go vet ./... && go test ./... -count=1 -timeout 20m

test-witness: ## let transparency-dev's witness cosign the ledger and refuse forks, and compare two monitors' views
	cd tools/witness && go vet ./... && go test ./... -count=1 -timeout 20m

# Large files are tampered with at each byte.
unit-long: export COLOPHON_EVERY_BYTE = 1
