#!/usr/bin/env bash
# Writes internal/originsql/testdata/schemas/schema-N.sql, a small store of the
# current schema N. A file that exists is never overwritten.
set -euo pipefail
cd "$(dirname "$0")/../.."

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export COLOPHON_DIR=$work/registry
colophon=$PWD/bin/colophon

"$colophon" init --base-url https://registry.example
for site in harbor-ledger quay-times; do
	"$colophon" publisher add "$site" --name "$site" --site-url "https://$site.example/" --use rag=welcome:disallow:attribution
	"$colophon" publisher approve "$site"
	for page in 1 2; do
		printf '{"url":"https://%s.example/%s","title":"Page %s","text":"Page %s of %s tells of tides and tariffs, long enough to have a fingerprint of its own."}\n' \
			"$site" "$page" "$page" "$page" "$site"
	done >"$work/pages.ndjson"
	"$colophon" import "$work/pages.ndjson" --site "$site"
done
partner=$("$colophon" partner add "Example Answers")
"$colophon" partner key issue "$partner"
buyer=$("$colophon" buyer add "Example Buyer")
"$colophon" buyer credential issue "$buyer"
"$colophon" grant add "$buyer" --site harbor-ledger --use rag
"$colophon" webhook add https://hooks.example/ --site harbor-ledger
"$colophon" offer add harbor-ledger wire --title Wire --permits syndication --payment-model subscription
"$colophon" demand add tides --headline Tides --uses rag
"$colophon" build
"$colophon" entry withdraw https://quay-times.example/2
"$colophon" build

version=$(sqlite3 "$COLOPHON_DIR/origin.db" 'PRAGMA user_version')
file=internal/originsql/testdata/schemas/schema-$version.sql
if [ -e "$file" ]; then
	echo "$file is there already: stored schemas do not change" >&2
	exit 1
fi
sqlite3 "$COLOPHON_DIR/origin.db" .dump | sed "\$s/^COMMIT;\$/PRAGMA user_version = $version;\nCOMMIT;/" >"$file"
grep -q '^PRAGMA user_version' "$file"
echo "wrote $file: add rows of what the schema adds, then commit it"
