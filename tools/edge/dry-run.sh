#!/usr/bin/env bash
# dry-run.sh: bundles the worker as a deployment would, without a network, and
# shows its size and bindings. Run it through with-tools.sh.
set -euo pipefail
cd "$ROOT"
config=wrangler.toml
if [ ! -d dist ]; then
  # Nothing has been published yet: bundle over an empty folder.
  empty=$(mktemp -d)
  trap 'rm -rf "$empty" "$ROOT/.wrangler-dry-run.toml"' EXIT
  config=.wrangler-dry-run.toml
  sed "s#^directory = \"dist\"#directory = \"$empty\"#" wrangler.toml > "$config"
fi
rm -rf build/dry-run
"$NODE" "$WRANGLER" deploy --dry-run --config "$config" --outdir build/dry-run
ls -l build/dry-run
