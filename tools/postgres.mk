# The origin store in Postgres. Included by the Makefile.

.PHONY: postgres test-postgres test-races

postgres: ## install the Postgres of the distribution, for the tests
	tools/postgres/install.sh

test-postgres: postgres ## the tests of the origin store on Postgres
	COLOPHON_POSTGRES=1 go test ./internal/originsql/postgres/... ./internal/originsql/transfer/... -count=1
	COLOPHON_POSTGRES=1 go test ./cmd/colophon -count=1 -run 'Postgres|OriginCopy'

RACES ?= 200

test-races: postgres ## races of 8 writers with RACES=200 rounds each, on SQLite and on Postgres
	COLOPHON_ROUNDS=$(RACES) go test ./internal/originsql -run Race -count=1 -timeout 30m
	COLOPHON_ROUNDS=$(RACES) COLOPHON_POSTGRES=1 go test ./internal/originsql/postgres -run Conformance -count=1 -timeout 30m
