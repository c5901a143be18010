# Screening. Included by the Makefile.

.PHONY: bench-screen

SCREEN_BENCH = COLOPHON_NODE=$$(command -v node) COLOPHON_SCREEN_ENTRIES=$(or $(ENTRIES),100000) COLOPHON_SCREEN_URLS=$(or $(URLS),1000000) COLOPHON_SCREEN_TEXTS=$(or $(TEXTS),20000)

bench-screen: tools/screen/node_modules ## look up dirty URLs and texts, weigh the tables, and join in DuckDB (ENTRIES=100000 URLS=1000000 TEXTS=20000)
	$(SCREEN_BENCH) go test ./internal/screen -run '^$$' -bench URLs -benchtime 1x -timeout 60m
	$(SCREEN_BENCH) go test ./internal/screen -run '^$$' -bench DuckDB -benchtime 1x -timeout 60m
	$(SCREEN_BENCH) go test ./internal/screen -run '^$$' -bench Texts -benchtime 1x -timeout 60m
	$(SCREEN_BENCH) go test ./internal/screen -run '^$$' -bench Table -benchtime 2s -timeout 60m
