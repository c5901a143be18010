#!/usr/bin/env bash
# modfile.sh FOLDER: writes edge.mod and edge.sum into FOLDER and prints the
# path of edge.mod: the module's own requirements, but with the runtime of
# tools/edge/templ instead of templ's. Use it with "go -modfile" in the module's
# root. The replacement cannot stand in go.mod itself, because that would take
# the command "templ" away.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
mkdir -p "$1"
folder=$(cd "$1" && pwd)
cp "$root/go.mod" "$folder/edge.mod"
cp "$root/go.sum" "$folder/edge.sum"
go mod edit -droptool github.com/a-h/templ/cmd/templ -replace github.com/a-h/templ=./tools/edge/templ "$folder/edge.mod"
printf '%s\n' "$folder/edge.mod"
