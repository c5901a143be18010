# Incremental builds compared with whole ones, builds that are killed, and
# builds measured beside Hugo. Included by the Makefile.

HUGO_VERSION = v0.165.0
HUGO_HOME = $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/colophon/hugo-$(HUGO_VERSION)

.PHONY: bench-build test-histories test-histories-packs test-kills

$(HUGO_HOME)/hugo:
	GOBIN=$(HUGO_HOME) go install github.com/gohugoio/hugo@$(HUGO_VERSION)

bench-build: $(HUGO_HOME)/hugo build bench-programs ## build 10,000 entries, beside Hugo and beside writing the same files (ENTRIES=… ROUNDS=3)
	build/bench/buildbench -entries $(or $(ENTRIES),10000) -rounds $(or $(ROUNDS),3) -colophon bin/colophon -hugo $<

test-histories: ## change an origin at random 300 times, and compare each incremental build with a whole one, byte for byte
	COLOPHON_HISTORIES=300 go test ./generator -count=1 -timeout 60m -v -run '^TestIncrementalEqualsWhole$$'

test-histories-packs: ## change an origin at random 300 times, and compare what packs answer with files, byte for byte
	COLOPHON_PACK_ROUNDS=150 go test ./generator -count=1 -timeout 60m -v -run '^TestPacksOfHistories$$'

test-kills: ## kill builds at 200 moments: no document names a missing file, and the next build goes on
	COLOPHON_KILLS=200 go test ./generator -count=1 -timeout 60m -v -run '^(TestKilledBuildLeavesAWholeOne|TestLedgerSurvivesKills|TestPacksSurviveKills)$$'
