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

# vet_program runs go vet and the house's own checks in one pass. With -trimpath
# the tool is the same file in every clone, so the go command reuses its results
# for unchanged packages.
vet_program() {
	go -C tools/edge/templ vet ./...
	go build -trimpath -o "$gate/gate" ./tools/gate
	go vet -vettool="$gate/gate" ./...
}

# Both run at once, because staticcheck uses a single processor most of the
# time.
step "vet with the house's checks, and staticcheck"
gate=$(mktemp -d)
trap 'rm -rf "$gate"' EXIT
vet_program &
vet=$!
failed=0
go tool -modfile=tools/lint/go.mod staticcheck ./... || failed=1
wait "$vet" || failed=1
[ "$failed" = 0 ] || exit 1

step "generated code"
before=$(git ls-files -s -- '*_templ.go' | sha256sum; git diff -- '*_templ.go' | sha256sum)
for folder in $(tools/templates.sh); do
	go tool templ generate -path "$folder" >/dev/null 2>&1
done
after=$(git ls-files -s -- '*_templ.go' | sha256sum; git diff -- '*_templ.go' | sha256sum)
if [ "$before" != "$after" ]; then
	echo "generated code is not up to date: run make generate and commit it" >&2
	exit 1
fi

tools/clients/fresh.sh go
go -C clients/go vet ./...

step "documents"
# The flags are those of "make unit", which runs the code blocks of all guides,
# so the compiled test is shared.
go test -short -vet=off ./cmd/colophon -run '^(TestDocumentsCallCommands|TestConfiguration|TestEveryGuideRuns)$'

step "house rules"
go test -count=1 .
