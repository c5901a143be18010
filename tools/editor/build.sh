#!/bin/sh
# Builds the Wasm module of the page /editor/ and puts Go's script for it beside
# it.
set -eu
cd "$(dirname "$0")/../.."
GOOS=js GOARCH=wasm go build -trimpath -ldflags='-s -w' -o site/editor/editor.wasm ./cmd/editor
cp "$(go env GOROOT)/lib/wasm/wasm_exec.js" site/editor/wasm_exec.js
chmod 644 site/editor/editor.wasm site/editor/wasm_exec.js
