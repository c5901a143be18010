#!/usr/bin/env bash
# facts.sh COLOPHON ENTRIES: prints the measured facts of docs/scale.md: the
# size of a catalog of ENTRIES entries, 100 for each publisher, as files and in
# packs, and how much a change to 1 % of them changes, by kind of file.
set -euo pipefail
colophon=$1
entries=$2
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

"$colophon" init --quiet --dir "$dir/r" --base-url https://registry.example >/dev/null
"$colophon" corpus --quiet --dir "$dir/r" --publishers $((entries / 100)) --pages "$entries" >/dev/null
build() { "$colophon" build --quiet --dir "$dir/r" --form "$1" --out "$dir/$1" >/dev/null; }

# listed prints the files of the release in a folder, "<sha-256> <size> <name>"
# a line.
listed() { (cd "$1" && cat v1/public/release/files/*/*.txt | while read -r sum size name; do [ -e "$name" ] && echo "$sum $size $name"; done; true); }

for form in files packs; do
	build "$form"
	listed "$dir/$form" >"$dir/$form.before"
done

# Change the text of one entry in a hundred.
find "$dir/files/v1/public/citations" -name '*.json' | sort | xargs grep -oh '"canonical_url":"[^"]*"' | cut -d'"' -f4 | sort >"$dir/urls"
awk 'NR % 100 == 1' "$dir/urls" >"$dir/picked"
for host in $(cut -d/ -f3 "$dir/picked" | sort -u); do
	grep "//$host/" "$dir/picked" | awk '{
		text = ""
		for (i = 0; i < 12; i++) text = text "This article was changed and now tells of something else, at " $0 ". "
		printf "{\"url\":\"%s\",\"title\":\"Changed\",\"text\":\"%s\"}\n", $0, text
	}' >"$dir/changed.ndjson"
	"$colophon" import "$dir/changed.ndjson" --quiet --dir "$dir/r" --site "${host%%.*}" >/dev/null
done
for form in files packs; do
	build "$form"
	listed "$dir/$form" >"$dir/$form.after"
done

printf 'entries %d\nchanged_entries %d\n' "$entries" "$(wc -l <"$dir/picked")"
for form in files packs; do
	prefix=
	if [ "$form" = packs ]; then
		prefix=pack_
	fi
	awk -v prefix="$prefix" '{ n++; bytes += $2 } END {
		printf "%sobjects %d\n%sbytes %.0f\n", prefix, n, prefix, bytes
	}' "$dir/$form.before"
	awk -v prefix="$prefix" 'NR == FNR { before[$3] = $1; next } before[$3] != $1 { n++; bytes += $2 } END {
		printf "%schanged_objects %d\n%schanged_bytes %.0f\n", prefix, n, prefix, bytes
	}' "$dir/$form.before" "$dir/$form.after"
done

for form in files packs; do
	printf '\nfiles that the change writes, in the form %s:\n' "$form"
	awk -f "$(dirname "$0")/groups.awk" "$dir/$form.before" "$dir/$form.after"
done
