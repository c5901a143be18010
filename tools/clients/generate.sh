#!/usr/bin/env bash
# generate.sh go|ts: generates a client's generated part again from the
# service's records.
set -euo pipefail
cd "$(dirname "$0")/../.."
mkdir -p build
case ${1:-} in
go)
	go run ./tools/openapi -short -plain > build/openapi-plain.json
	go tool -modfile=tools/clients/go.mod oapi-codegen -config tools/clients/oapi-codegen.yaml build/openapi-plain.json
	;;
ts)
	go run ./tools/openapi -short > build/openapi-short.json
	"${NODE:-node}" clients/ts/node_modules/openapi-typescript/bin/cli.js build/openapi-short.json --output clients/ts/src/api.gen.ts > /dev/null
	;;
*)
	echo "usage: generate.sh go|ts" >&2
	exit 2
	;;
esac
