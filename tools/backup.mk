# Backup and restore tested against a real S3 server. Included by the Makefile.

VERSITYGW_VERSION = v1.8.0
VERSITYGW_HOME = $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/colophon/versitygw-$(VERSITYGW_VERSION)

.PHONY: test-backup

$(VERSITYGW_HOME)/versitygw:
	GOBIN=$(VERSITYGW_HOME) go install github.com/versity/versitygw/cmd/versitygw@$(VERSITYGW_VERSION)

unit unit-long: $(VERSITYGW_HOME)/versitygw # for the tests that need a bucket
unit unit-long: export COLOPHON_VERSITYGW = $(VERSITYGW_HOME)/versitygw

test-backup: $(VERSITYGW_HOME)/versitygw ## back up and restore a server at work, to a folder and to an S3 server
	COLOPHON_VERSITYGW=$< COLOPHON_ROUNDS=40 go test ./internal/backup ./cmd/colophon -count=1 -timeout 60m -run 'Test(S3|Drill|Killed)'

.PHONY: fixture

fixture: build ## store an origin of the current schema for the upgrade tests of later ones
	tools/backup/fixture.sh
