#!/usr/bin/env bash
# build.sh PACKAGE FOLDER SCRIPTS...: compiles the main package to Wasm and puts
# it with the scripts into FOLDER, ready for wrangler or workerd.
# LIMIT_KIB bounds the gzipped size.
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
named=$folder/named.wasm.tmp
optimized=$folder/optimized.wasm.tmp

say "compiling $package"
# The compiler gives up an initialisation by the clock on the wall, after three
# minutes, which a crowded machine needs for what takes seconds.
# Pages are rendered with the small runtime of tools/edge/templ.
modfile=$(tools/edge/modfile.sh "$folder/modfile.tmp")
GOFLAGS="-overlay=$(without_self_tests) -modfile=$modfile" "$TINYGO" build -target "$TARGET" -opt=z -no-debug -interp-timeout=30m -o "$named" "$package"
# --legalize-js-interface passes 64 bits as two halves: js/syscalljs.mjs.
# Without --all-features: with it binaryen writes imports in a form that older
# engines refuse. -O3 takes no more bytes gzipped than -Oz, and a tenth less time.
"$WASMOPT" --legalize-js-interface -O3 --low-memory-unused --zero-filled-memory --strip-debug --strip-producers -o "$optimized" "$named"
# Functions that are alike stand side by side, which compresses better.
go run ./tools/edge/wasmorder "$optimized" "$optimized"
"$WASMOPT" --reorder-functions-by-name --strip-debug -o "$folder/worker.wasm" "$optimized"
cp "$@" "$folder/"
go run ./tools/edge/wasmsize -limit "${LIMIT_KIB:-672}" "$named" "$folder/worker.wasm"
rm -rf "$named" "$optimized" "$folder/modfile.tmp"
"$NODE" tools/edge/boot.mjs "$folder"
