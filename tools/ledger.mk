# The ledger tested against Tessera, witnesses, tampering and kills. Included by
# the Makefile.

.PHONY: test-ledger tessera test-witness bench-ledger

tessera: ## hold the ledger against Tessera's auditor, writer and mirror
	cd tools/ledger && go vet ./... && go test ./... -count=1 -timeout 20m

test-witness: ## let transparency-dev's witness cosign the ledger and refuse forks, and compare two monitors' views
	cd tools/witness && go vet ./... && go test ./... -count=1 -timeout 20m

test-ledger: tessera test-witness ## test the ledger with Tessera, witnesses, tampering and kills
	COLOPHON_EVERY_BYTE=1 go test ./generator/ledger -count=1 -timeout 20m
	go test ./generator ./cmd/colophon ./internal/ledgerlog ./internal/originsql -run 'Ledger|Tree|Tiles|Cosignature' -count=1 -timeout 20m

bench-ledger: ## measure appending and publishing 10,000 leaves onto 1,000,000
	go test ./generator -run '^$$' -bench Ledger -benchtime 1x -count 1 -timeout 30m
