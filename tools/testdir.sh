#!/usr/bin/env bash
# testdir.sh: prints where tests should make their files: in memory if there is
# room, because they make many small files and wait for the disk at each commit;
# otherwise in $TMPDIR.
set -euo pipefail
memory=/dev/shm
need=4194304 # KiB

if [ -d "$memory" ] && [ -w "$memory" ]; then
	free=$(df -Pk "$memory" | awk 'NR == 2 { print $4 }')
	available=$(awk '/^MemAvailable:/ { print $2 }' /proc/meminfo 2>/dev/null || echo 0)
	if [ "$free" -ge "$need" ] && [ "$available" -ge $((2 * need)) ]; then
		echo "$memory"
		exit
	fi
fi
echo "${TMPDIR:-/tmp}"
