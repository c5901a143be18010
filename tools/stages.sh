#!/usr/bin/env bash
# stages.sh [-j N] STAGE...: runs "make STAGE" for each stage, N at a time, and
# prints at the end how long each took. The output of a stage goes to
# build/stages/STAGE.log and is shown if the stage fails. All stages run even if
# one fails; the script then fails too.
set -euo pipefail
cd "$(dirname "$0")/.."

jobs=1
if [ "${1:-}" = -j ]; then
	jobs=$2
	shift 2
fi
logs=build/stages
rm -rf "$logs" && mkdir -p "$logs"
unset MAKEFLAGS MAKELEVEL # each stage is a separate call of make

# run_stage runs one stage and writes its status, wall time and CPU time to
# files.
run_stage() {
	local name=$1 status=0
	TIMEFORMAT='%0R %0U %0S'
	{ time "${MAKE:-make}" --no-print-directory "$name" > "$logs/$name.log" 2>&1; } 2> "$logs/$name.time" || status=$?
	echo "$status" > "$logs/$name.status"
	if [ "$status" = 0 ]; then
		echo "== $name passed"
	else
		echo "== $name FAILED, and printed last:"
		tail -n 150 "$logs/$name.log"
	fi
}

start=$SECONDS
for name in "$@"; do
	while [ "$(jobs -rp | wc -l)" -ge "$jobs" ]; do wait -n || true; done
	echo "== $name"
	run_stage "$name" &
done
wait

failed=0
printf '\n%-22s %8s %8s\n' stage seconds "of CPU"
for name in "$@"; do
	read -r wall user sys < "$logs/$name.time"
	word=
	if [ "$(cat "$logs/$name.status")" != 0 ]; then
		word=FAILED
		failed=1
	fi
	printf '%-22s %8d %8d %s\n' "$name" "$wall" "$((user + sys))" "$word"
done
printf '%-22s %8d\n' all "$((SECONDS - start))"
exit $failed
