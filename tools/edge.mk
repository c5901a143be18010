# The worker for the Workers runtime, with its tests and benchmarks. Included by
# the Makefile. Each target installs the tools it needs.

EDGE_JS = $(filter-out worker/edgejs/js/entry.mjs,$(wildcard worker/edgejs/js/*.mjs))

GUARD_JS = $(filter-out %/worker.mjs %/policy.mjs %/tables.mjs %/published.mjs %/static.mjs %/body.mjs,$(EDGE_JS)) $(wildcard worker/edgejs/guard/*.mjs)

.PHONY: guard test-served served served-walk served-rights edge edge-once edgelab gate-edge test-edge edge-bridge edge-handlers edge-builds bench-edge bench-product edge-dry-run

edge: ## build the worker (TinyGo, Wasm) into build/edge and print its size
	$(call unless_prepared,tools/edge/build.sh ./cmd/edge build/edge $(EDGE_JS) worker/edgejs/js/entry.mjs)

edge-once: # the same, unless this machine has compiled the same files before
	tools/edge/once.sh ./cmd/edge build/edge $(EDGE_JS) worker/edgejs/js/entry.mjs

guard: ## build the guard of a publisher's site (TinyGo, Wasm) into build/guard and print its size
	$(call unless_prepared,LIMIT_KIB=200 tools/edge/build.sh ./cmd/edgeguard build/guard $(GUARD_JS))

# The prerequisites of "served" run against one demo under workerd, with BASE,
# DEMO and DIR in the environment (tools/edge/with-served.sh). Other makefiles
# add their own prerequisites to it.
test-served: edge build ## start the demo under workerd and run against it what must hold there
	WIDE_LIMITS=1 tools/edge/with-served.sh $(MAKE) --no-print-directory served

served: served-walk

# Walk the published paths, compare every answer with the native server's, and
# test the cron trigger.
served-walk:
	COLOPHON_BASE=$(BASE) COLOPHON_DEMO=$(DEMO) go test ./cmd/colophon -count=1 -timeout 60m -run TestWalk
	go test -tags edge ./cmd/colophon -count=1 -timeout 60m -run 'TestSameAnswers|TestCron'

edgelab: # the worker for tests and benchmarks, into build/edgelab
	$(call unless_prepared,LIMIT_KIB=200 tools/edge/build.sh ./cmd/edgelab build/edgelab $(EDGE_JS) worker/edgelab/lab.mjs)

# Part of "served": a changed statement shows in the next rights check.
served: served-rights

served-rights:
	COLOPHON_BASE=$(BASE) go test ./cmd/colophon -count=1 -run '^TestRightsOnD1$$'

# The three run at once, because compiling a worker uses one processor most of
# the time and the tests wait for a runtime. The first build, which may have to
# install the tools, runs alone.
test-edge: edge ## test the worker under workerd and wrangler dev: its bridge, its handlers, and builds that it serves
	$(MAKE) --no-print-directory -j3 --output-sync=target edge-bridge edge-handlers edge-builds

# What must hold under workerd with each change: the demo, from which a page was
# withdrawn after the build, answers as it does natively; its cron trigger
# enforces deadlines; streams end with a right and resume after cuts; limits are
# counted; and the origin store conforms on D1. The lab is not compiled for
# this, and the worker only if its files changed.
gate-edge: edge-once build ## the part of "make test" that runs under workerd
	PREPARE='$(WITHDRAW_PAGE)' WIDE_LIMITS=1 tools/edge/with-served.sh go test -short -tags edge -count=1 -timeout 20m ./cmd/colophon -run '^(TestSameAnswers|TestWithdrawnOnBothHosts|TestCronKeepsDeadlines)$$'
	$(EDGE_TEST) -timeout 20m ./worker -run '^TestRightEndsInAStreamAtTheEdge$$|^TestFeedResumesAfterCutsAtTheEdge$$|^TestLicensingAtTheEdge$$/script/limits'
	$(EDGE_TEST) -timeout 20m ./worker/edgelab -run '^TestOriginOnD1$$/the_API_of_D1'

WITHDRAW_PAGE = bin/colophon entry withdraw https://harbor-ledger.example/berths/queue-hamburg --dir $$DIR && bin/colophon build --withdrawals --dir $$DIR
EDGE_TEST = tools/edge/with-tools.sh go test -tags edge -count=1

edge-bridge: edgelab guard
	$(EDGE_TEST) -timeout 60m ./worker/edgelab/...

edge-handlers:
	$(EDGE_TEST) -timeout 60m ./worker -run '(AtTheEdge|UnderWorkerd)$$' -rapid.checks=30
	$(EDGE_TEST) -timeout 60m ./internal/acceptance -run 'UnderWorkerd$$'

edge-builds: guard
	$(EDGE_TEST) -timeout 60m ./cmd/colophon -run 'UnderWorkerd$$'

bench-edge: edgelab guard bench-programs ## measure the worker beside plain JavaScript and other glue
	tools/edge/glue.sh build/edgelabglue
	tools/edge/with-tools.sh build/bench/edgebench

bench-product: edge build bench-programs ## measure the product beside Hono and plain JavaScript, in turns
	tools/edge/with-tools.sh tools/edge/hono.sh build/hono
	rm -rf build/bench-demo && bin/colophon demo --no-serve --addr 127.0.0.1:0 --dir build/bench-demo > /dev/null
	tools/edge/with-tools.sh build/bench/edgebench -product build/bench-demo

edge-dry-run: edge ## check that the worker would deploy, offline
	tools/edge/with-tools.sh tools/edge/dry-run.sh
