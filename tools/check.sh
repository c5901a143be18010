#!/usr/bin/env bash
# The fast gate: format, vet, staticcheck, generated code, house rules.
set -euo pipefail
cd "$(dirname "$0")/.."

step() { printf '== %s\n' "$1"; }

step "format"
unformatted=$(git ls-files '*.go' | grep -v '_templ\.go$' | xargs gofmt -l)
if [ -n "$unformatted" ]; then
	printf 'not formatted (run gofmt -w):\n%s\n' "$unformatted" >&2
	exit 1
fi

step "vet"
go vet ./...
go -C tools/edge/templ vet ./...

step "gate"
gate=$(mktemp -d)
trap 'rm -rf "$gate"' EXIT
go build -o "$gate/gate" ./tools/gate
go vet -vettool="$gate/gate" ./...

step "staticcheck"
go tool -modfile=tools/lint/go.mod staticcheck ./...

step "generated code"
before=$(git ls-files -s -- '*_templ.go' | sha256sum; git diff -- '*_templ.go' | sha256sum)
for folder in templates worker/page; do
	go tool templ generate -path "$folder" >/dev/null 2>&1
done
after=$(git ls-files -s -- '*_templ.go' | sha256sum; git diff -- '*_templ.go' | sha256sum)
if [ "$before" != "$after" ]; then
	echo "generated code is not up to date: run make generate and commit it" >&2
	exit 1
fi

tools/clients/fresh.sh go
go -C clients/go vet ./...

step "house rules"
go test -count=1 .
