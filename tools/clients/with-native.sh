#!/usr/bin/env bash
# with-native.sh COMMAND...: runs COMMAND while the native server serves the
# registry of fill.sh, with limits that no test reaches. COMMAND finds BASE, DIR
# and DEMO in its environment, as with tools/edge/with-served.sh.
set -euo pipefail
cd "$(dirname "$0")/../.."
DIR=$(mktemp -d "${TMPDIR:-/tmp}/colophon-clients.XXXXXX")
PORT=${PORT:-$("${NODE:-node}" -e 'const s = require("net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close(); })')}
export DIR BASE=http://127.0.0.1:$PORT DEMO=$DIR/demo.json
server=
stop() {
	if [ -n "$server" ]; then
		kill -TERM "$server" 2>/dev/null || true
		wait "$server" 2>/dev/null || true
	fi
	rm -rf "$DIR"
}
trap stop EXIT

bin/colophon demo --no-serve --addr "127.0.0.1:$PORT" --dir "$DIR" > "$DIR/demo.log" 2>&1 || { cat "$DIR/demo.log" >&2; exit 1; }
if [ -n "${PREPARE:-}" ]; then sh -c "$PREPARE"; fi
{
	printf '\n[limits]\n'
	for quota in anon prepare thread thread-post partner partner-day intake intake-day gateway content inbox rights credential inquiry inquiry-day inquiry-email; do
		printf '"%s" = 1000000000\n' "$quota"
	done
} >> "$DIR/colophon.toml"
bin/colophon serve --dir "$DIR" --addr "127.0.0.1:$PORT" --sign > "$DIR/serve.log" 2>&1 &
server=$!
for _ in $(seq 600); do
	if curl -fsS "$BASE/v1/public/network-stats" > /dev/null 2>&1; then
		"$@"
		exit
	fi
	kill -0 "$server" 2>/dev/null || break
	sleep 0.1
done
cat "$DIR/serve.log" >&2
echo "with-native: the server does not answer" >&2
exit 1
