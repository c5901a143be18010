#!/usr/bin/env bash
# hono.sh FOLDER: builds the reference that the product is measured against,
# with the pinned Hono of bench/hono, into FOLDER. Run it through with-tools.sh.
set -euo pipefail
mkdir -p "$1"
out=$(cd "$1" && pwd)
cp "$ROOT"/bench/hono/{package.json,package-lock.json,hono.mjs} "$out/"
mv "$out/hono.mjs" "$out/source.mjs"
(cd "$out" && npm ci --loglevel=error >&2)
"$ROOT/node_modules/.bin/esbuild" "$out/source.mjs" --bundle --format=esm --minify --outfile="$out/hono.mjs" --log-level=warning
