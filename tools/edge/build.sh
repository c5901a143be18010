#!/usr/bin/env bash
# build.sh PACKAGE FOLDER SCRIPTS...: compiles the main package to Wasm and puts
# it with the scripts into FOLDER, ready for wrangler or workerd. LIMIT_KIB
# limits the gzipped size.
set -euo pipefail
ROOT=$(cd "$(dirname "$0")/../.." && pwd)
cd "$ROOT"
. tools/edge/node.sh
. tools/edge/toolchain.sh
package=$1 folder=$2
shift 2

ensure_npm_tools
ensure_tinygo
export WASMOPT=$ROOT/tools/edge/wasm-opt
rm -rf "$folder" && mkdir -p "$folder"

say "compiling $package"
# TinyGo stops evaluating initialisers after three minutes of wall time, which a
# busy machine may need for work of seconds: -interp-timeout raises that. Pages
# are rendered with the small runtime of tools/edge/templ.
modfile=$(tools/edge/modfile.sh "$folder/modfile.tmp")
GOFLAGS="-overlay=$(without_self_tests) -modfile=$modfile" "$TINYGO" build -target "$TARGET" -opt=z -no-debug -interp-timeout=30m -o "$folder/worker.wasm" "$package"
cp "$@" "$folder/"
rm -rf "$folder/modfile.tmp"

limit=${LIMIT_KIB:-1024}
size=$(gzip -9 -c "$folder/worker.wasm" | wc -c)
echo "$folder/worker.wasm: $(($(wc -c < "$folder/worker.wasm") / 1024)) KiB, $((size / 1024)) KiB gzipped (limit $limit)"
[ "$size" -le $((limit * 1024)) ] || die "$folder/worker.wasm is over the limit of $limit KiB gzipped"
"$NODE" tools/edge/boot.mjs "$folder"
