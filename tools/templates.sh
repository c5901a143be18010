#!/usr/bin/env bash
# templates.sh: prints the folders of templ components, those within another
# left out. The names of files in generated code begin below such a folder.
set -euo pipefail
cd "$(dirname "$0")/.."
git ls-files -co --exclude-standard -- '*.templ' | sed 's|/[^/]*$||' | sort -u | awk 'last == "" || index($0, last "/") != 1 { print; last = $0 }'
