#!/usr/bin/env bash
# once.sh PACKAGE FOLDER SCRIPTS...: like build.sh, but copies what this machine
# has compiled from the same files before. It is for tests only; a release is
# always compiled.
set -euo pipefail
ROOT=$(cd "$(dirname "$0")/../.." && pwd)
cd "$ROOT"
. tools/edge/node.sh
. tools/edge/toolchain.sh
package=$1 folder=$2
ensure_npm_tools
ensure_tinygo

# inputs prints the digests of everything that goes into the worker. Go's own
# files and TinyGo's are covered by their versions.
inputs() {
  local modfile=$1
  printf '%s\n' "$*" && "$TINYGO" version
  sha256sum package-lock.json tools/edge/*.sh tools/edge/*.mjs tools/edge/wasm-opt "${@:4}" && sha256sum < "$TARGET"
  GOFLAGS="-modfile=$modfile" "$TINYGO" list -deps -json -target "$TARGET" "$2" | "$NODE" tools/edge/sources.mjs | xargs sha256sum
}

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
key=$(inputs "$(tools/edge/modfile.sh "$scratch")" "$@" | sed "s#$ROOT/##; s#$scratch##" | sha256sum | cut -d' ' -f1)
kept=$CACHE/workers/$key
if [ -d "$kept" ]; then
  say "$package was compiled from the same files before"
  rm -rf "$folder" && mkdir -p "$(dirname "$folder")" && cp -r "$kept" "$folder"
  touch "$kept"
  exit
fi
tools/edge/build.sh "$@"
mkdir -p "$CACHE/workers"
find "$CACHE/workers" -mindepth 1 -maxdepth 1 -mtime +14 -exec rm -rf {} +
cp -r "$folder" "$kept.$$"
mv -T "$kept.$$" "$kept" 2>/dev/null || rm -rf "$kept.$$" # another build was faster
