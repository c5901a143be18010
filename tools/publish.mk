# Publishing to a bucket, tested against a real S3 server. Included by the
# Makefile.

.PHONY: test-publish-kill bench-publish facts

test-publish-kill: $(VERSITYGW_HOME)/versitygw ## kill 200 publishers to an S3 server
	COLOPHON_VERSITYGW=$< COLOPHON_PUBLISH_KILLS=200 go test ./generator/target/bucket -count=1 -timeout 20m -run TestKilled -v

bench-publish: $(VERSITYGW_HOME)/versitygw build ## publish the files of 50,000 entries to an S3 server, beside a plain loop of PUTs (ENTRIES=50000)
	@dir=$$(mktemp -d) && trap "rm -rf $$dir" EXIT && \
	bin/colophon init --dir $$dir/r --base-url https://registry.example && \
	bin/colophon corpus --dir $$dir/r --publishers $$(($(or $(ENTRIES),50000) / 100)) --pages $(or $(ENTRIES),50000) && \
	bin/colophon build --dir $$dir/r --form files --quiet && \
	COLOPHON_VERSITYGW=$< COLOPHON_PUBLISH_FOLDER=$$dir/r/dist go test ./generator/target/bucket -run '^$$' -bench Publish -benchtime 1x -timeout 60m

facts: build ## measure the facts of docs/scale.md (ENTRIES=10000)
	tools/publish/facts.sh bin/colophon $(or $(ENTRIES),10000)
