#!/usr/bin/env bash
# Print where tests make their files: in memory where there is room, since they
# make many small files and wait for the disk with each commit, else in $TMPDIR.
# Usage: testdir.sh
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
