#!/usr/bin/env bash
# serve.sh DIR PORT: serves the origin and the published files in DIR (made by
# "colophon demo" or "colophon build") through the worker in build/edge, under
# wrangler dev with a local D1, as a deployment would. Run it through
# with-tools.sh.
#
# The configuration is wrangler.toml with absolute paths; the local D1 is filled
# again at each start, from a dump of the origin. WIDE_LIMITS=1 makes all limits
# wider than any test reaches, and RATE_LIMITS=… sets those that are counted in
# the origin. SIGN=1 signs receipts and checkpoints with the signing key in DIR,
# SIGNING_KEY=… with another. TEXTS=… names a folder of "colophon origin dump
# --bodies" whose texts go to R2 instead of all texts, since wrangler takes
# minutes for that many small objects.
set -euo pipefail
cd "$ROOT"
dir=$(realpath "$1") port=$2
colophon=${COLOPHON:-$ROOT/bin/colophon}
state=$dir/workers config=$dir/workers/wrangler.toml
[ -s "$dir/secret" ] || { echo "serve: there is no secret in $dir" >&2; exit 1; }
base=$(sed -n "s/^base_url = ['\"]\(.*\)['\"].*/\1/p" "$dir/colophon.toml")
rm -rf "$state" && mkdir -p "$state"

sed -e "s#^main = \"#&$ROOT/#" -e "s#^directory = \"dist\"#directory = \"$dir/dist\"#" -e "s#^migrations_dir = \"#&$ROOT/#" \
  -e "s#^BASE_URL = \"[^\"]*\"#BASE_URL = \"$base\"#" wrangler.toml > "$config"
if [ -n "${WIDE_LIMITS:-}" ]; then sed -i 's/^simple = { limit = [0-9]*/simple = { limit = 1000000/' "$config"; RATE_LIMITS=${RATE_LIMITS:-inquiry=1000000 inquiry-day=1000000}; fi
if [ -n "${SIGN:-}" ]; then SIGNING_KEY=$(sed -n 's/.*"seed": *"\([^"]*\)".*/\1/p' $(grep -l '"status": *"active"' "$dir"/keys/*.json)); fi
(umask 077 && printf 'SERVICE_SECRET=%s\nRATE_LIMITS="%s"\nPROOF_BITS=%s\nEDGE_REMOTE_HEADER=%s\nSIGNING_KEY=%s\n' \
  "$(cat "$dir/secret")" "${RATE_LIMITS:-}" "${PROOF_BITS:-}" "${EDGE_REMOTE_HEADER:-}" "${SIGNING_KEY:-}" > "$state/.dev.vars")

# schema prints what "wrangler d1 migrations apply" would run; that command
# takes a second of CPU for each migration.
schema() {
  echo 'CREATE TABLE d1_migrations (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE, applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL);'
  local file
  for file in internal/originsql/migrations/*.sql; do
    cat "$file"
    printf "\nINSERT INTO d1_migrations (name) VALUES ('%s');\n" "$(basename "$file")"
  done
}

# The texts of pages go to R2, everything else to D1.
(umask 077; schema > "$state/origin.sql"; "$colophon" origin dump --dir "$dir" --bodies "$state/bodies" >> "$state/origin.sql")
"$NODE" "$WRANGLER" r2 bulk put colophon-bodies --filename "${TEXTS:-$state/bodies}/put.json" --local --config "$config" --persist-to "$state" > "$state/r2.log" 2>&1 || { tail -20 "$state/r2.log" >&2; exit 1; }
rm -r "$state/bodies"
"$NODE" "$WRANGLER" d1 execute colophon-origin --yes --file "$state/origin.sql" --local --config "$config" --persist-to "$state" > "$state/d1.log" 2>&1 || { cat "$state/d1.log" >&2; exit 1; }
rm "$state/origin.sql"

echo "serve: $dir at http://127.0.0.1:$port (Ctrl-C ends it)" >&2
exec "$NODE" "$WRANGLER" dev --local --config "$config" --persist-to "$state" --ip 127.0.0.1 --port "$port" --inspector-port 0 --test-scheduled
