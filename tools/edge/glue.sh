#!/usr/bin/env bash
# glue.sh FOLDER: builds the lab behind other glue (cmd/edgelabglue) into
# FOLDER, with that glue's own scripts.
set -euo pipefail
cd "$(dirname "$0")/../.."
go run github.com/syumai/workers/cmd/workers-assets-gen -mode=go -o "$1"
GOOS=js GOARCH=wasm go build -trimpath -ldflags="-s -w" -o "$1/app.wasm" ./cmd/edgelabglue
