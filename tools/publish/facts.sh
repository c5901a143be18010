#!/usr/bin/env bash
# Print the measured facts of docs/scale.md: what a catalog of ENTRIES entries,
# 100 a publisher, is as files, and what a change of 1 % of them changes.
# Usage: facts.sh COLOPHON ENTRIES
set -euo pipefail
colophon=$1
entries=$2
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

"$colophon" init --quiet --dir "$dir/r" --base-url https://registry.example >/dev/null
"$colophon" corpus --quiet --dir "$dir/r" --publishers $((entries / 100)) --pages "$entries" >/dev/null
"$colophon" build --quiet --dir "$dir/r" --out "$dir/before" >/dev/null
cp -r "$dir/before" "$dir/after"

# One entry in a hundred gets another text.
find "$dir/before/v1/public/citations" -name '*.json' | sort | xargs grep -oh '"canonical_url":"[^"]*"' | cut -d'"' -f4 | sort >"$dir/urls"
awk 'NR % 100 == 1' "$dir/urls" >"$dir/picked"
for host in $(cut -d/ -f3 "$dir/picked" | sort -u); do
	grep "//$host/" "$dir/picked" | awk '{
		text = ""
		for (i = 0; i < 12; i++) text = text "This article was changed and now tells of something else, at " $0 ". "
		printf "{\"url\":\"%s\",\"title\":\"Changed\",\"text\":\"%s\"}\n", $0, text
	}' >"$dir/changed.ndjson"
	"$colophon" import "$dir/changed.ndjson" --quiet --dir "$dir/r" --site "${host%%.*}" >/dev/null
done
"$colophon" build --quiet --dir "$dir/r" --out "$dir/after" >/dev/null

awk -v entries="$entries" '{ n++; bytes += $2 } END {
	printf "entries %d\nobjects %d\nbytes %.0f\n", entries, n, bytes
}' "$dir/before/_build/files.txt"
printf 'changed entries %d\n' "$(wc -l <"$dir/picked")"
awk 'NR == FNR { before[$3] = $1; next } before[$3] != $1 { n++; bytes += $2 } END {
	printf "changed objects %d\nchanged bytes %.0f\n", n, bytes
}' "$dir/before/_build/files.txt" "$dir/after/_build/files.txt"
