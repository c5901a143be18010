#!/usr/bin/env bash
# with-served.sh COMMAND...: runs COMMAND while the demo is served under workerd
# (wrangler dev with a local D1), and always stops the server afterwards. It
# needs build/edge and bin/colophon (make edge build).
#
# COMMAND finds in its environment
#   BASE   the address, without a final slash; LOG, what the server printed
#   DIR    the demo's folder: its origin as it was published, dist/, secret
#   DEMO   demo.json in it
# and with-served.sh looks at
#   PREPARE                 a command in the same environment, run before the server starts
#   TEXTS_IN                a folder in DIR with the texts that go to R2, instead of all: see serve.sh
#   PORT                    (default: one that is free)
#   WIDE_LIMITS=1           rate limits that no test reaches
#   RATE_LIMITS, PROOF_BITS, EDGE_REMOTE_HEADER   see serve.sh
set -euo pipefail
ROOT=$(cd "$(dirname "$0")/../.." && pwd)
if [ -z "${WORKERD:-}" ]; then exec "$ROOT/tools/edge/with-tools.sh" "$0" "$@"; fi
cd "$ROOT"
[ -x bin/colophon ] && [ -s build/edge/worker.wasm ] || { echo "with-served: run \"make edge build\" first" >&2; exit 1; }

PORT=${PORT:-$("$NODE" -e 'const s = require("net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close(); })')}
DIR=$(mktemp -d "${TMPDIR:-/tmp}/colophon-served.XXXXXX")
export DIR BASE=http://127.0.0.1:$PORT DEMO=$DIR/demo.json LOG=$DIR/serve.log
server=
stop() {
  # The server leads its own process group, which wrangler and the workers
  # belong to.
  if [ -n "$server" ]; then
    kill -TERM -- "-$server" 2>/dev/null || true
    for _ in $(seq 50); do kill -0 -- "-$server" 2>/dev/null || break; sleep 0.1; done
    kill -KILL -- "-$server" 2>/dev/null || true
    wait "$server" 2>/dev/null || true
  fi
  rm -rf "$DIR"
}
trap stop EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

bin/colophon demo --no-serve --addr "127.0.0.1:$PORT" --dir "$DIR" > "$DIR/demo.log" 2>&1 || { cat "$DIR/demo.log" >&2; exit 1; }
if [ -n "${PREPARE:-}" ]; then sh -c "$PREPARE"; fi
if [ -n "${TEXTS_IN:-}" ]; then export TEXTS=$DIR/$TEXTS_IN; fi
set -m
tools/edge/serve.sh "$DIR" "$PORT" > "$LOG" 2>&1 < /dev/null &
server=$!
set +m
await='const end = Date.now() + 900e3; (async () => { for (;;) {
  try { await (await fetch(process.env.BASE + "/v1/public/network-stats")).text(); return; }
  catch (e) { if (Date.now() > end) process.exit(1); }
  try { process.kill(+process.argv[1], 0); } catch { process.exit(1); }
  await new Promise((r) => setTimeout(r, 100));
} })()'
"$NODE" -e "$await" "$server" || { cat "$LOG" >&2; echo "with-served: the worker does not answer" >&2; exit 1; }

status=0
"$@" || status=$?
if [ $status != 0 ]; then
  echo "with-served: what the worker printed last:" >&2
  grep -vE '^.wrangler:info. [A-Z]+ /.* [234][0-9][0-9] ' "$LOG" | tail -n 40 >&2
fi
exit $status
