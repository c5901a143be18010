# Screening. Included by the Makefile.

.PHONY: bench-screen

bench-screen: ## look up dirty URLs and texts, and weigh the table of entries (ENTRIES=100000)
	COLOPHON_SCREEN_ENTRIES=$(or $(ENTRIES),100000) go test ./internal/screen -run '^$$' -bench . -benchtime 2s -timeout 60m
