#!/usr/bin/env bash
# glue.sh FOLDER: builds the lab with another library's glue
# (bench/cmd/edgelabglue) and that library's scripts into FOLDER.
set -euo pipefail
cd "$(dirname "$0")/../.."
go run github.com/syumai/workers/cmd/workers-assets-gen -mode=go -o "$1"
out=$(cd "$1" && pwd)
GOOS=js GOARCH=wasm go -C bench build -trimpath -ldflags="-s -w" -o "$out/app.wasm" ./cmd/edgelabglue
