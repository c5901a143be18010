#!/usr/bin/env bash
# with-tools.sh COMMAND...: runs COMMAND at the top of the repository with NODE,
# WRANGLER, WORKERD and MINIFLARE_WORKERD_PATH set, and wrangler kept offline.
set -euo pipefail
ROOT=$(cd "$(dirname "$0")/../.." && pwd)
cd "$ROOT"
. tools/edge/node.sh
ensure_npm_tools
export ROOT WRANGLER=$ROOT/node_modules/wrangler/bin/wrangler.js
WORKERD=$("$NODE" -p "require('workerd').default")
export WORKERD
export WRANGLER_SEND_METRICS=false WRANGLER_SEND_ERROR_REPORTS=false CLOUDFLARE_CF_FETCH_ENABLED=false
export WRANGLER_HIDE_BANNER=true CLOUDFLARE_TELEMETRY_DISABLED=1 CI=1 NO_COLOR=1
exec "$@"
