#!/usr/bin/env bash
# fresh.sh go|ts: generates a client's generated part again from the service's
# records, and fails if it differed from the committed one.
set -euo pipefail
cd "$(dirname "$0")/../.."
case ${1:-} in
go) file=clients/go/api/api.gen.go ;;
ts) file=clients/ts/src/api.gen.ts ;;
*) echo "usage: fresh.sh go|ts" >&2; exit 2 ;;
esac
before=$(sha256sum "$file" || true)
tools/clients/generate.sh "$1"
if [ "$before" != "$(sha256sum "$file")" ]; then
	echo "$file was not up to date: it is now, commit it" >&2
	exit 1
fi
