#!/usr/bin/env bash
# fresh.sh go|ts: fails when the generated part of a client is not what the
# records of the service give, and leaves it made again.
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
