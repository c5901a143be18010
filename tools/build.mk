# Incremental builds held against whole ones, and builds that are killed.
# Included by the Makefile.

.PHONY: test-histories test-kills

test-histories: ## change an origin at random 300 times, and compare each incremental build with a whole one, byte for byte
	COLOPHON_HISTORIES=300 go test ./generator -count=1 -timeout 60m -v -run '^TestIncrementalEqualsWhole$$'

test-kills: ## kill builds at 200 moments: no document names a missing file, and the next build goes on
	COLOPHON_KILLS=200 go test ./generator -count=1 -timeout 60m -v -run '^TestKilledBuildLeavesAWholeOne$$'
