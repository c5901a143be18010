# Rights: the same answer wherever a verdict is given. Included by the Makefile.

.PHONY: test-agreement test-agreement-edge bench-rights

test-agreement: ## compare every surface on the demo and on 300 publishers with 10,200 pages drawn by lot (AGREE_SITES, AGREE_PAGES)
	AGREE_SITES=$${AGREE_SITES:-300} AGREE_PAGES=$${AGREE_PAGES:-34} AGREE_EVERY=$${AGREE_EVERY:-1} go test ./internal/acceptance -count=1 -timeout 60m -run 'TestSurfacesAgree' -v

test-agreement-edge: edge ## the same with the worker under workerd, on 10 publishers (AGREE_SITES, AGREE_PAGES)
	tools/edge/with-tools.sh go test -tags edge ./internal/acceptance -count=1 -timeout 60m -run '^TestSurfacesAgreeUnderWorkerd$$' -v

bench-rights: ## rights questions a second on one core against 100,000 publishers (BENCH_SITES)
	BENCH_SITES=$${BENCH_SITES:-100000} go test ./internal/rights -run '^$$' -bench BenchmarkQuestions -benchtime 3s -cpu 1
